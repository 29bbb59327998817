//! One reader of a turn: what the log holds of it, then what happens, as chunks.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use agent_contract::{TurnEvent, TurnId};
use futures_util::{Stream, stream};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::{Relay, live::Run};
use crate::chat::{
    UiChunk, UiStream,
    threads::{Threads, Turn, TurnState},
};

/// How often, and how many times, it is asked whether another server has kept the end of a turn.
const SETTLING: (Duration, u32) = (Duration::from_millis(20), 250);

/// From where a turn is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum From {
    /// From its first event: for a client that holds nothing of it.
    Start,
    /// From the run in hand: for the client that posted what began it.
    Run,
}

/// A reader at its place.
#[derive(Debug)]
pub(super) struct Follower {
    turn: TurnId,
    run: Arc<Run>,
    changes: watch::Receiver<()>,
    drawing: UiStream,
    /// The number of the next event to read.
    next: u64,
    ready: VecDeque<UiChunk>,
    threads: Threads,
    closing: CancellationToken,
}

impl Follower {
    pub(super) fn new(
        relay: &Relay,
        turn: &Turn,
        from: From,
        run: Arc<Run>,
        earlier: Vec<TurnEvent>,
    ) -> Self {
        let mut drawing = UiStream::new(turn.id.clone());
        let mut ready = VecDeque::from([drawing.start()]);
        // What is in memory is read from memory, where the pieces of a text are as they came.
        let in_memory = run.earliest().unwrap_or(u64::MAX);
        let mut next = turn.first_seq;
        for event in earlier.into_iter().filter(|event| event.seq < in_memory) {
            let chunks = if event.seq < turn.first_seq {
                drawing.replay(&event)
            } else {
                next = event.seq.saturating_add(1);
                drawing.take(&event)
            };
            if from == From::Start {
                ready.extend(chunks);
            }
        }
        Self {
            turn: turn.id.clone(),
            changes: run.changes(),
            run,
            drawing,
            next,
            ready,
            threads: relay.threads.clone(),
            closing: relay.closing.clone(),
        }
    }

    pub(super) fn into_stream(self) -> impl Stream<Item = UiChunk> + Send + use<> {
        stream::unfold(self, |mut follower| async move {
            let chunk = follower.chunk().await?;
            Some((chunk, follower))
        })
    }

    async fn chunk(&mut self) -> Option<UiChunk> {
        loop {
            if let Some(chunk) = self.ready.pop_front() {
                return Some(chunk);
            }
            if self.drawing.has_ended() {
                return None;
            }
            self.changes.mark_unchanged();
            if self.read().await {
                continue;
            }
            tokio::select! {
                () = self.closing.cancelled() => return None,
                changed = self.changes.changed() => changed.ok()?,
            }
        }
    }

    /// Reads what is new; false if nothing was.
    async fn read(&mut self) -> bool {
        let page = self.run.read(self.next);
        let mut any = !page.events.is_empty();
        for event in &page.events {
            self.next = event.seq.saturating_add(1);
            self.ready.extend(self.drawing.take(event));
        }
        if let Some(end) = page.end {
            any = true;
            // A client that has read the end asks at once for what is stored, so that must be there.
            self.settled().await;
            self.ready.extend(self.drawing.take(&end));
        }
        any
    }

    /// Waits until the end of the run is kept. Where this server keeps it, it is kept before it is shown; another
    /// server may be a moment behind.
    async fn settled(&self) {
        let (pause, times) = SETTLING;
        for _ in 0..times {
            match self.threads.turn(&self.turn).await {
                Ok(Some(turn)) if turn.state == TurnState::Open && turn.first_seq <= self.next => {}
                _ => return,
            }
            tokio::time::sleep(pause).await;
        }
        tracing::warn!(turn = %self.turn, "the end of a turn was shown before it was kept");
    }
}
