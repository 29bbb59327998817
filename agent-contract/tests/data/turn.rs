//! Turn requests, history and events as JSON.

use std::collections::HashSet;

use agent_contract::{
    AgentToolResult, Answer, AssistantPart, CallFault, CallId, EndReason, Gate, HistoryMessage,
    Hop, OfferedTool, Outcome, Resume, ToolReturn, TurnEvent, TurnEventKind, TurnId, TurnRequest,
    UserPart, Visibility, Withheld, WithheldReason,
};
use serde_json::{Value, json};

fn call() -> CallId {
    CallId::new("c1").unwrap()
}

fn event(kind: TurnEventKind) -> TurnEvent {
    TurnEvent {
        turn_id: TurnId::new("t1").unwrap(),
        seq: 7,
        at: "2026-02-01T08:30:00Z".parse().unwrap(),
        hop: Hop::Worker,
        kind,
    }
}

/// One event of every kind, with what its JSON holds beside the four fields that all have.
#[expect(clippy::too_many_lines, reason = "a row for each kind")]
fn one_of_each() -> Vec<(TurnEventKind, Value)> {
    use TurnEventKind as K;
    let agent = || "rover".to_owned();
    let name = || "create_department".to_owned();
    vec![
        (
            K::Started { model: "offline".into(), registry: "9f".into() },
            json!({"kind": "started", "model": "offline", "registry": "9f"}),
        ),
        (K::Alive, json!({"kind": "alive"})),
        (K::TakenOver { takeover: 1 }, json!({"kind": "taken.over", "takeover": 1})),
        (
            K::SubagentMessage { call_id: call(), message: HistoryMessage::user("go on") },
            json!({"kind": "subagent.message", "callId": "c1",
                "message": {"role": "user", "parts": [{"type": "text", "text": "go on"}]}}),
        ),
        (
            K::Offered {
                tools: vec![
                    OfferedTool { agent: agent(), name: name(), not_strict: None },
                    OfferedTool {
                        agent: agent(),
                        name: "list_terms".into(),
                        not_strict: Some("one too many".into()),
                    },
                ],
                withheld: vec![
                    Withheld {
                        agent: agent(),
                        name: "compare_campuses".into(),
                        reason: WithheldReason::RunMode,
                        detail: None,
                    },
                    Withheld {
                        agent: agent(),
                        name: "set_term_dates".into(),
                        reason: WithheldReason::Provider,
                        detail: Some("too long".into()),
                    },
                ],
            },
            json!({"kind": "offered",
            "tools": [
                {"agent": "rover", "name": "create_department"},
                {"agent": "rover", "name": "list_terms", "notStrict": "one too many"},
            ],
            "withheld": [
                {"agent": "rover", "name": "compare_campuses", "reason": "run_mode"},
                {"agent": "rover", "name": "set_term_dates", "reason": "provider",
                 "detail": "too long"},
            ]}),
        ),
        (K::StepStarted { step: 0 }, json!({"kind": "step.started", "step": 0})),
        (K::TextDelta { text: "Done".into() }, json!({"kind": "text.delta", "text": "Done"})),
        (K::TextDone, json!({"kind": "text.done"})),
        (
            K::Message { message: HistoryMessage::assistant("Done.") },
            json!({"kind": "message",
                "message": {"role": "assistant", "parts": [{"type": "text", "text": "Done."}]}}),
        ),
        (
            K::ToolStarted {
                call_id: call(),
                tool_call_id: "m1".into(),
                name: name(),
                label: "Creating a department".into(),
                args: json!({"name": "Mathematics"}),
                agent: agent(),
                parent: None,
            },
            json!({"kind": "tool.started", "callId": "c1", "toolCallId": "m1",
                "name": "create_department", "label": "Creating a department",
                "args": {"name": "Mathematics"}, "agent": "rover"}),
        ),
        (
            K::ToolRepaired { call_id: call(), repairs: vec!["args.seats: text to number".into()] },
            json!({"kind": "tool.repaired", "callId": "c1", "repairs": ["args.seats: text to number"]}),
        ),
        (
            K::ToolRejected {
                tool_call_id: "m2".into(),
                name: "make_department".into(),
                agent: agent(),
                fault: CallFault::UnknownTool { nearest: Some(name()) },
            },
            json!({"kind": "tool.rejected", "toolCallId": "m2", "name": "make_department",
                "agent": "rover",
                "fault": {"type": "unknown_tool", "nearest": "create_department"}}),
        ),
        (
            K::Published { call_id: call(), event: "create.department".into(), attempt: 1 },
            json!({"kind": "tool.published", "callId": "c1", "event": "create.department", "attempt": 1}),
        ),
        (
            K::Gate { call_id: call(), gate: Gate::Posture, passed: false, detail: None },
            json!({"kind": "gate", "callId": "c1", "gate": "posture", "passed": false}),
        ),
        (
            K::Reply { call_id: call(), outcome: Outcome::Denied },
            json!({"kind": "reply", "callId": "c1", "outcome": "denied"}),
        ),
        (
            K::ToolFinished {
                call_id: call(),
                name: name(),
                result: AgentToolResult::err("Permission denied: no"),
            },
            json!({"kind": "tool.finished", "callId": "c1", "name": "create_department",
                "result": {"error": "Permission denied: no"}}),
        ),
        (
            K::SubagentStarted {
                call_id: call(),
                agent: "class_teacher".into(),
                task: "Count".into(),
            },
            json!({"kind": "subagent.started", "callId": "c1", "agent": "class_teacher", "task": "Count"}),
        ),
        (
            K::SubagentFinished {
                call_id: call(),
                agent: "class_teacher".into(),
                reason: EndReason::Done,
            },
            json!({"kind": "subagent.finished", "callId": "c1", "agent": "class_teacher", "reason": "done"}),
        ),
        (
            K::Question {
                call_id: call(),
                tool_call_id: "m3".into(),
                question: "Which campus?".into(),
                options: vec!["Main Campus".into()],
            },
            json!({"kind": "question", "callId": "c1", "toolCallId": "m3", "question": "Which campus?",
                "options": ["Main Campus"]}),
        ),
        (
            K::Approval { call_id: call(), summary: "Archive Mathematics".into() },
            json!({"kind": "approval", "callId": "c1", "summary": "Archive Mathematics"}),
        ),
        (
            K::Waiting { checkpoint: json!({"step": 2}) },
            json!({"kind": "waiting", "checkpoint": {"step": 2}}),
        ),
        (
            K::Shown { call_id: call(), visibility: Visibility::Hidden },
            json!({"kind": "shown", "callId": "c1", "visibility": "hidden"}),
        ),
        (
            K::Usage { model: "offline".into(), input_tokens: 3, output_tokens: 4 },
            json!({"kind": "usage", "model": "offline", "inputTokens": 3, "outputTokens": 4}),
        ),
        (
            K::Finished { reason: EndReason::StepLimit, message: None },
            json!({"kind": "finished", "reason": "step_limit"}),
        ),
    ]
}

#[test]
fn every_kind_of_event_is_written_by_its_dotted_name_and_read_again() {
    let mut kinds = HashSet::new();
    for (kind, fields) in one_of_each() {
        let event = event(kind);
        let mut expected =
            json!({"turnId": "t1", "seq": 7, "at": "2026-02-01T08:30:00Z", "hop": "worker"});
        expected.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        let written = serde_json::to_value(&event).unwrap();
        assert_eq!(written, expected);
        assert_eq!(serde_json::from_value::<TurnEvent>(written).unwrap(), event);
        kinds.insert(fields["kind"].to_string());
    }
    assert_eq!(kinds.len(), one_of_each().len());
}

#[test]
fn an_unknown_kind_of_event_is_refused() {
    let json = json!({"turnId": "t1", "seq": 0, "at": "2026-02-01T08:30:00Z", "hop": "worker",
                      "kind": "tool.exploded"});
    assert!(serde_json::from_value::<TurnEvent>(json).is_err());
}

#[test]
fn the_gates_stand_in_the_order_of_the_design() {
    let names: Vec<_> = Gate::ALL.iter().map(ToString::to_string).collect();
    assert_eq!(
        names,
        [
            "transport",
            "token",
            "identity",
            "admission",
            "arguments",
            "tenant",
            "frame",
            "claim",
            "posture",
            "handler",
            "commit",
        ]
    );
    for (number, gate) in (0..).zip(Gate::ALL) {
        assert_eq!(gate.number(), number);
        assert_eq!(serde_json::to_value(gate).unwrap(), json!(gate.as_str()));
    }
}

#[test]
fn the_worker_numbers_its_own_lane_and_the_server_the_rest() {
    let rows = [
        (Hop::Hub, Hop::Server),
        (Hop::Server, Hop::Server),
        (Hop::Worker, Hop::Worker),
        (Hop::Queue, Hop::Worker),
        (Hop::Model, Hop::Worker),
    ];
    for (hop, lane) in rows {
        assert_eq!(hop.lane(), lane);
    }
}

#[test]
fn a_conversation_with_calls_survives_the_wire() {
    let history = vec![
        HistoryMessage::User {
            parts: vec![UserPart::Text { text: "create a department called Mathematics".into() }],
        },
        HistoryMessage::Assistant {
            parts: vec![
                AssistantPart::Text { text: "One moment.".into() },
                AssistantPart::ToolCall {
                    tool_call_id: "m1".into(),
                    name: "create_department".into(),
                    args: json!({"name": "Mathematics"}),
                    cut_off: false,
                },
            ],
        },
        HistoryMessage::Tool {
            parts: vec![ToolReturn {
                tool_call_id: "m1".into(),
                name: "create_department".into(),
                result: AgentToolResult::ok(json!({"id": "dep_1"}), "All campuses."),
            }],
        },
    ];
    let json = serde_json::to_value(&history).unwrap();
    assert_eq!(
        json,
        json!([
            {"role": "user",
             "parts": [{"type": "text", "text": "create a department called Mathematics"}]},
            {"role": "assistant", "parts": [
                {"type": "text", "text": "One moment."},
                {"type": "tool_call", "toolCallId": "m1", "name": "create_department",
                 "args": {"name": "Mathematics"}},
            ]},
            {"role": "tool", "parts": [
                {"toolCallId": "m1", "name": "create_department",
                 "result": {"data": {"id": "dep_1"}, "scopeContext": "All campuses."}},
            ]},
        ])
    );
    assert_eq!(serde_json::from_value::<Vec<HistoryMessage>>(json).unwrap(), history);
}

#[test]
fn a_turn_request_needs_only_what_every_turn_has() {
    let least = json!({
        "threadId": "th1",
        "turnId": "t1",
        "runtimeContext": {
            "userDetails": {"name": "Grace", "email": "g@naalya.example", "userId": "usr_1",
                            "profileId": "prf_1", "userType": "staff"},
            "runMode": {"mode": "school"},
        },
        "message": "hello",
    });
    let turn: TurnRequest = serde_json::from_value(least).unwrap();
    assert_eq!((turn.first_seq, turn.history.len(), &turn.resume), (0, 0, &None));
    let json = serde_json::to_value(&turn).unwrap();
    assert_eq!(serde_json::from_value::<TurnRequest>(json).unwrap(), turn);
}

#[test]
fn numbers_that_leave_no_room_to_count_on_are_not_read() {
    let mut event = serde_json::to_value(event(TurnEventKind::TextDone)).unwrap();
    let mut request = json!({
        "threadId": "th",
        "turnId": "t1",
        "runtimeContext": {
            "userDetails": {
                "userId": "u", "name": "N", "email": "n@x.example", "profileId": "p", "userType": "staff",
            },
            "runMode": {"mode": "school"},
        },
        "message": "hello",
    });
    for (seq, read) in
        [(0, true), (1 << 62, true), ((1 << 62) + 1, false), (1 << 63, false), (u64::MAX, false)]
    {
        event["seq"] = seq.into();
        request["firstSeq"] = seq.into();
        assert_eq!(serde_json::from_value::<TurnEvent>(event.clone()).is_ok(), read, "{seq}");
        assert_eq!(serde_json::from_value::<TurnRequest>(request.clone()).is_ok(), read, "{seq}");
    }
}

#[test]
fn an_answer_is_words_or_a_decision() {
    let rows = [
        (
            Answer::Text { text: "Main Campus".into() },
            json!({"kind": "text", "text": "Main Campus"}),
        ),
        (Answer::Approved, json!({"kind": "approved"})),
        (Answer::Rejected { reason: None }, json!({"kind": "rejected"})),
        (
            Answer::Rejected { reason: Some("not now".into()) },
            json!({"kind": "rejected", "reason": "not now"}),
        ),
    ];
    for (answer, written) in rows {
        let resume = Resume { checkpoint: json!({"step": 2}), call_id: call(), answer };
        let json = serde_json::to_value(&resume).unwrap();
        assert_eq!(json, json!({"checkpoint": {"step": 2}, "callId": "c1", "answer": written}));
        assert_eq!(serde_json::from_value::<Resume>(json).unwrap(), resume);
    }
}
