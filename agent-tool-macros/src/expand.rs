//! A tool as code. The function stays as written; beside it stands a type of the same name (types and values have
//! separate namespaces), so that one path names both. Everything that follows from types alone is generic code in
//! `agent-contract`; only what the author wrote is emitted here.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::ItemFn;
use syn::spanned::Spanned;

use crate::example;
use crate::fault::Faults;
use crate::model::{Posture, Signature, Tool};
use crate::parse::Attribute;
use crate::say::Sentence;
use crate::verb::Effect;

/// The whole expansion of `#[agent_tool(…)]`.
pub(crate) fn agent_tool(attribute: TokenStream, item: &TokenStream) -> TokenStream {
    let mut faults = Faults::default();
    let function: ItemFn = match syn::parse2(item.clone()) {
        Ok(function) => function,
        Err(error) => {
            faults.push(error);
            let faults = faults.into_tokens();
            return quote!(#faults #item);
        }
    };
    let attribute = Attribute::read(attribute, &mut faults);
    let tool = Tool::resolve(attribute, function, &mut faults);
    let faults = faults.into_tokens();
    let tool = tokens(&tool);
    quote!(#faults #tool)
}

fn tokens(tool: &Tool) -> TokenStream {
    let function = &tool.function;
    let ident = &function.sig.ident;
    let visibility = &function.vis;
    let marker_docs = format!("The tool `{}`, as a type.", tool.name);
    let declaration = declaration(tool, ident);
    let handler = handler(tool, ident);
    let checks = checks(tool, ident);
    let witness = witness(tool, ident);
    quote! {
        // The attribute demands `async` and arguments by value, and an `# Errors` section would reach the model.
        #[allow(clippy::missing_errors_doc, clippy::needless_pass_by_value, clippy::unused_async)]
        #function

        #[doc = #marker_docs]
        #[doc(hidden)]
        #[allow(non_camel_case_types, missing_debug_implementations)]
        #visibility struct #ident {}

        #declaration
        #handler
        #checks
        #witness
    }
}

/// `impl Tool`: the author's words and the types that stand in the signature.
fn declaration(tool: &Tool, ident: &Ident) -> TokenStream {
    let Tool { name, verb, description, label, legacy, .. } = tool;
    let (args, result) = types(tool.signature.as_ref(), tool.kind());
    let kind = Ident::new(tool.kind(), Span::call_site());
    let event = optional(tool.event.as_ref().map(|(event, _)| event.as_str()));
    let scope = Ident::new(tool.scope, Span::call_site());
    let posture = match &tool.posture {
        Posture::Casl(action, resource) => {
            let (action, resource) = (action.to_string(), resource.to_string());
            quote!(::core::option::Option::Some(::agent_contract::check::casl(#action, #resource)))
        }
        Posture::Relationship => {
            quote!(::core::option::Option::Some(::agent_contract::Posture::Relationship))
        }
        Posture::None => quote!(::core::option::Option::None),
    };
    let roles = tool.roles.iter().map(ToString::to_string);
    let effect = match tool.effect {
        Effect::Read => quote!(Read),
        Effect::Write => quote!(Write),
    };
    let approval = Ident::new(tool.approval, Span::call_site());
    let say = tool.say.iter().map(sentence);
    let examples = example::data(&tool.examples);
    quote! {
        #[automatically_derived]
        impl ::agent_contract::Tool for #ident {
            type Args = #args;
            type Kind = ::agent_contract::kind::#kind;
            type Return = #result;
            const SPEC: ::agent_contract::ToolSpec = ::agent_contract::ToolSpec {
                name: #name,
                event: #event,
                legacy_event: #legacy,
                description: #description,
                scope: ::agent_contract::ToolScope::#scope,
                posture: #posture,
                roles: &[#(::agent_contract::check::role_or_first(#roles)),*],
                label: #label,
                effect: ::agent_contract::Effect::#effect,
                approval: ::agent_contract::Approval::#approval,
                verb: #verb,
                say: &[#(#say),*],
                examples: #examples,
                file: ::core::file!(),
                line: ::core::line!(),
            };
        }
    }
}

/// An optional text as code.
pub(crate) fn optional(text: Option<&str>) -> TokenStream {
    text.map_or_else(
        || quote!(::core::option::Option::None),
        |text| quote!(::core::option::Option::Some(#text)),
    )
}

/// The types of the signature, or types that satisfy every bound when the signature was faulty.
fn types(signature: Option<&Signature>, kind: &str) -> (TokenStream, TokenStream) {
    if let Some(Signature { args, result, .. }) = signature {
        return (quote!(#args), quote!(#result));
    }
    let kind = Ident::new(kind, Span::call_site());
    (
        quote!(::agent_contract::check::Unusable),
        quote!(<::agent_contract::kind::#kind as ::agent_contract::kind::Marker>::Unusable),
    )
}

fn sentence(sentence: &Sentence) -> TokenStream {
    let Sentence { template, slots, variants, .. } = sentence;
    let variants = variants.iter().map(|variant| {
        let (hash, text) = (variant.hash, &variant.text);
        quote!(::agent_contract::Variant { hash: #hash, text: #text })
    });
    quote! {
        ::agent_contract::Sentence {
            template: #template,
            slots: &[#(#slots),*],
            variants: &[#(#variants),*],
        }
    }
}

/// `impl Handler<S>`: for every host that has the ports, calls the author's function. It hands the function's own future
/// on; an `async fn` around it would be a second state machine for each tool.
fn handler(tool: &Tool, ident: &Ident) -> TokenStream {
    let (args, result) = types(tool.signature.as_ref(), tool.kind());
    let Some(Signature { ports, cx, .. }) = &tool.signature else {
        return quote! {
            #[automatically_derived]
            impl<S: ::core::marker::Send + ::core::marker::Sync> ::agent_contract::Handler<S> for #ident {
                type Args = #args;
                type Return = #result;
                async fn call(_cx: &::agent_contract::ToolCx<S>, _args: #args) -> #result {
                    ::core::result::Result::Err(::agent_contract::ToolError::Internal)
                }
            }
        };
    };
    let (name, cx) = (Ident::new(&ident.to_string(), ident.span()), Ident::new("cx", cx.span()));
    // A future that is not `Send` is reported here.
    let future = quote_spanned! {result.span()=>
        impl ::core::future::Future<Output = #result> + ::core::marker::Send
    };
    quote! {
        #[automatically_derived]
        impl<S: #ports + ::core::marker::Send + ::core::marker::Sync> ::agent_contract::Handler<S> for #ident {
            type Args = #args;
            type Return = #result;
            fn call(
                #cx: &::agent_contract::ToolCx<S>,
                args: #args,
            ) -> #future {
                #name(#cx, args)
            }
        }
    }
}

/// What only the contract can judge, judged at compile time and reported in the author's tokens. None of these
/// stands in the definition itself, so that a failure is one error and not one for each use.
fn checks(tool: &Tool, ident: &Ident) -> TokenStream {
    let mut checks = TokenStream::new();
    // One constant for each value of the attribute, since a constant costs the compiler as much as a small function. It
    // fails once, so the first fault names the others of its value.
    if !tool.roles.is_empty() {
        let names: Vec<String> = tool.roles.iter().map(ToString::to_string).collect();
        let roles = tool.roles.iter().enumerate().map(|(i, role)| {
            let (text, rest) = (&names[i], &names[i + 1..]);
            quote_spanned!(role.span()=> ::agent_contract::check::role(#text, &[#(#rest),*]);)
        });
        checks.extend(quote!(const _: () = { #(#roles)* };));
    }
    if let Posture::Casl(action, resource) = &tool.posture {
        let (a, r) = (action.to_string(), resource.to_string());
        let known = quote_spanned!(action.span()=> ::agent_contract::check::action(#a, #r););
        let of = quote_spanned!(resource.span()=> ::agent_contract::check::resource(#r););
        let granted = quote_spanned!(action.span()=> ::agent_contract::check::granted(#a, #r););
        checks.extend(quote!(const _: () = { #known #of #granted };));
    }
    if let (Some(first), Some(_)) = (tool.say.first(), &tool.signature) {
        // One constant a tool: an unknown slot is reported before the argument that it leaves uncovered.
        let fields = quote!(<#ident as ::agent_contract::Tool>::FIELDS);
        let slots = tool.say.iter().flat_map(|sentence| {
            let fields = fields.clone();
            sentence.slots.iter().map(move |slot| {
                quote_spanned!(sentence.literal.span()=> ::agent_contract::check::slot(#fields, #slot);)
            })
        });
        let all = tool.say.iter().map(|sentence| {
            let slots = &sentence.slots;
            quote!(&[#(#slots),*])
        });
        let covers = quote_spanned! {first.literal.span()=>
            ::agent_contract::check::covers(#fields, &[#(#all),*]);
        };
        checks.extend(quote!(const _: () = { #(#slots)* #covers };));
    }
    if tool.signature.is_some() {
        let fields = quote!(<#ident as ::agent_contract::Tool>::FIELDS);
        let args = quote!(<#ident as ::agent_contract::Tool>::Args);
        checks.extend(example::checks(&tool.examples, &args));
        if tool.event.is_some() && tool.lacks_examples {
            let name = &tool.name;
            checks.extend(quote_spanned! {ident.span()=>
                const _: () = ::agent_contract::check::example_given(#fields, #name);
            });
        }
    }
    checks
}

/// What `registry!` touches: the witness that the tool is listed, and the comparisons with the tools before it.
fn witness(tool: &Tool, ident: &Ident) -> TokenStream {
    let advice = format!(
        "agent tool `{}` is in no registry, so neither side would ever run it; add `{ident}` to the crate's `registry!` list",
        tool.name
    );
    // Every token carries the author's span: rustc mutes `dead_code` in a macro's own spans.
    let listed = quote_spanned! {ident.span()=>
        impl #ident {
            #[doc(hidden)]
            #[deny(dead_code, reason = #advice)]
            pub(crate) const LISTED_IN_REGISTRY: () = ();
        }
    };
    let name =
        quote_spanned!(tool.name_span=> ::agent_contract::check::unique_name(defs, claims, this););
    let event_span = tool.event.as_ref().map_or(tool.name_span, |(_, span)| *span);
    let event =
        quote_spanned!(event_span=> ::agent_contract::check::unique_event(defs, claims, this););
    let sentences = tool.say.iter().enumerate().map(|(i, sentence)| {
        quote_spanned! {sentence.literal.span()=>
            ::agent_contract::check::unique_sentence(defs, claims, this, #i);
        }
    });
    quote! {
        #listed

        impl #ident {
            #[doc(hidden)]
            #[inline]
            #[allow(dead_code)]
            pub fn __reader() -> ::agent_contract::Reader {
                ::agent_contract::Reader::of::<Self>()
            }

            #[doc(hidden)]
            #[allow(dead_code, unused_variables)]
            // Only the compiler runs it: without this there would be machine code of it for each tool.
            #[inline]
            pub const fn __unique(
                defs: &[&::agent_contract::ToolDefinition],
                claims: &::agent_contract::check::Claims<'_>,
                this: usize,
            ) {
                #name
                #event
                #(#sentences)*
            }
        }
    }
}
