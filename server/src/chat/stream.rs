//! Turn events to the chunks that a chat client reads. A pure function: no clock, no row, no socket.
//!
//! Two things break a client and cannot happen here: a chunk for a text or call that did not begin, and
//! a message whose last step holds nothing but finished calls (a client then posts the message again,
//! for ever). So calls that never ended are ended, and a turn closes with words after its last call.

use agent_contract::{AgentToolResult, CallId, EndReason, TurnEvent, TurnEventKind, TurnId};
use serde_json::{Value, json};

use super::chunk::{Activity, ActivityState, FinishReason, Metadata, ToolCall, ToolEnd, UiChunk};

/// Name of the one tool that the client runs: it asks the person.
pub const ASK_STAFFER: &str = "ask_staffer";

/// What a call gets that had not ended when its turn did.
const NEVER_ENDED: &str =
    "the turn ended before this did; it may or may not have been done, so check before repeating";

/// Draws the chat stream of one turn.
#[derive(Clone, Debug)]
pub struct UiStream {
    turn: TurnId,
    step: Step,
    /// Texts begun so far; the open one, if any, is the last.
    texts: u32,
    text_open: bool,
    calls: Vec<Call>,
    ended: bool,
    /// Words that the client has since the last complete message. Were the worker lost now, another would say them again.
    unsure: String,
    /// What another worker has to say again of them, before it says anything new.
    again: Option<Again>,
}

/// Words that are being said again. A client has them, and cannot take them back.
#[derive(Clone, Debug)]
struct Again {
    /// Those that are still to come.
    left: String,
    /// Those that came.
    said: String,
}

/// What the step in hand holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// There is none.
    Closed,
    /// Nothing yet.
    Empty,
    /// Its last part is words.
    Words,
    /// Its last part is a call.
    Calls,
}

#[derive(Clone, Debug)]
struct Call {
    id: CallId,
    name: String,
    label: String,
    state: CallState,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CallState {
    Running,
    Asking,
    AwaitingApproval,
    Ended,
}

impl UiStream {
    /// The stream of a turn of which nothing has been told.
    pub fn new(turn: TurnId) -> Self {
        Self {
            turn,
            step: Step::Closed,
            texts: 0,
            text_open: false,
            calls: Vec::new(),
            ended: false,
            unsure: String::new(),
            again: None,
        }
    }

    /// The first chunk. The message bears the turn's id, so a turn that goes on after a question, or is
    /// replayed, stays one message.
    pub fn start(&self) -> UiChunk {
        UiChunk::Start {
            message_id: self.turn.to_string(),
            message_metadata: Metadata {
                turn_id: Some(self.turn.to_string()),
                ..Metadata::default()
            },
        }
    }

    /// Whether the turn has come to its end, or to a question.
    pub fn has_ended(&self) -> bool {
        self.ended
    }

    /// An event of an earlier run of the turn: the same chunks, but the message does not finish there.
    pub fn replay(&mut self, event: &TurnEvent) -> Vec<UiChunk> {
        let mut chunks = self.take(event);
        chunks.retain(|chunk| !matches!(chunk, UiChunk::Finish { .. }));
        self.ended = false;
        chunks
    }

    /// What an event adds to the stream. Most events belong to the trace and add nothing.
    pub fn take(&mut self, event: &TurnEvent) -> Vec<UiChunk> {
        let mut out = Vec::new();
        if self.ended {
            return out;
        }
        match &event.kind {
            // A step that is asked for again is the one that is open.
            TurnEventKind::StepStarted { .. }
                if self.again.is_some() || self.step == Step::Empty => {}
            TurnEventKind::StepStarted { .. } => self.open_step(&mut out),
            TurnEventKind::TextDelta { text } => self.say(text, &mut out),
            TurnEventKind::TextDone => {
                self.say_otherwise(&mut out);
                self.close_text(&mut out);
            }
            TurnEventKind::Message { .. } => {
                self.unsure.clear();
                self.again = None;
            }
            TurnEventKind::TakenOver { .. } => self.say_again(),
            TurnEventKind::ToolStarted { call_id, name, label, args, .. } => {
                self.start_call(call_id, name, label, args, &mut out);
            }
            TurnEventKind::ToolFinished { call_id, result, .. } => {
                self.end_call(call_id, result, &mut out);
            }
            TurnEventKind::Question { call_id, question, options, .. } => {
                self.ask(call_id, question, options, &mut out);
            }
            TurnEventKind::Approval { call_id, .. } => self.ask_approval(call_id, &mut out),
            TurnEventKind::Finished { reason, message } => {
                self.finish(*reason, message.as_deref(), &mut out);
            }
            TurnEventKind::Started { .. }
            | TurnEventKind::Alive
            | TurnEventKind::Offered { .. }
            | TurnEventKind::ToolRepaired { .. }
            | TurnEventKind::ToolRejected { .. }
            | TurnEventKind::Published { .. }
            | TurnEventKind::Gate { .. }
            | TurnEventKind::Reply { .. }
            | TurnEventKind::SubagentStarted { .. }
            | TurnEventKind::SubagentMessage { .. }
            | TurnEventKind::SubagentFinished { .. }
            | TurnEventKind::Waiting { .. }
            | TurnEventKind::Shown { .. }
            | TurnEventKind::Usage { .. } => {}
        }
        out
    }

    fn open_step(&mut self, out: &mut Vec<UiChunk>) {
        self.close_step(out);
        out.push(UiChunk::StartStep);
        self.step = Step::Empty;
    }

    fn close_step(&mut self, out: &mut Vec<UiChunk>) {
        self.close_text(out);
        if self.step != Step::Closed {
            out.push(UiChunk::FinishStep);
            self.step = Step::Closed;
        }
    }

    /// A part needs a step. The worker opens them; this only heals a stream that lacks one.
    fn in_step(&mut self, out: &mut Vec<UiChunk>) {
        if self.step == Step::Closed {
            self.open_step(out);
        }
    }

    /// Another worker begins anew after the last complete message; the client keeps what it has.
    fn say_again(&mut self) {
        let left = self.unsure.clone();
        self.again = (!left.is_empty()).then(|| Again { left, said: String::new() });
    }

    /// New words; of those that are said again only what goes beyond what the client has.
    fn say(&mut self, text: &str, out: &mut Vec<UiChunk>) {
        let Some(mut again) = self.again.take() else { return self.say_new(text, out) };
        if let Some(new) = text.strip_prefix(again.left.as_str()) {
            self.say_new(new, out);
        } else if let Some(left) = again.left.strip_prefix(text) {
            again.said.push_str(text);
            self.again = Some(Again { left: left.to_owned(), said: again.said });
        } else {
            again.said.push_str(text);
            self.again = Some(again);
            self.say_otherwise(out);
        }
    }

    fn say_new(&mut self, text: &str, out: &mut Vec<UiChunk>) {
        self.unsure.push_str(text);
        self.grow_text(text, out);
    }

    /// The words are others this time: they begin a text of their own, for the client keeps what it has.
    fn say_otherwise(&mut self, out: &mut Vec<UiChunk>) {
        if let Some(again) = self.again.take().filter(|again| !again.said.is_empty()) {
            self.close_text(out);
            self.unsure.clear();
            self.say_new(&again.said, out);
        }
    }

    fn grow_text(&mut self, text: &str, out: &mut Vec<UiChunk>) {
        if text.is_empty() {
            return;
        }
        self.in_step(out);
        if !self.text_open {
            self.texts += 1;
            self.text_open = true;
            out.push(UiChunk::TextStart { id: self.text_id() });
        }
        self.step = Step::Words;
        out.push(UiChunk::TextDelta { id: self.text_id(), delta: text.to_owned() });
    }

    fn close_text(&mut self, out: &mut Vec<UiChunk>) {
        if self.text_open {
            self.text_open = false;
            out.push(UiChunk::TextEnd { id: self.text_id() });
        }
    }

    fn text_id(&self) -> String {
        format!("text-{}", self.texts)
    }

    fn start_call(
        &mut self,
        id: &CallId,
        name: &str,
        label: &str,
        args: &Value,
        out: &mut Vec<UiChunk>,
    ) {
        let call = ToolCall {
            tool_call_id: id.to_string(),
            tool_name: name.to_owned(),
            provider_executed: Some(true),
            dynamic: Some(true),
            title: Some(label.to_owned()),
        };
        let Some(known) = self.begin(id, name, label, CallState::Running, out) else { return };
        let activity = known.activity(ActivityState::Running);
        out.push(UiChunk::ToolInputStart(call.clone()));
        out.push(UiChunk::ToolInputAvailable { call, input: args.clone() });
        out.push(activity);
    }

    fn ask(&mut self, id: &CallId, question: &str, options: &[String], out: &mut Vec<UiChunk>) {
        if self.begin(id, ASK_STAFFER, "", CallState::Asking, out).is_none() {
            return;
        }
        let call = ToolCall {
            tool_call_id: id.to_string(),
            tool_name: ASK_STAFFER.to_owned(),
            provider_executed: None,
            dynamic: None,
            title: None,
        };
        let input = json!({ "question": question, "options": options });
        out.push(UiChunk::ToolInputStart(call.clone()));
        out.push(UiChunk::ToolInputAvailable { call, input });
    }

    /// Notes a call that begins; none if it has begun before, for a client cannot begin one twice.
    fn begin(
        &mut self,
        id: &CallId,
        name: &str,
        label: &str,
        state: CallState,
        out: &mut Vec<UiChunk>,
    ) -> Option<&Call> {
        if self.calls.iter().any(|call| call.id == *id) {
            return None;
        }
        self.in_step(out);
        self.close_text(out);
        self.step = Step::Calls;
        self.calls.push(Call {
            id: id.clone(),
            name: name.to_owned(),
            label: label.to_owned(),
            state,
        });
        self.calls.last()
    }

    fn ask_approval(&mut self, id: &CallId, out: &mut Vec<UiChunk>) {
        let running = |call: &&mut Call| call.id == *id && call.state == CallState::Running;
        if let Some(call) = self.calls.iter_mut().find(running) {
            call.state = CallState::AwaitingApproval;
            let id = id.to_string();
            out.push(UiChunk::ToolApprovalRequest { approval_id: id.clone(), tool_call_id: id });
        }
    }

    fn end_call(&mut self, id: &CallId, result: &AgentToolResult, out: &mut Vec<UiChunk>) {
        let open = |call: &&mut Call| call.id == *id && call.state != CallState::Ended;
        if let Some(call) = self.calls.iter_mut().find(open) {
            call.end(result, out);
        }
    }

    fn finish(&mut self, reason: EndReason, message: Option<&str>, out: &mut Vec<UiChunk>) {
        let waits = reason == EndReason::Waiting;
        if !waits {
            for call in self.calls.iter_mut().filter(|call| call.state != CallState::Ended) {
                call.end(&AgentToolResult::err(NEVER_ENDED), out);
            }
        }
        let last_word = match (message, waits) {
            // The question is the last word; the person answers it.
            (_, true) => None,
            (Some(message), false) => Some(message),
            // Words that broke off are none to end with.
            (None, false)
                if self.step == Step::Words && finish_reason(reason) != FinishReason::Error =>
            {
                None
            }
            (None, false) => Some(parting(reason)),
        };
        if let Some(sentence) = last_word {
            self.open_step(out);
            self.grow_text(sentence, out);
        }
        self.close_step(out);
        self.ended = true;
        out.push(UiChunk::Finish {
            finish_reason: finish_reason(reason),
            message_metadata: Metadata { turn_id: None, end_reason: Some(reason) },
        });
    }
}

impl Call {
    fn end(&mut self, result: &AgentToolResult, out: &mut Vec<UiChunk>) {
        let asked = self.state == CallState::Asking;
        self.state = CallState::Ended;
        let by_server = (!asked).then_some(true);
        let ended = ToolEnd {
            tool_call_id: self.id.to_string(),
            provider_executed: by_server,
            dynamic: by_server,
        };
        out.push(match result {
            // The client gave the answer itself and reads it back as it gave it: without an envelope.
            AgentToolResult::Ok { data, .. } if asked => {
                UiChunk::ToolOutputAvailable { ended, output: data.clone() }
            }
            AgentToolResult::Ok { data, scope_context } => UiChunk::ToolOutputAvailable {
                ended,
                output: json!({ "data": data, "scopeContext": scope_context }),
            },
            AgentToolResult::Err { error } => {
                UiChunk::ToolOutputError { ended, error_text: error.clone() }
            }
        });
        if !asked {
            let state = if result.is_ok() { ActivityState::Done } else { ActivityState::Failed };
            out.push(self.activity(state));
        }
    }

    fn activity(&self, state: ActivityState) -> UiChunk {
        UiChunk::DataActivity {
            id: self.id.to_string(),
            data: Activity { name: self.name.clone(), label: self.label.clone(), state },
            transient: true,
        }
    }
}

/// The last words of a turn that ended without any.
fn parting(reason: EndReason) -> &'static str {
    match reason {
        EndReason::Done => "I have nothing to add to that.",
        EndReason::Waiting => "I am waiting for your answer.",
        EndReason::Stopped => "Stopped, as you asked.",
        EndReason::Superseded => "You wrote something else, so I let this question go.",
        EndReason::StepLimit => {
            "I stopped here because this took more steps than one message may take."
        }
        EndReason::ModelFailed => "I could not reach my language model, so I stopped here.",
        EndReason::WorkerLost => "I was interrupted before I could finish. Please ask again.",
        EndReason::Failed => "Something went wrong on our side, so I stopped here.",
        EndReason::Deadline => "This took too long, so I stopped here.",
    }
}

fn finish_reason(reason: EndReason) -> FinishReason {
    match reason {
        EndReason::Done => FinishReason::Stop,
        EndReason::Waiting => FinishReason::ToolCalls,
        EndReason::Stopped | EndReason::Superseded => FinishReason::Other,
        EndReason::StepLimit => FinishReason::Length,
        EndReason::ModelFailed
        | EndReason::WorkerLost
        | EndReason::Failed
        | EndReason::Deadline => FinishReason::Error,
    }
}
