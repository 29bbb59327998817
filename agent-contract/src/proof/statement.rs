//! What is signed, byte for byte.
//!
//! Each kind of message begins with a tag of its own, so that a proof of one is never one of another. Whatever is of
//! no fixed length stands behind its length, so that no two messages come to the same bytes.

use std::fmt;

use sha2::{Digest as _, Sha256};

use super::EventKind;
use crate::wire::{
    HEADER_CALL, HEADER_CONTRACT, HEADER_CTX, HEADER_DEADLINE, HEADER_RUN, WireMessage,
};

const CALL: &[u8] = b"rover.proof.call.v1\0";
const EVENT: &[u8] = b"rover.proof.event.v1\0";
const TAKEOVER: &[u8] = b"rover.proof.takeover.v1\0";

/// The bytes that a worker signs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement(Vec<u8>);

/// SHA-256 of a context token: names the run of a turn without giving away what lets it call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TokenHash([u8; 32]);

impl Statement {
    /// Of a call: its token, its packet with event and arguments, its id, its deadline, the version of its tool, how
    /// often its run was taken over, and where its reply goes. What is missing is signed as missing.
    pub fn of_call(call: &WireMessage) -> Self {
        let mut bytes = Self::begun(
            CALL,
            TokenHash::of(call.header(HEADER_CTX).unwrap_or_default()),
            &call.body,
        );
        let headers = [HEADER_CALL, HEADER_DEADLINE, HEADER_CONTRACT, HEADER_RUN]
            .map(|name| call.header(name));
        for text in headers.into_iter().chain([call.reply_to.as_deref()]) {
            let text = text.unwrap_or_default();
            bytes.extend((text.len() as u64).to_be_bytes());
            bytes.extend(text.as_bytes());
        }
        Self(bytes)
    }

    /// Of a turn event: the token of its run, and its bytes, in which stand the turn and the number.
    pub fn of_event(kind: EventKind, token: TokenHash, body: &[u8]) -> Self {
        let tag = match kind {
            EventKind::Told => EVENT,
            EventKind::Takeover => TAKEOVER,
        };
        Self(Self::begun(tag, token, body))
    }

    /// The bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    fn begun(tag: &[u8], token: TokenHash, body: &[u8]) -> Vec<u8> {
        let body: [u8; 32] = Sha256::digest(body).into();
        [tag, &token.0, &body].concat()
    }
}

impl TokenHash {
    /// Of this token.
    pub fn of(token: &str) -> Self {
        Self(Sha256::digest(token).into())
    }

    /// Reads the digits that [`Self`] is written as.
    pub fn read(digits: &str) -> Option<Self> {
        hex::decode(digits).ok()?.try_into().ok().map(Self)
    }
}

impl fmt::Display for TokenHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(self.0))
    }
}
