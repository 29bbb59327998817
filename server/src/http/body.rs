//! A JSON body, or a problem that says what is wrong with it.

use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::extract::{FromRequest, Request};
use serde::de::DeserializeOwned;

use super::Problem;

/// A JSON body of this shape.
#[derive(Debug)]
pub(super) struct Body<T>(pub(super) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Body<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        let Json(body) =
            Json::<T>::from_request(request, state).await.map_err(|fault| problem(&fault))?;
        Ok(Self(body))
    }
}

fn problem(rejection: &JsonRejection) -> Problem {
    let detail = match rejection {
        JsonRejection::JsonDataError(fault) => deepest(fault),
        JsonRejection::JsonSyntaxError(fault) => {
            format!("the body is not JSON: {}", deepest(fault))
        }
        JsonRejection::MissingJsonContentType(_) => {
            "the content type must be application/json".to_owned()
        }
        other => other.body_text(),
    };
    Problem::new(rejection.status(), detail)
}

/// serde's own sentence, which names the field, without the layers around it.
fn deepest(error: &dyn std::error::Error) -> String {
    let mut error = error;
    while let Some(source) = error.source() {
        error = source;
    }
    error.to_string()
}
