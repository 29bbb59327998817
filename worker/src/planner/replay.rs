//! The turn so far, read from the conversation.
//!
//! The planner keeps no state: at each step it runs its plan from the top, and a call that the
//! conversation already holds with its result returns at once. The first call that is missing is
//! what the planner answers with.

use serde_json::Value;

use super::{PlannedCall, PlannerMessage, Role};

/// The calls of this turn that have their results.
#[derive(Debug)]
pub(super) struct Replay {
    done: Vec<Done>,
}

#[derive(Debug)]
struct Done {
    name: String,
    arguments: Value,
    result: Value,
    taken: bool,
}

/// What the person asked for in this turn, if anyone did.
pub(super) fn request(messages: &[PlannerMessage]) -> Option<&str> {
    messages.iter().rfind(|message| message.role == Role::User).map(|message| message.text.as_str())
}

impl Replay {
    /// Reads the turn that the last message of a person began.
    pub(super) fn of(messages: &[PlannerMessage]) -> Self {
        let start = messages.iter().rposition(|message| message.role == Role::User);
        let turn = &messages[start.map_or(messages.len(), |at| at + 1)..];
        let result = |id: &str| {
            let answers = |message: &&PlannerMessage| message.tool_call_id.as_deref() == Some(id);
            turn.iter().filter(|message| message.role == Role::Tool).find(answers)
        };
        let calls = turn.iter().flat_map(|message| &message.tool_calls);
        let done = calls.filter_map(|call| {
            let result = json(&result(&call.id)?.text);
            let (name, arguments) = (call.name.clone(), call.arguments.clone());
            Some(Done { name, arguments, result, taken: false })
        });
        Self { done: done.collect() }
    }

    /// The results of these calls, as far as they were made; each made call answers once. A call
    /// whose arguments the person edited before approving it answers for the one still open.
    pub(super) fn take(&mut self, calls: &[PlannedCall]) -> Vec<Option<Value>> {
        let mut results: Vec<_> = calls.iter().map(|call| self.take_same(call)).collect();
        for (call, result) in calls.iter().zip(&mut results) {
            if result.is_none() {
                *result = self.take_where(|done| done.name == call.name);
            }
        }
        results
    }

    fn take_same(&mut self, call: &PlannedCall) -> Option<Value> {
        self.take_where(|done| done.name == call.name && done.arguments == call.arguments)
    }

    fn take_where(&mut self, fits: impl Fn(&Done) -> bool) -> Option<Value> {
        let done = self.done.iter_mut().find(|done| !done.taken && fits(done))?;
        done.taken = true;
        Some(done.result.clone())
    }
}

/// A tool's result; text that is no JSON is itself.
fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.to_owned()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::planner::MadeCall;

    fn message(role: Role, text: &str) -> PlannerMessage {
        PlannerMessage { role, text: text.to_owned(), tool_calls: Vec::new(), tool_call_id: None }
    }

    fn called(id: &str, name: &str, arguments: Value) -> PlannerMessage {
        let call = MadeCall { id: id.to_owned(), name: name.to_owned(), arguments };
        PlannerMessage { tool_calls: vec![call], ..message(Role::Assistant, "") }
    }

    fn result(id: &str, text: &str) -> PlannerMessage {
        PlannerMessage { tool_call_id: Some(id.to_owned()), ..message(Role::Tool, text) }
    }

    fn call(name: &str, arguments: Value) -> PlannedCall {
        PlannedCall { name: name.to_owned(), arguments }
    }

    #[test]
    fn only_this_turns_answered_calls_are_taken_and_each_once() {
        let messages = [
            message(Role::User, "before"),
            called("0", "find", json!({"name": "old"})),
            result("0", "[]"),
            message(Role::User, "now"),
            called("1", "find", json!({"name": "a"})),
            result("1", "{\"data\":1}"),
            called("2", "find", json!({"name": "b"})),
            result("2", "gone"),
            called("3", "find", json!({"name": "c"})),
        ];
        assert_eq!(request(&messages), Some("now"));
        let mut replay = Replay::of(&messages);
        let (a, b) = (call("find", json!({"name": "a"})), call("find", json!({"name": "b"})));
        let both = replay.take(&[b.clone(), a.clone()]);
        assert_eq!(both, [Some(json!("gone")), Some(json!({"data": 1}))]);
        assert_eq!(replay.take(&[a, b]), [None, None]);
    }

    #[test]
    fn an_edited_call_answers_for_the_open_one_and_for_no_other() {
        let messages = [
            message(Role::User, "now"),
            called("1", "create", json!({"name": "edited"})),
            result("1", "{\"data\":1}"),
            called("2", "create", json!({"name": "b"})),
            result("2", "{\"data\":2}"),
        ];
        let create = |name: &str| call("create", json!({"name": name}));
        let mut replay = Replay::of(&messages);
        assert_eq!(replay.take(&[call("other", json!({}))]), [None]);
        let results = replay.take(&[create("a"), create("b"), create("c")]);
        assert_eq!(results, [Some(json!({"data": 1})), Some(json!({"data": 2})), None]);
    }
}
