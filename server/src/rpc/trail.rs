//! What a call leaves behind: one event for every gate that it came to, and a security line where it smells.
//!
//! Events are held back while a frame is open, because the writer of the log needs the lock that a write frame
//! holds, and until the turn is known, because only a verified token may write into a turn's record.

use agent_contract::{CallId, Gate, Hop, Timestamp, TurnEvent, TurnEventKind, TurnId};

use super::refusal::Refusal;
use crate::turn_log::{SecurityLine, Smell, TurnLog};

/// The trail of one call.
#[derive(Debug)]
pub(super) struct Trail<'l> {
    log: &'l TurnLog,
    call: CallId,
    event: &'static str,
    claimed_by: Option<String>,
    turn: Option<TurnId>,
    held: Vec<(Timestamp, TurnEventKind)>,
    smells: Vec<SecurityLine>,
}

impl<'l> Trail<'l> {
    pub(super) fn of(log: &'l TurnLog, call: CallId, event: &'static str) -> Self {
        Self {
            log,
            call,
            event,
            claimed_by: None,
            turn: None,
            held: Vec::new(),
            smells: Vec::new(),
        }
    }

    /// From now on the trail goes into this turn's record.
    pub(super) fn belongs_to(&mut self, turn: &TurnId) {
        self.turn = Some(turn.clone());
    }

    /// Who the call says makes it; for the security log only.
    pub(super) fn claims(&mut self, sub: &str) {
        self.claimed_by = Some(sub.to_owned());
    }

    /// The call passed a gate.
    pub(super) fn passed(&mut self, gate: Gate, detail: impl Into<Option<String>>) {
        let detail = detail.into();
        tracing::debug!(call = %self.call, event = self.event, %gate, "passed");
        self.hold(TurnEventKind::Gate { call_id: self.call.clone(), gate, passed: true, detail });
    }

    /// The call went no further.
    pub(super) fn refused(&mut self, refusal: &Refusal) {
        let (gate, detail) = (refusal.gate(), refusal.detail());
        self.log.metrics().refused(gate);
        // What the gate saw may be about a person: it is in the turn's record, and not in the log.
        let outcome = refusal.outcome().as_str();
        tracing::info!(call = %self.call, event = self.event, %gate, outcome, "refused");
        if let Some(smell) = refusal.smell() {
            self.smells(smell, gate, &detail);
        }
        self.hold(TurnEventKind::Gate {
            call_id: self.call.clone(),
            gate,
            passed: false,
            detail: Some(detail),
        });
    }

    /// Something that no honest peer sends, be it that the call goes on without it.
    pub(super) fn smells(&mut self, smell: Smell, gate: Gate, detail: &str) {
        let line = SecurityLine::new(smell)
            .with("gate", gate.as_str())
            .with("event", self.event)
            .with("call", self.call.as_str())
            .with("claimedBy", self.claimed_by.clone())
            .with("turn", self.turn.as_ref().map(TurnId::as_str))
            .with("detail", detail);
        self.smells.push(line);
    }

    /// Something else that belongs to the call's record.
    pub(super) fn hold(&mut self, kind: TurnEventKind) {
        self.held.push((Timestamp::now(), kind));
    }

    /// Hands over what was held back. Never called while a frame is open.
    pub(super) async fn let_go(&mut self) {
        for line in self.smells.drain(..) {
            self.log.smelled(line).await;
        }
        let Some(turn) = &self.turn else { return };
        let event =
            |(at, kind)| TurnEvent { turn_id: turn.clone(), seq: 0, at, hop: Hop::Server, kind };
        let events = self.held.drain(..).map(event).collect();
        self.log.seen(events).await;
    }
}
