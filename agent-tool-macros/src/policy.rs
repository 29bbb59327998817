//! `policy_vocabulary!`: the policy's facts as types. The file is strict, one fact a line, so that this parser and
//! oso's cannot read it differently; `include_str!` makes an edit rebuild everything that was checked against it.

use std::fmt::Write as _;

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::{Error, LitStr};

use crate::case;
use crate::fault::Faults;

/// One `grant(role, resource:action, reach)` fact.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Fact {
    pub(crate) role: String,
    pub(crate) resource: String,
    pub(crate) action: String,
    pub(crate) reach: String,
}

/// The whole expansion of `policy_vocabulary!`.
pub(crate) fn expand(input: TokenStream) -> TokenStream {
    let file: LitStr = match syn::parse2(input) {
        Ok(file) => file,
        Err(error) => return error.to_compile_error(),
    };
    let name = file.value();
    let root = std::env::var("CARGO_MANIFEST_DIR").unwrap_or_default();
    let text = match std::fs::read_to_string(std::path::Path::new(&root).join(&name)) {
        Ok(text) => text,
        Err(error) => {
            return Error::new(file.span(), format!("cannot read policy facts `{name}`: {error}"))
                .to_compile_error();
        }
    };
    vocabulary(&name, &text, file.span())
}

/// The vocabulary of a facts file.
pub(crate) fn vocabulary(name: &str, text: &str, span: Span) -> TokenStream {
    let mut faults = Faults::default();
    let mut facts: Vec<Fact> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let at = format!("{name}:{}", number + 1);
        match fact(line) {
            None => faults.at(span, format!("{at}: expected one fact a line, `grant(\"role\", \"resource:action\", \"reach\");`")),
            Some(fact) if facts.contains(&fact) => faults.at(span, format!("{at}: this fact is given twice; keep one of them")),
            Some(fact) => facts.push(fact),
        }
    }
    let actions =
        closed("Action", "What may be done to a resource.", facts.iter().map(|fact| &fact.action));
    let resources =
        closed("Resource", "What the policy protects.", facts.iter().map(|fact| &fact.resource));
    let roles =
        closed("StaffRole", "Who a person is, to the policy.", facts.iter().map(|fact| &fact.role));
    let reaches = closed("Reach", "How far a grant goes.", facts.iter().map(|fact| &fact.reach));
    let rows = facts.iter().map(|fact| {
        let [role, action, resource, reach] =
            [&fact.role, &fact.action, &fact.resource, &fact.reach].map(|word| variant(word));
        quote! {
            Grant {
                role: StaffRole::#role,
                action: Action::#action,
                resource: Resource::#resource,
                reach: Reach::#reach,
            }
        }
    });
    let faults = faults.into_tokens();
    quote! {
        #faults
        #actions
        #resources
        #roles
        #reaches

        /// One fact: people of this role may do this to these resources, this far.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct Grant {
            /// Who.
            pub role: StaffRole,
            /// Does what.
            pub action: Action,
            /// To what.
            pub resource: Resource,
            /// How far.
            pub reach: Reach,
        }

        /// Every fact, in the order of the file.
        pub const GRANTS: &[Grant] = &[#(#rows),*];

        /// The file itself, for the engine that decides.
        pub const FACTS: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/", #name));
    }
}

/// Reads one line; a fact has three quoted words, the second in two halves, and nothing else.
pub(crate) fn fact(line: &str) -> Option<Fact> {
    let inside = line.strip_prefix("grant(")?.strip_suffix(");")?;
    let words = inside
        .split(',')
        .map(|word| word.trim().strip_prefix('"')?.strip_suffix('"'))
        .collect::<Option<Vec<_>>>()?;
    let [role, permission, reach] = words[..] else { return None };
    let (resource, action) = permission.split_once(':')?;
    let fact = [role, resource, action, reach];
    fact.iter().all(|word| is_word(word)).then(|| {
        let [role, resource, action, reach] = fact.map(str::to_owned);
        Fact { role, resource, action, reach }
    })
}

fn is_word(word: &str) -> bool {
    word.starts_with(|letter: char| letter.is_ascii_lowercase())
        && word
            .chars()
            .all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '_')
}

fn variant(word: &str) -> Ident {
    Ident::new(&case::pascal(word), Span::call_site())
}

/// An enum of the words, in order of first appearance.
fn closed<'a>(name: &str, about: &str, words: impl Iterator<Item = &'a String>) -> TokenStream {
    let mut distinct: Vec<&str> = Vec::new();
    for word in words {
        if !distinct.contains(&word.as_str()) {
            distinct.push(word);
        }
    }
    let ident = Ident::new(name, Span::call_site());
    let variants: Vec<Ident> = distinct.iter().map(|word| variant(word)).collect();
    let rust: Vec<String> = variants.iter().map(ToString::to_string).collect();
    let docs = distinct.iter().map(|word| {
        let mut docs = String::new();
        let _infallible = write!(docs, "`{word}`.");
        docs
    });
    quote! {
        #[doc = #about]
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash,
            ::serde::Serialize, ::serde::Deserialize,
        )]
        #[serde(rename_all = "snake_case")]
        pub enum #ident {
            #(#[doc = #docs] #variants,)*
        }

        impl #ident {
            /// Every value, in the order of the facts.
            pub const ALL: &[Self] = &[#(Self::#variants),*];

            /// The names of the variants, as Rust code writes them.
            pub const NAMES: &[&str] = &[#(#rust),*];

            /// The word, as the facts write it.
            pub const fn as_str(self) -> &'static str {
                match self {
                    #(Self::#variants => #distinct,)*
                }
            }

            /// The variant's name, as Rust code writes it.
            pub const fn name(self) -> &'static str {
                match self {
                    #(Self::#variants => #rust,)*
                }
            }

            /// The value of this word, as the facts write it.
            pub fn parse(word: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|value| value.as_str() == word)
            }
        }

        impl ::core::fmt::Display for #ident {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.write_str(self.as_str())
            }
        }
    }
}
