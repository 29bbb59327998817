//! The type that stands for what a faulty signature does not say, so that the fault is reported once.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::args::{ArgField, FieldKind, Pins, ToolArg, ToolArgs};
use crate::error::ToolError;
use crate::example::ArgShape;
use crate::output::{AuditSubject, Subject};

/// Satisfies every bound on arguments and results. A tool with it never compiles, so it never runs.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Unusable {}

#[diagnostic::do_not_recommend]
impl ToolArg for Unusable {
    const KIND: FieldKind = FieldKind::Object;
    const SHAPE: ArgShape = ArgShape::Unusable;

    fn pin(&mut self, _pins: &mut Pins<'_>) -> Result<(), ToolError> {
        Ok(())
    }
}

#[diagnostic::do_not_recommend]
impl ToolArgs for Unusable {
    const FIELDS: &'static [ArgField] = &[];
}

impl AuditSubject for Unusable {
    fn subjects(&self) -> Vec<Subject> {
        Vec::new()
    }
}
