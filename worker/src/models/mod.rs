//! Which model a turn asks.
//!
//! `offline` needs no key and no network and is the default; `openai/<model>` is anything that
//! speaks chat completions at any base URL.

mod offline;

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use agent_contract::AgentRuntimeContext;

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
}

/// A name that is no model's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("\"{0}\" is no model; expected offline or openai/<model>")]
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
    Remote(Model),
}

impl Models {
    /// Sets the model up. Nothing is sent.
    pub fn new(settings: &ModelSettings) -> Result<Self, ModelError> {
        Ok(Self(match &settings.choice {
            ModelChoice::Offline => Kind::Offline(Arc::new(Planner::new(tools::agent_tools::DEFS))),
            ModelChoice::OpenAi(model) => {
                let base_url = settings.base_url.as_deref().unwrap_or(OPENAI);
                let key = settings.key.as_deref().unwrap_or("none");
                Kind::Remote(Model::openai(model, base_url, key)?)
            }
        }))
    }

    /// The model for one agent of a turn, which can hand work to `roster`.
    pub fn for_agent(&self, context: &AgentRuntimeContext, roster: &[AgentNode]) -> Model {
        match &self.0 {
            Kind::Offline(planner) => offline::model(planner, context, roster),
            Kind::Remote(model) => model.clone(),
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
    offline::first_move(&planner, context, &create_rover_graph(context), sentence)
}

impl FromStr for ModelChoice {
    type Err = UnknownModel;

    fn from_str(name: &str) -> Result<Self, UnknownModel> {
        match name.split_once('/') {
            None if name == "offline" => Ok(Self::Offline),
            Some(("openai", model)) if !model.is_empty() => Ok(Self::OpenAi(model.to_owned())),
            _ => Err(UnknownModel(name.to_owned())),
        }
    }
}

impl fmt::Display for ModelChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Offline => f.write_str("offline"),
            Self::OpenAi(model) => write!(f, "openai/{model}"),
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
            Kind::Remote(_) => "Models(remote)",
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
