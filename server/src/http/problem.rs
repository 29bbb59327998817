//! What a request gets that does not succeed: `application/problem+json` (RFC 9457), in words that may be shown.
//!
//! Internals stay in the log. What is missing, somebody else's and another school's is the same 404. The `type` says
//! which problem it is and never changes; a problem that is all in its status is `about:blank`.

use std::time::Duration;

use agent_contract::{ArgumentFault, ToolError};
use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use crate::chat::{ChatError, MintFault, PersonFault, PostFault, ThreadError};
use crate::db::DbError;
use crate::domain::SignInError;
use crate::identity::SignInFault;

/// A request that did not succeed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    status: StatusCode,
    kind: &'static str,
    detail: String,
    retry_after: Option<u64>,
}

#[derive(Serialize)]
struct Body<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    title: &'static str,
    status: u16,
    detail: &'a str,
}

impl Problem {
    /// A problem of this status, told in a sentence.
    pub fn new(status: StatusCode, detail: impl Into<String>) -> Self {
        Self { status, kind: "about:blank", detail: detail.into(), retry_after: None }
    }

    /// There is no such thing, or it is not yours.
    pub fn not_found(what: &str) -> Self {
        Self::new(StatusCode::NOT_FOUND, format!("there is no such {what}"))
    }

    /// The request came without a bearer token that holds.
    pub fn unauthorized(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::UNAUTHORIZED, detail)
    }

    /// Too many of these; try again after so long. It is told in whole seconds, rounded up, so that whoever waits that
    /// long waits long enough.
    pub fn too_many(detail: impl Into<String>, wait: Duration) -> Self {
        let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
        Self { retry_after: Some(seconds), ..Self::new(StatusCode::TOO_MANY_REQUESTS, detail) }
    }

    /// The status.
    pub fn status(&self) -> StatusCode {
        self.status
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let body = Body {
            kind: self.kind,
            title: self.status.canonical_reason().unwrap_or("Problem"),
            status: self.status.as_u16(),
            detail: &self.detail,
        };
        let mut response = (self.status, Json(body)).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        if self.status == StatusCode::UNAUTHORIZED {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        if let Some(seconds) = self.retry_after {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}

impl From<ToolError> for Problem {
    fn from(error: ToolError) -> Self {
        let (status, kind) = match &error {
            ToolError::Denied(_) => (StatusCode::FORBIDDEN, "urn:rover:problem:denied"),
            ToolError::NoTenant => (StatusCode::FORBIDDEN, "urn:rover:problem:no-school"),
            ToolError::NotFound { .. } => (StatusCode::NOT_FOUND, "urn:rover:problem:not-found"),
            ToolError::Invalid(_) => {
                (StatusCode::UNPROCESSABLE_ENTITY, "urn:rover:problem:does-not-fit")
            }
            ToolError::CampusRequired { .. } => {
                (StatusCode::UNPROCESSABLE_ENTITY, "urn:rover:problem:campus-required")
            }
            ToolError::Refused(_) => {
                (StatusCode::UNPROCESSABLE_ENTITY, "urn:rover:problem:refused")
            }
            ToolError::Conflict(_) => (StatusCode::CONFLICT, "urn:rover:problem:conflict"),
            ToolError::Stale(_) => (StatusCode::PRECONDITION_FAILED, "urn:rover:problem:stale"),
            ToolError::Mismatch { .. } => (StatusCode::CONFLICT, "about:blank"),
            ToolError::Busy => (StatusCode::SERVICE_UNAVAILABLE, "urn:rover:problem:busy"),
            ToolError::Deadline => (StatusCode::GATEWAY_TIMEOUT, "urn:rover:problem:deadline"),
            ToolError::Internal => (StatusCode::INTERNAL_SERVER_ERROR, "about:blank"),
        };
        Self { kind, ..Self::new(status, told(&error)) }
    }
}

/// The sentence of an error. Arguments are a word of tools; over HTTP a fault stands where it was sent.
fn told(error: &ToolError) -> String {
    let ToolError::Invalid(faults) = error else { return error.to_string() };
    let told = |fault: &ArgumentFault| {
        let at = fault.path().strip_prefix("args").unwrap_or(fault.path());
        let at = at.strip_prefix('.').unwrap_or(at);
        let at = if at.is_empty() { "the request" } else { at };
        format!("{at}: expected {}, got {}", fault.expected(), fault.got())
    };
    faults.iter().map(told).collect::<Vec<_>>().join("; ")
}

impl From<DbError> for Problem {
    fn from(error: DbError) -> Self {
        ToolError::from(error).into()
    }
}

impl From<PersonFault> for Problem {
    fn from(fault: PersonFault) -> Self {
        match fault {
            PersonFault::Gone => Self::unauthorized(fault.to_string()),
            PersonFault::NoSchool => Self::new(StatusCode::FORBIDDEN, fault.to_string()),
            PersonFault::Database(error) => error.into(),
        }
    }
}

impl From<SignInFault> for Problem {
    fn from(fault: SignInFault) -> Self {
        match fault {
            SignInFault::Expired | SignInFault::NotGenuine => Self::unauthorized(fault.to_string()),
            SignInFault::Stranger => Self::new(StatusCode::FORBIDDEN, fault.to_string()),
            SignInFault::Unavailable => {
                Self::new(StatusCode::SERVICE_UNAVAILABLE, fault.to_string())
            }
            SignInFault::Unsigned => {
                Self::new(StatusCode::INTERNAL_SERVER_ERROR, fault.to_string())
            }
        }
    }
}

impl From<SignInError> for Problem {
    fn from(error: SignInError) -> Self {
        match error {
            SignInError::Refused => Self::unauthorized(error.to_string()),
            SignInError::Database(error) => error.into(),
            other => {
                tracing::error!(error = &other as &dyn std::error::Error, "sign-in");
                ToolError::Internal.into()
            }
        }
    }
}

impl From<PostFault> for Problem {
    fn from(fault: PostFault) -> Self {
        let status = match &fault {
            PostFault::NotJson => StatusCode::BAD_REQUEST,
            _ => StatusCode::UNPROCESSABLE_ENTITY,
        };
        Self::new(status, fault.to_string())
    }
}

impl From<ThreadError> for Problem {
    fn from(error: ThreadError) -> Self {
        let status = match error {
            ThreadError::Database(error) => return error.into(),
            ThreadError::OverLimit(over) => {
                return Self::too_many(over.to_string(), over.wait());
            }
            ThreadError::File(fault) => return fault.into(),
            ThreadError::NotFound => StatusCode::NOT_FOUND,
            ThreadError::Busy | ThreadError::NothingAsked => StatusCode::CONFLICT,
        };
        Self::new(status, error.to_string())
    }
}

impl From<ChatError> for Problem {
    fn from(error: ChatError) -> Self {
        match error {
            ChatError::Context(MintFault::Campus(_)) => {
                Self::new(StatusCode::FORBIDDEN, error.to_string())
            }
            ChatError::Context(MintFault::Rows(error)) => error.into(),
            ChatError::Thread(error) => error.into(),
            ChatError::File(fault) => fault.into(),
            ChatError::NoWorker(_) => Self::new(StatusCode::SERVICE_UNAVAILABLE, error.to_string()),
            ChatError::Internal => Self::from(ToolError::Internal),
        }
    }
}
