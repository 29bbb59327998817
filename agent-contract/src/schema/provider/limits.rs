//! What each provider takes, as far as it could be read: one table, one row a limit, each with its source and the day
//! on which it was seen there. Providers change these numbers; this file is the only one to edit when they do.

use std::fmt;

/// Who runs the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Provider {
    /// `OpenAI`, and whoever speaks its chat completions.
    OpenAi,
    /// Anthropic.
    Anthropic,
    /// Google's Gemini.
    Gemini,
}

/// What a limit counts or looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum What {
    /// Tools in one request.
    Tools,
    /// Characters of a tool's name.
    ToolName,
    /// The characters that a tool's name is made of.
    ToolNameLetters,
    /// Characters of a tool's description.
    Description,
    /// Characters of the name of a property.
    PropertyName,
    /// The characters that the name of a property is made of.
    PropertyNameLetters,
    /// Schemas inside each other, the root counted as none. Branches count as well, which is more than any provider
    /// counts.
    Depth,
    /// Properties of a whole schema.
    Properties,
    /// Words of all enums of a schema.
    EnumValues,
    /// Characters of the words of one enum that has more than [`LARGE_ENUM`].
    LargeEnumText,
    /// Characters of all property names and enum words of a schema.
    NameText,
    /// Strict tools in one request.
    StrictTools,
    /// Properties that may be left out, in all strict tools of a request.
    StrictOptionals,
    /// Choices between types, in all strict tools of a request.
    StrictUnions,
}

/// An enum of more words has a limit on their characters.
pub const LARGE_ENUM: usize = 250;

/// What is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// So many.
    AtMost(usize),
    /// ASCII letters, digits and these.
    Letters {
        /// What may stand beside letters and digits.
        also: &'static str,
        /// Whether the first must be a letter or `_`.
        letter_first: bool,
    },
}

/// To which tools a limit applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Applies {
    /// To every tool.
    Always,
    /// Only to one that asks for its arguments to be held to the schema.
    Strict,
}

/// One limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    /// Whose it is.
    pub provider: Provider,
    /// To which tools it applies.
    pub applies: Applies,
    /// What it counts.
    pub what: What,
    /// What is taken.
    pub bound: Bound,
    /// Where it was read.
    pub source: &'static str,
    /// The day on which it was seen there.
    pub seen: &'static str,
}

use Applies::{Always, Strict};
use Provider::{Anthropic, Gemini, OpenAi};

/// Names, dashes included.
const WITH_DASH: Bound = Bound::Letters { also: "_-", letter_first: false };

/// Every limit that is known. Where models of one provider differ, the row holds what all of them take.
#[rustfmt::skip]
pub const LIMITS: &[Limit] = &[
    row(OpenAi, Always, What::Tools, Bound::AtMost(128), "github.com/zed-industries/zed/issues/32946", "2026-12-01"),
    row(OpenAi, Always, What::ToolName, Bound::AtMost(64), "openai-python 3.57.0, types/shared_params/function_definition.py", "2026-12-01"),
    row(OpenAi, Always, What::ToolNameLetters, WITH_DASH, "openai-python 3.57.0, types/shared_params/function_definition.py", "2026-12-01"),
    row(OpenAi, Always, What::Description, Bound::AtMost(1024), "github.com/getsentry/sentry-mcp/issues/106", "2026-12-01"),
    row(OpenAi, Strict, What::Depth, Bound::AtMost(10), "developers.openai.com, Structured Outputs, supported schemas; artifactize-core 0.14.2 limits.rs", "2026-12-01"),
    row(OpenAi, Strict, What::Properties, Bound::AtMost(5000), "the same", "2026-12-01"),
    row(OpenAi, Strict, What::EnumValues, Bound::AtMost(1000), "the same", "2026-12-01"),
    row(OpenAi, Strict, What::LargeEnumText, Bound::AtMost(15_000), "the same", "2026-12-01"),
    row(OpenAi, Strict, What::NameText, Bound::AtMost(120_000), "the same", "2026-12-01"),
    row(Anthropic, Always, What::ToolName, Bound::AtMost(64), "github.com/apify/tester-mcp-client/issues/11; 128 on newer models: github.com/anthropics/claude-code/issues/96152", "2026-12-01"),
    row(Anthropic, Always, What::ToolNameLetters, WITH_DASH, "github.com/apify/tester-mcp-client/issues/11", "2026-12-01"),
    row(Anthropic, Always, What::PropertyName, Bound::AtMost(64), "github.com/n8n-io/n8n/issues/30590", "2026-12-01"),
    row(Anthropic, Always, What::PropertyNameLetters, Bound::Letters { also: "_.-", letter_first: false }, "github.com/n8n-io/n8n/issues/30590", "2026-12-01"),
    row(Anthropic, Strict, What::StrictTools, Bound::AtMost(20), "platform.claude.com, Structured outputs, schema complexity limits", "2026-12-01"),
    row(Anthropic, Strict, What::StrictOptionals, Bound::AtMost(24), "the same", "2026-12-01"),
    row(Anthropic, Strict, What::StrictUnions, Bound::AtMost(16), "the same", "2026-12-01"),
    row(Gemini, Always, What::Tools, Bound::AtMost(512), "github.com/google-gemini/gemini-cli/issues/25440", "2026-12-01"),
    row(Gemini, Always, What::ToolName, Bound::AtMost(64), "github.com/google-gemini/gemini-cli/issues/9535 (128 on Vertex)", "2026-12-01"),
    row(Gemini, Always, What::ToolNameLetters, Bound::Letters { also: "_.:-", letter_first: true }, "github.com/google-gemini/gemini-cli/issues/9535", "2026-12-01"),
    row(Gemini, Always, What::PropertyName, Bound::AtMost(64), "google-genai 3.6.1, types.FunctionDeclaration", "2026-12-01"),
    row(Gemini, Always, What::PropertyNameLetters, Bound::Letters { also: "_", letter_first: true }, "google-genai 3.6.1, types.FunctionDeclaration", "2026-12-01"),
];

const fn row(
    provider: Provider,
    applies: Applies,
    what: What,
    bound: Bound,
    source: &'static str,
    seen: &'static str,
) -> Limit {
    Limit { provider, applies, what, bound, source, seen }
}

/// The row of this provider, if it limits that at all.
pub fn limit(provider: Provider, what: What) -> Option<&'static Limit> {
    LIMITS.iter().find(|limit| limit.provider == provider && limit.what == what)
}

/// The smallest number that any provider has for it; what a schema must keep to that goes to all of them.
///
/// # Panics
/// In constant evaluation only, if no row says a number.
pub(in crate::schema) const fn least(what: What) -> usize {
    let (mut least, mut i) = (usize::MAX, 0);
    while i < LIMITS.len() {
        if let Bound::AtMost(most) = LIMITS[i].bound
            && LIMITS[i].what as u8 == what as u8
            && most < least
        {
            least = most;
        }
        i += 1;
    }
    assert!(least < usize::MAX, "no provider limits this");
    least
}

impl Bound {
    /// Whether a text is made of these letters; any text is, for a number.
    pub(super) fn spells(self, text: &str) -> bool {
        let Self::Letters { also, letter_first } = self else { return true };
        let first = |letter: char| !letter_first || letter.is_ascii_alphabetic() || letter == '_';
        text.starts_with(first)
            && text.chars().all(|letter| letter.is_ascii_alphanumeric() || also.contains(letter))
    }

    /// Whether so many are taken; any number is, for letters.
    pub(super) fn holds(self, count: usize) -> bool {
        match self {
            Self::AtMost(most) => count <= most,
            Self::Letters { .. } => true,
        }
    }
}

impl fmt::Display for Provider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::OpenAi => "OpenAI",
            Self::Anthropic => "Anthropic",
            Self::Gemini => "Gemini",
        })
    }
}

impl fmt::Display for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Tools => "tools in a request",
            Self::ToolName => "characters in a tool's name",
            Self::ToolNameLetters => "in a tool's name",
            Self::Description => "characters in a tool's description",
            Self::PropertyName => "characters in an argument's name",
            Self::PropertyNameLetters => "in an argument's name",
            Self::Depth => "levels in a strict schema",
            Self::Properties => "properties in a strict schema",
            Self::EnumValues => "enum words in a strict schema",
            Self::LargeEnumText => "characters in the words of one large enum of a strict schema",
            Self::NameText => "characters in the names and words of a strict schema",
            Self::StrictTools => "strict tools in a request",
            Self::StrictOptionals => "optional arguments in all strict tools of a request",
            Self::StrictUnions => "choices between types in all strict tools of a request",
        })
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { provider, what, seen, .. } = self;
        match self.bound {
            Bound::AtMost(most) => write!(f, "{provider} takes {most} {what} (seen {seen})"),
            Bound::Letters { also, letter_first } => {
                let first = if letter_first { ", a letter or `_` first" } else { "" };
                write!(
                    f,
                    "{provider} takes letters, digits and `{also}` {what}{first} (seen {seen})"
                )
            }
        }
    }
}
