//! The faults of one item, collected so that the author sees them all at once.

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
use syn::Error;

/// Every fault found so far, in the order in which they were found.
#[derive(Default)]
pub(crate) struct Faults(Option<Error>);

impl Faults {
    /// Adds a fault at one span.
    pub(crate) fn at(&mut self, span: Span, message: impl std::fmt::Display) {
        self.push(Error::new(span, message));
    }

    /// Adds a fault that underlines all the given tokens; on stable a joined span would only mark the first.
    pub(crate) fn on(&mut self, tokens: impl ToTokens, message: impl std::fmt::Display) {
        self.push(Error::new_spanned(tokens, message));
    }

    /// Adds a fault that the parser made.
    pub(crate) fn push(&mut self, error: Error) {
        match &mut self.0 {
            None => self.0 = Some(error),
            Some(all) => all.combine(error),
        }
    }

    /// The faults as `compile_error!` invocations.
    pub(crate) fn into_tokens(self) -> TokenStream {
        self.0.map(|error| error.to_compile_error()).unwrap_or_default()
    }
}
