//! Taking a turn over from a worker that was lost.
//!
//! The broker gives such a turn to another worker. What the first one did is known to the server alone, so it is asked;
//! and since it may not have been lost at all, only out of reach, it is told that its turn has another worker now.

use agent_contract::wire::{AGENT_TURN_PROGRESS_PATTERN, AGENT_TURN_TAKE_PATTERN};
use agent_contract::{Hop, ProgressQuestion, TakeAnswer, TurnEventKind, TurnProgress};
use serde_json::json;

use super::Narrator;
use crate::caller::Caller;
use crate::proxy::{AgentToolService, AskFault};

/// What becomes of a turn that came again.
#[derive(Debug)]
pub(crate) enum Taken {
    /// It is this worker's, from there on.
    Over(Box<TakenOver>),
    /// It has ended, or the server ends it.
    Ended,
}

/// A turn that was taken over.
#[derive(Debug)]
pub(crate) struct TakenOver {
    pub(crate) caller: Caller,
    pub(crate) narrator: Narrator,
    pub(crate) progress: TurnProgress,
    /// The number of the first event.
    pub(crate) first_seq: u64,
}

/// Takes a turn over. `narrator` makes the one that tells of the run, by the number of its first event; `room` is how
/// many numbers a run has.
pub(crate) async fn take_over(
    service: &AgentToolService,
    mut caller: Caller,
    (since, room): (u64, u64),
    narrator: impl FnOnce(u64) -> Narrator,
) -> Result<Taken, AskFault> {
    let until = caller.deadline;
    let answer = service.ask(&caller, AGENT_TURN_TAKE_PATTERN, &json!({}), until).await?;
    let TakeAnswer::Yours { takeover } = answer else { return Ok(Taken::Ended) };
    caller.takeover = takeover;
    let mark = since.saturating_add(room.saturating_mul(u64::from(takeover)));
    let narrator = narrator(mark);
    tracing::warn!(turn = %narrator.turn(), takeover, "a turn is taken over from a worker that was lost");
    if narrator.tell(Hop::Worker, TurnEventKind::TakenOver { takeover }).await.is_err() {
        return Err(AskFault::Unheard);
    }
    let question = json!(ProgressQuestion { since, mark });
    let progress = service.ask(&caller, AGENT_TURN_PROGRESS_PATTERN, &question, until).await?;
    Ok(Taken::Over(Box::new(TakenOver { caller, narrator, progress, first_seq: mark })))
}
