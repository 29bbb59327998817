//! Which campus a call is pinned to, and the sentence that says how its data was filtered.
//!
//! A campus scope without a campus does not parse, and neither does a school scope that names one:
//! of two readings of a contradiction, one would be the wider.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::context::{AgentRunMode, AgentRunModeName, AgentRuntimeContext};
use crate::id::CampusId;

/// The scope that rides every call beside the identity.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "WireScope", into = "WireScope")]
pub enum AgentCallScope {
    /// The whole school; the model must name a campus where one is needed.
    School,
    /// One campus, which wins over whatever campus the model asks for.
    Campus {
        /// The campus in use.
        campus_id: CampusId,
    },
}

/// A call scope that contradicts itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CallScopeError {
    /// `{"mode":"campus"}` alone.
    #[error("a call scope of mode campus must name its campus")]
    CampusMissing,
    /// `{"mode":"school","campusId":…}`.
    #[error("a call scope of mode school must not name a campus")]
    CampusInSchoolMode,
    /// A campus whose id holds a control character.
    #[error("a campus id must not hold control characters")]
    Control,
}

/// The scope as it is written.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct WireScope {
    mode: AgentRunModeName,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    campus_id: Option<String>,
}

impl AgentCallScope {
    /// A scope pinned to the campus with this id.
    pub fn campus(id: impl Into<String>) -> Self {
        Self::Campus { campus_id: CampusId::pinned(id) }
    }

    /// The pinned campus, if there is one.
    pub fn campus_id(&self) -> Option<&CampusId> {
        match self {
            Self::School => None,
            Self::Campus { campus_id } => Some(campus_id),
        }
    }

    /// The mode by name.
    pub fn mode(&self) -> AgentRunModeName {
        match self {
            Self::School => AgentRunModeName::School,
            Self::Campus { .. } => AgentRunModeName::Campus,
        }
    }
}

impl TryFrom<WireScope> for AgentCallScope {
    type Error = CallScopeError;

    fn try_from(wire: WireScope) -> Result<Self, CallScopeError> {
        match (wire.mode, wire.campus_id) {
            (AgentRunModeName::School, None) => Ok(Self::School),
            (AgentRunModeName::School, Some(_)) => Err(CallScopeError::CampusInSchoolMode),
            (AgentRunModeName::Campus, Some(id)) if id.chars().any(char::is_control) => {
                Err(CallScopeError::Control)
            }
            (AgentRunModeName::Campus, Some(id)) if !id.is_empty() => Ok(Self::campus(id)),
            (AgentRunModeName::Campus, _) => Err(CallScopeError::CampusMissing),
        }
    }
}

impl From<AgentCallScope> for WireScope {
    fn from(scope: AgentCallScope) -> Self {
        Self { mode: scope.mode(), campus_id: scope.campus_id().map(ToString::to_string) }
    }
}

/// The call scope of a turn, made from its run mode.
pub fn resolve_call_scope(context: &AgentRuntimeContext) -> AgentCallScope {
    match &context.run_mode {
        AgentRunMode::School => AgentCallScope::School,
        AgentRunMode::Campus { campus } => AgentCallScope::campus(campus.id.clone()),
    }
}

/// How a frame filtered the data it gave out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScopeDescription<'a> {
    /// Whether the frame spanned the school or one campus.
    pub mode: AgentRunModeName,
    /// Name of that campus.
    pub campus_name: Option<&'a str>,
    /// Another campus was asked for, and the pinned one was used instead.
    pub requested_other: bool,
    /// How much of the frame the caller may see.
    pub reach: DataReach,
}

/// How much of a frame's data the caller may see.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum DataReach {
    /// All of it.
    #[default]
    Everything,
    /// Only these campuses, by name.
    Campuses(Vec<String>),
    /// Only classes the caller is class teacher of or teaches in.
    OwnClasses,
    /// Only what is the caller's own.
    OwnRecords,
}

/// The sentence that goes with every result, so that the model does not take a part for the whole.
pub fn describe_scope_context(description: &ScopeDescription<'_>) -> String {
    let campus = description.campus_name.map(tidy);
    let overruled = match &campus {
        _ if !description.requested_other => String::new(),
        Some(name) => format!(
            "Another campus was asked for, but this conversation works on the campus \"{name}\", \
             and that one was used. "
        ),
        None => "Another campus was asked for, but the campus of this conversation was used. "
            .to_owned(),
    };
    let place = match (description.mode, campus) {
        (AgentRunModeName::School, _) => None,
        (AgentRunModeName::Campus, Some(name)) => {
            Some((format!("the campus \"{name}\""), format!("across {name}")))
        }
        (AgentRunModeName::Campus, None) => {
            Some(("one campus".to_owned(), "across this campus".to_owned()))
        }
    };
    overruled + &extent(place.as_ref(), &description.reach)
}

fn extent(place: Option<&(String, String)>, reach: &DataReach) -> String {
    let within = place.map(|(place, _)| format!(" on {place}")).unwrap_or_default();
    match (reach, place) {
        (DataReach::Everything, None) => {
            "Data covers the whole school. Say \"across the school\".".to_owned()
        }
        (DataReach::Campuses(names), None) if !names.is_empty() => {
            let names = names.iter().map(|name| format!("\"{}\"", tidy(name)));
            let names = names.collect::<Vec<_>>().join(", ");
            format!(
                "Data is limited to the campuses this person works on: {names}. \
                 Name them; do not say \"across the school\"."
            )
        }
        (DataReach::Everything | DataReach::Campuses(_), Some((place, say))) => {
            format!("Data is limited to {place}. Say \"{say}\", not \"across the school\".")
        }
        (DataReach::Campuses(_), None) => "Data is limited to the campuses this person works on. \
             Do not say \"across the school\"."
            .to_owned(),
        (DataReach::OwnClasses, _) => format!(
            "Data is limited to the classes this person teaches{within}. \
             Say \"in your classes\", not \"across the school\"."
        ),
        (DataReach::OwnRecords, _) => format!(
            "Data is limited to this person's own records{within}. \
             Say \"your\", not \"across the school\"."
        ),
    }
}

/// A name from a row, kept to one line and out of the quotes: the model reads this sentence as
/// ours, so a name must not be able to end it.
fn tidy(name: &str) -> String {
    name.chars()
        .map(|letter| match letter {
            '"' => '\'',
            letter if letter.is_control() => ' ',
            letter => letter,
        })
        .collect()
}
