//! The bearer token of a request, and the person whom live rows find behind it.

use axum::extract::FromRequestParts;
use axum::http::{header, request::Parts};

use super::{App, Problem};
use crate::chat::{Person, PersonFault};
use crate::identity::{Principal, SignInFault};
use crate::turn_log::{SecurityLine, Smell};

impl FromRequestParts<App> for Person {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Problem> {
        let principal = principal(parts, app).await?;
        match app.people.find(&principal).await {
            Ok(person) => Ok(person),
            Err(fault) => {
                // Over the broker the same refusal smells the same.
                if matches!(fault, PersonFault::Gone) {
                    let line = SecurityLine::new(Smell::NoCaller)
                        .with("claimedBy", principal.identity().sub)
                        .with("path", parts.uri.path());
                    app.log.smelled(line).await;
                }
                Err(fault.into())
            }
        }
    }
}

async fn principal(parts: &Parts, app: &App) -> Result<Principal, Problem> {
    let token = parts
        .headers
        .get(header::AUTHORIZATION)
        .and_then(|value| value.to_str().ok())
        .and_then(bearer)
        .ok_or_else(|| Problem::unauthorized("sign in first"))?;
    match app.sign_in.verify(token) {
        Ok(principal) => Ok(principal),
        Err(fault) => {
            // That a sign-in runs out is an everyday thing; one that is not ours smells.
            if fault == SignInFault::NotGenuine {
                let line = SecurityLine::new(Smell::BadBearer).with("path", parts.uri.path());
                app.log.smelled(line).await;
            }
            Err(fault.into())
        }
    }
}

/// The scheme's name is read in either case (RFC 9110, 11.1).
fn bearer(value: &str) -> Option<&str> {
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim()).filter(|token| !token.is_empty())
}
