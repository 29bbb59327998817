//! The lock as it is written: what it holds, how it is read, how it is made from a registry.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::access::Access;
use super::docs::Docs;
use super::envelope::Envelope;
use super::error::LockError;
use super::fingerprint::Fingerprint;
use super::rule::Rule;
use super::serving::{Serving, serves};
use super::shape::Shape;
use crate::date::Date;
use crate::definition::ToolDefinition;

/// The form of the file. It changes only with the meaning of a field.
const FORMAT: u64 = 1;
/// How many older versions of a tool are remembered.
const REMEMBERED: usize = 8;

/// Every definition of one build.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lock {
    format: u64,
    /// What every call travels in.
    pub envelope: Envelope,
    /// The tools by name.
    pub tools: BTreeMap<String, LockedTool>,
    /// Changes that a person answered for and that belong to no tool that is still there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub signed_off: Vec<SignOff>,
}

/// One definition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LockedTool {
    /// Who is offered it, who may run it, what it does.
    #[serde(flatten)]
    pub access: Access,
    /// What crosses the wire.
    #[serde(flatten)]
    pub shape: Shape,
    /// Its words.
    pub docs: Docs,
    /// What the three parts come to.
    pub hashes: Hashes,
    /// Wire hashes of older versions whose calls this version serves: it takes all that they send, and they read all
    /// that it answers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub accepts: Vec<Fingerprint>,
    /// Older versions, the newest first, so that a server can say where a worker differs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub history: Vec<Version>,
    /// That it is to be removed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deprecated: Option<Deprecated>,
    /// Changes that a person answered for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub signed_off: Vec<SignOff>,
}

/// A hash of each part of a definition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hashes {
    /// Of the shape and the envelope's version.
    pub wire: Fingerprint,
    /// Of scope, posture, permission, roles and effect.
    pub auth: Fingerprint,
    /// Of the name, all texts and the defaults.
    pub prompt: Fingerprint,
}

/// An older version of a tool, as far as the wire knows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Version {
    /// Its wire hash.
    pub wire: Fingerprint,
    /// What crossed the wire.
    #[serde(flatten)]
    pub shape: Shape,
}

/// The announcement that a tool is to be removed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Deprecated {
    /// When it was announced.
    pub since: Date,
    /// Why, and what to use instead.
    pub reason: String,
}

/// A change that a person answered for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SignOff {
    /// What kind of change.
    pub rule: Rule,
    /// The fingerprints of the very changes, so that the next one of the kind is not signed with them.
    pub changes: Vec<Fingerprint>,
    /// Why it is right.
    pub reason: String,
    /// When it was signed.
    pub on: Date,
}

/// How a peer's version of a tool stands to the locked one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing<'l> {
    /// It is the same version.
    Same,
    /// It is an older version whose calls are served.
    Accepted,
    /// It is an older version whose calls are not served.
    Superseded(&'l Version),
    /// The lock knows no such version.
    Unknown,
}

impl Lock {
    /// The lock of a registry that was never locked before.
    pub fn of(definitions: &[&ToolDefinition]) -> Self {
        let tools = definitions.iter().map(|def| (def.name.to_owned(), LockedTool::of(def)));
        Self {
            format: FORMAT,
            envelope: Envelope::current(),
            tools: tools.collect(),
            signed_off: Vec::new(),
        }
    }

    /// The lock of a registry, with what this lock remembers.
    #[must_use]
    pub fn renewed(&self, definitions: &[&ToolDefinition]) -> Self {
        self.renewed_since(self, definitions)
    }

    /// The lock of a registry, with the marks of this lock and the older versions that a deployed one remembers.
    #[must_use]
    pub fn renewed_since(&self, deployed: &Self, definitions: &[&ToolDefinition]) -> Self {
        let mut renewed = Self::of(definitions);
        renewed.signed_off.clone_from(&self.signed_off);
        let tools = std::mem::take(&mut renewed.tools).into_iter();
        let remembering = tools.map(|(name, tool)| {
            let mut tool = match deployed.tools.get(&name) {
                Some(before) => tool.after(before),
                None => tool,
            };
            let marks = self.tools.get(&name);
            tool.deprecated = marks.and_then(|tool| tool.deprecated.clone());
            tool.signed_off = marks.map(|tool| tool.signed_off.clone()).unwrap_or_default();
            (name, tool)
        });
        renewed.tools = remembering.collect();
        renewed
    }

    /// Reads a lock and checks that each hash is the hash of what stands beside it.
    pub fn parse(text: &str) -> Result<Self, LockError> {
        let Format { format } = serde_json::from_str(text)?;
        if format != FORMAT {
            return Err(LockError::Format { found: format, expected: FORMAT });
        }
        let lock: Self = serde_json::from_str(text)?;
        for (name, tool) in &lock.tools {
            tool.check(name, lock.envelope.version)?;
        }
        Ok(lock)
    }

    /// The text of the file.
    pub fn text(&self) -> Result<String, LockError> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }

    /// The locked definition of a tool.
    pub fn tool(&self, name: &str) -> Option<&LockedTool> {
        self.tools.get(name)
    }
}

impl LockedTool {
    /// The locked form of a definition that was never locked before.
    pub fn of(definition: &ToolDefinition) -> Self {
        let (access, shape) = (Access::of(definition), Shape::of(definition));
        Self::new(definition.name, access, shape, Docs::of(definition))
    }

    /// The locked form of a tool without a past.
    pub fn new(name: &str, access: Access, shape: Shape, docs: Docs) -> Self {
        Self {
            hashes: Hashes {
                wire: shape.fingerprint(),
                auth: access.fingerprint(),
                prompt: docs.fingerprint(name),
            },
            access,
            shape,
            docs,
            accepts: Vec::new(),
            history: Vec::new(),
            deprecated: None,
            signed_off: Vec::new(),
        }
    }

    /// How a peer's wire hash stands to this version.
    pub fn standing(&self, peer: &str) -> Standing<'_> {
        if self.hashes.wire == *peer {
            return Standing::Same;
        }
        if self.accepts.iter().any(|accepted| accepted == peer) {
            return Standing::Accepted;
        }
        match self.history.iter().find(|version| version.wire == *peer) {
            Some(version) => Standing::Superseded(version),
            None => Standing::Unknown,
        }
    }

    /// This version after an older one: with its memory, and accepting what is proven to fit.
    #[must_use]
    pub fn after(mut self, before: &Self) -> Self {
        let last = Version { wire: before.hashes.wire.clone(), shape: before.shape.clone() };
        self.history = std::iter::once(&last)
            .chain(&before.history)
            .filter(|version| version.wire != self.hashes.wire)
            .take(REMEMBERED)
            .cloned()
            .collect();
        self.accepts = self
            .history
            .iter()
            // Under another envelope nothing is served, whatever its shape.
            .filter(|version| version.shape.fingerprint() == version.wire)
            .filter(|version| serves(&self.shape, &version.shape) == Serving::Compatible)
            .map(|version| version.wire.clone())
            .collect();
        self
    }

    fn check(&self, name: &str, envelope: u32) -> Result<(), LockError> {
        let edited = |part| Err(LockError::Edited { tool: name.to_owned(), part });
        if self.shape.fingerprint_in(envelope) != self.hashes.wire {
            return edited("wire");
        }
        if self.access.fingerprint() != self.hashes.auth {
            return edited("auth");
        }
        if self.docs.fingerprint(name) != self.hashes.prompt {
            return edited("prompt");
        }
        let genuine = |version: &Version| {
            (1..=envelope).any(|envelope| version.shape.fingerprint_in(envelope) == version.wire)
        };
        if !self.history.iter().all(genuine) {
            return edited("history");
        }
        let known = |wire: &Fingerprint| self.history.iter().any(|version| version.wire == *wire);
        if !self.accepts.iter().all(known) {
            return edited("accepts");
        }
        Ok(())
    }
}

/// The one field that every format has.
#[derive(Deserialize)]
struct Format {
    format: u64,
}
