//! The keys of an issuer, as its JWKS lists them: read when they are needed, read again in bounds, dropped when the
//! issuer drops them.
//!
//! A token with an unknown key makes us look again, but not more often than once a minute, whoever sends how many. Keys
//! are read anew every ten minutes, so a key that was withdrawn is worth nothing after that; while the issuer cannot be
//! reached those that are known go on for a day.

use std::collections::HashMap;
use std::net::IpAddr;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};

use jsonwebtoken::jwk::{AlgorithmParameters, EllipticCurve, Jwk, KeyAlgorithm, PublicKeyUse};
use jsonwebtoken::{Algorithm, DecodingKey};
use reqwest::Url;
use serde::Deserialize;
use serde_json::Value;
use tokio::sync::Mutex;

/// An issuer is asked again after this time, and not before.
const AGAIN: Duration = Duration::from_mins(1);
/// After this time keys that are known are read anew.
const REFRESH: Duration = Duration::from_mins(10);
/// Keys that nobody could read anew for so long are not believed any more.
const STALE: Duration = Duration::from_hours(24);
/// How long an issuer has to answer.
const PATIENCE: Duration = Duration::from_secs(5);
/// A list of keys is smaller than this,
const LARGEST: usize = 64 * 1024;
/// and holds no more than so many.
const MOST: usize = 64;
/// Bytes of the smallest RSA modulus that is believed: 2048 bits.
const SMALLEST_MODULUS: usize = 256;

/// Where the keys of an issuer are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeysAt {
    /// In a file.
    File(PathBuf),
    /// At an address: over TLS, or on this machine.
    Address(Url),
}

/// Why a text says of no place where keys could be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "write an `https://` address of a JWKS, or a file; plain `http://` is for this machine alone"
)]
pub struct NoPlace;

/// Why keys could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum KeysFault {
    /// The file.
    #[error("the issuer's keys cannot be read from {}", path.display())]
    File {
        /// Which file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// The address.
    #[error("the issuer's keys cannot be read from {at}")]
    Address {
        /// Which address.
        at: Url,
        /// What went wrong.
        source: reqwest::Error,
    },
    /// The list is too long.
    #[error("the issuer's list of keys is too large: at most {} KB and {MOST} keys are read", LARGEST / 1024)]
    TooLarge,
    /// It is no JWKS.
    #[error("the issuer's list of keys is no JWKS: {0}")]
    NoList(String),
    /// Nothing in it can be used.
    #[error(
        "the issuer's list of keys holds none that can be used: it must have a `kid`, be for signatures, and be RSA \
         of 2048 bits or more (RS256), P-256 (ES256) or Ed25519 (EdDSA)"
    )]
    NoneUsable,
}

impl FromStr for KeysAt {
    type Err = NoPlace;

    fn from_str(text: &str) -> Result<Self, NoPlace> {
        if !text.contains("://") {
            return if text.trim().is_empty() { Err(NoPlace) } else { Ok(Self::File(text.into())) };
        }
        let url = Url::parse(text).map_err(|_| NoPlace)?;
        match url.scheme() {
            "https" => Ok(Self::Address(url)),
            "http" if is_here(&url) => Ok(Self::Address(url)),
            _ => Err(NoPlace),
        }
    }
}

fn is_here(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
    host == "localhost" || host.parse::<IpAddr>().is_ok_and(|host| host.is_loopback())
}

/// One key, and the one algorithm that it is used with.
pub(super) struct Key {
    pub(super) algorithm: Algorithm,
    pub(super) public: DecodingKey,
}

/// The keys of one issuer.
pub(super) struct Keys {
    at: KeysAt,
    client: reqwest::Client,
    known: RwLock<Known>,
    /// When the issuer was last asked. Whoever holds it asks; others use what is known.
    asked: Mutex<Option<Instant>>,
}

#[derive(Default)]
struct Known {
    keys: HashMap<String, Arc<Key>>,
    read: Option<Instant>,
}

impl Keys {
    pub(super) fn new(at: KeysAt) -> Result<Self, KeysFault> {
        let client = reqwest::Client::builder()
            .timeout(PATIENCE)
            .redirect(reqwest::redirect::Policy::none())
            .build()
            .map_err(|source| match &at {
                KeysAt::Address(url) => KeysFault::Address { at: url.clone(), source },
                KeysAt::File(_) => KeysFault::NoList(source.to_string()),
            })?;
        Ok(Self { at, client, known: RwLock::default(), asked: Mutex::default() })
    }

    /// The key of this id; none if the issuer has none. An error if nobody can tell.
    pub(super) async fn find(&self, kid: &str, now: Instant) -> Result<Option<Arc<Key>>, ()> {
        let (known, age) = self.look(kid, now);
        let is_new = age.is_some_and(|age| age < REFRESH);
        match known {
            Some(key) if is_new => return Ok(Some(key)),
            // Somebody else is asking already; until then what is known is good enough.
            Some(key) => match self.asked.try_lock() {
                Ok(asked) => self.ask_in_bounds(asked, now).await,
                Err(_) => return Ok(Some(key)),
            },
            None => self.ask_in_bounds(self.asked.lock().await, now).await,
        }
        let (known, age) = self.look(kid, now);
        match age {
            Some(age) if age < STALE => Ok(known),
            _ => Err(()),
        }
    }

    /// Reads the keys, whenever that was done last.
    pub(super) async fn read(&self, now: Instant) -> Result<(), KeysFault> {
        *self.asked.lock().await = Some(now);
        self.renew(now).await
    }

    fn look(&self, kid: &str, now: Instant) -> (Option<Arc<Key>>, Option<Duration>) {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        let age = known.read.map(|read| now.saturating_duration_since(read));
        (known.keys.get(kid).cloned(), age)
    }

    async fn ask_in_bounds(
        &self,
        mut asked: tokio::sync::MutexGuard<'_, Option<Instant>>,
        now: Instant,
    ) {
        if asked.is_some_and(|asked| now.saturating_duration_since(asked) < AGAIN) {
            return;
        }
        *asked = Some(now);
        if let Err(fault) = self.renew(now).await {
            tracing::warn!(
                fault = &fault as &dyn std::error::Error,
                "an issuer's keys were not renewed"
            );
        }
    }

    async fn renew(&self, now: Instant) -> Result<(), KeysFault> {
        let keys = usable(&self.fetch().await?)?;
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        *known = Known { keys, read: Some(now) };
        Ok(())
    }

    async fn fetch(&self) -> Result<Vec<u8>, KeysFault> {
        let url = match &self.at {
            KeysAt::File(path) => {
                let failed = |source| KeysFault::File { path: path.clone(), source };
                let bytes = tokio::fs::read(path).await.map_err(failed)?;
                return if bytes.len() > LARGEST { Err(KeysFault::TooLarge) } else { Ok(bytes) };
            }
            KeysAt::Address(url) => url,
        };
        let failed = |source| KeysFault::Address { at: url.clone(), source };
        let mut answer = self.client.get(url.clone()).send().await.map_err(failed)?;
        answer.error_for_status_ref().map_err(failed)?;
        if answer.status() != reqwest::StatusCode::OK {
            return Err(KeysFault::NoList(format!("the address answers {}", answer.status())));
        }
        let mut bytes = Vec::new();
        while let Some(piece) = answer.chunk().await.map_err(failed)? {
            bytes.extend_from_slice(&piece);
            if bytes.len() > LARGEST {
                return Err(KeysFault::TooLarge);
            }
        }
        Ok(bytes)
    }
}

impl std::fmt::Debug for Keys {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Keys").field("at", &self.at).finish_non_exhaustive()
    }
}

#[derive(Deserialize)]
struct List {
    keys: Vec<Value>,
}

/// The keys of a list that can be used, by id. An issuer may list others beside them.
pub(super) fn usable(bytes: &[u8]) -> Result<HashMap<String, Arc<Key>>, KeysFault> {
    let no_list = |fault: serde_json::Error| KeysFault::NoList(fault.to_string());
    let List { keys } = serde_json::from_slice(bytes).map_err(no_list)?;
    if keys.len() > MOST {
        return Err(KeysFault::TooLarge);
    }
    let keys: HashMap<_, _> = keys.into_iter().filter_map(key).collect();
    if keys.is_empty() { Err(KeysFault::NoneUsable) } else { Ok(keys) }
}

fn key(raw: Value) -> Option<(String, Arc<Key>)> {
    let jwk: Jwk = serde_json::from_value(raw).ok()?;
    let algorithm = algorithm(&jwk.algorithm)?;
    let said = jwk.common.key_algorithm;
    if said.is_some_and(|said| said != KeyAlgorithm::from(algorithm)) {
        return None;
    }
    let purpose = jwk.common.public_key_use.as_ref();
    if purpose.is_some_and(|purpose| *purpose != PublicKeyUse::Signature) {
        return None;
    }
    let public = DecodingKey::from_jwk(&jwk).ok()?;
    Some((jwk.common.key_id?, Arc::new(Key { algorithm, public })))
}

/// The one algorithm of a key; none for a key of a kind that is not believed.
fn algorithm(key: &AlgorithmParameters) -> Option<Algorithm> {
    match key {
        // Four letters of Base64 are three bytes.
        AlgorithmParameters::RSA(rsa) if rsa.n.len() * 3 / 4 >= SMALLEST_MODULUS => {
            Some(Algorithm::RS256)
        }
        AlgorithmParameters::EllipticCurve(curve) if curve.curve == EllipticCurve::P256 => {
            Some(Algorithm::ES256)
        }
        AlgorithmParameters::OctetKeyPair(pair) if pair.curve == EllipticCurve::Ed25519 => {
            Some(Algorithm::EdDSA)
        }
        _ => None,
    }
}
