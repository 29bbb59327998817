//! The gates that a call passes on the server, in order.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A gate of the one funnel. The order of the variants is the order of the gates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Gate {
    /// 0: size, deadline, class of packet, known event.
    Transport,
    /// 1: the context token verifies.
    Token,
    /// 2: the identity is there, well formed and the token's.
    Identity,
    /// 3: the signed run mode admits the tool, and both sides know the same version of it.
    Admission,
    /// 4: the arguments fit, and the campus is pinned.
    Arguments,
    /// 5: there is a school.
    Tenant,
    /// 6: the frame is open and the caller is read anew from it.
    Frame,
    /// 7: the call has not run before.
    Claim,
    /// 8: the caller may.
    Posture,
    /// 9: the domain agrees.
    Handler,
    /// 10: still in time, audited, committed.
    Commit,
}

impl Gate {
    /// Every gate in order.
    pub const ALL: [Self; 11] = [
        Self::Transport,
        Self::Token,
        Self::Identity,
        Self::Admission,
        Self::Arguments,
        Self::Tenant,
        Self::Frame,
        Self::Claim,
        Self::Posture,
        Self::Handler,
        Self::Commit,
    ];

    /// The gate's place in the order, from 0.
    pub fn number(self) -> u8 {
        self as u8
    }

    /// The gate's name as it is written.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Transport => "transport",
            Self::Token => "token",
            Self::Identity => "identity",
            Self::Admission => "admission",
            Self::Arguments => "arguments",
            Self::Tenant => "tenant",
            Self::Frame => "frame",
            Self::Claim => "claim",
            Self::Posture => "posture",
            Self::Handler => "handler",
            Self::Commit => "commit",
        }
    }
}

impl fmt::Display for Gate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
