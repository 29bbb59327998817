//! The rules by which a change is named. An id never changes its meaning: sign-offs and scripts hold on to it.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

macro_rules! rules {
    ($($name:ident = $id:literal, $means:literal;)*) => {
        /// What kind of change was made.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(into = "String", try_from = "String")]
        pub enum Rule { $(#[doc = $means] $name,)* }

        impl Rule {
            /// Every rule.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// The rule's name in reports and sign-offs.
            pub fn id(self) -> &'static str {
                match self { $(Self::$name => $id,)* }
            }

            /// What the change does.
            pub fn means(self) -> &'static str {
                match self { $(Self::$name => $means,)* }
            }
        }
    };
}

rules! {
    ToolAdded = "TOOL_ADDED",
        "a tool was added; a server without it cannot serve it, so a newer worker must not offer it there";
    ToolRemoved = "TOOL_REMOVED",
        "a tool was removed; older workers still offer it, and stored threads may call it: deprecate it for a release first";
    ToolRenamed = "TOOL_RENAMED",
        "a tool was renamed and kept its event; calls go through, but prompts, activity lines and stored threads know the old name";
    EventRenamed = "EVENT_RENAMED",
        "a tool listens to another event; the server must serve both for one release";
    ArgOptionalAdded = "ARG_OPTIONAL_ADDED",
        "an argument was added that may be left out; deploy the server first";
    ArgRequired = "ARG_REQUIRED", "an argument must be given now";
    ArgRelaxed = "ARG_RELAXED", "an argument may be left out now; deploy the server first";
    ArgRemoved = "ARG_REMOVED", "an argument was removed; older workers still send it";
    ArgNarrowed = "ARG_NARROWED", "an argument takes less than before";
    ArgWidened = "ARG_WIDENED", "an argument takes more than before; deploy the server first";
    ArgDefault = "ARG_DEFAULT", "leaving the argument out means something else now";
    ArgType = "ARG_TYPE", "an argument is of another type";
    ArgRenamed = "ARG_RENAMED", "an argument was renamed";
    ResultAdded = "RESULT_ADDED",
        "the result has a new field; a newer worker must not rely on it before the server writes it";
    ResultWeakened = "RESULT_WEAKENED", "the result promises less than before";
    ResultStrengthened = "RESULT_STRENGTHENED",
        "the result promises more than before; a newer worker must not rely on it yet";
    Scope = "SCOPE", "the tool is offered in other run modes";
    Auth = "AUTH", "who may run the tool, or which agents are offered it, was changed";
    Effect = "EFFECT",
        "what the tool does to records was changed, and with it audit, repetition and asking first";
    Prompt = "PROMPT", "words that the model reads were changed; run the evaluations";
    Envelope = "ENVELOPE",
        "what every call travels in was changed; a change that breaks needs a new envelope version";
}

/// A word that is no rule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no rule `{name}`{}", nearest.map(|rule| format!("; did you mean `{rule}`?")).unwrap_or_default())]
pub struct NoSuchRule {
    name: String,
    nearest: Option<Rule>,
}

impl FromStr for Rule {
    type Err = NoSuchRule;

    fn from_str(name: &str) -> Result<Self, NoSuchRule> {
        let rules = || Self::ALL.iter().copied();
        if let Some(rule) = rules().find(|rule| rule.id() == name) {
            return Ok(rule);
        }
        let nearest = rules()
            .map(|rule| (strsim::damerau_levenshtein(rule.id(), &name.to_uppercase()), rule))
            .min()
            .filter(|(distance, _)| *distance <= name.len() / 2)
            .map(|(_, rule)| rule);
        Err(NoSuchRule { name: name.to_owned(), nearest })
    }
}

impl TryFrom<String> for Rule {
    type Error = NoSuchRule;

    fn try_from(name: String) -> Result<Self, NoSuchRule> {
        name.parse()
    }
}

impl From<Rule> for String {
    fn from(rule: Rule) -> Self {
        rule.id().to_owned()
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.id())
    }
}
