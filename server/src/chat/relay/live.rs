//! The runs that this server sees while they go on, in memory.
//!
//! A reader holds a place in a run and reads on from it, so a slow one loses nothing and a fast one waits for
//! nobody. A run leaves the map at its end; whoever still reads it has it until they are through.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use agent_contract::{Timestamp, TurnEvent, TurnEventKind, TurnId};
use tokio::sync::watch;

/// Every run that goes on.
#[derive(Clone, Debug)]
pub(super) struct Live {
    runs: Arc<Mutex<HashMap<TurnId, Arc<Run>>>>,
    count: watch::Sender<usize>,
}

/// One run: its events so far, and how it ended.
#[derive(Debug)]
pub(super) struct Run {
    /// What is before this belongs to an earlier run.
    first: u64,
    told: Mutex<Told>,
    changed: watch::Sender<()>,
}

#[derive(Debug, Default)]
struct Told {
    events: BTreeMap<u64, TurnEvent>,
    end: Option<TurnEvent>,
    stopping: bool,
    /// The number from which another worker tells of the run; what the lost one says after that is void.
    taken_from: u64,
    /// When its worker was last heard, by this server's clock.
    heard: Option<Timestamp>,
    /// When its last sign of life was given, by the worker's clock.
    alive: Option<Timestamp>,
}

/// What a reader finds at its place.
#[derive(Debug)]
pub(super) struct Page {
    pub(super) events: Vec<TurnEvent>,
    /// The end, once every event before it has been read.
    pub(super) end: Option<TurnEvent>,
}

impl Default for Live {
    fn default() -> Self {
        Self { runs: Arc::default(), count: watch::Sender::new(0) }
    }
}

impl Live {
    /// The run of a turn; a new one, of unknown beginning, if it is not known.
    pub(super) fn open(&self, turn: &TurnId) -> Arc<Run> {
        self.run(turn, 0)
    }

    /// A run that is about to begin with this event. One that is on the map is of before, and is over.
    pub(super) fn expect(&self, turn: &TurnId, first: u64) -> Arc<Run> {
        self.close(turn);
        self.run(turn, first)
    }

    fn run(&self, turn: &TurnId, first: u64) -> Arc<Run> {
        let mut runs = held(&self.runs);
        let run = runs.entry(turn.clone()).or_insert_with(|| Arc::new(Run::new(first)));
        let run = Arc::clone(run);
        self.count.send_replace(runs.len());
        run
    }

    /// Adds a worker's event to its run. The last event of a run takes it off the map.
    pub(super) fn show(&self, event: TurnEvent) {
        let run = self.open(&event.turn_id);
        if event.seq < run.first || event.seq < held(&run.told).taken_from {
            return;
        }
        if matches!(event.kind, TurnEventKind::Finished { .. }) {
            self.finish(event);
        } else {
            run.change(|told| {
                if matches!(event.kind, TurnEventKind::TakenOver { .. }) {
                    told.taken_from = event.seq;
                }
                told.heard = Some(Timestamp::now());
                told.events.entry(event.seq).or_insert(event);
            });
        }
    }

    /// Notes that the worker of a run is there. It begins no run: that is for what a reader can be shown.
    /// A sign of life that is not newer than the last is that one sent again, by whomever.
    pub(super) fn hear(&self, turn: &TurnId, at: Timestamp) {
        if let Some(run) = held(&self.runs).get(turn) {
            let mut told = held(&run.told);
            if told.alive.is_none_or(|last| last < at) {
                told.alive = Some(at);
                told.heard = Some(Timestamp::now());
            }
        }
    }

    /// Whether a worker took the run, and has said nothing for `quiet` by `now`. One that waits for a worker is
    /// silent and not lost.
    pub(super) fn is_lost(&self, turn: &TurnId, quiet: Duration, now: Timestamp) -> bool {
        let heard = held(&self.runs).get(turn).and_then(|run| held(&run.told).heard);
        heard.is_some_and(|heard| heard.after(quiet) <= now)
    }

    /// Ends a run, if it goes on here, whatever its worker does.
    pub(super) fn finish(&self, end: TurnEvent) {
        if let Some(run) = self.close(&end.turn_id) {
            run.change(|told| {
                told.end.get_or_insert(end);
            });
        }
    }

    /// Takes a run off the map.
    pub(super) fn close(&self, turn: &TurnId) -> Option<Arc<Run>> {
        let mut runs = held(&self.runs);
        let run = runs.remove(turn);
        self.count.send_replace(runs.len());
        run
    }

    /// Waits until no run is on the map.
    pub(super) async fn idle(&self) {
        // The sender is held here, so it cannot be gone.
        let _ = self.count.subscribe().wait_for(|count| *count == 0).await;
    }

    /// Notes that the person asked a run to stop.
    pub(super) fn stopping(&self, turn: &TurnId) {
        if let Some(run) = held(&self.runs).get(turn) {
            run.change(|told| told.stopping = true);
        }
    }

    /// Whether the person asked it to.
    pub(super) fn is_stopping(&self, turn: &TurnId) -> bool {
        held(&self.runs).get(turn).is_some_and(|run| held(&run.told).stopping)
    }

    /// The turns whose runs are on the map.
    pub(super) fn ids(&self) -> Vec<TurnId> {
        held(&self.runs).keys().cloned().collect()
    }
}

impl Run {
    fn new(first: u64) -> Self {
        Self { first, told: Mutex::default(), changed: watch::Sender::new(()) }
    }

    fn change(&self, change: impl FnOnce(&mut Told)) {
        change(&mut held(&self.told));
        self.changed.send_replace(());
    }

    /// The number of the earliest event that is held here.
    pub(super) fn earliest(&self) -> Option<u64> {
        held(&self.told).events.keys().next().copied()
    }

    /// Whatever is new from this number on.
    pub(super) fn read(&self, from: u64) -> Page {
        let told = held(&self.told);
        Page {
            events: told.events.range(from..).map(|(_, event)| event.clone()).collect(),
            end: told.end.clone(),
        }
    }

    /// Tells when there is more.
    pub(super) fn changes(&self) -> watch::Receiver<()> {
        self.changed.subscribe()
    }
}

/// Nothing that holds these locks can panic half-way, so a poisoned one is as good as any.
fn held<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}
