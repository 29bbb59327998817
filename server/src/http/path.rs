//! The id in an address, or a problem that says what is wrong with the address.

use agent_contract::holds_control;
use axum::extract::{FromRequestParts, Path};
use axum::http::{StatusCode, request::Parts};

use super::Problem;

/// The id that an address names: valid UTF-8 without control characters.
#[derive(Debug)]
pub(super) struct PathId(pub(super) String);

impl<S: Send + Sync> FromRequestParts<S> for PathId {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let told = |detail| Problem::new(StatusCode::BAD_REQUEST, detail);
        let Path(id) = Path::<String>::from_request_parts(parts, state)
            .await
            .map_err(|_| told("the address is not valid UTF-8"))?;
        if holds_control(&id) {
            return Err(told("the address holds a control character"));
        }
        Ok(Self(id))
    }
}
