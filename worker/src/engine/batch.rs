//! The calls of one message: reads together, writes one by one, in the model's order.
//!
//! A write waits for all calls before it, and a read for the writes before it, so a model that
//! writes and reads back in one message reads what it wrote.

use agent_contract::ToolReturn;
use futures_util::future::join_all;
use serde_json::Value;

use super::call::{CallEnd, ModelCall, Order, Toolbox};
use super::checkpoint::Parked;

/// What became of a batch.
#[derive(Debug, Default)]
pub(super) struct Settled {
    /// The calls that ended, in the model's order.
    pub(super) returns: Vec<ToolReturn>,
    /// The calls that wait for the person.
    pub(super) parked: Vec<Parked>,
}

/// Runs every call to its end; one that waits for the person holds up none of its siblings.
pub(super) async fn run(toolbox: &dyn Toolbox, calls: Vec<(ModelCall, Option<Value>)>) -> Settled {
    let mut settled = Settled::default();
    let mut together = Vec::new();
    for (call, parked) in calls {
        if toolbox.order(&call.name) == Order::Alone {
            settled.take(std::mem::take(&mut together), toolbox).await;
            settled.take(vec![(call, parked)], toolbox).await;
        } else {
            together.push((call, parked));
        }
    }
    settled.take(together, toolbox).await;
    settled
}

impl Settled {
    async fn take(&mut self, group: Vec<(ModelCall, Option<Value>)>, toolbox: &dyn Toolbox) {
        let ends = group.into_iter().map(|(call, parked)| async move {
            let end = toolbox.call(call.clone(), parked).await;
            (call, end)
        });
        for (call, end) in join_all(ends).await {
            match end {
                CallEnd::Returned(result) => self.returns.push(ToolReturn {
                    tool_call_id: call.tool_call_id,
                    name: call.name,
                    result,
                }),
                CallEnd::Parked(state) => self.parked.push(Parked { call, state }),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::sync::Mutex;

    use agent_contract::AgentToolResult;
    use futures_util::FutureExt;
    use futures_util::future::BoxFuture;
    use serde_json::{Map, json};
    use tokio::sync::Barrier;

    use super::*;
    use crate::engine::CallArgs;

    /// Notes when each call begins and ends. Reads of one group meet at a barrier, which only
    /// opens if they really run together.
    struct Log {
        lines: Mutex<Vec<String>>,
        meet: BTreeMap<&'static str, Barrier>,
    }

    impl Log {
        fn new(meet: BTreeMap<&'static str, Barrier>) -> Self {
            Self { lines: Mutex::default(), meet }
        }

        fn note(&self, line: String) {
            self.lines.lock().expect("no test thread panics while holding it").push(line);
        }
    }

    impl Toolbox for Log {
        fn order(&self, name: &str) -> Order {
            if name.starts_with("write") { Order::Alone } else { Order::Together }
        }

        fn call(&self, call: ModelCall, _parked: Option<Value>) -> BoxFuture<'_, CallEnd> {
            async move {
                self.note(format!("> {}", call.tool_call_id));
                if let Some(barrier) = self.meet.get(call.name.as_str()) {
                    barrier.wait().await;
                }
                tokio::task::yield_now().await;
                self.note(format!("< {}", call.tool_call_id));
                if call.name == "ask" {
                    CallEnd::Parked(json!("asked"))
                } else {
                    CallEnd::Returned(AgentToolResult::ok(json!(call.tool_call_id), ""))
                }
            }
            .boxed()
        }
    }

    fn calls(names: &[&str]) -> Vec<(ModelCall, Option<Value>)> {
        let call = |(index, name): (usize, &&str)| ModelCall {
            step: 0,
            index: u32::try_from(index).expect("few calls"),
            tool_call_id: format!("{name}{index}"),
            name: (*name).to_owned(),
            args: CallArgs::Object(Map::new()),
        };
        names.iter().enumerate().map(call).map(|call| (call, None)).collect()
    }

    fn ids(returns: &[ToolReturn]) -> Vec<&str> {
        returns.iter().map(|back| back.tool_call_id.as_str()).collect()
    }

    #[tokio::test]
    async fn reads_run_together_and_writes_wait() {
        let log = Log::new(BTreeMap::from([("read", Barrier::new(2))]));
        let settled = run(&log, calls(&["read", "read", "write", "write", "read", "read"])).await;
        assert_eq!(ids(&settled.returns), ["read0", "read1", "write2", "write3", "read4", "read5"]);
        let lines = log.lines.into_inner().expect("unpoisoned");
        let at = |line: &str| lines.iter().position(|seen| seen == line).expect(line);
        assert!(at("> write2") > at("< read0").max(at("< read1")));
        assert!(at("> write3") > at("< write2"));
        assert!(at("> read4").min(at("> read5")) > at("< write3"));
    }

    #[tokio::test]
    async fn a_question_holds_up_no_sibling() {
        let log = Log::new(BTreeMap::new());
        let settled = run(&log, calls(&["ask", "write", "read"])).await;
        assert_eq!(ids(&settled.returns), ["write1", "read2"]);
        assert_eq!(settled.parked.len(), 1);
        assert_eq!(settled.parked[0].state, json!("asked"));
    }
}
