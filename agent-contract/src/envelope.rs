//! The request and the result that every RPC tool shares.
//!
//! Unknown keys are ignored on both, so that either side may grow first. A result is data with the
//! sentence that qualifies it, or an error with a sentence that explains it; nothing else.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::call_scope::AgentCallScope;
use crate::error::ToolError;
use crate::identity::AgentIdentity;

/// One call: who, where, and the model's arguments, unparsed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(bound = "A: JsonSchema + Serialize + Default")]
pub struct AgentToolRequest<A = Value> {
    /// Who calls.
    pub identity: AgentIdentity,
    /// Which campus the call is pinned to.
    pub scope: AgentCallScope,
    /// What the model supplied. Absent is null: JavaScript drops an undefined key.
    #[serde(default)]
    pub args: A,
}

/// What every call ends in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum AgentToolResult<T = Value> {
    /// It failed, and `error` says why. Read first: a result that holds both is no success.
    Err {
        /// A sentence for the model and the staff member.
        error: String,
    },
    /// It succeeded.
    #[serde(rename_all = "camelCase")]
    Ok {
        /// What the tool returned.
        data: T,
        /// How the data was filtered, for the model to qualify its language.
        scope_context: String,
    },
}

impl<T> AgentToolResult<T> {
    /// A success.
    pub fn ok(data: T, scope_context: impl Into<String>) -> Self {
        Self::Ok { data, scope_context: scope_context.into() }
    }

    /// A failure.
    pub fn err(error: impl Into<String>) -> Self {
        Self::Err { error: error.into() }
    }

    /// Whether it succeeded.
    pub fn is_ok(&self) -> bool {
        matches!(self, Self::Ok { .. })
    }

    /// What went wrong, if anything did.
    pub fn error(&self) -> Option<&str> {
        match self {
            Self::Err { error } => Some(error),
            Self::Ok { .. } => None,
        }
    }
}

impl<T> From<ToolError> for AgentToolResult<T> {
    fn from(error: ToolError) -> Self {
        Self::err(error.to_string())
    }
}

/// What is wrong with a payload that is no request.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RequestFault {
    /// The payload is no JSON object.
    #[error("the call carries no request")]
    NoRequest,
    /// `identity` is absent.
    #[error("the call says not who makes it")]
    NoIdentity,
    /// `identity` lacks a field, or has one of the wrong kind.
    #[error("the call's identity is malformed")]
    Identity,
    /// `identity` has a field that must not be empty.
    #[error("the call's identity has an empty {0}")]
    EmptyIdentityField(&'static str),
    /// `scope` is absent.
    #[error("the call says not which campus it is pinned to")]
    NoScope,
    /// `scope` has no known mode, or contradicts itself.
    #[error("the call's scope is malformed")]
    Scope,
}

impl AgentToolRequest<Value> {
    /// Reads a packet's `data`, part by part, so that the fault can be named.
    pub fn from_data(data: Value) -> Result<Self, RequestFault> {
        let Value::Object(mut parts) = data else { return Err(RequestFault::NoRequest) };
        let mut take = |key| parts.remove(key).filter(|part| !part.is_null());

        let identity = take("identity").ok_or(RequestFault::NoIdentity)?;
        let identity: AgentIdentity =
            serde_json::from_value(identity).map_err(|_| RequestFault::Identity)?;
        if let Some(field) = identity.empty_field() {
            return Err(RequestFault::EmptyIdentityField(field));
        }
        let scope = take("scope").ok_or(RequestFault::NoScope)?;
        let scope = serde_json::from_value(scope).map_err(|_| RequestFault::Scope)?;
        Ok(Self { identity, scope, args: take("args").unwrap_or_default() })
    }
}
