//! The model that a turn asks.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use rig::DynModel;
use rig::http_client::{DynHttpClient, ReqwestClient};
use rig::operation::Completion;
use rig::providers::openai::{OpenAIConfig, Route};

use super::http::{ChatCompletions, InProcess};

/// How long a provider may take to be reached.
const CONNECT_WITHIN: Duration = Duration::from_secs(10);
/// How long a provider may be silent, in the middle of an answer or before it.
const SILENT_AT_MOST: Duration = Duration::from_mins(2);

/// A model and the way to it.
#[derive(Clone)]
pub struct Model {
    pub(super) inner: DynModel<Completion>,
    name: String,
}

/// A model that cannot be set up.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// The HTTP client could not be built.
    #[error("the client for the model cannot be built: {0}")]
    Client(#[source] reqwest::Error),
}

impl Model {
    /// A model that speaks `OpenAI`'s chat completions at `base_url`, known by `name`.
    pub fn openai(name: &str, model: &str, base_url: &str, key: &str) -> Result<Self, ModelError> {
        let client = reqwest::Client::builder()
            .connect_timeout(CONNECT_WITHIN)
            .read_timeout(SILENT_AT_MOST)
            .build()
            .map_err(ModelError::Client)?;
        let http = DynHttpClient::new(ReqwestClient::from(client));
        Ok(Self::over(http, model, base_url, key, name.to_owned()))
    }

    /// A model in this process, known by `name`.
    pub fn in_process(name: &str, model: Arc<dyn ChatCompletions>) -> Self {
        let http = DynHttpClient::new(InProcess(model));
        Self::over(http, name, "http://in-process.invalid/v1", "none", name.to_owned())
    }

    /// What the model is called in events and logs.
    pub fn name(&self) -> &str {
        &self.name
    }

    fn over(http: DynHttpClient, model: &str, base_url: &str, key: &str, name: String) -> Self {
        let config = OpenAIConfig::new(key).with_base_url(base_url).with_route(Route::Chat);
        Self { inner: config.connect(http).completion(model).erase(), name }
    }
}

impl fmt::Debug for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Model").field(&self.name).finish()
    }
}
