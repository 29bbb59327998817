//! Turn events on their way through the server: kept once among all servers, shown to whoever watches here.
//!
//! What is kept is the log and what follows from it (messages, questions, the turn's end). What is shown comes
//! from memory for the run that this server sees, and from the log before that. A watcher that goes away stops
//! nothing, and one that comes late misses nothing.

mod door;
mod follow;
mod live;
mod sweep;
mod takeover;

use std::sync::Arc;

use agent_contract::{EndReason, Hop, Timestamp, TurnEvent, TurnEventKind, TurnId, Visibility};
use futures_util::Stream;
use futures_util::future::BoxFuture;
use tokio_util::sync::CancellationToken;

pub use self::door::Door;
use self::{
    door::Lines,
    follow::{Follower, From},
    live::{Live, Run},
};
use super::{
    UiChunk, UiMessage, UiStream,
    threads::{Ended, Threads, Turn, TurnState},
};
use crate::{
    db::DbError,
    identity::{Enrolment, Runs},
    metrics::Metrics,
    turn_log::{EventSink, Everywhere, TurnLog},
};

/// Keeps and shows turn events. Clones share everything.
#[derive(Clone, Debug)]
pub struct Relay {
    threads: Threads,
    log: TurnLog,
    live: Live,
    enrolment: Arc<Enrolment>,
    closing: CancellationToken,
}

/// A run that is about to be dispatched.
#[derive(Debug)]
pub(crate) struct Expected(Arc<Run>);

/// Takes each event once among all servers.
#[derive(Clone, Debug)]
struct Keeper {
    threads: Threads,
    log: TurnLog,
}

/// Takes every event on every server.
#[derive(Clone, Debug)]
struct Tail {
    live: Live,
}

impl Relay {
    /// A relay over these conversations and this log, of what these workers tell.
    pub fn new(threads: Threads, log: TurnLog, enrolment: Arc<Enrolment>) -> Self {
        let closing = CancellationToken::new();
        Self { threads, log, live: Live::default(), enrolment, closing }
    }

    /// The end that keeps events.
    pub fn keeper(&self) -> Door {
        self.door(Arc::new(self.keep()), Lines::Left(self.log.clone()))
    }

    /// The end that shows events.
    pub fn tail(&self) -> Door {
        self.door(Arc::new(self.show()), Lines::Elsewhere)
    }

    /// Both ends in one, for workers in this process.
    pub fn endpoint(&self) -> Door {
        let both = Everywhere(vec![Arc::new(self.keep()), Arc::new(self.show())]);
        self.door(Arc::new(both), Lines::Left(self.log.clone()))
    }

    fn door(&self, sink: Arc<dyn EventSink>, lines: Lines) -> Door {
        let runs = Runs::new(self.threads.database().clone());
        Door::new(sink, Arc::clone(&self.enrolment), runs, lines)
    }

    fn keep(&self) -> Keeper {
        Keeper { threads: self.threads.clone(), log: self.log.clone() }
    }

    fn show(&self) -> Tail {
        Tail { live: self.live.clone() }
    }

    /// Makes ready to show a run that is about to be dispatched, so that none of its events is missed.
    pub(crate) fn expect(&self, turn: &TurnId, first_seq: u64) -> Expected {
        Expected(self.live.expect(turn, first_seq))
    }

    /// The chunks of a run that was expected, for the client that posted what began it.
    pub(crate) async fn follow(
        &self,
        turn: &Turn,
        Expected(run): Expected,
    ) -> Result<impl Stream<Item = UiChunk> + Send + use<>, DbError> {
        let mut earlier = Vec::new();
        if turn.first_seq > 0 {
            earlier = self.workers_events(&turn.id).await?;
            earlier.retain(|event| event.seq < turn.first_seq);
        }
        Ok(Follower::new(self, turn, From::Run, run, earlier).into_stream())
    }

    /// The chunks of a turn from its start, for a client that holds nothing of it; none if it runs no more.
    pub(crate) async fn replay(
        &self,
        turn: &TurnId,
    ) -> Result<Option<impl Stream<Item = UiChunk> + Send + use<>>, DbError> {
        let run = self.live.open(turn);
        // Only now: whoever ended the turn before its run was on the map has told nobody who reads here.
        let running = self.threads.turn(turn).await?.filter(|turn| turn.state == TurnState::Open);
        let Some(turn) = running else {
            self.live.close(turn);
            return Ok(None);
        };
        let earlier = self.workers_events(&turn.id).await?;
        Ok(Some(Follower::new(self, &turn, From::Start, run, earlier).into_stream()))
    }

    /// A turn that is over, or waits, as one message.
    pub(crate) async fn stored(&self, turn: &TurnId) -> Result<UiMessage, DbError> {
        let events = self.log.events(turn).await?;
        let mut drawing = UiStream::new(turn.clone());
        let mut chunks = vec![drawing.start()];
        // What a worker says after its turn was ended is in the trace, and no part of the message.
        let over = events.iter().position(ends_a_turn);
        let last = over.or_else(|| events.iter().rposition(ends_a_run));
        for (at, event) in events.iter().enumerate() {
            if is_workers(event) || ends_a_run(event) {
                let is_last = last == Some(at);
                chunks.extend(if is_last { drawing.take(event) } else { drawing.replay(event) });
            }
            if over == Some(at) {
                break;
            }
        }
        Ok(UiMessage::assistant(chunks))
    }

    /// All that happened in a turn, on every hop.
    pub(crate) async fn trace(&self, turn: &TurnId) -> Result<Vec<TurnEvent>, DbError> {
        self.log.events(turn).await
    }

    /// Ends a turn that no worker will end, and says so wherever it is read.
    pub(crate) async fn end(
        &self,
        turn: &TurnId,
        reason: EndReason,
        message: Option<&str>,
    ) -> Result<Ended, DbError> {
        let now = Timestamp::now();
        let ended = self.threads.close(turn, reason, now).await?;
        if ended == Ended::Now {
            self.note_end(turn, reason, message, now).await;
        }
        Ok(ended)
    }

    /// Says that a turn ended by the server's hand.
    pub(crate) async fn note_end(
        &self,
        turn: &TurnId,
        reason: EndReason,
        message: Option<&str>,
        at: Timestamp,
    ) {
        let event = finished(turn, reason, message, at);
        self.log.metrics().turn_ended(reason, None);
        self.log.seen(vec![event.clone()]).await;
        self.live.finish(event);
    }

    /// The number after the last that the worker's lane of a turn used.
    pub(crate) async fn next_seq(&self, turn: &TurnId) -> Result<u64, DbError> {
        let events = self.workers_events(turn).await?;
        let last = events.iter().map(|event| event.seq).max();
        Ok(last.map_or(0, |seq| seq.saturating_add(1)))
    }

    /// The counters of this server.
    pub(crate) fn metrics(&self) -> &Metrics {
        self.log.metrics()
    }

    /// Waits until what was told so far is written down.
    pub(crate) async fn settle(&self) {
        self.log.settle().await;
    }

    /// How many turns this server sees running.
    pub(crate) fn running(&self) -> usize {
        self.live.ids().len()
    }

    /// Waits until it sees none running.
    pub(crate) async fn idle(&self) {
        self.live.idle().await;
    }

    /// Lets go of everyone who watches. Their clients pick the stream up again, here or elsewhere.
    pub(crate) fn close(&self) {
        self.closing.cancel();
    }

    async fn workers_events(&self, turn: &TurnId) -> Result<Vec<TurnEvent>, DbError> {
        let mut events = self.log.events(turn).await?;
        events.retain(is_workers);
        Ok(events)
    }
}

/// Whether an event is one of the worker's lane, which is what the chat is drawn from.
pub(super) fn is_workers(event: &TurnEvent) -> bool {
    event.hop.lane() == Hop::Worker
}

fn ends_a_turn(event: &TurnEvent) -> bool {
    match &event.kind {
        TurnEventKind::Finished { reason, .. } => *reason != EndReason::Waiting,
        _ => false,
    }
}

fn ends_a_run(event: &TurnEvent) -> bool {
    matches!(event.kind, TurnEventKind::Finished { .. })
}

fn finished(turn: &TurnId, reason: EndReason, message: Option<&str>, at: Timestamp) -> TurnEvent {
    let kind = TurnEventKind::Finished { reason, message: message.map(str::to_owned) };
    TurnEvent { turn_id: turn.clone(), seq: 0, at, hop: Hop::Server, kind }
}

impl Keeper {
    /// The turn of an event that changes rows; none where it may not, for it is void or of no turn.
    async fn turn_of(&self, event: &TurnEvent) -> Option<Turn> {
        match self.threads.turn(&event.turn_id).await {
            Ok(Some(turn)) if turn.is_past(event) => {
                tracing::warn!(turn = %event.turn_id, seq = event.seq, "an event of a run that is past");
                None
            }
            Ok(Some(turn)) => Some(turn),
            Ok(None) => {
                tracing::warn!(turn = %event.turn_id, "an event of a turn that is not there");
                None
            }
            Err(error) => {
                let error = &error as &dyn std::error::Error;
                tracing::error!(error, turn = %event.turn_id, "a turn's progress was not kept");
                None
            }
        }
    }

    async fn keep(&self, turn: &Turn, event: &TurnEvent) {
        if let Err(error) = self.threads.keep(turn, event).await {
            let error = &error as &dyn std::error::Error;
            tracing::error!(error, turn = %event.turn_id, "a turn's progress was not kept");
        }
    }
}

impl Keeper {
    /// What an event of a worker adds to the counters. One that comes twice after its turn's end adds nothing.
    fn count(&self, turn: &Turn, event: &TurnEvent) {
        let TurnEventKind::Finished { reason, .. } = event.kind else { return };
        if reason != EndReason::Waiting && turn.state == TurnState::Open {
            let took = event.at.instant().duration_since(turn.opened.instant());
            self.log.metrics().turn_ended(reason, took.try_into().ok());
        }
    }
}

fn changes_rows(kind: &TurnEventKind) -> bool {
    matches!(
        kind,
        TurnEventKind::Message { .. }
            | TurnEventKind::SubagentMessage { .. }
            | TurnEventKind::TakenOver { .. }
            | TurnEventKind::Question { .. }
            | TurnEventKind::Approval { .. }
            | TurnEventKind::Waiting { .. }
            | TurnEventKind::Finished { .. }
    )
}

/// How the Hub shows a call that ended: a refused or failed one is no row, the answer carries the news.
fn shown(event: &TurnEvent) -> Option<TurnEvent> {
    let TurnEventKind::ToolFinished { call_id, result, .. } = &event.kind else { return None };
    let visibility = if result.is_ok() { Visibility::Row } else { Visibility::Hidden };
    let kind = TurnEventKind::Shown { call_id: call_id.clone(), visibility };
    Some(TurnEvent { turn_id: event.turn_id.clone(), seq: 0, at: event.at, hop: Hop::Hub, kind })
}

impl EventSink for Keeper {
    fn receive(&self, event: TurnEvent) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            if matches!(event.kind, TurnEventKind::Alive) {
                return;
            }
            if let TurnEventKind::Usage { input_tokens, output_tokens, .. } = event.kind {
                self.log.metrics().tokens(input_tokens, output_tokens);
            }
            if changes_rows(&event.kind) {
                let Some(turn) = self.turn_of(&event).await else { return };
                self.count(&turn, &event);
                self.log.receive(event.clone()).await;
                self.keep(&turn, &event).await;
            } else {
                self.log.receive(event.clone()).await;
            }
            self.log.seen(shown(&event).into_iter().collect()).await;
        })
    }
}

impl EventSink for Tail {
    fn receive(&self, event: TurnEvent) -> BoxFuture<'_, ()> {
        if matches!(event.kind, TurnEventKind::Alive) {
            self.live.hear(&event.turn_id, event.at);
        } else {
            self.live.show(event);
        }
        Box::pin(async {})
    }
}
