//! Rules of an example's grammar. Whether it fits the arguments is judged where those are known, by constants.

use proc_macro2::{Ident, Span};
use syn::Error;

/// An example that is no object.
pub(crate) fn no_object(span: Span) -> Error {
    Error::new(span, "an example is an object of arguments, e.g. `{ name: \"Mathematics\" }`")
}

/// A value that JSON does not have, or that an argument cannot be.
pub(crate) fn no_value(span: Span) -> Error {
    Error::new(
        span,
        "an example's value is a text, a number, `true`, `false`, `[…]` or `{ … }`; leave an argument out that is not given",
    )
}

/// An argument that one example gives twice.
pub(crate) fn repeated(key: &Ident) -> Error {
    Error::new(key.span(), format!("this example gives `{key}` twice; keep one of them"))
}
