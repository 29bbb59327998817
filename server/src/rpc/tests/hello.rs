//! The registry handshake: what a server answers to a worker that says which versions it holds.

use agent_contract::lock::Lock;
use agent_contract::wire::encode_request;
use agent_contract::{
    HeldTool, RegistryAnswer, RegistryHello, ToolDefinition, ToolEndpoint as _, ToolStanding,
    WireMessage,
};
use serde_json::{Value, json};
use tools::agent_tools::{self, DEFS};

use super::bench::{Bench, lock};
use super::versions::with_history;
use crate::domain::SchoolHost;
use crate::rpc::Executor;
use crate::rpc::routes::Routes;

const CREATE: &str = "create_department";

fn serving(bench: &Bench, lock: &Lock) -> Executor {
    bench.serving(Routes::of(agent_tools::routes::<SchoolHost>(), lock))
}

/// Asks as any worker would: no token, no identity, no header of ours.
async fn ask(executor: &Executor, data: &Value) -> Value {
    let packet = encode_request("registry.hello", data, "h1");
    let reply = executor.handle(WireMessage::new(packet)).await.expect("a request is answered");
    assert!(reply.headers.is_empty(), "a Nest peer gets no header of ours");
    let packet: Value = serde_json::from_slice(&reply.body).unwrap();
    let keys: Vec<&String> = packet.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["response", "isDisposed"], "a Nest client would take more for the answer");
    packet["response"].clone()
}

async fn answer(executor: &Executor, hello: &RegistryHello) -> RegistryAnswer {
    serde_json::from_value(ask(executor, &json!(hello)).await).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_of_the_same_build_may_call_everything() {
    let bench = Bench::new().await;
    let hello = RegistryHello::of(DEFS);
    let remote: Vec<&str> =
        DEFS.iter().filter(|def| def.event.is_some()).map(|def| def.name).collect();
    let answer = answer(&bench.executor, &hello).await;
    assert_eq!(answer.tools.len(), remote.len());
    for name in remote {
        assert_eq!(answer.tools[name], ToolStanding::Same, "{name}");
    }
    assert!(DEFS.iter().filter(|def| def.event.is_some()).all(|def| answer.refusal(def).is_none()));
    let other = serving(&bench, &lock());
    let again = self::answer(&bench.executor, &hello).await;
    assert_eq!(again.server, answer.server, "one server is one");
    assert_ne!(self::answer(&other, &hello).await.server, answer.server, "and no other");
}

#[tokio::test(flavor = "multi_thread")]
async fn each_other_version_is_told_how_it_stands() {
    let bench = Bench::new().await;
    let (lock, superseded, accepted) = with_history();
    let executor = serving(&bench, &lock);
    let event = "create.department";
    let served = || ToolStanding::Incompatible { served: lock.tools[CREATE].shape.clone() };
    let rows = [
        (CREATE, event, lock.tools[CREATE].hashes.wire.as_str(), ToolStanding::Same),
        (CREATE, event, accepted.as_str(), ToolStanding::Compatible),
        (CREATE, event, superseded.as_str(), served()),
        (CREATE, event, "0123456789abcdef", served()),
        // Found by its event whatever it is called, and by its name where the event moved.
        ("make_department", event, accepted.as_str(), ToolStanding::Compatible),
        (CREATE, "make.department", "0123456789abcdef", served()),
        ("make_department", "make.department", "0123456789abcdef", ToolStanding::Unknown),
        ("ask_staffer", "ask.staffer", "0123456789abcdef", ToolStanding::Unknown),
    ];
    for (name, event, wire, expected) in rows {
        let held = HeldTool { event: event.to_owned(), wire: wire.parse().unwrap() };
        let tools = [(name.to_owned(), held)].into();
        let answer = answer(&executor, &RegistryHello { envelope: 1, tools }).await;
        assert_eq!(answer.tools[name], expected, "{name} {event} {wire}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_worker_can_say_where_its_version_differs() {
    fn renamed() -> Value {
        let mut schema = (definition().args_schema)();
        let properties = schema["properties"].as_object_mut().unwrap();
        let name = properties.remove("name").unwrap();
        properties.insert("title".to_owned(), name);
        schema
    }
    fn definition() -> &'static ToolDefinition {
        DEFS.iter().find(|def| def.name == CREATE).unwrap()
    }
    let bench = Bench::new().await;
    let mut field = *definition();
    field.args_schema = renamed;
    let mut event = *definition();
    event.event = Some("make.department");
    for (held, difference) in [
        (&field, "/args/properties/name is new: "),
        (&event, "/event was \"make.department\" and is \"create.department\""),
    ] {
        let answer = answer(&bench.executor, &RegistryHello::of(&[held])).await;
        let refusal = answer.refusal(held).unwrap();
        assert!(refusal.contains(difference), "{refusal}");
    }
    let mut answer = answer(&bench.executor, &RegistryHello::of(&[&field])).await;
    answer.envelope = 2;
    let refusal = answer.refusal(&field).unwrap();
    assert!(refusal.contains("envelope 2") && refusal.contains("in 1"), "{refusal}");
    answer.tools.clear();
    assert!(answer.refusal(&field).unwrap().contains("no such tool"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_that_cannot_be_read_is_answered_and_an_event_is_not() {
    let bench = Bench::new().await;
    for data in
        [json!(null), json!({ "envelope": 1 }), json!({ "envelope": 1, "tools": { "x": 1 } })]
    {
        let error = ask(&bench.executor, &data).await["error"].to_string();
        assert!(error.contains("what the worker holds cannot be read"), "{data}: {error}");
    }
    let event = json!({ "pattern": "registry.hello", "data": RegistryHello::of(DEFS) });
    let event = WireMessage::new(event.to_string().into_bytes());
    assert!(bench.executor.handle(event).await.is_none());
}
