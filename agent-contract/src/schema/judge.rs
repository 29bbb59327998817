//! The validator of a schema, as the contract reads schemas: draft 2020-12, with formats asserted, and an instant only if
//! the contract's type can hold it.
//!
//! RFC 3339 can write a few hours at either end of its calendar that no instant of the contract has; everything else
//! that a validator takes, [`Timestamp`] reads.

use std::sync::LazyLock;

use jsonschema::{Draft, Validator};
use serde_json::{Value, json};

use crate::date::Timestamp;

/// A text that is no schema.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this is no JSON schema: {0}")]
pub struct NoSchema(String);

/// Compiles a schema. That costs a hundred times what validating does, so it is done once.
pub fn validator(schema: &Value) -> Result<Validator, NoSchema> {
    jsonschema::options()
        .with_draft(Draft::Draft202012)
        .should_validate_formats(true)
        .with_format("date-time", is_instant)
        .build(schema)
        .map_err(|fault| NoSchema(fault.to_string()))
}

fn is_instant(text: &str) -> bool {
    static STANDARD: LazyLock<Option<Validator>> = LazyLock::new(|| {
        let options = jsonschema::options().with_draft(Draft::Draft202012);
        let schema = json!({ "format": "date-time" });
        options.should_validate_formats(true).build(&schema).ok()
    });
    let standard = STANDARD.as_ref().is_some_and(|standard| standard.is_valid(&json!(text)));
    standard && text.parse::<Timestamp>().is_ok()
}
