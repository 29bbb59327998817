//! What a worker offers, by what the servers say that they serve.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use agent_contract::lock::{Lock, LockedTool};
use agent_contract::wire::{classify, encode_no_handler, encode_response};
use agent_contract::{
    AgentRole, Form, OutgoingCall, Packet, PacketData, RegistryAnswer, RegistryHello, Timestamp,
    ToolTransport, TransportError, TurnEventKind, WireReply, WithheldReason,
};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use serde_json::json;
use tools::agent_tools::DEFS;
use worker::graph::create_served_graph;
use worker::servers::{Servers, Unserved};

use crate::bench::context;
use crate::prompts::parsed;

/// Servers that answer in turn, and how many there are at each question.
#[derive(Default)]
struct Scripted {
    answers: Mutex<VecDeque<Answer>>,
    count: Mutex<VecDeque<u32>>,
}

enum Answer {
    /// A server of this name that serves the registry as this lock has it.
    Serves(&'static str, Box<Lock>),
    /// A Nest server.
    NoHandler,
    /// Nobody.
    Nothing,
}

impl ToolTransport for Scripted {
    fn call(
        &self,
        call: OutgoingCall,
        _: Timestamp,
    ) -> BoxFuture<'_, Result<WireReply, TransportError>> {
        let message = call.addressed("here");
        let Packet::Request { data: PacketData::Json(data), pattern, .. } = classify(&message.body)
        else {
            panic!("a hello is a request")
        };
        assert_eq!(pattern.unwrap().as_str(), "registry.hello");
        let hello: RegistryHello = serde_json::from_value(data).unwrap();
        let answer = self.answers.lock().unwrap().pop_front().expect("nobody else is asked");
        async move {
            match answer {
                Answer::Serves(server, lock) => {
                    let find = |name: &str, _: &_| lock.tool(name);
                    let answer = RegistryAnswer::new(server.to_owned(), &hello, find);
                    Ok(WireReply::new(encode_response(&answer).unwrap()))
                }
                Answer::NoHandler => Ok(WireReply::new(encode_no_handler(&json!("1")))),
                Answer::Nothing => Err(TransportError::Deadline),
            }
        }
        .boxed()
    }

    fn servers(&self) -> BoxFuture<'_, Result<u32, TransportError>> {
        let count = self.count.lock().unwrap().pop_front().unwrap_or(1);
        async move { Ok(count) }.boxed()
    }
}

/// The servers of a script, with what they say.
fn servers(answers: impl IntoIterator<Item = Answer>, count: &[u32]) -> Servers {
    let answers = Mutex::new(answers.into_iter().collect());
    let count = Mutex::new(count.iter().copied().collect());
    Servers::new(Arc::new(Scripted { answers, count }), DEFS, None)
}

/// A server whose registry differs from this build's.
fn serves(server: &'static str, change: impl FnOnce(&mut Lock)) -> Answer {
    let mut lock = Lock::of(DEFS);
    change(&mut lock);
    Answer::Serves(server, Box::new(lock))
}

fn renamed(lock: &mut Lock) {
    let tool = lock.tools.remove("create_department").unwrap();
    let mut shape = tool.shape.clone();
    let properties = shape.args["properties"].as_object_mut().unwrap();
    let name = properties.remove("name").unwrap();
    properties.insert("title".to_owned(), name);
    let tool = LockedTool::new("create_department", tool.access, shape, tool.docs);
    lock.tools.insert("create_department".to_owned(), tool);
}

fn removed(lock: &mut Lock) {
    lock.tools.remove("list_staff").unwrap();
}

fn offered(unserved: &Unserved, tool: &str) -> bool {
    let graph = create_served_graph(&parsed(context()), Form::OpenAi, unserved);
    graph.rover().tool(tool).is_some()
}

#[tokio::test]
async fn as_long_as_nobody_was_asked_all_is_offered() {
    let unserved = servers([], &[]).unserved().await;
    assert!(offered(&unserved, "create_department") && offered(&unserved, "list_staff"));
}

#[tokio::test]
async fn what_one_of_the_servers_refuses_is_not_offered_and_says_so() {
    let servers = servers([serves("new", renamed), serves("old", removed)], &[2]);
    servers.ask().await;
    let unserved = servers.unserved().await;
    let graph = create_served_graph(&parsed(context()), Form::OpenAi, &unserved);
    assert!(graph.rover().tool("list_departments").is_some());
    assert!(!graph.rover().prompt.contains("create_department"), "nor told of");
    let TurnEventKind::Offered { tools, withheld } = graph.offered() else { panic!("offered") };
    for (name, words) in
        [("create_department", "/args/properties/name is gone"), ("list_staff", "no such tool")]
    {
        assert!(tools.iter().all(|tool| tool.name != name), "{name}");
        let why = withheld
            .iter()
            .find(|tool| tool.name == name && tool.reason == WithheldReason::Contract)
            .unwrap_or_else(|| panic!("{name} is withheld"));
        let detail = why.detail.as_deref().unwrap_or_default();
        assert!(detail.contains(words), "{name}: {detail}");
        let found = graph.why_withheld(AgentRole::Rover, name);
        assert_eq!(found, Some(why), "{name}");
    }
}

#[tokio::test]
async fn a_deploy_that_rolls_on_changes_the_answer() {
    let same = |server| serves(server, |_| {});
    let script = [same("old"), same("old"), serves("new", removed), serves("new", removed)];
    let servers = servers(script, &[1, 2, 1]);
    for (offers, step) in [(true, "old alone"), (false, "both"), (false, "new alone")] {
        servers.ask().await;
        assert_eq!(offered(&*servers.unserved().await, "list_staff"), offers, "{step}");
    }
}

#[tokio::test]
async fn a_peer_that_does_not_know_the_question_is_offered_everything() {
    let servers = servers([Answer::NoHandler], &[]);
    servers.ask().await;
    assert_eq!(*servers.unserved().await, Unserved::default());
}

#[tokio::test]
async fn when_nobody_answers_what_was_known_holds() {
    let servers = servers([Answer::Nothing, serves("s", removed), Answer::Nothing], &[]);
    for offers in [true, false, false] {
        servers.ask().await;
        assert_eq!(offered(&*servers.unserved().await, "list_staff"), offers);
    }
}

/// A turn that begins while the first answer is still to come waits for it.
#[tokio::test]
async fn a_turn_waits_for_the_first_answer() {
    let servers = servers([serves("s", removed)], &[]);
    let asking = tokio::spawn({
        let servers = servers.clone();
        async move { servers.ask().await }
    });
    tokio::task::yield_now().await;
    assert!(!offered(&*servers.unserved().await, "list_staff"));
    asking.await.unwrap();
}
