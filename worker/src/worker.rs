//! The worker as a whole: takes turns from any transport and runs them side by side.

use std::any::Any;
use std::collections::{HashMap, hash_map::Entry};
use std::convert::Infallible;
use std::fmt;
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use agent_contract::{
    EndReason, EventKind, EventTransport, Hop, MOST_TAKEOVERS, Timestamp, ToolTransport,
    TurnEndpoint, TurnEvent, TurnEventKind, TurnId, TurnProgress, TurnSeal, WireMessage, WorkerKey,
    canonical_hash,
};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use serde_json::json;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tools::agent_tools::DEFS;

use crate::caller::Caller;
use crate::engine::ModelError;
use crate::models::{ModelSettings, Models};
use crate::proxy::AgentToolService;
use crate::turn::{self, Dispatched, Narrator, Room, Taken, TakenOver, TurnEnd};

/// A worker that takes a run over cannot know how far the first one counted. No run makes so many events, so what is
/// said past here is never taken for a double.
const PAST_ANY_RUN: u64 = 1 << 32;
/// How long turns have to say that they were stopped, when the worker itself must go.
const LAST_WORDS: Duration = Duration::from_secs(5);

/// How a worker works.
#[derive(Clone, Debug)]
pub struct WorkerConfig {
    /// The model to ask.
    pub model: ModelSettings,
    /// How often a model is asked at most for one answer.
    pub max_steps: u32,
    /// How long one tool call may take.
    pub call_within: Duration,
    /// How long one turn may take.
    pub turn_within: Duration,
    /// How often it is said of a running turn that its worker lives. A server gives one up of which
    /// it has heard nothing for half a minute.
    pub alive_every: Duration,
    /// What calls and events are signed with. Without one only a server believes them that asks no proof.
    pub key: Option<Arc<WorkerKey>>,
}

impl Default for WorkerConfig {
    fn default() -> Self {
        Self {
            model: ModelSettings::default(),
            max_steps: 24,
            call_within: Duration::from_secs(30),
            turn_within: Duration::from_mins(10),
            alive_every: Duration::from_secs(10),
            key: None,
        }
    }
}

/// Runs turns.
pub struct Worker {
    config: WorkerConfig,
    models: Models,
    service: AgentToolService,
    events: Arc<dyn EventTransport>,
    running: Mutex<HashMap<TurnId, Signals>>,
    tracker: TaskTracker,
    /// Cancelled when the worker itself must go.
    leaving: CancellationToken,
}

impl Worker {
    /// A worker that sends its calls through `tools` and its events through `events`.
    pub fn new(
        config: WorkerConfig,
        tools: Arc<dyn ToolTransport>,
        events: Arc<dyn EventTransport>,
    ) -> Result<Self, ModelError> {
        Ok(Self {
            models: Models::new(&config.model)?,
            service: AgentToolService::new(tools, config.call_within, config.key.clone()),
            config,
            events,
            running: Mutex::default(),
            tracker: TaskTracker::new(),
            leaving: CancellationToken::new(),
        })
    }

    /// Waits until the running turns have ended. What still runs after `patience` is cut, and says so.
    pub async fn drain(&self, patience: Duration) {
        self.tracker.close();
        if tokio::time::timeout(patience, self.tracker.wait()).await.is_err() {
            self.leaving.cancel();
            if tokio::time::timeout(LAST_WORDS, self.tracker.wait()).await.is_err() {
                tracing::warn!("a turn did not stop in time");
            }
        }
    }

    /// Waits until every server that answers refuses this worker; says why. Its turns would be heard by nobody then.
    pub async fn refused(&self) -> String {
        self.service.servers().refused().await
    }

    async fn take(&self, message: WireMessage) {
        let _counted = self.tracker.token();
        let seal = TurnSeal::new(self.config.key.clone(), &message);
        let dispatched = match turn::read(&message.body) {
            Ok(dispatched) => dispatched,
            Err(error) => {
                tracing::warn!(%error, "a turn that cannot be run");
                if let Some(turn) = error.turn() {
                    let narrator = self.narrator(turn, PAST_ANY_RUN, &seal);
                    let narrator =
                        if message.redelivered { narrator.taking_over() } else { narrator };
                    let text = "This turn could not be read by the worker.".to_owned();
                    finish(&narrator, (EndReason::Failed, Some(text))).await;
                }
                return;
            }
        };
        let turn = dispatched.turn.clone();
        let deadline = self.deadline(&turn, &message);
        let caller = Caller::of(&dispatched.context, &message, deadline);
        let Some(here) = self.enter(&turn) else {
            // It runs here: the connection was lost, and the worker was not.
            return self.left(&turn).await;
        };
        if message.redelivered {
            self.go_on(dispatched, caller, seal, here.stop.clone()).await;
        } else {
            let first_seq = dispatched.first_seq;
            let narrator = self.narrator(&turn, first_seq, &seal);
            let start = Start { caller, narrator, seal, first_seq, progress: None };
            self.run_to_end(dispatched, start, here.stop.clone()).await;
        }
        drop(here);
    }

    /// Goes on with a turn whose worker was lost.
    async fn go_on(
        &self,
        dispatched: Dispatched,
        caller: Caller,
        seal: TurnSeal,
        stop: CancellationToken,
    ) {
        let (turn, since) = (dispatched.turn.clone(), dispatched.first_seq);
        let narrator = |first| self.narrator(&turn, first, &seal);
        match turn::take_over(&self.service, caller, (since, PAST_ANY_RUN), narrator).await {
            Ok(Taken::Ended) => tracing::info!(%turn, "a turn that came again is over"),
            Ok(Taken::Over(taken)) => {
                let TakenOver { caller, narrator, progress, first_seq } = *taken;
                if progress.stopping {
                    stop.cancel();
                }
                let start = Start { caller, narrator, seal, first_seq, progress: Some(progress) };
                self.run_to_end(dispatched, start, stop).await;
            }
            Err(fault) => {
                tracing::error!(%turn, %fault, "a turn could not be taken over");
                let past = PAST_ANY_RUN.saturating_mul(u64::from(MOST_TAKEOVERS) + 1);
                let text =
                    "The worker that ran this turn was lost. Check what was done, then ask again.";
                let end = (EndReason::WorkerLost, Some(text.to_owned()));
                let narrator = self.narrator(&turn, since.saturating_add(past), &seal);
                finish(&narrator.taking_over(), end).await;
            }
        }
    }

    fn deadline(&self, turn: &TurnId, message: &WireMessage) -> Timestamp {
        let longest = Timestamp::now().after(self.config.turn_within);
        match message.deadline() {
            Ok(given) => given.map_or(longest, |sooner| sooner.min(longest)),
            // No peer of ours sends such a header; the worker's own limit holds.
            Err(fault) => {
                tracing::warn!(%turn, %fault, "a turn's deadline cannot be read");
                longest
            }
        }
    }

    async fn run_to_end(&self, dispatched: Dispatched, start: Start, stop: CancellationToken) {
        let Start { caller, narrator, seal, first_seq, progress } = start;
        let (turn, deadline) = (dispatched.turn.clone(), caller.deadline);
        let room = Room::new(
            dispatched.context.clone(),
            caller,
            narrator,
            self.service.clone(),
            self.models.clone(),
            stop.clone(),
            self.config.max_steps,
        )
        .await
        .going_on(progress.unwrap_or_default());
        // A fault of ours must not leave the person without an end to their turn.
        let mut running = AssertUnwindSafe(room.run(dispatched)).catch_unwind().boxed();
        let ended = tokio::select! {
            ended = &mut running => ended,
            () = self.leaving.cancelled() => {
                let asked = stop.is_cancelled();
                stop.cancel();
                running.await.map(|(narrator, end)| match end {
                    // Nobody asked for this end, so nobody is told that they did.
                    (EndReason::Stopped, _) if !asked => (narrator, cut()),
                    end => (narrator, end),
                })
            }
            () = tokio::time::sleep(deadline.remaining()) => {
                stop.cancel();
                running.await
            }
            never = self.heartbeat(&turn, first_seq, &seal) => match never {},
        };
        match ended {
            Ok((narrator, end)) => finish(&narrator, end).await,
            Err(panic) => {
                tracing::error!(%turn, panic = panicked(&*panic), "a turn panicked");
                let past = first_seq.saturating_add(PAST_ANY_RUN - 1);
                let narrator = self.narrator(&turn, past, &seal);
                let text = "Something went wrong on our side.".to_owned();
                finish(&narrator, (EndReason::Failed, Some(text))).await;
            }
        }
    }

    /// Apart from the narrator: what it tells is kept and counted, and waits for what was told before.
    async fn heartbeat(&self, turn: &TurnId, seq: u64, seal: &TurnSeal) -> Infallible {
        loop {
            tokio::time::sleep(self.config.alive_every).await;
            let (at, kind) = (Timestamp::now(), TurnEventKind::Alive);
            let alive = TurnEvent { turn_id: turn.clone(), seq, at, hop: Hop::Worker, kind };
            let published = turn::publish(&*self.events, seal, EventKind::Told, &alive).await;
            if let Err(error) = published {
                tracing::debug!(%turn, %error, "a sign of life was not heard");
            }
        }
    }

    fn narrator(&self, turn: &TurnId, first: u64, seal: &TurnSeal) -> Narrator {
        Narrator::new(turn.clone(), first, Arc::clone(&self.events), seal.clone())
    }

    /// Notes that a turn runs here; none if it does already.
    fn enter(&self, turn: &TurnId) -> Option<Here<'_>> {
        match self.lock().entry(turn.clone()) {
            Entry::Occupied(_) => None,
            Entry::Vacant(place) => {
                let signals = place.insert(Signals::default());
                Some(Here { worker: self, turn: turn.clone(), stop: signals.stop.clone() })
            }
        }
    }

    /// Waits until a turn runs here no more.
    async fn left(&self, turn: &TurnId) {
        let ended = self.lock().get(turn).map(|signals| signals.ended.clone());
        if let Some(ended) = ended {
            ended.cancelled().await;
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<TurnId, Signals>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// From where a run goes.
struct Start {
    caller: Caller,
    narrator: Narrator,
    seal: TurnSeal,
    first_seq: u64,
    /// What a lost worker had done.
    progress: Option<TurnProgress>,
}

/// What a running turn is told, and tells.
#[derive(Debug, Default)]
struct Signals {
    stop: CancellationToken,
    ended: CancellationToken,
}

/// A turn that runs here, as long as this is held.
struct Here<'w> {
    worker: &'w Worker,
    turn: TurnId,
    stop: CancellationToken,
}

impl Drop for Here<'_> {
    fn drop(&mut self) {
        if let Some(signals) = self.worker.lock().remove(&self.turn) {
            signals.ended.cancel();
        }
    }
}

impl TurnEndpoint for Worker {
    fn run(&self, message: WireMessage) -> BoxFuture<'_, ()> {
        self.take(message).boxed()
    }

    fn stop(&self, turn: &TurnId) {
        if let Some(signals) = self.lock().get(turn) {
            signals.stop.cancel();
        }
    }

    fn greet(&self) -> BoxFuture<'_, ()> {
        self.service.servers().ask().boxed()
    }
}

/// The end of a turn whose worker must go.
fn cut() -> TurnEnd {
    let text = "Rover was shut down before I could finish. Check what was done, then ask again.";
    (EndReason::WorkerLost, Some(text.to_owned()))
}

/// The last event of a run.
async fn finish(narrator: &Narrator, (reason, message): TurnEnd) {
    let finished = TurnEventKind::Finished { reason, message };
    if narrator.tell(Hop::Worker, finished).await.is_err() {
        tracing::error!(turn = %narrator.turn(), ?reason, "nobody heard how a turn ended");
    }
}

/// Hash of all that this build's registry says on the wire.
pub fn registry_hash() -> String {
    let tools: Vec<_> = DEFS.iter().map(|tool| json!([tool.name, tool.wire_hash()])).collect();
    let mut hash = canonical_hash(&json!(tools));
    hash.truncate(16);
    hash
}

fn panicked(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no text")
}

impl fmt::Debug for Worker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Worker").field("config", &self.config).finish_non_exhaustive()
    }
}
