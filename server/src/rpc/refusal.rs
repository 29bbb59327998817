//! Why a call went no further: a sentence for the model, a word for the header, a note for the operator.

use agent_contract::{Gate, Outcome, ToolError};

use crate::turn_log::Smell;

/// The end of a call at one gate.
#[derive(Debug, Clone)]
pub(super) struct Refusal {
    gate: Gate,
    sentence: String,
    outcome: Outcome,
    note: Option<String>,
    smell: Option<Smell>,
    unconfirmed: bool,
}

impl Refusal {
    /// Refused at `gate` for a reason that tools know.
    pub(super) fn new(gate: Gate, error: &ToolError) -> Self {
        Self::saying(gate, error.outcome(), error.to_string())
    }

    /// Refused at `gate` with a sentence of the gate's own.
    pub(super) fn saying(gate: Gate, outcome: Outcome, sentence: impl Into<String>) -> Self {
        Self {
            gate,
            sentence: sentence.into(),
            outcome,
            note: None,
            smell: None,
            unconfirmed: false,
        }
    }

    /// The same, with what the operator should know and the model should not.
    #[must_use]
    pub(super) fn noting(mut self, note: impl Into<String>) -> Self {
        self.note = Some(note.into());
        self
    }

    /// The same, with a line in the security log.
    #[must_use]
    pub(super) fn smelling(mut self, smell: Smell) -> Self {
        self.smell = Some(smell);
        self
    }

    /// The same, of a change that may have been kept all the same: only its call id can tell.
    #[must_use]
    pub(super) fn unconfirmed(mut self) -> Self {
        self.unconfirmed = true;
        self
    }

    pub(super) fn is_unconfirmed(&self) -> bool {
        self.unconfirmed
    }

    pub(super) fn gate(&self) -> Gate {
        self.gate
    }

    pub(super) fn sentence(&self) -> &str {
        &self.sentence
    }

    pub(super) fn outcome(&self) -> Outcome {
        self.outcome
    }

    pub(super) fn smell(&self) -> Option<Smell> {
        self.smell
    }

    /// What the trace shows: the note, or else what the model was told.
    pub(super) fn detail(&self) -> String {
        self.note.clone().unwrap_or_else(|| self.sentence.clone())
    }
}

/// Puts the gate's name to an error of a port.
pub(super) fn at(gate: Gate) -> impl Fn(ToolError) -> Refusal {
    move |error| Refusal::new(gate, &error)
}
