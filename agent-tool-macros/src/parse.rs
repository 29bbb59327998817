//! The attribute's tokens as fields. Nothing is judged here but the grammar; a key whose value does not parse is
//! reported and skipped, so that the keys after it are still read.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{LitStr, Token, bracketed, parenthesized, token};

use crate::check;
use crate::example::{self, Example};
use crate::fault::Faults;

/// What stands in `#[agent_tool(…)]`.
#[derive(Default)]
pub(crate) struct Attribute {
    pub(crate) local: Option<Ident>,
    pub(crate) name: Option<LitStr>,
    pub(crate) event: Option<LitStr>,
    pub(crate) legacy_event: Option<LitStr>,
    pub(crate) scope: Option<Ident>,
    pub(crate) posture: Option<PostureWord>,
    pub(crate) roles: Option<Roles>,
    pub(crate) label: Option<LitStr>,
    pub(crate) say: Vec<LitStr>,
    /// None when the key is absent, or its value did not parse.
    pub(crate) examples: Option<Vec<Example>>,
    pub(crate) effect: Option<Ident>,
    pub(crate) approval: Option<Ident>,
    /// Keys that were written, even when their value did not parse: such a key is not missing too.
    pub(crate) written: Vec<String>,
}

/// The value of `posture`, as written.
pub(crate) struct PostureWord {
    pub(crate) word: Ident,
    pub(crate) permission: Option<(Ident, Ident)>,
}

/// The value of `roles`, with the key's span for an empty list.
pub(crate) struct Roles {
    pub(crate) span: Span,
    pub(crate) names: Vec<Ident>,
}

impl Attribute {
    /// Reads the attribute, reporting what is not grammatical.
    pub(crate) fn read(tokens: TokenStream, faults: &mut Faults) -> Self {
        let mut attribute = Self::default();
        let reader = |input: ParseStream<'_>| {
            attribute.entries(input, faults);
            Ok(())
        };
        if let Err(error) = reader.parse2(tokens) {
            faults.push(error);
        }
        attribute
    }

    /// Whether the key was written, well or badly.
    pub(crate) fn has(&self, key: &str) -> bool {
        self.written.iter().any(|written| written == key)
    }

    fn entries(&mut self, input: ParseStream<'_>, faults: &mut Faults) {
        while !input.is_empty() {
            if let Err(error) = self.entry(input, faults) {
                faults.push(error);
                skip_entry(input);
            }
            if !input.is_empty()
                && let Err(error) = input.parse::<Token![,]>()
            {
                faults.push(error);
                skip_entry(input);
                let _comma = input.parse::<Token![,]>();
            }
        }
    }

    fn entry(&mut self, input: ParseStream<'_>, faults: &mut Faults) -> syn::Result<()> {
        let key: Ident = input.parse()?;
        let word = key.to_string();
        if word == "local" && !input.peek(Token![=]) {
            check::attribute::local_comes_first(self, &key, faults);
            self.local = Some(key);
            return Ok(());
        }
        if self.has(&word) {
            return Err(check::attribute::repeated_key(&key));
        }
        if !check::attribute::KEYS.contains(&word.as_str()) {
            return Err(check::attribute::unknown_key(&key));
        }
        self.written.push(word.clone());
        input.parse::<Token![=]>()?;
        match word.as_str() {
            "name" => self.name = Some(input.parse()?),
            "event" => self.event = Some(input.parse()?),
            "legacy_event" => self.legacy_event = Some(input.parse()?),
            "scope" => self.scope = Some(input.parse()?),
            "effect" => self.effect = Some(input.parse()?),
            "approval" => self.approval = Some(input.parse()?),
            "label" => self.label = Some(input.parse()?),
            "posture" => self.posture = Some(posture(input)?),
            "roles" => self.roles = Some(Roles { span: key.span(), names: list(input)? }),
            "examples" => self.examples = Some(example::list(input)?),
            _ => self.say = list(input)?,
        }
        Ok(())
    }
}

fn posture(input: ParseStream<'_>) -> syn::Result<PostureWord> {
    let word: Ident = input.parse()?;
    if !input.peek(token::Paren) {
        return Ok(PostureWord { word, permission: None });
    }
    let content;
    parenthesized!(content in input);
    if content.is_empty() {
        return Ok(PostureWord { word, permission: None });
    }
    let action = content.parse()?;
    content.parse::<Token![,]>()?;
    let resource = content.parse()?;
    content.parse::<Option<Token![,]>>()?;
    Ok(PostureWord { word, permission: Some((action, resource)) })
}

fn list<T: syn::parse::Parse>(input: ParseStream<'_>) -> syn::Result<Vec<T>> {
    let content;
    bracketed!(content in input);
    Ok(Punctuated::<T, Token![,]>::parse_terminated(&content)?.into_iter().collect())
}

/// Passes over the rest of a faulty entry, up to the comma that ends it.
fn skip_entry(input: ParseStream<'_>) {
    while !input.is_empty() && !input.peek(Token![,]) {
        if input.parse::<TokenTree>().is_err() {
            return;
        }
    }
}
