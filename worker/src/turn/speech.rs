//! What is told of a model's talk: all of Rover's, and of a specialist's only what it used.
//!
//! A specialist's words reach the person through Rover, and its messages belong to no thread: they are told under the
//! call that gave it its task, for a worker that may have to take the turn over. Its calls are told by the toolkit.

use agent_contract::{CallId, HistoryMessage, Hop, TurnEventKind};
use futures_util::FutureExt;
use futures_util::future::{BoxFuture, ready};

use super::Narrator;
use crate::engine::{Listener, Unheard};

type Told<'a> = BoxFuture<'a, Result<(), Unheard>>;

/// Tells of Rover's talk.
pub(super) struct Aloud<'a> {
    pub(super) narrator: &'a Narrator,
    pub(super) model: &'a str,
}

/// Tells of a specialist's talk.
pub(super) struct Aside<'a> {
    pub(super) narrator: &'a Narrator,
    pub(super) model: &'a str,
    /// The call that gave it its task.
    pub(super) task: &'a CallId,
}

impl Listener for Aloud<'_> {
    fn step_started(&self, step: u32) -> Told<'_> {
        self.narrator.tell(Hop::Worker, TurnEventKind::StepStarted { step }).boxed()
    }

    fn text(&self, text: String) -> Told<'_> {
        self.narrator.tell(Hop::Model, TurnEventKind::TextDelta { text }).boxed()
    }

    fn text_done(&self) -> Told<'_> {
        self.narrator.tell(Hop::Model, TurnEventKind::TextDone).boxed()
    }

    fn message(&self, message: HistoryMessage) -> Told<'_> {
        self.narrator.tell(speaker(&message), TurnEventKind::Message { message }).boxed()
    }

    fn usage(&self, input_tokens: u64, output_tokens: u64) -> Told<'_> {
        used(self.narrator, self.model, input_tokens, output_tokens)
    }
}

impl Listener for Aside<'_> {
    fn step_started(&self, _step: u32) -> Told<'_> {
        ready(Ok(())).boxed()
    }

    fn text(&self, _text: String) -> Told<'_> {
        ready(Ok(())).boxed()
    }

    fn text_done(&self) -> Told<'_> {
        ready(Ok(())).boxed()
    }

    fn message(&self, message: HistoryMessage) -> Told<'_> {
        let (hop, call_id) = (speaker(&message), self.task.clone());
        self.narrator.tell(hop, TurnEventKind::SubagentMessage { call_id, message }).boxed()
    }

    fn usage(&self, input_tokens: u64, output_tokens: u64) -> Told<'_> {
        used(self.narrator, self.model, input_tokens, output_tokens)
    }
}

fn speaker(message: &HistoryMessage) -> Hop {
    match message {
        HistoryMessage::Assistant { .. } => Hop::Model,
        HistoryMessage::User { .. } | HistoryMessage::Tool { .. } => Hop::Worker,
    }
}

fn used<'a>(
    narrator: &'a Narrator,
    model: &str,
    input_tokens: u64,
    output_tokens: u64,
) -> Told<'a> {
    let kind = TurnEventKind::Usage { model: model.to_owned(), input_tokens, output_tokens };
    narrator.tell(Hop::Model, kind).boxed()
}
