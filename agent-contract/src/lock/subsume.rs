//! Whether a reader takes everything that a sender may send: proven, refuted by a value, or neither.
//!
//! Three hands at it. The set algebra of `jsonschema` proves most; a structural walk proves plain edits on which the
//! algebra gives up; and a search looks for a value that the sender may send and the reader refuses. A value counts
//! only if the real validators of both sides say so, and what is neither proven nor refuted is left undecided: nobody
//! may read that as safe.

use jsonschema::canonical::{CanonicalSchema, Containment};
use jsonschema::{Draft, Validator};
use serde_json::Value;

use super::structure;
use super::witness;

/// Whether a reader takes everything that a sender may send.
#[derive(Clone, Debug, PartialEq)]
pub enum Coverage {
    /// It does.
    Proven,
    /// It does not: the sender may send this value, and the reader refuses it.
    Refuted(Value),
    /// Neither was shown.
    Undecided,
}

impl Coverage {
    /// Whether it was proven.
    pub fn is_proven(&self) -> bool {
        *self == Self::Proven
    }
}

/// Whether every value of the schema `sent` is a value of the schema `read`, in draft 2020-12 with formats asserted.
pub fn covers(read: &Value, sent: &Value) -> Coverage {
    if proven(read, sent) {
        return Coverage::Proven;
    }
    let (Some(reader), Some(sender)) = (validator(read), validator(sent)) else {
        return Coverage::Undecided;
    };
    let separates = |value: &Value| sender.is_valid(value) && !reader.is_valid(value);
    // The shortest is the easiest to read.
    let shortest = |found: Vec<Value>| {
        found.into_iter().filter(separates).min_by_key(|value| value.to_string().len())
    };
    match witness::candidates(read, sent).find_map(shortest) {
        Some(value) => Coverage::Refuted(value),
        None => Coverage::Undecided,
    }
}

/// The validator of a schema, as every side runs it; none for what is no schema.
pub(super) fn validator(schema: &Value) -> Option<Validator> {
    jsonschema::options()
        .with_draft(Draft::Draft202012)
        .should_validate_formats(true)
        .build(schema)
        .ok()
}

/// Whether the reader is known to take everything.
pub(super) fn proven(read: &Value, sent: &Value) -> bool {
    read == sent || by_algebra(read, sent) || structure::covers(read, sent)
}

fn by_algebra(read: &Value, sent: &Value) -> bool {
    let (Some(read), Some(sent)) = (canonical(read), canonical(sent)) else { return false };
    matches!(read.covers(&sent), Ok(Containment::Yes))
}

/// What the reader refuses of what is sent, as a schema, where the algebra can write it.
pub(super) fn lost(read: &Value, sent: &Value) -> Option<CanonicalSchema> {
    canonical(sent)?.subtract(&canonical(read)?).ok()
}

fn canonical(schema: &Value) -> Option<CanonicalSchema> {
    jsonschema::canonical::options()
        .with_draft(Draft::Draft202012)
        .should_validate_formats(true)
        .offline()
        .canonicalize(schema)
        .ok()
}
