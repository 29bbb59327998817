//! What a tool's own types make of JSON, without running the tool. It stands apart from the definition, which both
//! processes hold: a worker has no use for the code that reads the arguments of the server's tools.

use serde_json::Value;

use crate::decode::{self, Decoded};
use crate::definition::ToolDefinition;
use crate::error::ToolError;
use crate::output::{self, HandlerReturn};
use crate::tool::Tool;

/// The types of one tool, to be held against its schemas.
#[derive(Clone, Copy, Debug)]
pub struct Reader {
    /// What was declared.
    pub def: &'static ToolDefinition,
    /// Reads arguments as the side that runs the tool does.
    pub args: fn(Value) -> Result<Decoded<()>, ToolError>,
    /// Reads a result into the tool's own type and writes it again, which changes nothing that the schema promises.
    pub output: fn(Value) -> Result<Value, serde_json::Error>,
}

impl Reader {
    /// The types of a tool.
    #[doc(hidden)]
    pub fn of<T: Tool>() -> Self {
        Self {
            def: const { &T::DEF },
            args: decode::read::<T::Args>,
            output: output::reread::<<T::Return as HandlerReturn<T::Kind>>::Ok>,
        }
    }
}
