//! `registry!`: the one list of a crate's tools. From it come the definitions, the names, the server's routes and
//! the worker's proxies, so that a tool cannot be on one side only.

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Attribute, Ident, Path, Token, Visibility, bracketed};

use crate::case;

struct Registry {
    attributes: Vec<Attribute>,
    visibility: Visibility,
    name: Ident,
    tools: Punctuated<Path, Token![,]>,
}

impl Parse for Registry {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let attributes = input.call(Attribute::parse_outer)?;
        let visibility = input.parse()?;
        input.parse::<Token![mod]>()?;
        let name = input.parse()?;
        input.parse::<Token![=]>()?;
        let content;
        bracketed!(content in input);
        let tools = Punctuated::parse_terminated(&content)?;
        input.parse::<Option<Token![;]>>()?;
        Ok(Self { attributes, visibility, name, tools })
    }
}

/// One line of the list.
struct Entry {
    /// The tool's type, reached through the entry's own module.
    tool: TokenStream,
    /// The module in which the entry's last word is a type, whatever the author wrote.
    module: TokenStream,
    last: Ident,
    variant: Ident,
}

/// The whole expansion of `registry!`.
pub(crate) fn expand(input: TokenStream) -> TokenStream {
    let registry: Registry = match syn::parse2(input) {
        Ok(registry) => registry,
        Err(error) => return error.to_compile_error(),
    };
    let Registry { attributes, visibility, name, .. } = &registry;
    let entries: Vec<Entry> =
        registry.tools.iter().enumerate().map(|(i, path)| entry(i, path)).collect();
    let modules = entries.iter().map(|entry| &entry.module);
    let lists = lists(&entries);
    let names = names(&entries);
    let sides = sides(&entries);
    let docs = attributes.is_empty().then(|| quote!(#[doc = "The agent tools of this crate."]));
    quote! {
        #docs
        #(#attributes)*
        #visibility mod #name {
            #(#modules)*
            #lists
            #names
            #sides
        }
    }
}

/// A path that is no tool names only a value, so the type comes from the fallback; a tool's path brings its own type,
/// which hides the fallback's. Either way the entry resolves, and what it is not is one trait error.
fn entry(i: usize, path: &Path) -> Entry {
    let last = path
        .segments
        .last()
        .map_or_else(|| Ident::new("unnamed", Span::call_site()), |segment| segment.ident.clone());
    let span = last.span();
    let module = format_ident!("__{i}", span = span);
    let from_root = path.leading_colon.is_some()
        || path.segments.first().is_some_and(|segment| segment.ident == "crate");
    let target = if from_root { quote!(#path) } else { quote!(super::super::#path) };
    let import = quote_spanned!(span=> #[allow(unused_imports)] pub(super) use #target;);
    let fallback = quote_spanned! {span=>
        #[allow(non_camel_case_types, dead_code, missing_debug_implementations, unreachable_pub)]
        pub struct #last {}
        #[allow(dead_code)]
        impl #last {
            pub(crate) const LISTED_IN_REGISTRY: () = ();
            pub(crate) fn __reader() -> ::agent_contract::Reader {
                ::core::unreachable!("a registry with an entry that is no tool does not compile")
            }
            pub(crate) const fn __unique(
                _: &[&::agent_contract::ToolDefinition],
                _: &::agent_contract::check::Claims<'_>,
                _: usize,
            ) {}
        }
    };
    let variant = Ident::new(&case::pascal(&last.to_string()), span);
    Entry {
        tool: quote_spanned!(span=> #module::#last),
        module: quote! {
            #[doc(hidden)]
            mod #module {
                mod fallback { #fallback }
                #[allow(unused_imports)]
                pub(super) use fallback::*;
                #import
            }
        },
        last,
        variant,
    }
}

/// The definitions and the comparisons between them.
fn lists(entries: &[Entry]) -> TokenStream {
    let definitions = entries.iter().map(|Entry { tool, last, .. }| {
        quote_spanned!(last.span()=> &<#tool as ::agent_contract::Tool>::DEF)
    });
    let checks = entries.iter().enumerate().map(|(i, Entry { tool, last, .. })| {
        quote_spanned! {last.span()=>
            const _: () = {
                let () = #tool::LISTED_IN_REGISTRY;
                #tool::__unique(DEFS, CLAIMS, #i);
                ::agent_contract::check::lookups(DEFS, #i);
            };
        }
    });
    quote! {
        /// Every definition, in the order of the list.
        pub const DEFS: &[&::agent_contract::ToolDefinition] = &[#(#definitions),*];

        /// What each tool claims for itself.
        #[allow(long_running_const_eval)]
        const CLAIMS: &::agent_contract::check::Claims<'_> = {
            const NAMES: [::agent_contract::check::Claim; DEFS.len()] =
                ::agent_contract::check::names(DEFS);
            const EVENTS: [::agent_contract::check::Claim; DEFS.len()] =
                ::agent_contract::check::events(DEFS);
            const SENTENCES: [::agent_contract::check::Claim; ::agent_contract::check::count_sentences(DEFS)] =
                ::agent_contract::check::sentences(DEFS);
            &::agent_contract::check::Claims { names: &NAMES, events: &EVENTS, sentences: &SENTENCES }
        };

        #(#checks)*
    }
}

/// The closed vocabularies of names and events.
fn names(entries: &[Entry]) -> TokenStream {
    // An entry that is listed twice is reported as a duplicate name; a second variant would be a second error.
    let unique =
        |i: &usize| !entries[..*i].iter().any(|before| before.variant == entries[*i].variant);
    let rows: Vec<usize> = (0..entries.len()).filter(unique).collect();
    let variants: Vec<&Ident> = rows.iter().map(|i| &entries[*i].variant).collect();
    let docs: Vec<String> =
        rows.iter().map(|i| format!("The tool `{}`.", entries[*i].last)).collect();
    quote! {
        /// The name of a tool of this registry.
        #[derive(
            ::core::clone::Clone, ::core::marker::Copy, ::core::fmt::Debug, ::core::cmp::PartialEq,
            ::core::cmp::Eq, ::core::cmp::PartialOrd, ::core::cmp::Ord, ::core::hash::Hash,
        )]
        pub enum ToolName {
            #(#[doc = #docs] #variants,)*
        }

        impl ToolName {
            /// Every name, in the order of the list.
            pub const ALL: &[Self] = &[#(Self::#variants),*];

            /// The tool's definition.
            #[must_use]
            pub const fn definition(self) -> &'static ::agent_contract::ToolDefinition {
                DEFS[self as usize]
            }

            /// The name as the model writes it.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                self.definition().name
            }

            /// The tool of this name.
            #[must_use]
            pub fn parse(name: &str) -> ::core::option::Option<Self> {
                Self::ALL.iter().copied().find(|tool| tool.as_str() == name)
            }

            /// The event that asks the server to run the tool; none for a local tool.
            #[must_use]
            pub fn event(self) -> ::core::option::Option<ToolEvent> {
                self.definition().event.and_then(ToolEvent::parse)
            }
        }

        impl ::core::fmt::Display for ToolName {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        /// The event of a tool of this registry that the server runs. It is made by `parse` or `ToolName::event`
        /// only, so a local tool has none.
        #[derive(
            ::core::clone::Clone, ::core::marker::Copy, ::core::fmt::Debug, ::core::cmp::PartialEq,
            ::core::cmp::Eq, ::core::cmp::PartialOrd, ::core::cmp::Ord, ::core::hash::Hash,
        )]
        pub enum ToolEvent {
            #(#[doc = #docs] #variants,)*
        }

        impl ToolEvent {
            /// The tool that the event asks for.
            #[must_use]
            pub const fn tool(self) -> ToolName {
                ToolName::ALL[self as usize]
            }

            /// The event as it stands in a packet.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                let definition = self.tool().definition();
                match definition.event {
                    ::core::option::Option::Some(event) => event,
                    ::core::option::Option::None => definition.name,
                }
            }

            /// The event of this pattern.
            #[must_use]
            pub fn parse(pattern: &str) -> ::core::option::Option<Self> {
                [#(Self::#variants),*].into_iter().find(|event| {
                    event.tool().definition().event == ::core::option::Option::Some(pattern)
                })
            }
        }

        impl ::core::fmt::Display for ToolEvent {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.write_str(self.as_str())
            }
        }
    }
}

/// How many tools stand in one group. Each bound of a function is looked at for each other one, so a list of hundreds in
/// one place costs its square.
const GROUP: usize = 16;

/// Both sides of the wire, from the one list.
fn sides(entries: &[Entry]) -> TokenStream {
    let names: Vec<Ident> = entries
        .iter()
        .step_by(GROUP)
        .enumerate()
        .map(|(i, first)| format_ident!("__Group{i}", span = first.last.span()))
        .collect();
    let groups = entries.chunks(GROUP).zip(&names).map(|(entries, name)| group(entries, name));
    let count = entries.len();
    let readers = entries
        .iter()
        .map(|Entry { tool, last, .. }| quote_spanned!(last.span()=> #tool::__reader()));
    quote! {
        #(#groups)*

        /// What each tool's types make of JSON, to be held against its schemas.
        // Inline, so that only a crate that asks for it pays for its machine code.
        #[inline]
        #[must_use]
        pub fn readers() -> ::std::vec::Vec<::agent_contract::Reader> {
            ::std::vec![#(#readers),*]
        }

        /// The server's side: one route a tool. A tool whose ports `H` lacks is a compile error at the call.
        #[must_use]
        pub fn routes<H: ::agent_contract::Host>() -> ::std::vec::Vec<::agent_contract::Route<H>>
        where
            #(#names: ::agent_contract::ServedGroup<H>,)*
        {
            let mut routes = ::std::vec::Vec::with_capacity(#count);
            #(<#names as ::agent_contract::ServedGroup<H>>::routes(&mut routes);)*
            routes
        }

        /// The worker's side: a definition for each tool of the server, and the handler of each local tool.
        #[must_use]
        pub fn proxies<W: ::core::marker::Send + ::core::marker::Sync + 'static>() -> ::std::vec::Vec<::agent_contract::AgentTool<W>>
        where
            #(#names: ::agent_contract::OfferedGroup<W>,)*
        {
            let mut proxies = ::std::vec::Vec::with_capacity(#count);
            #(<#names as ::agent_contract::OfferedGroup<W>>::proxies(&mut proxies);)*
            proxies
        }
    }
}

/// Some of the tools as one type, which a host serves and a worker offers if it does each of them.
fn group(entries: &[Entry], name: &Ident) -> TokenStream {
    let serve = entries.iter().map(
        |Entry { tool, last, .. }| quote_spanned!(last.span()=> #tool: ::agent_contract::Served<H>),
    );
    let offer = entries.iter().map(|Entry { tool, last, .. }| {
        quote_spanned!(last.span()=> #tool: ::agent_contract::Offered<W>)
    });
    let routes = entries.iter().map(|Entry { tool, last, .. }| {
        quote_spanned!(last.span()=> <#tool as ::agent_contract::Served<H>>::route())
    });
    let proxies = entries.iter().map(|Entry { tool, last, .. }| {
        quote_spanned!(last.span()=> <#tool as ::agent_contract::Offered<W>>::proxy())
    });
    quote! {
        #[doc(hidden)]
        #[allow(missing_debug_implementations)]
        pub struct #name;

        impl<H: ::agent_contract::Host> ::agent_contract::ServedGroup<H> for #name
        where
            #(#serve,)*
        {
            fn routes(into: &mut ::std::vec::Vec<::agent_contract::Route<H>>) {
                into.extend([#(#routes),*]);
            }
        }

        impl<W: ::core::marker::Send + ::core::marker::Sync + 'static> ::agent_contract::OfferedGroup<W> for #name
        where
            #(#offer,)*
        {
            fn proxies(into: &mut ::std::vec::Vec<::agent_contract::AgentTool<W>>) {
                into.extend([#(#proxies),*]);
            }
        }
    }
}
