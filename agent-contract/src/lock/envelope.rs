//! What every call travels in: the request around the arguments, the reply around the result, and the runtime context.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::shape::bare;
use crate::context::AgentRuntimeContextInput;
use crate::envelope::{AgentToolRequest, AgentToolResult};
use crate::schema;

/// Grows when the envelope changes in a way that an older peer would not understand; it is in every wire hash, so no
/// two versions serve each other.
pub const ENVELOPE_VERSION: u32 = 1;

/// The envelope as schemas, each of what its reader takes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Envelope {
    /// The version of the whole.
    pub version: u32,
    /// Identity, scope and arguments, from worker to server.
    pub request: Value,
    /// Data with its scope sentence, or an error, from server to worker.
    pub reply: Value,
    /// The runtime context of a turn, from server to worker.
    pub context: Value,
}

impl Envelope {
    /// The envelope of this build.
    pub fn current() -> Self {
        Self {
            version: ENVELOPE_VERSION,
            request: of::<AgentToolRequest>(),
            reply: of::<AgentToolResult>(),
            context: of::<AgentRuntimeContextInput>(),
        }
    }
}

fn of<T: JsonSchema>() -> Value {
    bare(schema::as_read::<T>())
}
