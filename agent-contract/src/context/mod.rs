//! The runtime context: all that a turn knows about its caller and its moment.
//!
//! The server mints it from the token and live rows; the model never supplies any of it.
//! [`AgentRuntimeContextInput`] is what crosses the wire, [`AgentRuntimeContext`] what everything
//! else reads, and [`resolve_runtime_context`] the only way from one to the other. Permissions and
//! run mode in it are advice: every call is authorised again on the server.

mod calendar;
mod person;
mod run_mode;
mod teaching;
mod zone;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use self::calendar::{AcademicYear, Term, TermInput};
pub use self::person::{AgentUserDetails, Capabilities, PermissionRule};
pub use self::run_mode::{AgentRunMode, AgentRunModeName, CampusRef};
pub use self::teaching::{TeachingAssignment, TeachingDuty, TeachingMap};
pub use self::zone::IanaZone;
use crate::date::{DateError, Timestamp};
use crate::id::AttachmentId;

/// The context as it crosses the wire: dates are text, defaults are not applied.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AgentRuntimeContextInput {
    /// Who is chatting.
    pub user_details: AgentUserDetails,
    /// School, or one campus.
    pub run_mode: AgentRunMode,
    /// When the turn was dispatched: text or milliseconds. Absent means the moment of reading.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub current_time: Option<TimeInput>,
    /// IANA name of the school's zone; left out rather than guessed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_zone: Option<String>,
    /// Flattened snapshot of what the caller may do. Advice only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user_permissions: Option<Vec<PermissionRule>>,
    /// Which specialists exist this turn. Absent means none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub capabilities: Option<Capabilities>,
    /// The current academic year, if one is configured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub current_academic_year: Option<AcademicYear>,
    /// Terms of that year, in any order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub terms: Option<Vec<TermInput>>,
    /// What the caller teaches; left out for those who do not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub teaching_map: Option<Vec<TeachingAssignment>>,
    /// Files on this message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attachments: Option<Vec<Attachment>>,
}

/// An instant as JavaScript sends it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum TimeInput {
    /// RFC 3339 text.
    Text(String),
    /// Milliseconds since 1970.
    Milliseconds(i64),
}

/// The parsed context.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AgentRuntimeContext {
    /// Who is chatting.
    pub user_details: AgentUserDetails,
    /// School, or one campus.
    pub run_mode: AgentRunMode,
    /// When the turn was dispatched.
    pub current_time: Timestamp,
    /// The school's zone, if it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_zone: Option<IanaZone>,
    /// Flattened snapshot of what the caller may do. Advice only.
    pub user_permissions: Vec<PermissionRule>,
    /// Which specialists exist this turn.
    pub capabilities: Capabilities,
    /// The current academic year, if one is configured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub current_academic_year: Option<AcademicYear>,
    /// Terms of that year by number; empty without a pinned campus.
    pub terms: Vec<Term>,
    /// What the caller teaches. Its presence says that they do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub teaching_map: Option<TeachingMap>,
    /// Files on this message, not of the whole thread.
    pub attachments: Vec<Attachment>,
}

/// A file on a message. The server keeps its bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Attachment {
    /// Id under which the bytes are kept.
    pub id: AttachmentId,
    /// Name the person gave the file.
    pub filename: String,
    /// Its media type, e.g. `text/csv`.
    pub media_type: String,
    /// Its size in bytes.
    pub size: u64,
}

/// Why a runtime context was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ContextError {
    /// It has not the shape of a context.
    #[error("the runtime context is malformed: {0}")]
    Shape(String),
    /// A date or an instant is none.
    #[error("the runtime context's {field} is wrong: {fault}")]
    Date {
        /// Which field, by its name on the wire.
        field: &'static str,
        /// What is wrong with it.
        fault: DateError,
    },
    /// The zone is not in the IANA list.
    #[error("\"{0}\" is no IANA time zone")]
    Zone(String),
    /// A field that must say something is empty.
    #[error("the runtime context's {0} is empty")]
    Empty(&'static str),
}

/// Parses a context, from JSON or from its wire form, and applies every default and rule.
pub fn resolve_runtime_context<I>(input: I) -> Result<AgentRuntimeContext, ContextError>
where
    I: TryInto<AgentRuntimeContextInput>,
    ContextError: From<I::Error>,
{
    parse(input.try_into()?)
}

fn parse(input: AgentRuntimeContextInput) -> Result<AgentRuntimeContext, ContextError> {
    input.user_details.check()?;
    input.run_mode.check()?;
    // A campus year has its own term dates, so without a pinned campus there are none to state.
    let terms = match input.run_mode {
        AgentRunMode::School => Vec::new(),
        AgentRunMode::Campus { .. } => calendar::in_order(input.terms.unwrap_or_default())?,
    };
    Ok(AgentRuntimeContext {
        current_time: input.current_time.map_or_else(|| Ok(Timestamp::now()), TimeInput::coerce)?,
        time_zone: input.time_zone.as_deref().map(IanaZone::get).transpose()?,
        user_permissions: input.user_permissions.unwrap_or_default(),
        capabilities: input.capabilities.unwrap_or_default(),
        current_academic_year: input.current_academic_year,
        terms,
        teaching_map: input.teaching_map.and_then(TeachingMap::new),
        attachments: input.attachments.unwrap_or_default(),
        user_details: input.user_details,
        run_mode: input.run_mode,
    })
}

impl TimeInput {
    fn coerce(self) -> Result<Timestamp, ContextError> {
        match self {
            Self::Text(text) => text.parse(),
            Self::Milliseconds(count) => Timestamp::from_millisecond(count),
        }
        .map_err(|fault| ContextError::Date { field: "currentTime", fault })
    }
}

impl TryFrom<Value> for AgentRuntimeContextInput {
    type Error = ContextError;

    fn try_from(json: Value) -> Result<Self, ContextError> {
        serde_json::from_value(json).map_err(|fault| ContextError::Shape(fault.to_string()))
    }
}

impl From<AgentRuntimeContext> for AgentRuntimeContextInput {
    fn from(context: AgentRuntimeContext) -> Self {
        Self {
            user_details: context.user_details,
            run_mode: context.run_mode,
            current_time: Some(TimeInput::Text(context.current_time.to_string())),
            time_zone: context.time_zone.map(String::from),
            user_permissions: Some(context.user_permissions),
            capabilities: Some(context.capabilities),
            current_academic_year: context.current_academic_year,
            terms: Some(context.terms.into_iter().map(TermInput::from).collect()),
            teaching_map: context.teaching_map.map(Vec::from),
            attachments: Some(context.attachments),
        }
    }
}

/// An input is one already; a conversion that cannot fail has no error to report.
impl From<std::convert::Infallible> for ContextError {
    fn from(never: std::convert::Infallible) -> Self {
        match never {}
    }
}
