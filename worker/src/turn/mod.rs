//! One turn from the request to its last event.
//!
//! The request is parsed once, here. Whatever happens after that, also a fault of ours, the turn
//! ends with `finished` and a stated reason.

mod missing;
mod narrator;
mod request;
mod speech;
mod takeover;
mod toolkit;

use std::sync::Arc;

use agent_contract::{
    AgentRuntimeContext, Answer, CallId, EndReason, FormFault, HistoryMessage, Hop, TurnEventKind,
    TurnProgress, UserPart,
};
use tokio_util::sync::CancellationToken;

pub use self::narrator::Narrator;
pub(crate) use self::narrator::publish;
pub(crate) use self::request::{Dispatched, read};
use self::speech::Aloud;
pub(crate) use self::takeover::{Taken, TakenOver, take_over};
use self::toolkit::Toolkit;
use crate::caller::Caller;
use crate::engine::{self, Checkpoint, Ending, Place, Unheard};
use crate::files::TurnFiles;
use crate::graph::{RoverGraph, create_served_graph};
use crate::models::Models;
use crate::proxy::AgentToolService;
use crate::registry_hash;
use crate::subagents::Cast;

/// Everything that one turn has. It is made for the turn and dropped with it.
pub(crate) struct Room {
    pub(crate) context: AgentRuntimeContext,
    pub(crate) caller: Caller,
    pub(crate) narrator: Narrator,
    pub(crate) service: AgentToolService,
    pub(crate) models: Models,
    pub(crate) graph: RoverGraph,
    pub(crate) cast: Arc<Cast>,
    pub(crate) stop: CancellationToken,
    pub(crate) max_steps: u32,
    /// What the person said, and to which call.
    pub(crate) answer: Option<(CallId, Answer)>,
    /// What a worker that was lost had done of this run.
    pub(crate) progress: TurnProgress,
}

/// How a turn ended, and what the person is told if it did not end well.
pub(crate) type TurnEnd = (EndReason, Option<String>);

impl Room {
    /// Fits out the room of a turn, with the tools that the servers serve by now.
    pub(crate) async fn new(
        context: AgentRuntimeContext,
        caller: Caller,
        narrator: Narrator,
        service: AgentToolService,
        models: Models,
        stop: CancellationToken,
        max_steps: u32,
    ) -> Self {
        let unserved = service.servers().unserved().await;
        let graph = create_served_graph(&context, models.form(), &unserved);
        let cast = Arc::new(Cast::new(context.run_mode.name(), &graph.roster(), &unserved));
        Self {
            context,
            caller,
            narrator,
            service,
            models,
            graph,
            cast,
            stop,
            max_steps,
            answer: None,
            progress: TurnProgress::default(),
        }
    }

    /// The room of a run that a lost worker began.
    pub(crate) fn going_on(mut self, progress: TurnProgress) -> Self {
        self.progress = progress;
        self
    }

    /// Runs the turn. All that it leaves to be told is how it ended.
    pub(crate) async fn run(mut self, dispatched: Dispatched) -> (Narrator, TurnEnd) {
        let end = match self.converse(dispatched).await {
            Ok(ending) => self.told(ending).await.unwrap_or_else(unheard),
            Err(end) => end,
        };
        (self.narrator, end)
    }

    async fn converse(&mut self, dispatched: Dispatched) -> Result<Ending, TurnEnd> {
        let place = match dispatched.resume {
            None => {
                let mut said = dispatched.history;
                said.push(message(dispatched.message, &self.context));
                let files = TurnFiles::new(self.service.clone(), self.caller.clone());
                Place::of(files.opened(said).await)
            }
            Some(resume) => {
                let checkpoint = Checkpoint::read(resume.checkpoint)
                    .map_err(|error| (EndReason::Failed, Some(error.to_string())))?;
                self.answer = Some((resume.call_id, resume.answer));
                Place::from(checkpoint)
            }
        };
        let agent = self.graph.rover();
        let model = self.models.for_agent(&self.context, self.graph.specialists());
        let started =
            TurnEventKind::Started { model: model.name().to_owned(), registry: registry_hash() };
        self.narrator.tell(Hop::Worker, started).await.map_err(unheard)?;
        self.narrator.tell(Hop::Worker, self.graph.offered()).await.map_err(unheard)?;

        let toolkit = Toolkit { room: self, agent, parent: None };
        let listener = Aloud { narrator: &self.narrator, model: model.name() };
        let spec = agent.spec(self.max_steps).map_err(|fault| self.unaskable(&fault))?;
        let place = place.after(self.progress.of(None));
        Ok(engine::run(&spec, &model, place, &toolkit, &listener, &self.stop).await)
    }

    /// The end of a turn whose model cannot be asked with the tools that there are.
    fn unaskable(&self, fault: &FormFault) -> TurnEnd {
        tracing::error!(turn = %self.narrator.turn(), %fault, "the model cannot be offered its tools");
        let text = format!("I cannot ask the model: {fault}. Tell whoever runs Rover.");
        (EndReason::Failed, Some(text))
    }

    async fn told(&self, ending: Ending) -> Result<TurnEnd, Unheard> {
        Ok(match ending {
            Ending::Answered(_) => (EndReason::Done, None),
            Ending::Waiting(checkpoint) => {
                let checkpoint = checkpoint.to_value();
                self.narrator.tell(Hop::Worker, TurnEventKind::Waiting { checkpoint }).await?;
                (EndReason::Waiting, None)
            }
            Ending::Stopped if self.caller.deadline.remaining().is_zero() => {
                badly(EndReason::Deadline, "The time for this turn ran out.")
            }
            Ending::Stopped => (EndReason::Stopped, None),
            Ending::StepLimit => badly(
                EndReason::StepLimit,
                "I took as many steps as I may and did not finish. Ask me to go on.",
            ),
            Ending::ModelFailed(detail) => {
                tracing::warn!(turn = %self.narrator.turn(), detail, "the model failed");
                let text = "The model could not be reached, or gave no usable answer. Try again.";
                badly(EndReason::ModelFailed, text)
            }
            Ending::Unheard => return Err(Unheard),
        })
    }
}

/// The person's message as it goes to the model: their words, then what they attached.
fn message(text: String, context: &AgentRuntimeContext) -> HistoryMessage {
    let files = context.attachments.iter().cloned();
    let files = files.map(|attachment| UserPart::Attachment { attachment });
    HistoryMessage::User { parts: std::iter::once(UserPart::Text { text }).chain(files).collect() }
}

/// A turn that did not end well, and what the person is told of it.
fn badly(reason: EndReason, text: &str) -> TurnEnd {
    (reason, Some(text.to_owned()))
}

/// Nobody heard the turn for a while. Perhaps its last event gets through.
fn unheard(_: Unheard) -> TurnEnd {
    badly(EndReason::Failed, "The connection to the server was lost on the way.")
}
