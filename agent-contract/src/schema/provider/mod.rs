//! The forms in which providers take a tool, each derived from the one canonical schema.
//!
//! What a provider's dialect has no key for is said in the description. What goes over a limit of the provider is a
//! stated fault, or makes a tool plain that would have been strict, with the reason; nothing is cut short.

mod anthropic;
mod bounds;
mod gemini;
mod limits;
mod measure;
mod openai;

pub use limits::{Applies, Bound, LARGE_ENUM, LIMITS, Limit, Provider, What, limit};

pub(super) use limits::least;

use serde_json::{Map, Value};

use measure::Load;

/// A provider's way to declare a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// `OpenAI`'s, with the schema as advice to the model.
    OpenAi,
    /// `OpenAI`'s, with the model held to the schema.
    OpenAiStrict,
    /// Anthropic's, strict as far as its budgets go.
    Anthropic,
    /// Gemini's function declarations.
    Gemini,
}

/// A tool in words, before any form.
#[derive(Clone, Copy, Debug)]
pub struct ToolText<'a> {
    /// Its name.
    pub name: &'a str,
    /// What it is for.
    pub description: &'a str,
    /// The canonical schema of its arguments.
    pub schema: &'a Value,
}

/// A tool in a provider's form.
#[derive(Clone, Debug, PartialEq)]
pub struct Declaration {
    /// Its name.
    pub name: String,
    /// The declaration as it stands in a request.
    pub json: Value,
    /// Whether the model is held to the schema.
    pub strict: bool,
    /// Why it is not, in a form that would.
    pub downgrade: Option<FormFault>,
}

/// The tools of one request.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Declarations {
    /// Those that the provider takes, in the order given.
    pub tools: Vec<Declaration>,
    /// Those that it does not, each with the reason.
    pub refused: Vec<FormFault>,
}

/// What is over a provider's limit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FormFault {
    /// There are too many tools. None can be left out without saying which, so the request cannot be made.
    #[error("{count} tools are offered together, and {limit}; offer fewer to one agent")]
    TooManyTools {
        /// How many.
        count: usize,
        /// The limit.
        limit: &'static Limit,
    },
    /// A tool is over a limit by itself.
    #[error("`{tool}`: {found}, and {limit}")]
    Over {
        /// The tool.
        tool: String,
        /// What was found.
        found: String,
        /// The limit.
        limit: &'static Limit,
    },
    /// A tool would take the strict tools of its request over a limit.
    #[error("`{tool}` would make it {count}, and {limit}")]
    Budget {
        /// The tool.
        tool: String,
        /// What the strict tools would come to with it.
        count: usize,
        /// The limit.
        limit: &'static Limit,
    },
}

impl FormFault {
    /// The tool that is over the limit; none where it is all of them together.
    pub fn tool(&self) -> Option<&str> {
        match self {
            Self::TooManyTools { .. } => None,
            Self::Over { tool, .. } | Self::Budget { tool, .. } => Some(tool),
        }
    }

    /// The limit.
    pub fn limit(&self) -> &'static Limit {
        match self {
            Self::TooManyTools { limit, .. }
            | Self::Over { limit, .. }
            | Self::Budget { limit, .. } => limit,
        }
    }
}

impl Form {
    /// Every form.
    pub const ALL: [Self; 4] = [Self::OpenAi, Self::OpenAiStrict, Self::Anthropic, Self::Gemini];

    /// Whose form it is.
    pub const fn provider(self) -> Provider {
        match self {
            Self::OpenAi | Self::OpenAiStrict => Provider::OpenAi,
            Self::Anthropic => Provider::Anthropic,
            Self::Gemini => Provider::Gemini,
        }
    }

    /// The tools of one request in this form.
    pub fn declare(self, tools: &[ToolText<'_>]) -> Result<Declarations, FormFault> {
        let mut declared = Declarations::default();
        let mut spent = Load::default();
        for tool in tools {
            match self.declare_one(*tool, &mut spent) {
                Ok(declaration) => declared.tools.push(declaration),
                Err(fault) => declared.refused.push(fault),
            }
        }
        let count = declared.tools.len();
        match limit(self.provider(), What::Tools) {
            Some(limit) if !limit.bound.holds(count) => {
                Err(FormFault::TooManyTools { count, limit })
            }
            _ => Ok(declared),
        }
    }

    /// The arguments as the canonical schema knows them, of a call that a model made by this form.
    pub fn take_back(self, args: Value, schema: &Value) -> Value {
        match self {
            Self::OpenAiStrict => openai::leave_out_nulls(&args, schema),
            Self::OpenAi | Self::Anthropic | Self::Gemini => args,
        }
    }

    fn declare_one(self, tool: ToolText<'_>, spent: &mut Load) -> Result<Declaration, FormFault> {
        let plain = match self {
            Self::Gemini => gemini::parameters(tool.schema),
            Self::OpenAi | Self::OpenAiStrict | Self::Anthropic => tool.schema.clone(),
        };
        if let Some(fault) = measure::over(self.provider(), Applies::Always, tool, &plain) {
            return Err(fault);
        }
        Ok(match self.strict(tool, spent) {
            Some(Ok(schema)) => self.declaration(tool, &schema, true, None),
            Some(Err(fault)) => self.declaration(tool, &plain, false, Some(fault)),
            None => self.declaration(tool, &plain, false, None),
        })
    }

    /// The strict schema, in a form that has one, or why this tool cannot be strict. What it takes is spent.
    fn strict(self, tool: ToolText<'_>, spent: &mut Load) -> Option<Result<Value, FormFault>> {
        let schema = match self {
            Self::OpenAi | Self::Gemini => return None,
            Self::OpenAiStrict => openai::strict(tool.schema),
            Self::Anthropic => anthropic::strict(tool.schema),
        };
        if let Some(fault) = measure::over(self.provider(), Applies::Strict, tool, &schema) {
            return Some(Err(fault));
        }
        let load = spent.and(Load::of(&schema));
        if let Some((limit, count)) = load.over(self.provider()) {
            return Some(Err(FormFault::Budget { tool: tool.name.to_owned(), count, limit }));
        }
        *spent = load;
        Some(Ok(schema))
    }

    fn declaration(
        self,
        tool: ToolText<'_>,
        schema: &Value,
        strict: bool,
        downgrade: Option<FormFault>,
    ) -> Declaration {
        let json = match self {
            Self::OpenAi | Self::OpenAiStrict => openai::declaration(tool, schema, strict),
            Self::Anthropic => anthropic::declaration(tool, schema, strict),
            Self::Gemini => gemini::declaration(tool, schema),
        };
        Declaration { name: tool.name.to_owned(), json, strict, downgrade }
    }
}

/// A copy of the node in which every schema inside has gone through `form`.
fn each_child(node: &Map<String, Value>, form: &dyn Fn(&Value) -> Value) -> Map<String, Value> {
    let child = |(key, value): (&String, &Value)| {
        let value = match (key.as_str(), value) {
            ("items", items) => form(items),
            ("anyOf", Value::Array(branches)) => branches.iter().map(form).collect(),
            ("properties", Value::Object(properties)) => Value::Object(
                properties.iter().map(|(name, property)| (name.clone(), form(property))).collect(),
            ),
            (_, other) => other.clone(),
        };
        (key.clone(), value)
    };
    node.iter().map(child).collect()
}
