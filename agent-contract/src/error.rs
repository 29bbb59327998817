//! What goes wrong with a tool call, in sentences.
//!
//! Whatever `Display` prints here is read by the model and by the staff member, so it says what to
//! do and never how the server is built: no SQL, no paths, no policy text, no Rust types.

use crate::wire::Outcome;

/// What a call without a school gets.
pub const NO_TENANT_SCOPE_ERROR: &str =
    "this account belongs to no school, so there is nothing it could read or change";

/// The result of a tool, and of every port that a tool uses.
pub type ToolResult<T> = Result<T, ToolError>;

/// Why a tool call did not succeed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ToolError {
    /// The caller may not do this. The text names what was not allowed.
    #[error("Permission denied: {0}")]
    Denied(String),
    /// There is no such record, or it is another school's, which is the same.
    #[error("there is no such {what}{}", named(.id.as_deref()))]
    NotFound {
        /// What was looked for, e.g. "department".
        what: &'static str,
        /// The id or name that was given, if it helps to repeat it.
        id: Option<String>,
    },
    /// The arguments do not fit the tool; a line for each fault.
    #[error("the arguments do not fit this tool:\n{}", lines(.0))]
    Invalid(Vec<ArgumentFault>),
    /// The tool works on one campus, and none was named.
    #[error("{}", name_a_campus(.allowed))]
    CampusRequired {
        /// Names of the campuses that the caller may choose from; the server fills them in.
        allowed: Vec<String>,
    },
    /// A rule of the school forbids it. The text is a whole sentence.
    #[error("{0}")]
    Refused(String),
    /// It collides with what is there already. The text is a whole sentence.
    #[error("{0}")]
    Conflict(String),
    /// It is no longer what it was when the caller looked. The text is a whole sentence.
    #[error("{0}")]
    Stale(String),
    /// The caller has no school.
    #[error("{NO_TENANT_SCOPE_ERROR}")]
    NoTenant,
    /// Too much is going on; the call was not begun.
    #[error("the server is busy and has not begun this; try again in a moment")]
    Busy,
    /// The time for the call ran out before anything was kept.
    #[error("the time for this call ran out; nothing was changed")]
    Deadline,
    /// Worker and server know different versions of the tool.
    #[error(
        "the tool {tool} is at version {worker} in the worker and at {server} in the server; \
         it was not run{}", more(.differs.as_deref())
    )]
    Mismatch {
        /// Name of the tool.
        tool: String,
        /// Version that the worker holds.
        worker: String,
        /// Version that the server holds.
        server: String,
        /// Where they differ first, if that can be told.
        differs: Option<String>,
    },
    /// A fault of ours. The detail goes to the log, never here.
    #[error("something went wrong on the server; nothing was changed")]
    Internal,
}

/// One argument that does not fit, with what was expected and what came.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{path}: expected {expected}, got {got}")]
pub struct ArgumentFault {
    path: String,
    expected: String,
    got: String,
}

impl ArgumentFault {
    /// A fault at `path`, e.g. `args.name`.
    pub fn new(
        path: impl Into<String>,
        expected: impl Into<String>,
        got: impl Into<String>,
    ) -> Self {
        Self { path: path.into(), expected: expected.into(), got: got.into() }
    }

    /// Where the fault is, e.g. `args.names[2]`.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// What the tool takes there.
    pub fn expected(&self) -> &str {
        &self.expected
    }

    /// What came instead.
    pub fn got(&self) -> &str {
        &self.got
    }
}

impl ToolError {
    /// The caller may not do `what`, e.g. "you may not create departments here".
    pub fn denied(what: impl Into<String>) -> Self {
        Self::Denied(what.into())
    }

    /// There is no such record.
    pub fn not_found(what: &'static str) -> Self {
        Self::NotFound { what, id: None }
    }

    /// A rule of the school forbids it; `sentence` says which.
    pub fn refused(sentence: impl Into<String>) -> Self {
        Self::Refused(sentence.into())
    }

    /// It collides with what is there already; `sentence` says with what.
    pub fn conflict(sentence: impl Into<String>) -> Self {
        Self::Conflict(sentence.into())
    }

    /// It was changed since the caller looked; `sentence` says so.
    pub fn stale(sentence: impl Into<String>) -> Self {
        Self::Stale(sentence.into())
    }

    /// The outcome that a reply's header reports for this error.
    pub fn outcome(&self) -> Outcome {
        match self {
            Self::Denied(_) | Self::NoTenant => Outcome::Denied,
            Self::Invalid(_) | Self::CampusRequired { .. } => Outcome::Invalid,
            Self::Busy => Outcome::Busy,
            Self::Deadline => Outcome::Deadline,
            Self::Mismatch { .. } => Outcome::Mismatch,
            Self::NotFound { .. }
            | Self::Refused(_)
            | Self::Conflict(_)
            | Self::Stale(_)
            | Self::Internal => Outcome::Error,
        }
    }
}

fn named(id: Option<&str>) -> String {
    id.map(|id| format!(": {id}")).unwrap_or_default()
}

fn more(place: Option<&str>) -> String {
    place.map(|place| format!("; {place}")).unwrap_or_default()
}

fn lines(faults: &[ArgumentFault]) -> String {
    faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

fn name_a_campus(allowed: &[String]) -> String {
    if allowed.is_empty() {
        "name a campus".to_owned()
    } else {
        format!("name a campus: {}", allowed.join(", "))
    }
}
