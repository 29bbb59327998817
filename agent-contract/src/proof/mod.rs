//! A worker's proof: an Ed25519 signature over all that makes a message what it is.
//!
//! A context token is a bearer: whoever reads it could send it along with other arguments, or have the answer sent
//! elsewhere. A proof ties one message to the token of its turn, to its bytes, and to the worker that the operator
//! enrolled. The bytes that are signed are built in one place, [`Statement`], by the side that signs and by the side
//! that checks. Nothing here decides whom to believe: which keys are enrolled is the server's business.

mod key;
mod seal;
mod statement;

use std::fmt;
use std::str::FromStr;

use ed25519_compact::Signature;

pub use self::key::{KeyFault, KeyId, WorkerKey, WorkerPublicKey};
pub use self::seal::{EventKind, OutgoingCall, TurnSeal};
pub use self::statement::{Statement, TokenHash};

/// A signature and the key that it says it was made with, as the header [`crate::wire::HEADER_PROOF`] carries them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkerProof {
    key: KeyId,
    signature: Signature,
}

/// A header that is no proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the proof is not of the form KEY.SIGNATURE, both in hexadecimal digits")]
pub struct MalformedProof;

impl WorkerProof {
    /// The key that it says it was made with.
    pub fn key(&self) -> &KeyId {
        &self.key
    }
}

impl fmt::Display for WorkerProof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.key, hex::encode(self.signature.as_ref()))
    }
}

impl FromStr for WorkerProof {
    type Err = MalformedProof;

    fn from_str(text: &str) -> Result<Self, MalformedProof> {
        let (key, signature) = text.split_once('.').ok_or(MalformedProof)?;
        let bytes = hex::decode(signature).map_err(|_| MalformedProof)?;
        Ok(Self {
            key: key.parse().map_err(|_| MalformedProof)?,
            signature: Signature::from_slice(&bytes).map_err(|_| MalformedProof)?,
        })
    }
}
