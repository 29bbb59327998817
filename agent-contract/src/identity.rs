//! Who calls: minted by the server from live rows, echoed by the worker on every call.
//!
//! It is never made from model output, which is why no tool argument may hold it. A control character in it does not
//! parse.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::context::{AgentRuntimeContext, AgentUserDetails};
use crate::date::Timestamp;
use crate::plain;

/// How long a synthetic payload says it is valid, in seconds. Nothing checks it: the ability
/// factory only wants the shape of a signed-in request.
const SYNTHETIC_LIFETIME: i64 = 900;

/// The kinds of account.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum UserType {
    /// Works at a school.
    Staff,
    /// Answers for a student.
    Guardian,
    /// Learns at a school.
    Student,
    /// Runs the platform; belongs to no school.
    Platform,
}

/// The identity that rides every call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AgentIdentity {
    /// User id.
    #[serde(deserialize_with = "plain::text")]
    pub sub: String,
    /// Address the person signs in with.
    #[serde(deserialize_with = "plain::text")]
    pub email: String,
    /// Kind of account.
    #[serde(rename = "type")]
    pub user_type: UserType,
    /// Profile under which the person acts.
    #[serde(deserialize_with = "plain::text")]
    pub profile_id: String,
    /// The person's school: the tenant.
    #[serde(
        default,
        deserialize_with = "plain::optional",
        skip_serializing_if = "Option::is_none"
    )]
    pub school_id: Option<String>,
    /// The campus the person is bound to, if any.
    #[serde(
        default,
        deserialize_with = "plain::optional",
        skip_serializing_if = "Option::is_none"
    )]
    pub campus_id: Option<String>,
}

impl AgentIdentity {
    /// The tenant; an empty id is none.
    pub fn tenant(&self) -> Option<&str> {
        self.school_id.as_deref().filter(|school| !school.is_empty())
    }

    /// The first field that must say something and is empty, by its name on the wire.
    pub fn empty_field(&self) -> Option<&'static str> {
        [("sub", &self.sub), ("email", &self.email), ("profileId", &self.profile_id)]
            .into_iter()
            .find_map(|(name, value)| value.is_empty().then_some(name))
    }
}

/// What a signed-in request carries, and what the ability factory takes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct JwtPayload {
    /// User id.
    pub sub: String,
    /// Address the person signs in with.
    pub email: String,
    /// Kind of account.
    #[serde(rename = "type")]
    pub user_type: UserType,
    /// Profile under which the person acts.
    pub profile_id: String,
    /// The person's school.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub school_id: Option<String>,
    /// The campus the person is bound to, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub campus_id: Option<String>,
    /// Issued at, seconds since 1970.
    pub iat: i64,
    /// Expires at, seconds since 1970.
    pub exp: i64,
}

/// The rename from a person's details to an identity: `userId` becomes `sub`, `userType` `type`.
pub fn identity_from_user_details(details: &AgentUserDetails) -> AgentIdentity {
    AgentIdentity {
        sub: details.user_id.clone(),
        email: details.email.clone(),
        user_type: details.user_type,
        profile_id: details.profile_id.clone(),
        school_id: details.school_id.clone(),
        campus_id: details.campus_id.clone(),
    }
}

/// The identity that the worker echoes on the calls of a turn.
pub fn resolve_identity(context: &AgentRuntimeContext) -> AgentIdentity {
    identity_from_user_details(&context.user_details)
}

/// The identity as a payload with made-up times, so that one ability factory serves signed-in
/// requests and agent calls.
pub fn to_jwt_payload(identity: &AgentIdentity, now: Timestamp) -> JwtPayload {
    let iat = now.as_second();
    JwtPayload {
        sub: identity.sub.clone(),
        email: identity.email.clone(),
        user_type: identity.user_type,
        profile_id: identity.profile_id.clone(),
        school_id: identity.school_id.clone(),
        campus_id: identity.campus_id.clone(),
        iat,
        exp: iat + SYNTHETIC_LIFETIME,
    }
}
