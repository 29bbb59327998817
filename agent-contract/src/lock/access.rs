//! Who is offered a tool, who may run it, and what it does: the part that nobody changes by accident.

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::fingerprint::Fingerprint;
use crate::definition::{Approval, Effect, Posture, ToolDefinition, ToolScope};

/// The access part of a tool. Words of the policy are text here: a lock outlives the policy that it was written under.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Access {
    /// The run modes in which it is offered.
    pub scope: ToolScope,
    /// How the server gates it; none for a local tool.
    #[serde(flatten)]
    pub posture: Option<LockedPosture>,
    /// What it does to the school's records.
    pub effect: Effect,
    /// That a person is asked each time, if so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approval: Option<Approval>,
    /// The agents that are offered it, sorted.
    pub roles: Vec<String>,
}

/// How the server decides whether a caller may run a tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "posture", content = "permission", rename_all = "snake_case")]
pub enum LockedPosture {
    /// By a permission.
    Casl(Permission),
    /// By proof that the record is the caller's own.
    Relationship,
}

/// A right of the policy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Permission {
    /// What is done.
    pub action: String,
    /// To what.
    pub resource: String,
}

impl Access {
    /// The access part of a definition.
    pub fn of(definition: &ToolDefinition) -> Self {
        let mut roles: Vec<String> =
            definition.roles.iter().map(|role| role.wire_id().to_owned()).collect();
        roles.sort();
        Self {
            scope: definition.scope,
            posture: definition.posture.map(LockedPosture::from),
            effect: definition.effect,
            approval: definition.asks_first().then_some(Approval::Always),
            roles,
        }
    }

    /// The auth hash.
    pub fn fingerprint(&self) -> Fingerprint {
        let Self { scope, posture, effect, approval: _, roles } = self;
        Fingerprint::of(&json!({
            "scope": scope,
            "posture": posture,
            "effect": effect,
            "roles": roles,
        }))
    }
}

impl From<Posture> for LockedPosture {
    fn from(posture: Posture) -> Self {
        match posture {
            Posture::Relationship => Self::Relationship,
            Posture::Casl { action, resource } => Self::Casl(Permission {
                action: action.as_str().to_owned(),
                resource: resource.as_str().to_owned(),
            }),
        }
    }
}
