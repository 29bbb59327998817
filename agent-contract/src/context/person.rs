//! The person of a turn: who they are, and what they are advised that they may do.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::ContextError;
use crate::identity::UserType;

/// Who is chatting.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AgentUserDetails {
    /// Display name.
    pub name: String,
    /// Address the person signs in with.
    pub email: String,
    /// Id of the account.
    pub user_id: String,
    /// Profile under which the person acts.
    pub profile_id: String,
    /// Kind of account.
    pub user_type: UserType,
    /// The person's school; absent for platform accounts, which then can call no tool.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub school_id: Option<String>,
    /// Name of that school, for the prompt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub school_name: Option<String>,
    /// The campus the person is bound to, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub campus_id: Option<String>,
}

impl AgentUserDetails {
    /// The three fields that an identity is made of must say something.
    pub(super) fn check(&self) -> Result<(), ContextError> {
        [
            ("userDetails.userId", &self.user_id),
            ("userDetails.email", &self.email),
            ("userDetails.profileId", &self.profile_id),
        ]
        .into_iter()
        .find(|(_, value)| value.is_empty())
        .map_or(Ok(()), |(field, _)| Err(ContextError::Empty(field)))
    }
}

/// Which specialists exist for this person. All false unless said, so old payloads still parse.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Capabilities {
    /// Is class teacher of a class.
    pub is_class_teacher: bool,
    /// Teaches a subject.
    pub is_subject_teacher: bool,
    /// Directs the studies of the school.
    pub is_director_of_studies: bool,
}

/// One flattened permission. A snapshot, stale after a change of role: it stops Rover from offering
/// work that would fail, and decides nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PermissionRule {
    /// What may be done, e.g. `create`.
    pub action: String,
    /// To what, e.g. `department`.
    pub resource: String,
    /// Only to records whose fields are so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub condition: Option<Map<String, Value>>,
}
