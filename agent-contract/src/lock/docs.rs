//! The words of a tool: what the model, the Hub and the offline planner read, and the defaults that words state.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::fingerprint::Fingerprint;
use crate::definition::ToolDefinition;
use crate::schema::descriptions;

/// All words of one tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Docs {
    /// What the model reads of the tool.
    pub description: String,
    /// The Hub's activity line.
    pub label: String,
    /// The sentences that the offline planner knows it by.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub say: Vec<String>,
    /// What is written of the arguments, by the pointer into their schema.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub args: BTreeMap<String, String>,
    /// What stands in for an argument that is left out, by the pointer into their schema.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub defaults: BTreeMap<String, Value>,
    /// What is written of the result, by the pointer into its schema.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub result: BTreeMap<String, String>,
}

impl Docs {
    /// The words of a definition.
    pub fn of(definition: &ToolDefinition) -> Self {
        Self {
            description: definition.description.to_owned(),
            label: definition.label.to_owned(),
            say: definition.say.iter().map(|sentence| sentence.template.to_owned()).collect(),
            args: descriptions(&(definition.args_schema)()),
            defaults: (definition.arg_defaults)(),
            result: descriptions(&(definition.output_schema)()),
        }
    }

    /// The prompt hash.
    pub fn fingerprint(&self, name: &str) -> Fingerprint {
        Fingerprint::of(&json!({ "name": name, "docs": self }))
    }
}
