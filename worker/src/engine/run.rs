//! One agent's conversation with a model, from the message to the answer.

use std::collections::BTreeSet;

use agent_contract::{HistoryMessage, ToolReturn};
use futures_util::StreamExt;
use futures_util::future::BoxFuture;
use rig::completion::{CompletionRequest, CompletionResponse, PromptError};
use rig::error::ProviderError;
use rig::message::{AssistantContent, Message, ToolCall, UserContent};
use rig::run::{
    AgentRun, AgentRunStep, ModelTurn, ModelTurnOutcome, PendingToolCall, PrepareError, RunSpec,
    prepare_request,
};
use rig::streaming::{CompletionStream, Item, StreamEvent};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::batch::{self, Settled};
use super::call::Toolbox;
use super::checkpoint::Checkpoint;
use super::convert;
use super::heard::Heard;
use super::model::Model;
use super::place::{Place, answered};

/// What an agent is to a model.
#[derive(Clone, Debug)]
pub struct AgentSpec {
    /// The system prompt.
    pub prompt: String,
    /// What it may call.
    pub tools: Vec<ToolSpec>,
    /// How often the model is asked at most.
    pub max_steps: u32,
}

/// A tool as a model sees it.
#[derive(Clone, Debug)]
pub struct ToolSpec {
    /// Its name.
    pub name: String,
    /// Its declaration, as the model's provider takes it.
    pub declaration: Value,
}

/// Hears what happens. When it cannot pass it on, the run ends: a call must not leave before the
/// message that makes it is safe.
pub trait Listener: Send + Sync {
    /// The model is asked for the so-many-th time, from 0.
    fn step_started(&self, step: u32) -> BoxFuture<'_, Result<(), Unheard>>;
    /// The answer grows.
    fn text(&self, text: String) -> BoxFuture<'_, Result<(), Unheard>>;
    /// The open text is complete.
    fn text_done(&self) -> BoxFuture<'_, Result<(), Unheard>>;
    /// A message is complete.
    fn message(&self, message: HistoryMessage) -> BoxFuture<'_, Result<(), Unheard>>;
    /// What the model used for a step.
    fn usage(&self, input_tokens: u64, output_tokens: u64) -> BoxFuture<'_, Result<(), Unheard>>;
}

/// Nobody hears the run any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("nobody hears this turn any more")]
pub struct Unheard;

/// How a run ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Ending {
    /// With an answer.
    Answered(String),
    /// It waits for the person.
    Waiting(Checkpoint),
    /// It was told to stop.
    Stopped,
    /// It asked the model as often as it may.
    StepLimit,
    /// The model could not be reached, or answered nothing usable. The text is for the log.
    ModelFailed(String),
    /// Nobody hears it any more.
    Unheard,
}

/// Runs `agent` from where it stands: with the calls that are open, then with the model.
pub async fn run(
    agent: &AgentSpec,
    model: &Model,
    place: Place,
    toolbox: &dyn Toolbox,
    listener: &dyn Listener,
    stop: &CancellationToken,
) -> Ending {
    let Place { said, open, next } = place;
    if open.is_empty()
        && let Some(answer) = answered(&said)
    {
        return Ending::Answered(answer);
    }
    let mut talk = Conversation::new(agent, model, toolbox, listener, stop, said);
    if !open.is_empty() {
        let settled = batch::run(toolbox, open).await;
        if let Err(ending) = talk.settle(next.saturating_sub(1), settled).await {
            return ending;
        }
    }
    talk.go_on(next).await
}

struct Conversation<'a> {
    agent: &'a AgentSpec,
    model: &'a Model,
    toolbox: &'a dyn Toolbox,
    listener: &'a dyn Listener,
    stop: &'a CancellationToken,
    /// Everything said so far, in the contract's form; what a checkpoint holds.
    said: Vec<HistoryMessage>,
    /// Text has been told whose end has not.
    text_open: bool,
    /// What the last reply wrote in its calls.
    heard: Heard,
}

impl<'a> Conversation<'a> {
    fn new(
        agent: &'a AgentSpec,
        model: &'a Model,
        toolbox: &'a dyn Toolbox,
        listener: &'a dyn Listener,
        stop: &'a CancellationToken,
        said: Vec<HistoryMessage>,
    ) -> Self {
        let heard = Heard::default();
        Self { agent, model, toolbox, listener, stop, said, text_open: false, heard }
    }

    async fn go_on(mut self, first: u32) -> Ending {
        self.run(first).await.unwrap_or_else(|ending| ending)
    }

    /// The loop. Whatever ends it early is the error.
    async fn run(&mut self, first: u32) -> Result<Ending, Ending> {
        let mut history = convert::to_messages(&self.said);
        let Some(prompt) = history.pop() else {
            return Err(Ending::ModelFailed("there is nothing to answer".to_owned()));
        };
        let left = self.agent.max_steps.saturating_sub(first);
        let mut run = AgentRun::new(prompt)
            .with_history(history)
            .max_turns(usize::try_from(left).unwrap_or(usize::MAX));
        let mut step = first;
        loop {
            match run.next_step()? {
                AgentRunStep::CallModel { prompt, history, turn } => {
                    step = first + u32::try_from(turn - 1).unwrap_or(u32::MAX);
                    let reply = self.ask(step, prompt, &history).await?;
                    let turn = self.turn(&reply);
                    if !matches!(run.model_response(turn)?, ModelTurnOutcome::Continue { .. }) {
                        return Err(Ending::ModelFailed("a known tool was unknown".to_owned()));
                    }
                }
                AgentRunStep::CallTools { calls } => {
                    let results = self.call_tools(step, &calls).await?;
                    run.tool_results(results)?;
                }
                AgentRunStep::Done(response) => {
                    let answer = response.output();
                    return if answer.trim().is_empty() {
                        Err(Ending::ModelFailed("the model answered nothing".to_owned()))
                    } else {
                        Ok(Ending::Answered(answer))
                    };
                }
            }
        }
    }

    /// Asks the model and hears its reply to the end.
    async fn ask(
        &mut self,
        step: u32,
        prompt: Message,
        history: &[Message],
    ) -> Result<CompletionResponse, Ending> {
        self.listener.step_started(step).await?;
        let spec = RunSpec {
            preamble: Some(self.agent.prompt.clone()),
            additional_params: self.tools(),
            ..RunSpec::new()
        };
        let capabilities = rig::completion::ProviderCapabilities::new();
        let prepared = prepare_request(&spec, &capabilities, history, Vec::new(), None, None)?;
        let mut reply = self.model.inner.stream(prepared.apply(CompletionRequest::new(prompt)))?;
        let listened = self.listen(&mut reply).await;
        let partial = reply.partial();
        let whole = match listened {
            Ok(()) => reply.finish().await.map_err(Ending::from),
            Err(ending) => Err(ending),
        };
        let reply = match whole {
            Ok(reply) => reply,
            Err(ending) => {
                self.keep(&partial).await?;
                return Err(ending);
            }
        };
        let usage = reply.usage;
        self.listener
            .usage(usage.input_tokens.unwrap_or_default(), usage.output_tokens.unwrap_or_default())
            .await?;
        self.heard.ended(&reply);
        // A reply of nothing is no message; the run says what is wrong with it.
        if let Some(message) = convert::from_reply(&reply.choice, &self.heard) {
            self.say(message).await?;
        }
        Ok(reply)
    }

    /// Hears a reply until it ends, or somebody stops it.
    async fn listen(&mut self, reply: &mut CompletionStream) -> Result<(), Ending> {
        self.heard = Heard::default();
        loop {
            let item = tokio::select! {
                biased;
                () = self.stop.cancelled() => return Err(Ending::Stopped),
                item = reply.next() => item,
            };
            match item {
                None => return Ok(()),
                Some(Ok(Item::Event(StreamEvent::Text { text, .. }))) if !text.is_empty() => {
                    self.text_open = true;
                    self.listener.text(text).await?;
                }
                Some(Ok(Item::Event(StreamEvent::Arguments { part, json }))) => {
                    self.heard.piece(part, &json);
                }
                Some(Ok(Item::Event(StreamEvent::End { part, content }))) => {
                    if let AssistantContent::ToolCall(call) = &content {
                        self.heard.whole(part, call);
                    }
                    self.close_text().await?;
                }
                Some(Ok(_)) => {}
                Some(Err(error)) => return Err(error.into()),
            }
        }
    }

    /// What the person has read of a reply that broke off stays in the conversation; the calls
    /// that had begun to arrive do not.
    async fn keep(&mut self, partial: &CompletionResponse) -> Result<(), Unheard> {
        self.close_text().await?;
        match partial.text() {
            text if text.is_empty() => Ok(()),
            text => self.say(HistoryMessage::assistant(text)).await,
        }
    }

    async fn close_text(&mut self) -> Result<(), Unheard> {
        if std::mem::take(&mut self.text_open) { self.listener.text_done().await } else { Ok(()) }
    }

    async fn call_tools(
        &mut self,
        step: u32,
        calls: &[PendingToolCall],
    ) -> Result<Vec<UserContent>, Ending> {
        let calls: Vec<&ToolCall> = calls.iter().map(|pending| &pending.tool_call).collect();
        let batch = calls.iter().enumerate();
        let batch =
            batch.map(|(index, call)| (convert::to_call(step, index, call, &self.heard), None));
        let settled = batch::run(self.toolbox, batch.collect()).await;
        // Nothing is parked past this line, so calls and returns stand side by side.
        let returns = self.settle(step, settled).await?;
        Ok(calls
            .into_iter()
            .zip(&returns)
            .map(|(call, back)| convert::to_result(call, &back.result))
            .collect())
    }

    /// Puts the returns of a batch into the conversation. The run ends here if somebody stopped it
    /// meanwhile, or if a call waits for the person.
    async fn settle(&mut self, step: u32, settled: Settled) -> Result<Vec<ToolReturn>, Ending> {
        let Settled { returns, parked } = settled;
        if !returns.is_empty() {
            self.say(HistoryMessage::Tool { parts: returns.clone() }).await?;
        }
        if self.stop.is_cancelled() {
            Err(Ending::Stopped)
        } else if parked.is_empty() {
            Ok(returns)
        } else {
            Err(Ending::Waiting(Checkpoint::new(step, self.said.clone(), parked)))
        }
    }

    async fn say(&mut self, message: HistoryMessage) -> Result<(), Unheard> {
        self.said.push(message.clone());
        self.listener.message(message).await
    }

    /// The reply as rig's run takes it. Every name that the model used counts as known: a call of
    /// an unknown tool gets its error from the toolbox, and its siblings run.
    fn turn(&self, reply: &CompletionResponse) -> ModelTurn {
        let offered = self.agent.tools.iter().map(|tool| tool.name.clone());
        let used = reply.tool_calls().map(|call| call.function.name.to_string());
        let names: BTreeSet<String> = offered.chain(used).collect();
        ModelTurn::from_response_parts(reply, names.clone(), names)
    }

    /// The tools as they stand in the request. rig's own declarations know no form but one for all tools.
    fn tools(&self) -> Option<Value> {
        let tools: Value = self.agent.tools.iter().map(|tool| tool.declaration.clone()).collect();
        (!self.agent.tools.is_empty()).then(|| json!({ "tools": tools }))
    }
}

impl From<PromptError> for Ending {
    fn from(error: PromptError) -> Self {
        match error {
            PromptError::MaxTurns { .. } => Self::StepLimit,
            other => Self::ModelFailed(other.to_string()),
        }
    }
}

impl From<ProviderError> for Ending {
    fn from(error: ProviderError) -> Self {
        Self::ModelFailed(error.to_string())
    }
}

impl From<PrepareError> for Ending {
    fn from(error: PrepareError) -> Self {
        Self::ModelFailed(error.to_string())
    }
}

impl From<Unheard> for Ending {
    fn from(_: Unheard) -> Self {
        Self::Unheard
    }
}
