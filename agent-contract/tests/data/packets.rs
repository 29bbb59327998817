//! How a server takes packets: the probes that were sent to real Nest servers (10.4.22, 11.2.6 and
//! 12.1.1, which answered alike), and what their answers show about each.

use agent_contract::wire::{
    NO_HANDLER, classify, encode_empty_reply, encode_event, encode_no_handler, encode_reply,
    encode_request,
};
use agent_contract::{AgentToolResult, Outcome, Packet, PacketData, WireMessage, WireReply};
use proptest::prelude::*;
use serde_json::{Value, json};

/// A packet that Nest answers.
fn request(id: Value, pattern: Option<&str>, data: PacketData) -> Expected {
    Expected::Request(id, pattern.map(str::to_owned), data)
}

#[derive(Debug, PartialEq)]
enum Expected {
    Request(Value, Option<String>, PacketData),
    Silence,
}

fn seen(body: &[u8]) -> Expected {
    match classify(body) {
        Packet::Request { id, pattern, data } => {
            Expected::Request(id, pattern.map(|pattern| pattern.to_string()), data)
        }
        Packet::Event { .. } => Expected::Silence,
    }
}

#[test]
fn packets_are_told_apart_as_nest_does() {
    let object = r#"{"cmd":"create","entity":"department"}"#;
    let x = || PacketData::Json(json!({"x": 1}));
    let one = || PacketData::Json(json!(1));
    let rows: Vec<(&str, &str, Expected)> = vec![
        (
            "normal",
            r#"{"pattern":"wire.echo","data":{"x":1},"id":"i1"}"#,
            request(json!("i1"), Some("wire.echo"), x()),
        ),
        (
            "idNumber",
            r#"{"pattern":"wire.echo","data":{"x":1},"id":7}"#,
            request(json!(7), Some("wire.echo"), x()),
        ),
        (
            "idNull",
            r#"{"pattern":"wire.echo","data":{"x":1},"id":null}"#,
            request(Value::Null, Some("wire.echo"), x()),
        ),
        (
            "idEmpty",
            r#"{"pattern":"wire.echo","data":{"x":1},"id":""}"#,
            request(json!(""), Some("wire.echo"), x()),
        ),
        ("noId", r#"{"pattern":"wire.echo","data":{"x":1}}"#, Expected::Silence),
        (
            "extraKeys",
            r#"{"pattern":"wire.echo","data":{"x":1},"id":"i","metadata":{"t":"1"},"foo":2}"#,
            request(json!("i"), Some("wire.echo"), x()),
        ),
        (
            "noData",
            r#"{"pattern":"wire.echo","id":"i"}"#,
            request(json!("i"), Some("wire.echo"), PacketData::Absent),
        ),
        (
            "dataNull",
            r#"{"pattern":"wire.echo","data":null,"id":"i"}"#,
            request(json!("i"), Some("wire.echo"), PacketData::Json(Value::Null)),
        ),
        (
            "dataString",
            r#"{"pattern":"wire.echo","data":"abc","id":"i"}"#,
            request(json!("i"), Some("wire.echo"), PacketData::Json(json!("abc"))),
        ),
        (
            "patternObjReordered",
            r#"{"pattern":{"entity":"department","cmd":"create"},"data":1,"id":"i"}"#,
            request(json!("i"), Some(object), one()),
        ),
        (
            "patternObjAsString",
            r#"{"pattern":"{\"cmd\":\"create\",\"entity\":\"department\"}","data":1,"id":"i"}"#,
            request(json!("i"), Some(object), one()),
        ),
        (
            "patternStringSpaced",
            r#"{"pattern":"{ \"entity\" : \"department\", \"cmd\":\"create\" }","data":1,"id":"i"}"#,
            request(json!("i"), Some(object), one()),
        ),
        (
            "unknown",
            r#"{"pattern":"nope","data":1,"id":"i"}"#,
            request(json!("i"), Some("nope"), one()),
        ),
        ("patternMissing", r#"{"data":1,"id":"i"}"#, request(json!("i"), None, one())),
        ("notJson", "hello", Expected::Silence),
        ("array", "[1,2]", Expected::Silence),
        ("foreign", r#"{"hello":"world","id":"x"}"#, Expected::Silence),
        ("empty", "", Expected::Silence),
        (
            "utf8bom",
            "\u{feff}{\"pattern\":\"wire.echo\",\"data\":1,\"id\":\"i\"}",
            Expected::Silence,
        ),
        ("jsonNull", "null", Expected::Silence),
        ("jsonString", "\"hi\"", Expected::Silence),
        ("truncated", r#"{"pattern":"wire.echo","data":{"x":1"#, Expected::Silence),
    ];
    for (probe, body, expected) in rows {
        assert_eq!(seen(body.as_bytes()), expected, "{probe}");
    }
}

#[test]
fn what_nest_would_read_and_we_do_not_is_still_answered() {
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let packet = |data: &str| format!(r#"{{"pattern":"wire.echo","data":{data},"id":"i"}}"#);
    let mut not_text = packet("\"a?b\"").into_bytes();
    let mark = not_text.iter().position(|byte| *byte == b'?').unwrap();
    not_text[mark] = 0xff;
    for body in [
        packet(&deep).into_bytes(),
        packet(r#""\ud800""#).into_bytes(),
        packet("1e999").into_bytes(),
        not_text,
    ] {
        let Packet::Request { id, pattern, data } = classify(&body) else {
            panic!("Nest answers this packet");
        };
        assert_eq!((id, pattern.unwrap().as_str()), (json!("i"), "wire.echo"));
        assert!(matches!(data, PacketData::Unreadable(_)));
    }
}

#[test]
fn a_request_is_written_byte_for_byte_as_nest_writes_it() {
    let data = json!({
        "identity": {"sub": "usr_1"},
        "scope": {"mode": "campus", "campusId": "cmp_1"},
        "args": {"name": "Mathematics"},
    });
    let bytes = encode_request("create.department", &data, "72057659c4cba3c2b1e88");
    assert_eq!(
        String::from_utf8(bytes).unwrap(),
        r#"{"pattern":"create.department","data":{"identity":{"sub":"usr_1"},"scope":{"mode":"campus","campusId":"cmp_1"},"args":{"name":"Mathematics"}},"id":"72057659c4cba3c2b1e88"}"#
    );
    assert_eq!(
        String::from_utf8(encode_event("department.created", &json!({"x": 1}))).unwrap(),
        r#"{"pattern":"department.created","data":{"x":1}}"#
    );
}

#[test]
fn replies_are_written_byte_for_byte_as_nest_writes_them() {
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let ok = AgentToolResult::ok(json!({"id": "dep_1"}), "All campuses.");
    assert_eq!(
        text(encode_reply(&ok).unwrap()),
        r#"{"response":{"data":{"id":"dep_1"},"scopeContext":"All campuses."},"isDisposed":true}"#
    );
    let refused: AgentToolResult = AgentToolResult::err("Permission denied: no");
    assert_eq!(
        text(encode_reply(&refused).unwrap()),
        r#"{"response":{"error":"Permission denied: no"},"isDisposed":true}"#
    );
    assert_eq!(text(encode_empty_reply()), r#"{"isDisposed":true}"#);
    assert_eq!(
        text(encode_no_handler(&json!("i"))),
        r#"{"id":"i","err":"There is no matching message handler defined in the remote service.","status":"error"}"#
    );
    assert_eq!(
        text(encode_no_handler(&json!(7))),
        format!(r#"{{"id":7,"err":"{NO_HANDLER}","status":"error"}}"#)
    );
}

#[test]
fn headers_say_when_to_stop_and_how_it_ended() {
    let message = WireMessage::default().with_header("x-rover-deadline", "1769934600123");
    assert_eq!(message.deadline().unwrap().unwrap().to_string(), "2026-02-01T08:30:00.123Z");
    assert_eq!(WireMessage::default().deadline(), Ok(None));
    for wrong in ["", "soon", "nan", "1e3", "1.5", "2020-01-01T00:00:00Z", "99999999999999999999"] {
        let message = WireMessage::default().with_header("x-rover-deadline", wrong);
        assert!(message.deadline().is_err(), "{wrong}");
    }
    for word in ["ok", "denied", "invalid", "busy", "deadline", "mismatch", "replayed", "error"] {
        let outcome: Outcome = word.parse().unwrap();
        assert_eq!(serde_json::to_value(outcome).unwrap(), json!(word));
        assert_eq!(WireReply::default().with_outcome(outcome).outcome(), Some(outcome));
    }
    assert_eq!(WireReply::default().outcome(), None);
    assert!("fine".parse::<Outcome>().is_err());
}

proptest! {
    #[test]
    fn what_is_encoded_is_classified_as_what_it_was(
        pattern in "[a-z]{1,8}\\.[a-z]{1,8}", name in "\\PC{0,12}", id in "[0-9a-f]{21}",
    ) {
        let data = json!({"args": {"name": name}});
        let expected = request(json!(id), Some(&pattern), PacketData::Json(data.clone()));
        prop_assert_eq!(seen(&encode_request(&pattern, &data, &id)), expected);
        prop_assert_eq!(seen(&encode_event(&pattern, &data)), Expected::Silence);
    }

    #[test]
    fn no_bytes_break_the_server(body in prop::collection::vec(any::<u8>(), 0..64)) {
        let _ = classify(&body);
    }
}
