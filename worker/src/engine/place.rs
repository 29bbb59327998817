//! Where an agent stands: what was said, which calls are open, and which step comes next.
//!
//! A run begins at one of three places: with the person's message, at a question that has its answer, or where a lost
//! worker left it. The third is one of the first two and the messages that the lost worker completed after it.

use agent_contract::{AssistantPart, HistoryMessage};
use serde_json::Value;

use super::call::ModelCall;
use super::checkpoint::Checkpoint;
use super::convert;

/// A place to run on from.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// Everything said so far.
    pub(super) said: Vec<HistoryMessage>,
    /// The calls without a return, each with the state that it left if it waited.
    pub(super) open: Vec<(ModelCall, Option<Value>)>,
    /// The model's next step; that of the open calls is the one before.
    pub(super) next: u32,
}

impl Place {
    /// A conversation whose last message is to be answered.
    pub fn of(said: Vec<HistoryMessage>) -> Self {
        Self { said, open: Vec::new(), next: 0 }
    }

    /// The place, after what was said since then by a worker that is gone.
    #[must_use]
    pub fn after(mut self, told: Vec<HistoryMessage>) -> Self {
        for message in told {
            match &message {
                HistoryMessage::Assistant { parts } => {
                    let calls = convert::kept_calls(self.next, parts);
                    self.open = calls.into_iter().map(|call| (call, None)).collect();
                    self.next = self.next.saturating_add(1);
                }
                HistoryMessage::Tool { parts } => self.open.retain(|(call, _)| {
                    !parts.iter().any(|back| back.tool_call_id == call.tool_call_id)
                }),
                HistoryMessage::User { .. } => {}
            }
            self.said.push(message);
        }
        self
    }
}

impl From<Checkpoint> for Place {
    fn from(checkpoint: Checkpoint) -> Self {
        let Checkpoint { step, conversation, parked, .. } = checkpoint;
        let open = parked.into_iter().map(|parked| (parked.call, Some(parked.state))).collect();
        Self { said: conversation, open, next: step.saturating_add(1) }
    }
}

/// The answer that ends a conversation, if it has ended.
pub(super) fn answered(said: &[HistoryMessage]) -> Option<String> {
    let Some(HistoryMessage::Assistant { parts }) = said.last() else { return None };
    let mut answer = String::new();
    for part in parts {
        match part {
            AssistantPart::Text { text } => answer.push_str(text),
            AssistantPart::ToolCall { .. } => return None,
        }
    }
    Some(answer)
}

#[cfg(test)]
mod tests {
    use agent_contract::{AgentToolResult, ToolReturn};
    use serde_json::json;

    use super::*;
    use crate::engine::CallArgs;
    use crate::engine::checkpoint::Parked;

    fn calls(ids: &[&str]) -> HistoryMessage {
        let part = |id: &&str| AssistantPart::ToolCall {
            tool_call_id: (*id).to_owned(),
            name: "write".to_owned(),
            args: json!({ "id": id }),
            cut_off: *id == "cut",
        };
        HistoryMessage::Assistant { parts: ids.iter().map(part).collect() }
    }

    fn returns(ids: &[&str]) -> HistoryMessage {
        let back = |id: &&str| ToolReturn {
            tool_call_id: (*id).to_owned(),
            name: "write".to_owned(),
            result: AgentToolResult::ok(json!(id), ""),
        };
        HistoryMessage::Tool { parts: ids.iter().map(back).collect() }
    }

    fn open(place: &Place) -> Vec<(u32, u32, &str)> {
        let call = |(call, _): &_| {
            let call: &ModelCall = call;
            (call.step, call.index)
        };
        place
            .open
            .iter()
            .map(|entry| (call(entry).0, call(entry).1, entry.0.tool_call_id.as_str()))
            .collect()
    }

    #[test]
    fn calls_keep_their_step_and_place_whatever_was_answered() {
        let asked = || Place::of(vec![HistoryMessage::user("do it")]);
        let cases = [
            (vec![], vec![], 0),
            (vec![calls(&["a", "b"])], vec![(0, 0, "a"), (0, 1, "b")], 1),
            (vec![calls(&["a", "b"]), returns(&["a"])], vec![(0, 1, "b")], 1),
            (vec![calls(&["a"]), returns(&["a"])], vec![], 1),
            (vec![calls(&["a"]), returns(&["a"]), calls(&["a"])], vec![(1, 0, "a")], 2),
            (vec![calls(&["a"]), returns(&["a"]), HistoryMessage::assistant("done")], vec![], 2),
        ];
        for (told, expected, next) in cases {
            let place = asked().after(told.clone());
            assert_eq!((open(&place), place.next), (expected, next), "{told:?}");
        }
    }

    #[test]
    fn a_question_that_was_answered_goes_on_with_what_it_kept() {
        let call = ModelCall {
            step: 3,
            index: 0,
            tool_call_id: "q".to_owned(),
            name: "ask".to_owned(),
            args: CallArgs::Object(serde_json::Map::new()),
        };
        let parked = Parked { call, state: json!("kept") };
        let checkpoint = Checkpoint::new(3, vec![HistoryMessage::user("do it")], vec![parked]);
        let place = Place::from(checkpoint.clone()).after(Vec::new());
        assert_eq!(place.open[0].1, Some(json!("kept")));
        let place = Place::from(checkpoint).after(vec![returns(&["q"]), calls(&["a"])]);
        assert_eq!((open(&place), place.next), (vec![(4, 0, "a")], 5));
    }

    #[test]
    fn a_call_that_was_cut_off_stays_cut_off() {
        let place = Place::of(Vec::new()).after(vec![calls(&["cut"])]);
        assert!(matches!(place.open[0].0.args, CallArgs::CutOff(_)), "{:?}", place.open);
    }

    #[test]
    fn words_alone_are_the_answer() {
        assert_eq!(answered(&[HistoryMessage::assistant("done")]).as_deref(), Some("done"));
        for said in [HistoryMessage::user("do it"), calls(&["a"]), returns(&["a"])] {
            assert_eq!(answered(&[said]), None);
        }
    }
}
