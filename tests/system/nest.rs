//! A real NestJS client (`@nestjs/microservices` 12, or 10 or 11 by `ROVER_TEST_NEST`) at our server, and a real NestJS
//! server under our worker.

use std::time::Duration;

use agent_contract::wire::{decode_reply, encode_request};
use agent_contract::{ReplyPacket, Timestamp, ToolTransport as _, WireMessage};
use serde_json::{Value, json};
use worker::amqp::{AmqpSettings, Names, Outbound};

use crate::support::{Rover, queues};

const HEAD_TEACHER: &str = "grace.namutebi@naalya.example";

#[test]
fn nest_creates_a_department_through_our_server() {
    let queues = queues("nest-client");
    let mut flags = queues.flags();
    // A Nest worker mints no token; the operator lets it in on its word.
    flags.extend(["--identity", "plain", "--demo"]);
    let rover = Rover::server(&flags);
    let identity = identity(&rover);
    let payload = |args: Value, mode: Value| {
        json!({ "identity": identity, "scope": mode, "args": args }).to_string()
    };
    let campus = rover.campus("Main Campus");

    let scope = json!({ "mode": "campus", "campusId": campus });
    let (done, lines) =
        queues.nest(&["create.department", &payload(json!({ "name": "Astronomy" }), scope)]);
    assert!(done, "{lines:?}");
    assert_eq!(lines[0]["outcome"], "value", "{lines:?}");
    let result = &lines[0]["value"];
    assert_eq!(result["data"]["name"], "Astronomy");
    assert!(result["scopeContext"].as_str().expect("text").contains("Main Campus"), "{result}");
    assert_eq!(lines[1]["outcome"], "complete");

    let scope = json!({ "mode": "school" });
    let (_, lines) = queues.nest(&["list.departments", &payload(json!({}), scope.clone())]);
    let page = lines[0]["value"]["data"]["items"].as_array().expect("a page");
    let names: Vec<_> = page.iter().map(|d| &d["name"]).collect();
    assert!(names.contains(&&json!("Astronomy")), "{names:?}");

    let (_, lines) = queues.nest(&["create.department", &payload(json!({ "nmae": "X" }), scope)]);
    let error = lines[0]["value"]["error"].as_str().expect("text");
    assert!(error.contains("nmae") && error.contains("name"), "{error}");

    let (done, lines) = queues.nest(&["no.such", "{}"]);
    assert!(!done);
    let nest = "There is no matching message handler defined in the remote service.";
    assert_eq!(lines[0]["error"], nest);
    assert!(rover.ask(&["audit", "verify"]).contains("2 rows, whole"), "one demo row, one write");
}

#[test]
fn nest_serves_our_worker() {
    let queues = queues("nest-server");
    let nest = queues.nest_server();
    let _ = nest.lines_until("ready");
    let rover = Rover::dev(&[]);
    let mut arguments = vec!["call", "create_department", "--as", HEAD_TEACHER];
    arguments.extend(["--mode", "campus:Main Campus", "--args", r#"{"name":"Astronomy"}"#]);
    arguments.extend(queues.flags());
    let printed = rover.ask(&arguments);
    assert!(printed.contains("dep_1") && printed.contains("limited to campus"), "{printed}");
}

/// Every way in which a Nest server ends a request, as our client takes it.
#[tokio::test(flavor = "multi_thread")]
async fn nest_ends_a_request_in_every_way_that_it_has() {
    let queues = queues("nest-ways");
    let nest = queues.nest_server();
    let _ = nest.lines_until("ready");
    let (broker, tools, prefix) = queues.names();
    let mut settings = AmqpSettings::at(broker);
    settings.names = Names::of(tools, prefix);
    let outbound = Outbound::start(settings).expect("the address is one");
    outbound.ready().await.expect("the broker takes it");
    let ways = [
        ("answer.nothing", ReplyPacket::Complete(None)),
        // Several values: the last one counts, whether the end comes with it or after it.
        (
            "answer.several",
            ReplyPacket::Complete(Some(json!({ "data": { "n": 3 }, "scopeContext": "" }))),
        ),
        ("answer.broken", ReplyPacket::Failed("Internal server error".to_owned())),
        ("answer.refused", ReplyPacket::Failed("tool refused".to_owned())),
        ("answer.refused-with-object", ReplyPacket::Failed("wrong tenant".to_owned())),
        ("answer.halfway", ReplyPacket::Failed("stopped half way".to_owned())),
        ("no.such", ReplyPacket::NoHandler),
    ];
    for (pattern, expected) in ways {
        let message = WireMessage::new(encode_request(pattern, &json!({}), "1"));
        let deadline = Timestamp::now().after(Duration::from_secs(20));
        let reply = outbound.sender().call(message, deadline).await.expect(pattern);
        let taken = match decode_reply(&reply.body) {
            ReplyPacket::Value(value) => ReplyPacket::Complete(Some(value)),
            other => other,
        };
        assert_eq!(taken, expected, "{pattern}");
    }
}

fn identity(rover: &Rover) -> Value {
    let me = rover.get("/api/me", HEAD_TEACHER);
    let user = &me["user"];
    json!({
        "sub": user["id"], "email": user["email"], "type": user["type"],
        "profileId": user["profileId"], "schoolId": me["school"]["id"],
    })
}
