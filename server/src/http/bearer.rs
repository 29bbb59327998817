//! The bearer token of a request, and the person whom live rows find behind it.

use agent_contract::Timestamp;
use axum::extract::FromRequestParts;
use axum::http::{header, request::Parts};

use super::{App, Problem};
use crate::chat::{Person, PersonFault};
use crate::db::DbError;
use crate::domain;
use crate::identity::{Issuer, Principal, SignInFault};
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
    let found = match &app.edge.issuer {
        Some(issuer) if !app.sign_in.is_ours(token) => elsewhere(app, issuer, token).await,
        _ => app.sign_in.verify(token).map_err(Refused::Fault),
    };
    match found {
        Ok(principal) => Ok(principal),
        Err(Refused::Database(error)) => Err(error.into()),
        Err(Refused::Fault(fault)) => {
            // That a sign-in runs out is an everyday thing; one that nobody signed whom we believe smells.
            if fault == SignInFault::NotGenuine {
                let line = SecurityLine::new(Smell::BadBearer).with("path", parts.uri.path());
                app.log.smelled(line).await;
            }
            Err(fault.into())
        }
    }
}

enum Refused {
    Fault(SignInFault),
    Database(DbError),
}

/// The account that belongs to the subject of an issuer's token. Nothing else that the token says is used.
async fn elsewhere(app: &App, issuer: &Issuer, token: &str) -> Result<Principal, Refused> {
    let subject = issuer.verify(token).await.map_err(Refused::Fault)?;
    let account = domain::account_of(&app.database, &subject).await.map_err(Refused::Database)?;
    let account = account.ok_or(Refused::Fault(SignInFault::Stranger))?;
    let identity = account.identity().map_err(Refused::Database)?;
    Ok(Principal::found(&identity, Timestamp::now()))
}

/// The scheme's name is read in either case (RFC 9110, 11.1).
fn bearer(value: &str) -> Option<&str> {
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim()).filter(|token| !token.is_empty())
}
