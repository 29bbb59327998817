//! Sign-in tokens of somebody else: an issuer that the operator names, beside our own sign-in.
//!
//! Signatures are checked with the keys that the issuer publishes, by the algorithm that belongs to the key and never
//! by the one that the token asks for: `none` and the symmetric ones are no algorithms here. Of the claims only the
//! subject is used, to find the account that an operator linked to it; what the person may do, live rows say.

mod keys;

#[cfg(test)]
mod tests;

use std::time::Instant;

use jsonwebtoken::{Algorithm, Validation, decode, decode_header, errors::ErrorKind};
use serde::Deserialize;

use self::keys::{Key, Keys};
use super::SignInFault;

pub use keys::{KeysAt, KeysFault, NoPlace};

/// How far the issuer's clock and ours may be apart.
const LEEWAY_SECONDS: u64 = 5;
/// A token that is larger than this is not looked at.
const LARGEST: usize = 8 * 1024;

/// Who issues the tokens, for whom, and where the keys are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IssuerSettings {
    /// The `iss` of its tokens, letter by letter.
    pub issuer: String,
    /// What their `aud` must hold.
    pub audience: String,
    /// Where its keys are.
    pub keys: KeysAt,
}

/// An issuer whose tokens are believed.
#[derive(Debug)]
pub struct Issuer {
    name: String,
    audience: String,
    keys: Keys,
}

/// Somebody as an issuer knows them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject {
    /// The issuer.
    pub issuer: String,
    /// Its own name for the person; it says nothing to us.
    pub subject: String,
}

#[derive(Deserialize)]
struct Claims {
    sub: String,
}

impl Issuer {
    /// An issuer whose keys are not read yet.
    pub fn new(settings: IssuerSettings) -> Result<Self, KeysFault> {
        let IssuerSettings { issuer, audience, keys } = settings;
        Ok(Self { name: issuer, audience, keys: Keys::new(keys)? })
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Reads the keys, to say early what is wrong with them. Later they are read as they are needed.
    pub async fn look(&self) -> Result<(), KeysFault> {
        self.keys.read(Instant::now()).await
    }

    /// Tells who a token is about.
    pub async fn verify(&self, token: &str) -> Result<Subject, SignInFault> {
        self.verify_at(token, Instant::now()).await
    }

    async fn verify_at(&self, token: &str, now: Instant) -> Result<Subject, SignInFault> {
        if token.len() > LARGEST {
            return Err(SignInFault::NotGenuine);
        }
        let header = decode_header(token).map_err(|_| SignInFault::NotGenuine)?;
        let kid = header.kid.ok_or(SignInFault::NotGenuine)?;
        let key = self.keys.find(&kid, now).await.map_err(|()| SignInFault::Unavailable)?;
        let key = key.ok_or(SignInFault::NotGenuine)?;
        match self.claims(token, &key) {
            Ok(Claims { sub }) if !sub.is_empty() => {
                Ok(Subject { issuer: self.name.clone(), subject: sub })
            }
            Err(ErrorKind::ExpiredSignature) => Err(SignInFault::Expired),
            Ok(_) | Err(_) => Err(SignInFault::NotGenuine),
        }
    }

    fn claims(&self, token: &str, key: &Key) -> Result<Claims, ErrorKind> {
        let read = decode::<Claims>(token, &key.public, &self.rules(key.algorithm));
        read.map(|token| token.claims).map_err(|fault| fault.kind().clone())
    }

    fn rules(&self, algorithm: Algorithm) -> Validation {
        let mut rules = Validation::new(algorithm);
        rules.leeway = LEEWAY_SECONDS;
        rules.validate_nbf = true;
        rules.set_issuer(&[&self.name]);
        rules.set_audience(&[&self.audience]);
        rules.set_required_spec_claims(&["exp", "iss", "aud", "sub"]);
        rules
    }
}
