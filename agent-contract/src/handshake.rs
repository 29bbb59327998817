//! The registry handshake: what a worker can call, and what a server makes of it.
//!
//! The compiler holds the two sides of one build together. While a deploy rolls on, sides of two builds meet, so a
//! worker says at each connection which version of each tool it holds, and offers none that would not be served. It is
//! a packet like any other on the queue of tool calls, under a pattern of ours: a Nest server answers it as it answers
//! all that it does not know.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::definition::ToolDefinition;
use crate::lock::{ENVELOPE_VERSION, Fingerprint, LockedTool, Shape, Standing, first_difference};

/// What a worker says at the beginning of a connection.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RegistryHello {
    /// The version of what every call travels in.
    pub envelope: u32,
    /// The tools that it would call, by name.
    pub tools: BTreeMap<String, HeldTool>,
}

/// One tool as a worker holds it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeldTool {
    /// The pattern that it would send.
    pub event: String,
    /// The version's wire hash.
    pub wire: Fingerprint,
}

/// What a server answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RegistryAnswer {
    /// Which server; another one on the same queue may answer otherwise.
    pub server: String,
    /// The version of what every call travels in.
    pub envelope: u32,
    /// How each of the worker's tools stands, by its name.
    pub tools: BTreeMap<String, ToolStanding>,
}

/// How a worker's version of a tool stands to the one that is served.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "standing", rename_all = "snake_case")]
pub enum ToolStanding {
    /// It is the same version.
    Same,
    /// It is an older version whose calls are served.
    Compatible,
    /// Its calls are refused.
    Incompatible {
        /// What is served, so that the worker can say where it differs.
        served: Shape,
    },
    /// There is no such tool.
    Unknown,
}

impl RegistryHello {
    /// What a worker of these definitions says. Local tools are nobody else's business.
    pub fn of(definitions: &[&ToolDefinition]) -> Self {
        let held = definitions.iter().filter_map(|def| {
            let event = def.event?.to_owned();
            Some((def.name.to_owned(), HeldTool { event, wire: Shape::of(def).fingerprint() }))
        });
        Self { envelope: ENVELOPE_VERSION, tools: held.collect() }
    }
}

impl RegistryAnswer {
    /// The answer of a server; `find` finds a tool by its event, or else by its name.
    pub fn new<'t>(
        server: String,
        hello: &RegistryHello,
        find: impl Fn(&str, &HeldTool) -> Option<&'t LockedTool>,
    ) -> Self {
        let tools = hello.tools.iter().map(|(name, held)| {
            let standing = match find(name, held) {
                None => ToolStanding::Unknown,
                Some(tool) => match tool.standing(held.wire.as_str()) {
                    Standing::Same => ToolStanding::Same,
                    Standing::Accepted => ToolStanding::Compatible,
                    Standing::Superseded(_) | Standing::Unknown => {
                        ToolStanding::Incompatible { served: tool.shape.clone() }
                    }
                },
            };
            (name.clone(), standing)
        });
        Self { server, envelope: ENVELOPE_VERSION, tools: tools.collect() }
    }

    /// Why this server would refuse the calls of a tool; none if it serves them.
    pub fn refusal(&self, held: &ToolDefinition) -> Option<String> {
        match self.tools.get(held.name) {
            Some(ToolStanding::Same | ToolStanding::Compatible) => None,
            Some(ToolStanding::Incompatible { served }) => Some(self.difference(held, served)),
            Some(ToolStanding::Unknown) | None => {
                Some("the server has no such tool; the two are of different builds".to_owned())
            }
        }
    }

    fn difference(&self, held: &ToolDefinition, served: &Shape) -> String {
        if self.envelope != ENVELOPE_VERSION {
            return format!(
                "every call of the server travels in envelope {}, and of this worker in {ENVELOPE_VERSION}",
                self.envelope
            );
        }
        let difference = first_difference(&Shape::of(held), served);
        let difference =
            difference.map_or_else(|| "none that can be named".to_owned(), |d| d.to_string());
        format!("from this worker's version to the server's, the first difference: {difference}")
    }
}
