//! The key pair of a worker, and the text that its halves are written as.
//!
//! Both halves are 64 hexadecimal digits behind a word that says which half it is, so that a secret put where a public
//! key belongs is refused and named, and never printed.

use std::fmt;
use std::str::FromStr;

use ed25519_compact::{KeyPair, PublicKey, SecretKey, Seed};

use super::{Statement, WorkerProof};
use crate::hash::sha256_hex;

const SECRET: &str = "rover-worker-secret:";
const PUBLIC: &str = "rover-worker-public:";
/// Digits of a key's id.
const ID: usize = 16;

/// The secret half: whoever has it speaks as this worker. It is never printed.
pub struct WorkerKey {
    secret: SecretKey,
    public: WorkerPublicKey,
}

/// The public half, which an operator enrols at the server.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct WorkerPublicKey(PublicKey);

/// A key's short name: the first digits of the public half's hash.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KeyId(String);

/// A text that is no key. What was sent is not repeated: it may be a secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeyFault {
    /// It is nothing of ours.
    #[error("no worker key; `rover worker key FILE` makes one and prints its public half")]
    Unknown,
    /// It is the secret half, where the public one belongs.
    #[error(
        "the secret half of a worker key, which only its worker may have; give the public half, which \
         `rover worker key FILE` prints"
    )]
    Secret,
    /// It is the public half, where the secret one belongs.
    #[error("the public half of a worker key; a worker needs the file with the secret half")]
    Public,
}

impl WorkerKey {
    /// A new key.
    pub fn generate() -> Self {
        Self::of(Seed::generate())
    }

    /// The public half.
    pub fn public(&self) -> WorkerPublicKey {
        self.public
    }

    /// The key's short name.
    pub fn id(&self) -> KeyId {
        self.public.id()
    }

    /// The text of the secret half, for the file that only its worker may read.
    pub fn to_secret_text(&self) -> String {
        format!("{SECRET}{}", hex::encode(*self.secret.seed()))
    }

    /// Signs a statement.
    pub fn prove(&self, statement: &Statement) -> WorkerProof {
        WorkerProof { key: self.id(), signature: self.secret.sign(statement.as_bytes(), None) }
    }

    fn of(seed: Seed) -> Self {
        let pair = KeyPair::from_seed(seed);
        Self { public: WorkerPublicKey(pair.pk), secret: pair.sk }
    }
}

impl WorkerPublicKey {
    /// The key's short name.
    pub fn id(&self) -> KeyId {
        let mut id = sha256_hex(self.0.as_ref());
        id.truncate(ID);
        KeyId(id)
    }

    /// Whether this key made the proof, over exactly this statement.
    #[must_use]
    pub fn made(&self, proof: &WorkerProof, statement: &Statement) -> bool {
        self.0.verify(statement.as_bytes(), &proof.signature).is_ok()
    }
}

impl KeyId {
    /// The digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for WorkerKey {
    type Err = KeyFault;

    fn from_str(text: &str) -> Result<Self, KeyFault> {
        let text = text.trim();
        if text.starts_with(PUBLIC) {
            return Err(KeyFault::Public);
        }
        let bytes = bytes(text.strip_prefix(SECRET))?;
        Ok(Self::of(Seed::new(bytes)))
    }
}

impl FromStr for WorkerPublicKey {
    type Err = KeyFault;

    fn from_str(text: &str) -> Result<Self, KeyFault> {
        let text = text.trim();
        if text.starts_with(SECRET) {
            return Err(KeyFault::Secret);
        }
        let key = PublicKey::new(bytes(text.strip_prefix(PUBLIC))?);
        key.validate().map_err(|_| KeyFault::Unknown)?;
        Ok(Self(key))
    }
}

impl FromStr for KeyId {
    type Err = KeyFault;

    fn from_str(text: &str) -> Result<Self, KeyFault> {
        let is_digit = |letter: u8| matches!(letter, b'0'..=b'9' | b'a'..=b'f');
        if text.len() == ID && text.bytes().all(is_digit) {
            Ok(Self(text.to_owned()))
        } else {
            Err(KeyFault::Unknown)
        }
    }
}

impl fmt::Display for WorkerPublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{PUBLIC}{}", hex::encode(self.0.as_ref()))
    }
}

impl fmt::Display for KeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for WorkerKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WorkerKey").field("id", &self.id()).finish_non_exhaustive()
    }
}

impl fmt::Debug for WorkerPublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("WorkerPublicKey").field(&self.id()).finish()
    }
}

fn bytes(digits: Option<&str>) -> Result<[u8; 32], KeyFault> {
    let digits = digits.ok_or(KeyFault::Unknown)?;
    let bytes = hex::decode(digits).map_err(|_| KeyFault::Unknown)?;
    bytes.try_into().map_err(|_| KeyFault::Unknown)
}
