//! School or campus: what a conversation is about.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::ContextError;

/// The run mode of a turn. Campus mode without a campus cannot be written down.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "mode", rename_all = "snake_case")]
pub enum AgentRunMode {
    /// The whole school.
    School,
    /// One campus.
    Campus {
        /// The campus the person works on.
        campus: CampusRef,
    },
}

/// A campus with its name, as the server read it from a row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CampusRef {
    /// Id of the campus.
    pub id: String,
    /// Its display name.
    pub name: String,
}

/// A run mode by name alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AgentRunModeName {
    /// The whole school.
    School,
    /// One campus.
    Campus,
}

impl AgentRunMode {
    /// The mode by name.
    pub fn name(&self) -> AgentRunModeName {
        match self {
            Self::School => AgentRunModeName::School,
            Self::Campus { .. } => AgentRunModeName::Campus,
        }
    }

    /// The campus of campus mode.
    pub fn campus(&self) -> Option<&CampusRef> {
        match self {
            Self::School => None,
            Self::Campus { campus } => Some(campus),
        }
    }

    pub(super) fn check(&self) -> Result<(), ContextError> {
        match self.campus() {
            Some(campus) if campus.id.is_empty() => Err(ContextError::Empty("runMode.campus.id")),
            _ => Ok(()),
        }
    }
}

impl AgentRunModeName {
    /// The name as it is written.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::School => "school",
            Self::Campus => "campus",
        }
    }
}

impl fmt::Display for AgentRunModeName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
