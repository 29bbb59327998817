//! Examples of a tool's arguments, as the author writes them: `{ name: "Mathematics", seats: 40 }`. Keys are the
//! arguments' Rust names, as in sentences. What the arguments are is known by type only, so the comparison is
//! emitted as calls that the compiler evaluates, each spanned on the word that it judges.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::parse::{Parse, ParseStream, Parser as _};
use syn::punctuated::Punctuated;
use syn::{Lit, Token, braced, bracketed, token};

use crate::check::example as check;

/// One example: an object of arguments.
pub(crate) struct Example(Object);

struct Object {
    span: Span,
    entries: Vec<(Ident, Value)>,
}

enum Value {
    Text(String, Span),
    Whole(i64, Span),
    Number(f64, Span),
    Bool(bool, Span),
    List(Vec<Value>, Span),
    Object(Object),
}

/// The value of `examples`. It is read apart from the rest, so that one fault is one error.
pub(crate) fn list(input: ParseStream<'_>) -> syn::Result<Vec<Example>> {
    let content;
    bracketed!(content in input);
    let examples = Punctuated::<Example, Token![,]>::parse_terminated;
    Ok(examples.parse2(content.parse()?)?.into_iter().collect())
}

impl Parse for Example {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if !input.peek(token::Brace) {
            return Err(check::no_object(input.span()));
        }
        input.parse().map(Self)
    }
}

impl Parse for Object {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let content;
        let braces = braced!(content in input);
        let mut entries: Vec<(Ident, Value)> = Vec::new();
        for Entry(key, value) in Punctuated::<Entry, Token![,]>::parse_terminated(&content)? {
            if entries.iter().any(|(before, _)| *before == key) {
                return Err(check::repeated(&key));
            }
            entries.push((key, value));
        }
        Ok(Self { span: braces.span.join(), entries })
    }
}

struct Entry(Ident, Value);

impl Parse for Entry {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let key = input.parse()?;
        input.parse::<Token![:]>()?;
        Ok(Self(key, input.parse()?))
    }
}

impl Parse for Value {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let span = input.span();
        if input.peek(token::Brace) {
            return input.parse().map(Self::Object);
        }
        if input.peek(token::Bracket) {
            let content;
            let brackets = bracketed!(content in input);
            let items = Punctuated::<Self, Token![,]>::parse_terminated(&content)?;
            return Ok(Self::List(items.into_iter().collect(), brackets.span.join()));
        }
        let negative = input.parse::<Option<Token![-]>>()?.is_some();
        let literal: Lit = input.parse().map_err(|_| check::no_value(span))?;
        let sign = if negative { "-" } else { "" };
        match literal {
            Lit::Str(text) if !negative => Ok(Self::Text(text.value(), span)),
            Lit::Bool(word) if !negative => Ok(Self::Bool(word.value, span)),
            Lit::Int(digits) => {
                read(sign, digits.base10_digits(), span).map(|n| Self::Whole(n, span))
            }
            Lit::Float(digits) => {
                read(sign, digits.base10_digits(), span).map(|n| Self::Number(n, span))
            }
            _ => Err(check::no_value(span)),
        }
    }
}

fn read<N: std::str::FromStr>(sign: &str, digits: &str, span: Span) -> syn::Result<N> {
    format!("{sign}{digits}").parse().map_err(|_| check::no_value(span))
}

/// The examples as constant data.
pub(crate) fn data(examples: &[Example]) -> TokenStream {
    let examples = examples.iter().map(|Example(object)| {
        let entries = entries(object);
        quote!(::agent_contract::Example(#entries))
    });
    quote!(&[#(#examples),*])
}

fn entries(object: &Object) -> TokenStream {
    let rows = object.entries.iter().map(|(key, value)| {
        let (key, value) = (name(key), literal(value));
        quote!((#key, #value))
    });
    quote!(&[#(#rows),*])
}

fn literal(value: &Value) -> TokenStream {
    let value = match value {
        Value::Text(text, _) => quote!(Text(#text)),
        Value::Whole(number, _) => quote!(Whole(#number)),
        Value::Number(number, _) => quote!(Number(#number)),
        Value::Bool(word, _) => quote!(Bool(#word)),
        Value::List(items, _) => {
            let items = items.iter().map(literal);
            quote!(List(&[#(#items),*]))
        }
        Value::Object(object) => {
            let entries = entries(object);
            quote!(Object(#entries))
        }
    };
    quote!(::agent_contract::ExampleValue::#value)
}

/// The comparison of each example with the arguments: one constant an example, so that its first fault is its only
/// one. `args` is the type of the arguments.
pub(crate) fn checks(examples: &[Example], args: &TokenStream) -> TokenStream {
    let checks = examples.iter().map(|Example(object)| {
        let body = compared(object, &quote!(members));
        quote! {
            const _: () = {
                let members = ::agent_contract::check::example_root::<#args>();
                #body
            };
        }
    });
    quote!(#(#checks)*)
}

fn compared(object: &Object, members: &TokenStream) -> TokenStream {
    let entries = object.entries.iter().map(|(key, value)| {
        let text = name(key);
        let shape =
            quote_spanned!(key.span()=> ::agent_contract::check::example_member(#members, #text));
        let value = fits(&text, value, &quote!(shape));
        quote!({ let shape = #shape; #value })
    });
    let names = object.entries.iter().map(|(key, _)| name(key));
    let complete = quote_spanned! {object.span=>
        ::agent_contract::check::example_complete(#members, &[#(#names),*]);
    };
    quote!(#(#entries)* #complete)
}

fn fits(argument: &str, value: &Value, shape: &TokenStream) -> TokenStream {
    match value {
        Value::Text(text, span) => {
            quote_spanned!(*span=> ::agent_contract::check::example_text(#argument, #shape, #text);)
        }
        Value::Whole(_, span) => {
            quote_spanned!(*span=> ::agent_contract::check::example_whole(#argument, #shape);)
        }
        Value::Number(_, span) => {
            quote_spanned!(*span=> ::agent_contract::check::example_number(#argument, #shape);)
        }
        Value::Bool(_, span) => {
            quote_spanned!(*span=> ::agent_contract::check::example_bool(#argument, #shape);)
        }
        Value::List(items, span) => {
            let item =
                quote_spanned!(*span=> ::agent_contract::check::example_list(#argument, #shape));
            let items = items.iter().map(|value| fits(argument, value, &quote!(item)));
            quote!({ let item = #item; let _ = item; #(#items)* })
        }
        Value::Object(object) => {
            let entries = entries(object);
            let members = quote_spanned! {object.span=>
                ::agent_contract::check::example_object(#argument, #shape, #entries)
            };
            let inner = compared(object, &quote!(members));
            quote!({ let members = #members; #inner })
        }
    }
}

fn name(key: &Ident) -> String {
    let name = key.to_string();
    name.strip_prefix("r#").map_or(name.clone(), str::to_owned)
}
