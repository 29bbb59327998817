//! Which model a turn asks.
//!
//! `offline` needs no key and no network and is the default; `openai/<model>` is anything that
//! speaks chat completions at any base URL, and `openai-strict/<model>` one that can be held to the
//! schemas of its tools.

mod offline;

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use agent_contract::{AgentRuntimeContext, Form};

use crate::engine::{Model, ModelError};
use crate::graph::{AgentNode, create_rover_graph};
use crate::planner::Planner;

/// Where `OpenAI` itself is.
const OPENAI: &str = "https://api.openai.com/v1";

/// A model by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ModelChoice {
    /// The planner in this process.
    #[default]
    Offline,
    /// A model that speaks `OpenAI`'s chat completions.
    OpenAi(String),
    /// The same, held to the schemas of its tools.
    OpenAiStrict(String),
}

/// A name that is no model's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("\"{0}\" is no model; expected offline, openai/<model> or openai-strict/<model>")]
pub struct UnknownModel(String);

/// A model with what it takes to reach it.
#[derive(Clone, Default)]
pub struct ModelSettings {
    /// Which model.
    pub choice: ModelChoice,
    /// Where it is; `OpenAI`'s own address if nothing is said.
    pub base_url: Option<String>,
    /// The key to it; a server of one's own may need none.
    pub key: Option<String>,
}

/// The model of a worker, ready to be asked.
#[derive(Clone)]
pub struct Models(Kind);

#[derive(Clone)]
enum Kind {
    Offline(Arc<Planner>),
    Remote(Model, Form),
}

impl Models {
    /// Sets the model up. Nothing is sent.
    pub fn new(settings: &ModelSettings) -> Result<Self, ModelError> {
        Ok(Self(match &settings.choice {
            ModelChoice::Offline => Kind::Offline(Arc::new(Planner::new(tools::agent_tools::DEFS))),
            ModelChoice::OpenAi(model) | ModelChoice::OpenAiStrict(model) => {
                let base_url = settings.base_url.as_deref().unwrap_or(OPENAI);
                let key = settings.key.as_deref().unwrap_or("none");
                let name = settings.choice.to_string();
                Kind::Remote(Model::openai(&name, model, base_url, key)?, settings.choice.form())
            }
        }))
    }

    /// The form in which the model takes tools.
    pub fn form(&self) -> Form {
        match &self.0 {
            Kind::Offline(_) => ModelChoice::Offline.form(),
            Kind::Remote(_, form) => *form,
        }
    }

    /// The model for one agent of a turn, which can hand work to `roster`.
    pub fn for_agent(&self, context: &AgentRuntimeContext, roster: &[AgentNode]) -> Model {
        match &self.0 {
            Kind::Offline(planner) => offline::model(planner, context, roster),
            Kind::Remote(model, _) => model.clone(),
        }
    }
}

/// What the offline planner does first for a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FirstMove {
    /// It calls these tools.
    Calls(Vec<String>),
    /// It says this.
    Says(String),
}

/// What the offline planner would do first if this person said this sentence now. Nothing is run.
pub fn first_move(context: &AgentRuntimeContext, sentence: &str) -> FirstMove {
    let planner = Arc::new(Planner::new(tools::agent_tools::DEFS));
    let graph = create_rover_graph(context, ModelChoice::Offline.form());
    offline::first_move(&planner, context, &graph, sentence)
}

impl ModelChoice {
    /// The form in which the model takes tools.
    pub const fn form(&self) -> Form {
        match self {
            Self::Offline | Self::OpenAi(_) => Form::OpenAi,
            Self::OpenAiStrict(_) => Form::OpenAiStrict,
        }
    }
}

impl FromStr for ModelChoice {
    type Err = UnknownModel;

    fn from_str(name: &str) -> Result<Self, UnknownModel> {
        match name.split_once('/') {
            None if name == "offline" => Ok(Self::Offline),
            Some(("openai", model)) if !model.is_empty() => Ok(Self::OpenAi(model.to_owned())),
            Some(("openai-strict", model)) if !model.is_empty() => {
                Ok(Self::OpenAiStrict(model.to_owned()))
            }
            _ => Err(UnknownModel(name.to_owned())),
        }
    }
}

impl fmt::Display for ModelChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Offline => f.write_str("offline"),
            Self::OpenAi(model) => write!(f, "openai/{model}"),
            Self::OpenAiStrict(model) => write!(f, "openai-strict/{model}"),
        }
    }
}

impl fmt::Debug for ModelSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ModelSettings")
            .field("choice", &self.choice)
            .field("base_url", &self.base_url)
            .field("key", &self.key.as_ref().map(|_| "…"))
            .finish()
    }
}

impl fmt::Debug for Models {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            Kind::Offline(_) => "Models(offline)",
            Kind::Remote(..) => "Models(remote)",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_is_named_by_provider_and_model() {
        for (name, choice) in [
            ("offline", Ok(ModelChoice::Offline)),
            ("openai/gpt-x", Ok(ModelChoice::OpenAi("gpt-x".to_owned()))),
            ("openai/org/model", Ok(ModelChoice::OpenAi("org/model".to_owned()))),
            ("openai-strict/gpt-x", Ok(ModelChoice::OpenAiStrict("gpt-x".to_owned()))),
            ("openai-strict/", Err(UnknownModel("openai-strict/".to_owned()))),
            ("openai/", Err(UnknownModel("openai/".to_owned()))),
            ("gpt-x", Err(UnknownModel("gpt-x".to_owned()))),
            ("", Err(UnknownModel(String::new()))),
        ] {
            assert_eq!(name.parse(), choice, "{name}");
            if let Ok(choice) = choice {
                assert_eq!(choice.to_string(), name);
            }
        }
    }

    #[test]
    fn the_key_is_printed_nowhere() {
        let settings = ModelSettings { key: Some("secret".to_owned()), ..ModelSettings::default() };
        assert!(!format!("{settings:?}").contains("secret"));
    }
}
