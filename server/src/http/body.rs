//! A JSON body, or a problem that says what is wrong with it.
//!
//! A body is an object: serde would also take a list for a struct, field by field. No text in it holds a control
//! character, whichever database it would reach.

use agent_contract::first_control;
use axum::Json;
use axum::extract::rejection::{BytesRejection, JsonRejection};
use axum::extract::{FromRequest, Request};
use axum::http::StatusCode;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{BODY, Problem};

/// A JSON body of this shape.
#[derive(Debug)]
pub(super) struct Body<T>(pub(super) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Body<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        let Json(body) =
            Json::<Value>::from_request(request, state).await.map_err(|fault| unread(&fault))?;
        let unfit = |detail| Problem::new(StatusCode::UNPROCESSABLE_ENTITY, detail);
        if !body.is_object() {
            return Err(unfit("the body must be a JSON object".to_owned()));
        }
        if let Some((at, _)) = first_control("body", &body) {
            return Err(unfit(format!("`{at}` holds a control character")));
        }
        serde_json::from_value(body).map(Self).map_err(|fault| unfit(fault.to_string()))
    }
}

/// A body that could not be taken, when at most `limit` bytes are.
pub(super) fn not_taken(rejection: &BytesRejection, limit: usize) -> Problem {
    let detail = match rejection.status() {
        StatusCode::PAYLOAD_TOO_LARGE => {
            format!("the body is too large: at most {} KB are taken here", limit / 1024)
        }
        _ => "the body could not be read to its end".to_owned(),
    };
    Problem::new(rejection.status(), detail)
}

fn unread(rejection: &JsonRejection) -> Problem {
    let detail = match rejection {
        JsonRejection::BytesRejection(fault) => return not_taken(fault, BODY),
        JsonRejection::MissingJsonContentType(_) => "the content type must be application/json",
        _ => "the body is not JSON",
    };
    Problem::new(rejection.status(), detail)
}
