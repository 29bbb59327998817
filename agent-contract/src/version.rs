//! Versions of records: the guard against lost updates.
//!
//! A record's version grows by one with every change. Who changes a record may say which version they saw; if it is
//! another by then, nothing is changed and a sentence says so. REST writes a version as an `ETag` and takes it back in
//! `If-Match`; a tool shows it in its result and takes it as an argument.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

use crate::args::{FieldKind, Pins, ToolArg};
use crate::error::ToolError;
use crate::example::ArgShape;

/// How often a record was changed, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "i64", into = "i64")]
pub struct Version(i64);

/// A number that is no version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a version is a whole number from 1")]
pub struct NoVersion;

impl Version {
    /// The last one: a larger number does not survive every reader of JSON (RFC 8259, 6).
    pub const LAST: i64 = (1 << 53) - 1;

    /// This version, if it is one.
    pub fn new(number: i64) -> Result<Self, NoVersion> {
        if (1..=Self::LAST).contains(&number) { Ok(Self(number)) } else { Err(NoVersion) }
    }

    /// The number.
    pub fn number(self) -> i64 {
        self.0
    }
}

impl TryFrom<i64> for Version {
    type Error = NoVersion;

    fn try_from(number: i64) -> Result<Self, NoVersion> {
        Self::new(number)
    }
}

impl From<Version> for i64 {
    fn from(version: Version) -> Self {
        version.0
    }
}

impl JsonSchema for Version {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Version".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "integer", "minimum": 1, "maximum": Self::LAST })
    }
}

#[diagnostic::do_not_recommend]
impl ToolArg for Version {
    const KIND: FieldKind = FieldKind::Number;
    const SHAPE: ArgShape = ArgShape::Whole;

    fn pin(&mut self, _pins: &mut Pins<'_>) -> Result<(), ToolError> {
        Ok(())
    }
}
