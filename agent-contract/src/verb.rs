//! The verb table at run time. The rows come from the macro crate, so that what the compiler checked and what the
//! running program believes cannot differ.

use crate::definition::{Effect, ToolDefinition};

agent_tool_macros::verb_table!();

/// Where a verb may be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VerbPlace {
    /// In the name of any tool.
    Tools,
    /// In the name of a local tool only.
    Local,
    /// In an event that is older than its tool's name.
    Legacy,
}

/// One verb and everything that follows from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verb {
    /// The word, as it begins a name or an event.
    pub word: &'static str,
    /// The word for work in progress, e.g. "Creating".
    pub ing: &'static str,
    /// What it does to the school's records.
    pub effect: Effect,
    /// Names of the CASL actions that may gate it, the usual one first; the policy decides which of them exist.
    pub actions: &'static [&'static str],
    /// Whether a person is asked before it runs.
    pub asks_first: bool,
    /// Where it may be used.
    pub place: VerbPlace,
}

impl Verb {
    /// The row of this word.
    pub fn named(word: &str) -> Option<&'static Self> {
        VERBS.iter().find(|verb| verb.word == word)
    }
}

/// Whether the event changes anything: the registry knows best, then the table; an unknown verb is taken to.
pub fn is_mutating_event(definitions: &[&ToolDefinition], event: &str) -> bool {
    if let Some(definition) = definitions.iter().find(|definition| definition.event == Some(event))
    {
        return definition.effect == Effect::Write;
    }
    let word = event.split('.').next().unwrap_or_default();
    Verb::named(word).is_none_or(|verb| verb.effect == Effect::Write)
}

/// An activity line for a tool that this build does not know: "Creating class group" for `create_class_group`.
pub fn label_fallback(name: &str) -> String {
    let (word, subject) = name.split_once(['_', '.']).unwrap_or((name, ""));
    let subject = subject.replace(['_', '.'], " ");
    let ing = Verb::named(word).map(|verb| verb.ing);
    match (ing, subject.is_empty()) {
        (Some(ing), true) => ing.to_owned(),
        (Some(ing), false) => format!("{ing} {subject}"),
        (None, true) => format!("Using {word}"),
        (None, false) => format!("Using {word} {subject}"),
    }
}
