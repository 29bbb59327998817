//! Keys of `#[serde(…)]` and `#[schemars(…)]` on an argument type. Only those pass that leave the schema that the model
//! reads and the parser of one mind; the others are answered with what to write instead.

use syn::Ident;

use crate::fault::Faults;

/// Serde attributes that leave schema and parser of one mind.
const SERDE_CONTAINER: &[&str] = &[
    "deny_unknown_fields",
    "rename_all",
    "rename_all_fields",
    "tag",
    "default",
    "crate",
    "expecting",
];
const SERDE_FIELD: &[&str] = &["default", "rename", "skip", "skip_deserializing"];
const SERDE_VARIANT: &[&str] = &["rename", "rename_all"];
/// Schemars attributes that only narrow what the schema says.
const SCHEMARS: &[&str] = &["range", "length", "regex", "pattern", "email", "inner", "crate"];

/// Where an attribute stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Container,
    Field,
    Variant,
}

/// A key of `#[serde(…)]` or `#[schemars(…)]`.
pub(crate) fn attribute_key(family: &str, key: &Ident, place: Place, faults: &mut Faults) {
    let word = key.to_string();
    let allowed = match (family, place) {
        ("schemars", _) => SCHEMARS,
        (_, Place::Container) => SERDE_CONTAINER,
        (_, Place::Field) => SERDE_FIELD,
        (_, Place::Variant) => SERDE_VARIANT,
    };
    if !allowed.contains(&word.as_str()) {
        let repair = repair(family, &word).map_or_else(
            || format!("leave it out (allowed here: {})", allowed.join(", ")),
            str::to_owned,
        );
        faults.at(
            key.span(),
            format!(
                "`{family}({word})` lets the schema that the model reads differ from what is parsed; {repair}"
            ),
        );
    }
}

/// What to write instead of a key, where that is more than nothing.
fn repair(family: &str, word: &str) -> Option<&'static str> {
    Some(match (family, word) {
        ("serde", "untagged") => {
            "write `#[serde(tag = \"kind\")]`, so that every form is an object that names itself"
        }
        ("serde", "content") => "leave it out: the fields of a form stand beside its tag",
        ("serde", "flatten") => {
            "write the inner fields out here, or keep the inner struct as one argument"
        }
        ("serde", "other") => "leave it out and list every word as a variant of its own",
        ("serde" | "schemars", "with" | "deserialize_with" | "schema_with") => {
            "give the field a type of its own that derives `ToolArgs`"
        }
        ("serde", "from" | "try_from" | "remote" | "transparent") => {
            "write the fields as they stand in JSON, and convert in the handler"
        }
        ("schemars", "rename" | "rename_all" | "rename_all_fields") => {
            "write `serde(rename…)`, which schema and parser both read"
        }
        ("schemars", "skip" | "skip_deserializing" | "default" | "deny_unknown_fields" | "tag") => {
            "write it as a `serde` attribute, which schema and parser both read"
        }
        ("schemars", "required") => "leave it out and take the `Option` away",
        ("schemars", "extend" | "transform") => {
            "narrow the value with `range`, `length` or `regex`, and say the rest in the doc comment"
        }
        ("schemars", "title" | "description" | "example" | "examples") => {
            "write it into the doc comment, which the model reads"
        }
        _ => return None,
    })
}
