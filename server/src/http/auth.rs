//! Signing in, and who one is.

use std::net::IpAddr;
use std::time::Instant;

use agent_contract::UserType;
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tools::campuses::{Campus, Campuses as _};

use super::{App, Problem, body::Body, peer::Peer};
use crate::chat::Person;
use crate::demo;
use crate::domain::{self, Account, SignInError};
use crate::turn_log::{SecurityLine, Smell};

#[derive(Deserialize)]
pub(super) struct Credentials {
    email: String,
    password: String,
}

/// A person who just signed in.
#[derive(Serialize)]
pub(super) struct SignedIn {
    token: String,
    #[serde(rename = "expiresAt")]
    expires_at: String,
    #[serde(flatten)]
    me: Me,
}

/// A person, their school and the campuses that they may work on.
#[derive(Serialize)]
pub(super) struct Me {
    user: User,
    school: SchoolName,
    campuses: Vec<Campus>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct User {
    id: String,
    name: String,
    email: String,
    #[serde(rename = "type")]
    kind: UserType,
    profile_id: String,
    roles: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    campus_id: Option<String>,
}

#[derive(Serialize)]
struct SchoolName {
    id: String,
    name: String,
}

#[derive(Serialize)]
pub(super) struct DemoAccounts {
    accounts: Vec<DemoAccount>,
}

#[derive(Serialize)]
struct DemoAccount {
    name: String,
    email: String,
    password: &'static str,
    role: String,
}

/// What signing in takes, for the description of the address.
pub(super) fn credentials_schema() -> Value {
    json!({
        "type": "object",
        "required": ["email", "password"],
        "properties": { "email": { "type": "string" }, "password": { "type": "string" } },
    })
}

/// `POST /api/auth/sign-in`
pub(super) async fn sign_in(
    State(app): State<App>,
    Peer(peer): Peer,
    Body(Credentials { email, password }): Body<Credentials>,
) -> Result<Json<SignedIn>, Problem> {
    let address = email.trim().to_lowercase();
    if let Some(wait) = app.throttle.wait(peer, &address, Instant::now()) {
        app.log.metrics().password("throttled");
        let sentence = "too many wrong passwords; wait a few minutes";
        return Err(Problem::too_many(sentence, wait));
    }
    let account = check(&app, peer, &address, &password).await?;
    let identity = account.identity()?;
    let signed = app.sign_in.mint(&identity, agent_contract::Timestamp::now())?;
    let principal = app.sign_in.verify(&signed.token)?;
    let person = app.people.find(&principal).await?;
    Ok(Json(SignedIn {
        token: signed.token,
        expires_at: signed.expires.to_string(),
        me: describe(&person).await?,
    }))
}

/// `GET /api/me`
pub(super) async fn me(person: Person) -> Result<Json<Me>, Problem> {
    Ok(Json(describe(&person).await?))
}

/// `GET /api/auth/demo-accounts`: where the demo school is planted on purpose, and nowhere else.
pub(super) async fn demo_accounts(State(app): State<App>) -> Result<Json<DemoAccounts>, Problem> {
    if !app.demo {
        return Err(Problem::not_found("page"));
    }
    let accounts = demo::accounts().into_iter().map(|account| DemoAccount {
        name: account.name.to_owned(),
        role: described(account.roles, &account.campuses),
        email: account.email,
        password: demo::PASSWORD,
    });
    Ok(Json(DemoAccounts { accounts: accounts.collect() }))
}

/// Checks a password. Only a few at a time: each takes tens of megabytes and a core.
async fn check(app: &App, peer: IpAddr, address: &str, password: &str) -> Result<Account, Problem> {
    let Ok(_turn) = app.passwords.acquire().await else {
        return Err(Problem::new(StatusCode::SERVICE_UNAVAILABLE, "the server is closing"));
    };
    match domain::sign_in(&app.database, address, password).await {
        Ok(account) => {
            app.log.metrics().password("right");
            app.throttle.succeeded(peer, address);
            Ok(account)
        }
        Err(SignInError::Refused) => {
            app.log.metrics().password("wrong");
            app.throttle.failed(peer, address, Instant::now());
            let line = SecurityLine::new(Smell::BadPassword)
                .with("email", address)
                .with("peer", peer.to_string());
            app.log.smelled(line).await;
            Err(SignInError::Refused.into())
        }
        Err(error) => Err(error.into()),
    }
}

async fn describe(person: &Person) -> Result<Me, Problem> {
    let school = person.school().school().await?;
    let row = person.row();
    Ok(Me {
        user: User {
            id: row.user_id.clone(),
            name: row.name.clone(),
            email: row.email.clone(),
            kind: row.user_type,
            profile_id: row.profile_id.clone(),
            roles: row.roles.clone(),
            campus_id: person.identity().campus_id.clone(),
        },
        school: SchoolName { id: school.id, name: school.name },
        campuses: person.school().list().await?,
    })
}

/// "Class teacher, teacher · Main Campus"
fn described(roles: &[&str], campuses: &[&str]) -> String {
    let roles = roles.join(", ").replace('_', " ");
    let mut letters = roles.chars();
    let roles: String =
        letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect();
    [roles, campuses.join(", ")].join(" · ")
}
