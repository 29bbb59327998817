//! Which workers may speak, and the signature by which a message shows that one of them sent it.
//!
//! An operator enrols the public half of each worker's key. What a message is signed over is the contract's to say;
//! here it is only asked whether an enrolled key made the proof.

use std::collections::BTreeMap;

use agent_contract::wire::HEADER_PROOF;
use agent_contract::{KeyId, Statement, WireMessage, WorkerProof, WorkerPublicKey};

/// What a tool call must bring so that its identity is believed, and a turn event so that it is heard.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum IdentityMode {
    /// A context token that this server signed, and the proof of an enrolled worker.
    #[default]
    Required,
    /// A context token. Whoever reads one may use it, and whoever may publish turn events is believed.
    Token,
    /// Nothing: whoever reaches the queue may speak for anybody. For a Nest worker, by the operator's choice alone.
    Plain,
}

/// The mode of a server and its enrolled workers.
#[derive(Debug, Clone, Default)]
pub struct Enrolment {
    mode: IdentityMode,
    keys: BTreeMap<KeyId, WorkerPublicKey>,
}

/// A proof that says it is of an enrolled key. Whether that is true, [`Self::signed`] tells.
#[derive(Debug)]
pub(crate) struct Signer {
    key: WorkerPublicKey,
    proof: WorkerProof,
}

/// Why a message has no sender who could be believed. Its words are for the security log.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ProofFault {
    /// There is no proof.
    #[error("there is no proof")]
    Missing,
    /// It is none.
    #[error("the proof cannot be read")]
    Malformed,
    /// The key is not enrolled.
    #[error("the key {0} is not enrolled")]
    Unenrolled(KeyId),
    /// The key did not sign this.
    #[error("the key {0} did not sign this")]
    Forged(KeyId),
}

impl IdentityMode {
    /// Says in the log what a mode gives up. Called once, when the server starts.
    pub fn announce(self) {
        match self {
            Self::Required => {}
            Self::Token => tracing::warn!(
                "identity = \"token\": no worker has to sign. Whoever can read the queue of tool calls can use its \
                 tokens with arguments of their own while their turns run, and whoever can publish turn events is \
                 believed. Enrol the workers' keys in `worker_public_keys` and use `required`."
            ),
            Self::Plain => tracing::warn!(
                "identity = \"plain\": calls are believed without a signed context. Whoever can publish to the tool \
                 queue can act as any enabled account of any school, outside any turn. Use it only for a worker that \
                 cannot echo a token, on a broker that nobody else reaches."
            ),
        }
    }
}

impl Enrolment {
    /// These workers.
    pub fn new(mode: IdentityMode, keys: impl IntoIterator<Item = WorkerPublicKey>) -> Self {
        Self { mode, keys: keys.into_iter().map(|key| (key.id(), key)).collect() }
    }

    /// What a message must bring.
    pub fn mode(&self) -> IdentityMode {
        self.mode
    }

    /// The enrolled key that a message says it was signed with.
    pub(crate) fn signer(&self, message: &WireMessage) -> Result<Signer, ProofFault> {
        let text = message.header(HEADER_PROOF).filter(|text| !text.is_empty());
        let proof: WorkerProof =
            text.ok_or(ProofFault::Missing)?.parse().map_err(|_| ProofFault::Malformed)?;
        let key = self.keys.get(proof.key()).copied();
        let key = key.ok_or_else(|| ProofFault::Unenrolled(proof.key().clone()))?;
        Ok(Signer { key, proof })
    }
}

impl Signer {
    /// The key.
    pub(crate) fn id(&self) -> &KeyId {
        self.proof.key()
    }

    /// Whether the key signed exactly this.
    pub(crate) fn signed(&self, statement: &Statement) -> bool {
        self.key.made(&self.proof, statement)
    }

    /// A name for this proof among all others of its key.
    pub(crate) fn mark(&self) -> String {
        let mut mark = agent_contract::sha256_hex(self.proof.to_string().as_bytes());
        mark.truncate(16);
        mark
    }
}
