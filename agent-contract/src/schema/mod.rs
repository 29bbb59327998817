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

use schemars::generate::{Contract, SchemaSettings};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::Value;

use portable::Direction;

/// A type of arguments that the model can be shown. Every type with [`JsonSchema`] is one; the words for a type without
/// it are ours, which is why this is a trait and not a bound.
#[diagnostic::on_unimplemented(
    message = "the arguments `{Self}` have no schema that a model could read",
    label = "does not derive `JsonSchema`",
    note = "derive all three: `#[derive(Deserialize, JsonSchema, ToolArgs)]`"
)]
pub trait HasSchema {
    /// How it writes its schema.
    #[doc(hidden)]
    const WRITE: Write;
}

#[diagnostic::do_not_recommend]
impl<T: JsonSchema> HasSchema for T {
    const WRITE: Write = T::json_schema;
}

/// The schema of a tool's arguments, as the model reads it and the server validates by it.
pub fn of_args<T: HasSchema>() -> Value {
    portable(T::WRITE, Direction::Args)
}

/// The schema of a tool's result. It stays open, so that a field can be added without breaking an older reader.
pub fn of_output<T: JsonSchema>() -> Value {
    portable(T::json_schema, Direction::Output)
}

/// What stands in for arguments that are left out, by the pointer into their schema.
pub fn arg_defaults<T: HasSchema>() -> BTreeMap<String, Value> {
    words::defaults(&written(T::WRITE, Direction::Args))
}

/// The schema of what serde reads, in no dialect: for what no model sees.
pub(crate) fn as_read<T: JsonSchema>() -> Value {
    written(T::json_schema, Direction::Args)
}

/// How a type writes its schema. From here on nothing depends on the type, so the compiler makes it once, not for each.
#[doc(hidden)]
pub type Write = fn(&mut SchemaGenerator) -> Schema;

fn portable(write: Write, direction: Direction) -> Value {
    portable::portable(&written(write, direction), direction)
}

/// As schemars has it, everything inlined. A root's title and `$schema` are no part of any of our forms.
fn written(write: Write, direction: Direction) -> Value {
    let mut settings = SchemaSettings::draft2020_12();
    settings.contract = match direction {
        Direction::Args => Contract::Deserialize,
        Direction::Output => Contract::Serialize,
    };
    settings.inline_subschemas = true;
    write(&mut settings.into_generator()).to_value()
}
