//! One change between two locks, and what it means in each order of a rolling deployment.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::difference::{Change, Difference};
use super::fingerprint::Fingerprint;
use super::rule::Rule;

/// A change.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Finding {
    /// What kind of change.
    pub rule: Rule,
    /// Of what.
    pub subject: Subject,
    /// Where: a JSON pointer into the tool's block of the lock, or into the envelope.
    pub pointer: String,
    /// What stood there.
    pub before: Option<Value>,
    /// What stands there.
    pub after: Option<Value>,
    /// What stands for everything, before and after, that the change is a part of.
    pub between: Fingerprint,
    /// What it means while old workers talk to new servers.
    pub server_first: Consequence,
    /// What it means while new workers talk to old servers.
    pub worker_first: Consequence,
}

/// What a change is a change of.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", from = "String")]
pub enum Subject {
    /// What every call travels in.
    Envelope,
    /// A tool, by name.
    Tool(String),
}

/// What a change means in one order of deployment.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Consequence {
    /// How bad it is.
    pub verdict: Verdict,
    /// A value that shows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub witness: Option<Witness>,
}

/// How bad a change is, from harmless to breaking.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Both sides go on understanding each other.
    Safe,
    /// They do, and somebody should know of it.
    Warning,
    /// It could not be shown that they do, nor that they do not.
    Undecided,
    /// It changes who may do what: a person answers for it.
    SignOff,
    /// They do not understand each other.
    Breaking,
}

/// A value that one side may send and the other refuses; both validators have said so.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Witness {
    /// Who sends it.
    pub sender: Side,
    /// The whole arguments, result or envelope part.
    pub value: Value,
}

/// A side of the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// Offers tools to models and calls them.
    Worker,
    /// Runs them.
    Server,
}

/// The order of a rolling deployment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Order {
    /// Servers first, so that old workers meet new servers.
    ServerFirst,
    /// Workers first, so that new workers meet old servers.
    WorkerFirst,
    /// In no order that anybody keeps, so that both happen.
    Any,
}

impl Finding {
    /// What stands for exactly this change, so that a sign-off of it is none of the next one.
    pub fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of(&json!({
            "rule": self.rule,
            "subject": self.subject,
            "pointer": self.pointer,
            "before": self.before,
            "after": self.after,
            "between": self.between,
        }))
    }

    /// The place, with what stood there and what stands there.
    pub fn difference(&self) -> Difference {
        let change = match (self.before.clone(), self.after.clone()) {
            (None, after) => Change::Added(after.unwrap_or_default()),
            (Some(before), None) => Change::Removed(before),
            (Some(old), Some(new)) => Change::Altered { old, new },
        };
        Difference { pointer: self.pointer.clone(), change }
    }

    /// What the change means in this order.
    pub fn verdict(&self, order: Order) -> Verdict {
        match order {
            Order::ServerFirst => self.server_first.verdict,
            Order::WorkerFirst => self.worker_first.verdict,
            Order::Any => self.server_first.verdict.max(self.worker_first.verdict),
        }
    }
}

impl Consequence {
    /// A consequence that no value can show.
    pub(super) fn of(verdict: Verdict) -> Self {
        Self { verdict, witness: None }
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Envelope => f.pad("envelope"),
            Self::Tool(name) => f.pad(name),
        }
    }
}

impl From<Subject> for String {
    fn from(subject: Subject) -> Self {
        subject.to_string()
    }
}

impl From<String> for Subject {
    /// No tool is called `envelope`: a tool's name begins with a verb.
    fn from(name: String) -> Self {
        if name == "envelope" { Self::Envelope } else { Self::Tool(name) }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Safe => "safe",
            Self::Warning => "warning",
            Self::Undecided => "undecided",
            Self::SignOff => "sign-off",
            Self::Breaking => "breaking",
        })
    }
}
