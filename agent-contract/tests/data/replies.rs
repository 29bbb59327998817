//! What a client takes for a reply: the odd replies that were sent to real Nest clients, and what
//! a Nest server publishes for each kind of handler.

use agent_contract::AgentToolResult;
use agent_contract::ReplyPacket::{self, Complete, Failed, NoHandler, Value as Partial};
use agent_contract::wire::{decode_reply, encode_reply};
use proptest::prelude::*;
use serde_json::json;

#[test]
fn replies_are_taken_as_a_nest_client_takes_them() {
    let a = || json!({"a": 1});
    let rows: Vec<(&str, &str, ReplyPacket)> = vec![
        ("full", r#"{"id":"i","response":{"a":1},"isDisposed":true}"#, Complete(Some(a()))),
        ("noid", r#"{"response":{"a":1},"isDisposed":true}"#, Complete(Some(a()))),
        // Versions 10 and 11; 12 would take the whole packet for the value and so lose it.
        (
            "extra",
            r#"{"id":"i","response":{"a":1},"isDisposed":true,"traceId":"t"}"#,
            Complete(Some(a())),
        ),
        (
            "errnull",
            r#"{"err":null,"response":{"a":1},"isDisposed":true,"id":"i"}"#,
            Complete(Some(a())),
        ),
        ("errnullundisposed", r#"{"err":null,"response":{"a":1},"id":"i"}"#, Partial(a())),
        (
            "errempty",
            r#"{"err":"","response":{"a":1},"isDisposed":true,"id":"i"}"#,
            Complete(Some(a())),
        ),
        ("errobj", r#"{"err":{"code":"X","message":"m"},"id":"i"}"#, Failed("m".into())),
        (
            "errobj without message",
            r#"{"err":{"code":"X"},"id":"i"}"#,
            Failed(r#"{"code":"X"}"#.into()),
        ),
        ("errstr", r#"{"err":"boom","id":"i","isDisposed":true}"#, Failed("boom".into())),
        ("noDispose", r#"{"response":{"a":1},"id":"i"}"#, Partial(a())),
        (
            "bareData",
            r#"{"data":{"a":1},"scopeContext":"s"}"#,
            Complete(Some(json!({"data": {"a": 1}, "scopeContext": "s"}))),
        ),
        (
            "bareError",
            r#"{"error":"Permission denied"}"#,
            Complete(Some(json!({"error": "Permission denied"}))),
        ),
        ("bareString", r#""hi""#, Complete(Some(json!("hi")))),
        ("emptyObj", "{}", Complete(Some(json!({})))),
        ("onlyDisposed", r#"{"isDisposed":true,"id":"i"}"#, Complete(None)),
        ("responseNull", r#"{"response":null,"isDisposed":true}"#, Complete(Some(json!(null)))),
        ("disposedFalse", r#"{"response":{"a":1},"isDisposed":false}"#, Partial(a())),
        (
            "respHasErrKey",
            r#"{"err":"x","response":{"a":1},"isDisposed":true}"#,
            Failed("x".into()),
        ),
        ("notjson", "<oops>", Complete(Some(json!("<oops>")))),
        (
            "thrown",
            r#"{"err":{"status":"error","message":"Internal server error"},"isDisposed":true}"#,
            Failed("Internal server error".into()),
        ),
        (
            "unknown pattern",
            r#"{"id":"i","err":"There is no matching message handler defined in the remote service.","status":"error"}"#,
            NoHandler,
        ),
        ("first of three", r#"{"response":{"n":1}}"#, Partial(json!({"n": 1}))),
        (
            "last of three",
            r#"{"response":{"n":3},"isDisposed":true}"#,
            Complete(Some(json!({"n": 3}))),
        ),
    ];
    for (name, body, expected) in rows {
        assert_eq!(decode_reply(body.as_bytes()), expected, "{name}");
    }
}

proptest! {
    #[test]
    fn a_result_survives_the_reply(data in "\\PC{0,20}", sentence in "\\PC{0,20}", ok: bool) {
        let result = if ok {
            AgentToolResult::ok(json!(data), sentence)
        } else {
            AgentToolResult::err(sentence)
        };
        let Complete(Some(value)) = decode_reply(&encode_reply(&result).unwrap()) else {
            return Err(TestCaseError::fail("a reply of ours is complete"));
        };
        prop_assert_eq!(serde_json::from_value::<AgentToolResult>(value).unwrap(), result);
    }

    #[test]
    fn no_bytes_break_the_client(body in prop::collection::vec(any::<u8>(), 0..64)) {
        let _ = decode_reply(&body);
    }
}
