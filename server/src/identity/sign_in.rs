//! Signing in: a JWT for a person, and the principal that a request's bearer proves.
//!
//! `EdDSA` and nothing else: the algorithm is ours and never the token's. The token says who signed in; whether the
//! account still exists and is enabled, live rows say on every request.

use std::time::Duration;

use agent_contract::{AgentIdentity, JwtPayload, Timestamp, to_jwt_payload};
use jsonwebtoken::{
    Algorithm, DecodingKey, EncodingKey, Header, Validation, decode, decode_header, encode,
    errors::ErrorKind,
};
use serde::{Deserialize, Serialize};

use super::KeyRing;
use super::keys::Key;

const ISSUER: &str = "rover-server";
const AUDIENCE: &str = "rover-hub";
const LEEWAY_SECONDS: u64 = 5;
/// DER of an Ed25519 private key up to the seed (RFC 8410, 7).
const PKCS8_PREFIX: [u8; 16] = [
    0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20,
];

/// Mints and verifies sign-in tokens.
#[derive(Debug)]
pub struct SignIn {
    keys: KeyRing,
    lifetime: Duration,
}

/// A token that was just signed.
#[derive(Debug, Clone)]
pub struct MintedSignIn {
    /// The bearer token.
    pub token: String,
    /// When it ends.
    pub expires: Timestamp,
}

/// Somebody whose bearer token holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Principal {
    payload: JwtPayload,
}

/// Why a bearer was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SignInFault {
    /// Its time is over: an everyday thing.
    #[error("the sign-in has expired; please sign in again")]
    Expired,
    /// It is not one of ours: that smells.
    #[error("the sign-in is not valid; please sign in again")]
    NotGenuine,
    /// Its issuer knows whom it is about, and nobody here does.
    #[error(
        "no account here belongs to this sign-in; ask whoever looks after Rover at your school"
    )]
    Stranger,
    /// The keys of its issuer cannot be read, so nobody can tell.
    #[error("who you are cannot be checked right now; please try again in a moment")]
    Unavailable,
    /// It could not be signed.
    #[error("the sign-in could not be completed")]
    Unsigned,
}

#[derive(Serialize, Deserialize)]
struct Claims {
    iss: String,
    aud: String,
    #[serde(flatten)]
    payload: JwtPayload,
}

impl SignIn {
    /// Tokens signed with the newest of these keys, valid for `lifetime`.
    pub fn new(keys: KeyRing, lifetime: Duration) -> Self {
        Self { keys, lifetime }
    }

    /// Signs a person in, whose password somebody else has checked.
    pub fn mint(
        &self,
        identity: &AgentIdentity,
        now: Timestamp,
    ) -> Result<MintedSignIn, SignInFault> {
        let key = self.keys.signing();
        let expires = now.after(self.lifetime);
        let payload = JwtPayload { exp: expires.as_second(), ..to_jwt_payload(identity, now) };
        let claims = Claims { iss: ISSUER.to_owned(), aud: AUDIENCE.to_owned(), payload };
        let header = Header { kid: Some(key.kid().to_owned()), ..Header::new(Algorithm::EdDSA) };
        let token = encode(&header, &claims, &signing_key(key)).map_err(|error| {
            tracing::error!(%error, "a sign-in could not be signed");
            SignInFault::Unsigned
        })?;
        Ok(MintedSignIn { token, expires })
    }

    /// Whether a token names a key of ours, so that nobody else has to be asked about it.
    pub fn is_ours(&self, token: &str) -> bool {
        let kid = decode_header(token).ok().and_then(|header| header.kid);
        kid.is_some_and(|kid| self.keys.accepted(&kid).is_some())
    }

    /// Tells who a bearer token is.
    pub fn verify(&self, token: &str) -> Result<Principal, SignInFault> {
        let kid = decode_header(token).ok().and_then(|header| header.kid);
        let key = kid.and_then(|kid| self.keys.accepted(&kid)).ok_or(SignInFault::NotGenuine)?;
        let public = DecodingKey::from_ed_der(key.public().as_bytes());
        match decode::<Claims>(token, &public, &rules()) {
            Ok(token) => Ok(Principal { payload: token.claims.payload }),
            Err(error) if matches!(error.kind(), ErrorKind::ExpiredSignature) => {
                Err(SignInFault::Expired)
            }
            Err(_) => Err(SignInFault::NotGenuine),
        }
    }
}

impl Principal {
    /// Somebody whose account was found by what an issuer says about them.
    pub(crate) fn found(identity: &AgentIdentity, now: Timestamp) -> Self {
        Self { payload: to_jwt_payload(identity, now) }
    }

    /// What the bearer says, as the ability factory takes it.
    pub fn payload(&self) -> &JwtPayload {
        &self.payload
    }
}

pub(super) fn signing_key(key: &Key) -> EncodingKey {
    EncodingKey::from_ed_der(&[&PKCS8_PREFIX, key.seed()].concat())
}

fn rules() -> Validation {
    let mut rules = Validation::new(Algorithm::EdDSA);
    rules.leeway = LEEWAY_SECONDS;
    rules.set_issuer(&[ISSUER]);
    rules.set_audience(&[AUDIENCE]);
    rules.set_required_spec_claims(&["exp", "iss", "aud", "sub"]);
    rules
}
