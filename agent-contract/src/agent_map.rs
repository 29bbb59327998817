//! The agents of a run mode with the tools of each, and a search among them.
//!
//! Rover reads the map to hand work on, and to tell a person what it could do and who for.

use std::collections::{BTreeMap, HashMap};

use crate::context::{AgentRunModeName, Capabilities};
use crate::definition::ToolDefinition;
use crate::offer::{tools_for_mode, tools_for_role};
use crate::role::AgentRole;

/// Words that join others and say nothing of their own.
const JOINING: [&str; 30] = [
    "a", "an", "and", "are", "at", "by", "can", "do", "for", "from", "how", "i", "in", "is", "it",
    "me", "my", "of", "on", "or", "that", "the", "there", "this", "to", "what", "which", "who",
    "with", "you",
];
/// How much a word of a query counts where it is found.
const NAME_WEIGHT: f64 = 3.0;
const SENTENCE_WEIGHT: f64 = 2.0;
const DESCRIPTION_WEIGHT: f64 = 1.0;
/// What share of the best score a match must reach.
const LEAST_SHARE: f64 = 0.25;

/// The agents of one run mode.
#[derive(Clone, Debug)]
pub struct AgentMap {
    agents: Vec<AgentEntry>,
}

/// One agent with its tools.
#[derive(Clone, Debug)]
pub struct AgentEntry {
    /// Which agent. It knows its wire id, its title and what it is for.
    pub role: AgentRole,
    /// Its tools in this run mode.
    pub tools: Vec<&'static ToolDefinition>,
}

/// A tool that fits a query, with an agent that has it.
#[derive(Clone, Copy, Debug)]
pub struct AgentMatch {
    /// The agent.
    pub role: AgentRole,
    /// The tool.
    pub tool: &'static ToolDefinition,
    /// How well it fits; only good for comparing.
    pub score: f64,
}

/// The map of a run mode: every agent, Rover first, with the tools it has there.
pub fn build_agent_map(
    definitions: &[&'static ToolDefinition],
    mode: AgentRunModeName,
) -> AgentMap {
    let admitted = tools_for_mode(definitions, mode);
    let agents = AgentRole::ALL
        .iter()
        .map(|&role| AgentEntry { role, tools: tools_for_role(&admitted, role) });
    AgentMap { agents: agents.collect() }
}

/// The specialists that exist for a person. Rover is none: it is always there.
pub fn eligible_agent_roles(capabilities: &Capabilities) -> Vec<AgentRole> {
    [
        (capabilities.is_class_teacher, AgentRole::ClassTeacher),
        (capabilities.is_subject_teacher, AgentRole::SubjectTeacher),
        (capabilities.is_director_of_studies, AgentRole::DirectorOfStudies),
    ]
    .into_iter()
    .filter_map(|(exists, role)| exists.then_some(role))
    .collect()
}

impl AgentMap {
    /// The agents, Rover first.
    pub fn agents(&self) -> &[AgentEntry] {
        &self.agents
    }

    /// The entry of one agent, if the map has it.
    pub fn agent(&self, role: AgentRole) -> Option<&AgentEntry> {
        self.agents.iter().find(|entry| entry.role == role)
    }

    /// The map with only Rover and these specialists.
    #[must_use]
    pub fn with_specialists(mut self, eligible: &[AgentRole]) -> Self {
        self.agents
            .retain(|entry| entry.role == AgentRole::Rover || eligible.contains(&entry.role));
        self
    }

    /// The pairs of agent and tool that share words with `text`, best first.
    ///
    /// A word counts more in a name than in a description, and more the fewer tools have it. What
    /// fits far worse than the best is left out. Of equals, the earlier
    /// agent and the earlier tool come first.
    pub fn search(&self, text: &str) -> Vec<AgentMatch> {
        let indexed: Vec<_> = self
            .agents
            .iter()
            .flat_map(|entry| entry.tools.iter().map(|tool| (entry.role, *tool, index(tool))))
            .collect();
        let asked: BTreeMap<String, f64> = words(text)
            .map(|word| {
                let having = indexed.iter().filter(|(.., index)| index.contains_key(&word)).count();
                (word, rarity(having, indexed.len()))
            })
            .collect();

        let mut found: Vec<_> = indexed
            .into_iter()
            .map(|(role, tool, index)| {
                let weight = |word| index.get(word).copied().unwrap_or_default();
                let score = asked.iter().map(|(word, rarity)| rarity * weight(word)).sum();
                AgentMatch { role, tool, score }
            })
            .collect();
        let best = found.iter().map(|hit| hit.score).fold(0.0, f64::max);
        found.retain(|hit| hit.score > 0.0 && hit.score >= best * LEAST_SHARE);
        found.sort_by(|a, b| b.score.total_cmp(&a.score));
        found
    }
}

/// Each word of a tool with the greatest weight it has there.
fn index(tool: &ToolDefinition) -> HashMap<String, f64> {
    let mut index = HashMap::new();
    let sentences = tool.say.iter().map(|sentence| (sentence.template, SENTENCE_WEIGHT));
    let texts = [(tool.name, NAME_WEIGHT), (tool.description, DESCRIPTION_WEIGHT)];
    for (text, weight) in texts.into_iter().chain(sentences) {
        for word in words(text) {
            let known = index.entry(word).or_insert(weight);
            *known = weight.max(*known);
        }
    }
    index
}

/// Inverse document frequency as BM25 has it: the more the fewer have the word, and never nothing.
fn rarity(having: usize, all: usize) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "there are never 2^52 tools")]
    let (having, all) = (having as f64, all as f64);
    (1.0 + (all - having + 0.5) / (having + 0.5)).ln()
}

/// The words of a text that say something, in small letters and the singular.
fn words(text: &str) -> impl Iterator<Item = String> {
    text.split(|letter: char| !letter.is_alphanumeric())
        .map(str::to_lowercase)
        .filter(|word| !word.is_empty() && !JOINING.contains(&word.as_str()))
        .map(|word| singular(&word))
}

/// Good enough to compare with: both sides go through it.
fn singular(word: &str) -> String {
    match word.strip_suffix("ies") {
        Some(stem) if stem.len() > 1 => return format!("{stem}y"),
        _ => {}
    }
    match word.strip_suffix('s') {
        Some(stem) if stem.len() > 2 && !stem.ends_with('s') => stem.to_owned(),
        _ => word.to_owned(),
    }
}
