//! The door before those who keep and show turn events: what comes through was told by the worker whose turn it is.
//!
//! Whoever may publish to the exchange could tell of any turn; so an event is believed for its signature and nothing
//! else. One that comes twice passes twice: its number is taken, and whoever reads a turn drops it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use agent_contract::{
    EventEndpoint, EventKind, Hop, Statement, TurnEvent, TurnEventKind, TurnId, WireMessage,
};
use futures_util::future::BoxFuture;

use crate::db::DbError;
use crate::identity::{Claim, Enrolment, IdentityMode, ProofFault, Run, Runs, Signer};
use crate::turn_log::{EventSink, SecurityLine, Smell, TurnLog};

/// Of so many turns it is remembered whose they are; then all is forgotten and read anew.
const REMEMBERED: usize = 1024;

/// Lets in what an enrolled worker says of its own turn.
#[derive(Clone)]
pub struct Door {
    sink: Arc<dyn EventSink>,
    enrolment: Arc<Enrolment>,
    runs: Runs,
    log: Lines,
    known: Arc<Mutex<HashMap<TurnId, Run>>>,
}

/// Whether a refusal leaves a line. Every server hears every event, and one of them is to say so.
#[derive(Clone, Debug)]
pub(super) enum Lines {
    /// It does.
    Left(TurnLog),
    /// Another door of the same event does.
    Elsewhere,
}

/// Why an event is not let in.
enum Refused {
    /// Somebody tries something.
    Smells(Smell, String),
    /// An honest worker came too late.
    Late,
    /// It could not be found out. The event is lost rather than believed.
    Database(DbError),
}

impl From<DbError> for Refused {
    fn from(error: DbError) -> Self {
        Self::Database(error)
    }
}

impl Door {
    pub(super) fn new(
        sink: Arc<dyn EventSink>,
        enrolment: Arc<Enrolment>,
        runs: Runs,
        log: Lines,
    ) -> Self {
        Self { sink, enrolment, runs, log, known: Arc::default() }
    }

    async fn let_in(&self, message: &WireMessage, event: &TurnEvent) -> Result<(), Refused> {
        if event.hop.lane() != Hop::Worker {
            let note = format!("a worker speaks for hop {}", event.hop.as_str());
            return Err(Refused::Smells(Smell::BadProof, note));
        }
        if self.enrolment.mode() != IdentityMode::Required {
            return Ok(());
        }
        let signer = self.enrolment.signer(message)?;
        let kind = EventKind::of(message);
        // Between two events that change anything there may be hundreds of these.
        let small = matches!(event.kind, TurnEventKind::TextDelta { .. } | TurnEventKind::Alive);
        if small && kind == EventKind::Told && self.is_known(message, event, &signer) {
            return Ok(());
        }
        let runs = self.runs.of(&event.turn_id).await?;
        if runs.is_empty() {
            let note = "there is no such turn".to_owned();
            return Err(Refused::Smells(Smell::DeadTurn, note));
        }
        let is_its = |run: &&Run| signer.signed(&statement(kind, run, message));
        let Some(run) = runs.iter().find(is_its) else {
            return Err(ProofFault::Forged(signer.id().clone()).into());
        };
        let (turn, key) = (&event.turn_id, signer.id());
        let mut claim = self.runs.claim(turn, &run.jti, run.worker.as_ref(), key).await?;
        if matches!(claim, Claim::IsOf(_)) && kind == EventKind::Takeover {
            claim = self.runs.hand_over(turn, &run.jti, key, &signer.mark()).await?;
            if claim == Claim::Holds {
                tracing::warn!(%turn, from = ?run.worker, to = %key, "a turn was handed to another worker");
            }
        }
        match claim {
            Claim::Holds => {
                self.remember(turn, Run { worker: Some(key.clone()), ..run.clone() });
                Ok(())
            }
            Claim::IsOf(holder) => {
                let note = format!("the turn is worker {holder}'s, and {key} tells of it");
                Err(Refused::Smells(Smell::OtherWorker, note))
            }
            Claim::Late => Err(Refused::Late),
        }
    }

    fn is_known(&self, message: &WireMessage, event: &TurnEvent, signer: &Signer) -> bool {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(run) = known.get(&event.turn_id).cloned() else { return false };
        drop(known);
        run.worker.as_ref() == Some(signer.id())
            && signer.signed(&statement(EventKind::Told, &run, message))
    }

    fn remember(&self, turn: &TurnId, run: Run) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= REMEMBERED {
            known.clear();
        }
        known.insert(turn.clone(), run);
    }

    async fn refuse(&self, event: Option<&TurnEvent>, refused: Refused) {
        let turn = event.map(|event| event.turn_id.as_str());
        match refused {
            Refused::Smells(smell, note) => match &self.log {
                Lines::Left(log) => {
                    let line = SecurityLine::new(smell).with("gate", "turn event");
                    log.smelled(line.with("turn", turn).with("detail", note)).await;
                }
                Lines::Elsewhere => tracing::debug!(turn, note, "a turn event is not shown"),
            },
            Refused::Late => tracing::debug!(turn, "a turn event came too late"),
            Refused::Database(error) => {
                let error = &error as &dyn std::error::Error;
                tracing::error!(error, turn, "a turn event could not be checked and is lost");
            }
        }
    }
}

impl From<ProofFault> for Refused {
    fn from(fault: ProofFault) -> Self {
        Self::Smells(Smell::of_proof(&fault), fault.to_string())
    }
}

fn statement(kind: EventKind, run: &Run, message: &WireMessage) -> Statement {
    Statement::of_event(kind, run.token, &message.body)
}

impl EventEndpoint for Door {
    fn receive(&self, message: WireMessage) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            match TurnEvent::of_message(&message) {
                Ok(event) => match self.let_in(&message, &event).await {
                    Ok(()) => self.sink.receive(event).await,
                    Err(refused) => self.refuse(Some(&event), refused).await,
                },
                // It would be as unreadable the next time.
                Err(error) => {
                    tracing::warn!(%error, "a turn event that cannot be read");
                    let note = "a turn event that cannot be read".to_owned();
                    self.refuse(None, Refused::Smells(Smell::Unreadable, note)).await;
                }
            }
        })
    }
}

impl std::fmt::Debug for Door {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Door").field("enrolment", &self.enrolment).finish_non_exhaustive()
    }
}
