//! Rules of an argument type, field by field: documented, closed, one name, no identity.

use proc_macro2::Span;
use quote::ToTokens;
use syn::Ident;

use crate::case::fold;
use crate::check::name::DESCRIPTION_LIMIT;
use crate::fault::Faults;

/// Names that could carry who is calling, without case and underscores.
const IDENTITY: &[&str] = &[
    "sub",
    "user",
    "userid",
    "staff",
    "staffid",
    "profile",
    "profileid",
    "school",
    "schoolid",
    "tenant",
    "tenantid",
    "identity",
    "caller",
    "callerid",
    "actor",
    "actorid",
    "currentuser",
    "currentuserid",
    "me",
];

/// The longest argument name that every provider accepts.
const NAME_LIMIT: usize = 64;

/// An alternative name. Answers whether the name was one of an identity, which is the worse fault.
pub(crate) fn alias(name: &str, span: Span, faults: &mut Faults) {
    if !identity(name, span, faults) {
        faults.at(span, format!("`alias = \"{name}\"` gives an argument a name that its schema does not show; leave it out, or `rename` the field"));
    }
}

/// A name under which a field is read. Answers whether it could carry the caller's identity.
pub(crate) fn identity(name: &str, span: Span, faults: &mut Faults) -> bool {
    let forbidden = IDENTITY.contains(&fold(name).as_str());
    if forbidden {
        faults.at(
            span,
            format!(
                "tool arguments must not carry the caller's identity: field `{name}` is forbidden; read it from `cx.identity()`, or name a person who is acted on by part, e.g. `student_id`, `teacher_id`"
            ),
        );
    }
    forbidden
}

/// Whether a field of this name must be a campus type.
pub(crate) fn is_campus(name: &str) -> bool {
    let name = fold(name);
    ["campus", "campusid", "campusids"].iter().any(|ending| name.ends_with(ending))
}

/// What every provider accepts as an argument's name.
pub(crate) fn wire_name(name: &str, span: Span, faults: &mut Faults) {
    let shaped = name.starts_with(|letter: char| letter.is_ascii_alphabetic() || letter == '_')
        && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
    if !shaped {
        faults.at(span, format!("argument name `{name}` must be ASCII letters, digits and `_`, and not begin with a digit; LLM providers accept nothing else"));
    } else if name.len() > NAME_LIMIT {
        faults.at(span, format!("argument name `{name}` is {} characters long; LLM providers accept at most {NAME_LIMIT}, so shorten it", name.len()));
    }
}

/// The doc comment of a field.
pub(crate) fn description(text: &str, field: &Ident, faults: &mut Faults) {
    if text.is_empty() {
        faults.at(
            field.span(),
            format!("tool argument `{field}` has no doc comment; write one, the model reads it as the argument's description"),
        );
    } else if text.chars().count() > DESCRIPTION_LIMIT {
        faults.at(field.span(), format!("the doc comment of `{field}` is longer than {DESCRIPTION_LIMIT} characters, which not every LLM provider accepts; shorten it"));
    }
}

/// A type that has fields must refuse fields that it does not know.
pub(crate) fn closed(closed: bool, ident: &Ident, faults: &mut Faults) {
    if !closed {
        faults.at(
            ident.span(),
            format!("`{ident}` accepts unknown fields; write `#[serde(deny_unknown_fields)]`, so that a misspelt argument is an error and not ignored"),
        );
    }
}

/// An enum with data is told apart by a field of its own.
pub(crate) fn tagged(ident: &Ident, faults: &mut Faults) {
    faults.at(
        ident.span(),
        format!(
            "the variants of `{ident}` carry data; write `#[serde(tag = \"kind\")]`, so that every variant is an object that names itself"
        ),
    );
}

/// A variant with nameless fields.
pub(crate) fn nameless_variant(variant: impl ToTokens, faults: &mut Faults) {
    faults.on(
        variant,
        "a variant of a tool's arguments has named fields or none; give its fields names",
    );
}

/// Tuple structs, unit structs and unions.
pub(crate) fn no_object(ident: &Ident, faults: &mut Faults) {
    faults.at(
        ident.span(),
        format!(
            "`{ident}` has no named fields, so it is no JSON object; write `struct {ident} {{ … }}`"
        ),
    );
}

/// A type with parameters.
pub(crate) fn generic(generics: impl ToTokens, faults: &mut Faults) {
    faults
        .on(generics, "tool arguments are one closed type, without parameters; write the type out");
}

/// A type that borrows.
pub(crate) fn borrowed(generics: impl ToTokens, faults: &mut Faults) {
    faults.on(
        generics,
        "tool arguments own their values; leave the lifetime out and write `String` for `&str`",
    );
}

/// A type that holds itself.
pub(crate) fn nested_in_itself(inner: impl ToTokens, ident: &Ident, faults: &mut Faults) {
    faults.on(
        inner,
        format!(
            "`{ident}` holds itself, and a schema in which everything is inlined would have no end; give the inner values a type of their own, or name them by id"
        ),
    );
}

/// A key of `#[arg(…)]`.
pub(crate) fn unknown_arg_key(key: &Ident, faults: &mut Faults) {
    faults.at(
        key.span(),
        format!("unknown key `{key}` in `#[arg(…)]`; expected `lookup = find_students`"),
    );
}

/// A renaming rule that makes names which not every provider accepts.
pub(crate) fn unknown_case(rule: &str, span: Span, faults: &mut Faults) {
    faults.at(span, format!("naming rule `{rule}` is not supported for tool arguments; write `rename_all = \"camelCase\"`"));
}
