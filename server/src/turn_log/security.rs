//! Refusals that smell: not a mistake of a model, but something that no honest peer sends.
//!
//! Each is a line of the tracing target `rover::security` and a row of `security_line`. The row's detail names what was
//! claimed, never a token or an argument; the line, which collectors keep, names nobody.

use agent_contract::Timestamp;
use serde_json::{Map, Value};

use crate::identity::ProofFault;

/// What smells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Smell {
    /// A packet is larger than any of ours.
    Oversize,
    /// Bytes that no honest JSON writer makes.
    Unreadable,
    /// A call without a context token, where one is demanded.
    NoToken,
    /// A token that this server did not sign, or not for this.
    BadToken,
    /// A message without a worker's proof, where one is demanded.
    NoProof,
    /// A proof that does not fit what it came with.
    BadProof,
    /// A proof of a key that is not enrolled.
    UnknownWorker,
    /// An enrolled worker, in a turn that is another's.
    OtherWorker,
    /// A token of a turn that is over or never was.
    DeadTurn,
    /// A call that does not say who makes it.
    NoIdentity,
    /// The body says something else than the token.
    Contradiction,
    /// A tool that this turn was not offered.
    NotOffered,
    /// An account that is not there, is switched off, or belongs elsewhere.
    NoCaller,
    /// A campus that is not the school's.
    ForeignCampus,
    /// A call id that belongs to another call.
    ReusedCall,
    /// A call that brought the server down again and again.
    Poison,
    /// A bearer token that is not ours.
    BadBearer,
    /// Wrong password, or an address that nobody has.
    BadPassword,
    /// A chat message that claims to be an assistant's or a tool's.
    ForgedMessage,
}

/// One line of the security log.
#[derive(Debug, Clone)]
pub struct SecurityLine {
    pub(super) at: Timestamp,
    pub(super) smell: Smell,
    pub(super) detail: Map<String, Value>,
}

impl Smell {
    /// What a missing or false proof smells of.
    pub(crate) fn of_proof(fault: &ProofFault) -> Self {
        match fault {
            ProofFault::Missing => Self::NoProof,
            ProofFault::Malformed | ProofFault::Forged(_) => Self::BadProof,
            ProofFault::Unenrolled(_) => Self::UnknownWorker,
        }
    }

    /// The word that is written.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Oversize => "oversize",
            Self::Unreadable => "unreadable",
            Self::NoToken => "no_token",
            Self::BadToken => "bad_token",
            Self::NoProof => "no_proof",
            Self::BadProof => "bad_proof",
            Self::UnknownWorker => "unknown_worker",
            Self::OtherWorker => "other_worker",
            Self::DeadTurn => "dead_turn",
            Self::NoIdentity => "no_identity",
            Self::Contradiction => "contradiction",
            Self::NotOffered => "not_offered",
            Self::NoCaller => "no_caller",
            Self::ForeignCampus => "foreign_campus",
            Self::ReusedCall => "reused_call",
            Self::Poison => "poison",
            Self::BadBearer => "bad_bearer",
            Self::BadPassword => "bad_password",
            Self::ForgedMessage => "forged_message",
        }
    }
}

impl SecurityLine {
    /// A line about this, happening now.
    pub fn new(smell: Smell) -> Self {
        Self { at: Timestamp::now(), smell, detail: Map::new() }
    }

    /// The line with one more thing that was claimed.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.detail.insert(name.to_owned(), value.into());
        self
    }

    pub(super) fn detail(&self) -> String {
        Value::Object(self.detail.clone()).to_string()
    }

    /// Says it aloud, without whatever could be about a person: that is for the row alone.
    pub(super) fn say(&self) {
        let word = |name| self.detail.get(name).and_then(Value::as_str);
        tracing::warn!(
            target: "rover::security",
            kind = self.smell.as_str(),
            gate = word("gate"),
            event = word("event"),
            call = word("call"),
            turn = word("turn"),
            "refused"
        );
    }
}
