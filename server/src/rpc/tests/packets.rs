//! The odd packets that a real Nest server was seen to answer or to ignore. What it does with each is read from its
//! own record; where this server differs, the table says why.

use std::collections::BTreeMap;

use agent_contract::{ToolEndpoint as _, WireMessage, WireReply};
use serde_json::{Value, json};

use super::bench::Bench;

const NEST: &str = include_str!("../../../tests/data/amqp-odd-requests.nest.txt");
const NO_HANDLER: &str = "There is no matching message handler defined in the remote service.";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Silent,
    NoHandler,
    Answered,
}
use Class::{Answered, NoHandler, Silent};

/// The probes as `amqp-odd-requests.mjs` sends them; `wire.echo` there is a tool here.
fn probes() -> Vec<(&'static str, Vec<u8>)> {
    let tool = "list.departments";
    let packet = |packet: Value| packet.to_string().into_bytes();
    let bom =
        [&[0xef, 0xbb, 0xbf][..], br#"{"pattern":"list.departments","data":1,"id":"i"}"#].concat();
    let data = json!({ "x": 1 });
    vec![
        ("normal", packet(json!({ "pattern": tool, "data": data, "id": "i1" }))),
        ("idNumber", packet(json!({ "pattern": tool, "data": data, "id": 7 }))),
        ("idNull", packet(json!({ "pattern": tool, "data": data, "id": null }))),
        ("idEmpty", packet(json!({ "pattern": tool, "data": data, "id": "" }))),
        ("noId", packet(json!({ "pattern": tool, "data": data }))),
        (
            "extraKeys",
            packet(json!({ "pattern": tool, "data": data, "id": "i", "metadata": {}, "foo": 2 })),
        ),
        ("noData", packet(json!({ "pattern": tool, "id": "i" }))),
        ("dataNull", packet(json!({ "pattern": tool, "data": null, "id": "i" }))),
        ("dataString", packet(json!({ "pattern": tool, "data": "abc", "id": "i" }))),
        (
            "patternObjReordered",
            packet(
                json!({ "pattern": { "entity": "department", "cmd": "create" }, "data": 1, "id": "i" }),
            ),
        ),
        (
            "patternObjAsString",
            packet(
                json!({ "pattern": r#"{"cmd":"create","entity":"department"}"#, "data": 1, "id": "i" }),
            ),
        ),
        (
            "patternStringSpaced",
            packet(
                json!({ "pattern": r#"{ "entity" : "department", "cmd":"create" }"#, "data": 1, "id": "i" }),
            ),
        ),
        ("unknown", packet(json!({ "pattern": "nope", "data": 1, "id": "i" }))),
        ("patternMissing", packet(json!({ "data": 1, "id": "i" }))),
        (
            "eventPatternWithId",
            packet(json!({ "pattern": "department.created", "data": 1, "id": "i" })),
        ),
        ("notJson", b"hello".to_vec()),
        ("array", b"[1,2]".to_vec()),
        ("foreign", packet(json!({ "hello": "world", "id": "x" }))),
        ("empty", Vec::new()),
        (
            "bigInt",
            br#"{"pattern":"list.departments","data":{"n":12345678901234567890},"id":"i"}"#
                .to_vec(),
        ),
        ("utf8bom", bom),
        ("corrDiffersFromId", packet(json!({ "pattern": tool, "data": 1, "id": "other" }))),
    ]
}

/// Where this server has no handler and the recorded one had.
const NO_SUCH_HANDLER_HERE: [&str; 4] =
    ["patternObjReordered", "patternObjAsString", "patternStringSpaced", "eventPatternWithId"];

/// What the real server did, by probe. Those that only differ in their AMQP properties are left to the broker's tests.
fn recorded() -> BTreeMap<&'static str, Class> {
    NEST.lines()
        .filter(|line| !line.starts_with(' '))
        .map(|line| {
            let (name, replies) = line.split_once(' ').unwrap();
            let replies: Vec<Value> = serde_json::from_str(replies.trim()).unwrap();
            let class = match &replies[..] {
                [] => Silent,
                [reply] if reply["body"].as_str().unwrap().contains(NO_HANDLER) => NoHandler,
                [_] => Answered,
                more => panic!("{name} was answered {} times", more.len()),
            };
            (name, class)
        })
        .collect()
}

fn class(reply: Option<&WireReply>) -> Class {
    let Some(reply) = reply else { return Silent };
    assert!(reply.headers.is_empty(), "a peer that sent no header of ours gets none");
    let body: Value = serde_json::from_slice(&reply.body).unwrap();
    let keys: Vec<_> = body.as_object().unwrap().keys().map(String::as_str).collect();
    match &keys[..] {
        ["response", "isDisposed"] => Answered,
        ["id", "err", "status"] => NoHandler,
        other => panic!("no reply of Nest's has the keys {other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn odd_packets_are_answered_or_ignored_as_nest_does() {
    let bench = Bench::new().await;
    let recorded = recorded();
    let before = bench.rows().await;
    for (name, body) in probes() {
        let expected =
            if NO_SUCH_HANDLER_HERE.contains(&name) { NoHandler } else { recorded[name] };
        let reply = bench.executor.handle(WireMessage::new(body)).await;
        assert_eq!(class(reply.as_ref()), expected, "{name}");
    }
    assert_eq!(bench.rows().await, before);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pattern_without_handler_gets_nests_own_words() {
    let bench = Bench::new().await;
    let recorded = NEST.lines().find(|line| line.starts_with("unknown ")).unwrap();
    let recorded: Value = serde_json::from_str(recorded.split_once(' ').unwrap().1.trim()).unwrap();
    let body = json!({ "pattern": "nope", "data": 1, "id": "i" }).to_string().into_bytes();
    let reply = bench.executor.handle(WireMessage::new(body)).await.unwrap();
    assert_eq!(String::from_utf8(reply.body).unwrap(), recorded[0]["body"].as_str().unwrap());
}
