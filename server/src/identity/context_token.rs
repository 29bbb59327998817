//! The context token: what a turn may claim about itself, signed when the turn is dispatched.
//!
//! PASETO v4.public, so a worker with the public key can also tell a job of ours from a forged one. It lives for
//! fifteen minutes at most and names its turn, with which it dies. The plain identity in a call's body must equal
//! what is signed here; it never replaces it.

use std::sync::{PoisonError, RwLock};
use std::time::{Duration, Instant};

use agent_contract::{AgentIdentity, AgentRunMode, ThreadId, Timestamp, TurnId};
use pasetors::Public;
use pasetors::token::UntrustedToken;
use pasetors::version4::{PublicToken, V4};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::KeyRing;

const ISSUER: &str = "rover-server";
const AUDIENCE: &str = "rover-agent-tool";
/// Bound into the signature without taking room in the token; a token of another kind or version never verifies.
const ASSERTION: &[u8] = b"rover.context.v1";
const LONGEST: Duration = Duration::from_mins(15);
/// How far the clocks of two servers may be apart.
const LEEWAY: Duration = Duration::from_secs(5);
/// Base64 of a token that is larger than this is not looked at.
const LARGEST: usize = 16 * 1024;

/// How often the keys are read anew at most because a token names one that is not known.
const LOOKING: Duration = Duration::from_secs(1);

/// Mints and verifies context tokens.
#[derive(Debug)]
pub struct ContextTokens {
    keys: RwLock<Keys>,
    assertion: Vec<u8>,
}

#[derive(Debug)]
struct Keys {
    ring: KeyRing,
    read: Instant,
}

/// What a token says about its turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TurnClaims {
    /// Who chats.
    #[serde(flatten)]
    pub identity: AgentIdentity,
    /// School, or the one campus by id and name.
    pub run_mode: AgentRunMode,
    /// The conversation.
    pub thread_id: ThreadId,
    /// The turn.
    pub turn_id: TurnId,
    /// Hash of the events that the run mode admitted when the token was signed.
    pub tools: String,
}

/// A token that was just signed.
#[derive(Debug, Clone)]
pub struct MintedContext {
    /// The token.
    pub token: String,
    /// Its own id.
    pub jti: String,
    /// When it was signed.
    pub issued: Timestamp,
    /// When it ends.
    pub expires: Timestamp,
}

/// Claims that this server signed, and that still hold as far as the token itself can tell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerifiedContext {
    claims: TurnClaims,
    jti: String,
}

/// Why a token was refused. The sentences are for the model; what smells goes to the security log.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ContextFault {
    /// There is none.
    #[error("the call carries no signed context, so it cannot be known who makes it")]
    Missing,
    /// It is no token, or none of ours.
    #[error("the call's signed context is not genuine")]
    Malformed,
    /// No key that is accepted made it.
    #[error("the call's signed context is not genuine")]
    UnknownKey,
    /// The signature does not fit.
    #[error("the call's signed context is not genuine")]
    Forged,
    /// It was made for somebody else.
    #[error("the call's signed context is not genuine")]
    Foreign,
    /// Its time is over.
    #[error("the time of this turn is over; please send the message again")]
    Expired {
        /// The turn that it was made for, as it was signed.
        turn: TurnId,
    },
    /// Its time has not come, or is longer than any of ours.
    #[error("the call's signed context is not genuine")]
    Times,
}

#[derive(Serialize, Deserialize)]
struct Payload {
    iss: String,
    aud: String,
    iat: Timestamp,
    exp: Timestamp,
    jti: String,
    #[serde(flatten)]
    claims: TurnClaims,
}

#[derive(Serialize, Deserialize)]
struct Footer {
    kid: String,
}

impl ContextTokens {
    /// Tokens signed with the newest of these keys.
    pub fn new(ring: KeyRing) -> Self {
        let keys = RwLock::new(Keys { ring, read: Instant::now() });
        Self { keys, assertion: ASSERTION.to_vec() }
    }

    /// Tokens of one environment: another one's are forgeries here, be they of the same key.
    #[must_use]
    pub fn of_environment(self, environment: &str) -> Self {
        let assertion = [ASSERTION, b"\0", environment.as_bytes()].concat();
        Self { assertion, ..self }
    }

    /// Reads the keys anew: one that came is accepted from now on, one that went is not. Keys that cannot be read leave
    /// those in place that there are.
    pub fn reload(&self) {
        let reopened = self.keys.read().unwrap_or_else(PoisonError::into_inner).ring.reopened();
        let mut keys = self.keys.write().unwrap_or_else(PoisonError::into_inner);
        keys.read = Instant::now();
        match reopened {
            Ok(ring) => keys.ring = ring,
            Err(error) => {
                let error = &error as &dyn std::error::Error;
                tracing::error!(error, "the signing keys could not be read anew");
            }
        }
    }

    /// Signs the claims of a turn. A lifetime over fifteen minutes is cut to that.
    pub fn mint(
        &self,
        claims: TurnClaims,
        now: Timestamp,
        lifetime: Duration,
    ) -> Result<MintedContext, ContextFault> {
        let keys = self.keys.read().unwrap_or_else(PoisonError::into_inner);
        let key = keys.ring.signing_at(now);
        let jti = Uuid::new_v4().to_string();
        let expires = now.after(lifetime.min(LONGEST));
        let payload = Payload {
            iss: ISSUER.to_owned(),
            aud: AUDIENCE.to_owned(),
            iat: now,
            exp: expires,
            jti: jti.clone(),
            claims,
        };
        let payload = serde_json::to_vec(&payload).map_err(|_| ContextFault::Malformed)?;
        let footer = Footer { kid: key.kid().to_owned() };
        let footer = serde_json::to_vec(&footer).map_err(|_| ContextFault::Malformed)?;
        let token = PublicToken::sign(key.secret(), &payload, Some(&footer), Some(&self.assertion))
            .map_err(|_| ContextFault::Malformed)?;
        Ok(MintedContext { token, jti, issued: now, expires })
    }

    /// Tells whether a token is ours and in its time. Whether its turn is still open, the caller asks the rows.
    pub fn verify(&self, token: &str, now: Timestamp) -> Result<VerifiedContext, ContextFault> {
        if token.is_empty() {
            return Err(ContextFault::Missing);
        }
        if token.len() > LARGEST {
            return Err(ContextFault::Malformed);
        }
        let untrusted =
            UntrustedToken::<Public, V4>::try_from(token).map_err(|_| ContextFault::Malformed)?;
        let footer: Footer = serde_json::from_slice(untrusted.untrusted_footer())
            .map_err(|_| ContextFault::Malformed)?;
        self.look_for(&footer.kid);
        let keys = self.keys.read().unwrap_or_else(PoisonError::into_inner);
        let key = keys.ring.accepted(&footer.kid).ok_or(ContextFault::UnknownKey)?;
        let trusted = PublicToken::verify(key.public(), &untrusted, None, Some(&self.assertion))
            .map_err(|_| ContextFault::Forged)?;
        let payload: Payload =
            serde_json::from_str(trusted.payload()).map_err(|_| ContextFault::Malformed)?;
        payload.checked(now)
    }
}

impl ContextTokens {
    /// Another server may have signed with a key that came a moment ago.
    fn look_for(&self, kid: &str) {
        let keys = self.keys.read().unwrap_or_else(PoisonError::into_inner);
        let look = keys.ring.accepted(kid).is_none() && keys.read.elapsed() >= LOOKING;
        drop(keys);
        if look {
            self.reload();
        }
    }
}

impl Payload {
    fn checked(self, now: Timestamp) -> Result<VerifiedContext, ContextFault> {
        if self.iss != ISSUER || self.aud != AUDIENCE {
            return Err(ContextFault::Foreign);
        }
        if self.iat > now.after(LEEWAY) || self.exp > self.iat.after(LONGEST) {
            return Err(ContextFault::Times);
        }
        if now > self.exp.after(LEEWAY) {
            return Err(ContextFault::Expired { turn: self.claims.turn_id });
        }
        Ok(VerifiedContext { claims: self.claims, jti: self.jti })
    }
}

impl VerifiedContext {
    /// Who chats.
    pub fn identity(&self) -> &AgentIdentity {
        &self.claims.identity
    }

    /// School, or the one campus.
    pub fn run_mode(&self) -> &AgentRunMode {
        &self.claims.run_mode
    }

    /// The conversation.
    pub fn thread(&self) -> &ThreadId {
        &self.claims.thread_id
    }

    /// The turn.
    pub fn turn(&self) -> &TurnId {
        &self.claims.turn_id
    }

    /// Hash of the events that were admitted when the token was signed.
    pub fn tools(&self) -> &str {
        &self.claims.tools
    }

    /// The token's own id.
    pub fn jti(&self) -> &str {
        &self.jti
    }
}
