//! A call as the model made it, and whoever carries it out.

use agent_contract::AgentToolResult;
use futures_util::future::BoxFuture;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// One call of one model message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ModelCall {
    /// The model step it belongs to, from 0.
    pub step: u32,
    /// Its place within the step, from 0.
    pub index: u32,
    /// The model's own id of it.
    pub tool_call_id: String,
    /// Name of the tool that the model wants.
    pub name: String,
    /// What the model supplied.
    pub args: CallArgs,
}

/// The arguments of a call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CallArgs {
    /// A JSON object, as it should be.
    Object(Map<String, Value>),
    /// Text that is none as it stands.
    Text(String),
    /// What there was when the reply ran out of length. Not even what looks whole can be trusted.
    CutOff(String),
}

impl CallArgs {
    /// The arguments as they stand in a conversation.
    pub fn kept(args: &Value, cut_off: bool) -> Self {
        match args {
            Value::Object(object) if !cut_off => Self::Object(object.clone()),
            args => {
                let text = args.as_str().map_or_else(|| args.to_string(), str::to_owned);
                if cut_off { Self::CutOff(text) } else { Self::Text(text) }
            }
        }
    }

    /// The arguments as they go into the conversation.
    pub fn to_value(&self) -> Value {
        match self {
            Self::Object(object) => Value::Object(object.clone()),
            Self::Text(text) | Self::CutOff(text) => Value::String(text.clone()),
        }
    }
}

/// How a call came out.
#[derive(Clone, Debug, PartialEq)]
pub enum CallEnd {
    /// With an envelope for the model.
    Returned(AgentToolResult),
    /// It waits for the person. The state comes back to it with the answer.
    Parked(Value),
}

/// Whether a call may run beside others of its message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// It changes nothing, so it may run beside its neighbours.
    Together,
    /// It waits for all earlier calls, and later ones wait for it.
    Alone,
}

/// Carries out the calls of one agent.
pub trait Toolbox: Send + Sync {
    /// How a call of the tool with this name is ordered among its siblings.
    fn order(&self, name: &str) -> Order;

    /// Carries a call out. Whatever goes wrong is in the envelope; `parked` is the state that an
    /// earlier run of the same call left when it began to wait.
    fn call(&self, call: ModelCall, parked: Option<Value>) -> BoxFuture<'_, CallEnd>;
}
