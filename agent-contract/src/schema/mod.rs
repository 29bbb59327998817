//! The portable schema of a tool. One canonical form, which every provider's form is derived from: everything inlined,
//! every object closed, plain types, no null, source order, the same bytes every time.

mod dialect;
mod judge;
mod portable;
pub mod provider;
mod words;

pub use dialect::dialect_faults;
pub use judge::{NoSchema, validator};
pub use provider::{Declaration, Declarations, Form, FormFault, ToolText};
pub use words::descriptions;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::Value;

use portable::Direction;

/// The schema of a tool's arguments, as the model reads it and the server validates by it.
pub fn of_args<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().for_deserialize();
    portable::portable(&generated::<T>(settings), Direction::Args)
}

/// The schema of a tool's result. It stays open, so that a field can be added without breaking an older reader.
pub fn of_output<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    portable::portable(&generated::<T>(settings), Direction::Output)
}

/// What stands in for arguments that are left out, by the pointer into their schema.
pub fn arg_defaults<T: JsonSchema>() -> BTreeMap<String, Value> {
    words::defaults(&generated::<T>(SchemaSettings::draft2020_12().for_deserialize()))
}

/// The schema of what serde reads, in no dialect: for what no model sees.
pub(crate) fn as_read<T: JsonSchema>() -> Value {
    generated::<T>(SchemaSettings::draft2020_12().for_deserialize())
}

fn generated<T: JsonSchema>(mut settings: SchemaSettings) -> Value {
    settings.inline_subschemas = true;
    settings.meta_schema = None;
    settings.into_generator().into_root_schema_for::<T>().to_value()
}
