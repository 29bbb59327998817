//! Turns that wait for the person, and go on.

use agent_contract::{EndReason, TurnEventKind};
use serde_json::{Value, json};

use crate::bench::{Bench, end, error, question, resumed, returned, text, turn, words};
use crate::script::Line;

#[tokio::test]
async fn siblings_run_first_and_the_answer_goes_on_from_there() {
    let bench = Bench::with([
        Line::Calls(vec![
            ("call_1", "ask_staffer", json!({"question": "Which?", "options": ["Art", "Music"]})),
            ("call_2", "create_department", json!({"name": "Drama"})),
        ]),
        Line::Calls(vec![("call_3", "create_department", json!({"name": "Music"}))]),
        Line::Says("Both are open."),
    ])
    .await;
    let first = bench.run(turn("create one")).await;
    assert_eq!(end(&first), EndReason::Waiting);
    assert_eq!(bench.school.departments(), ["Drama @ cmp_main"]);
    let (call, asked) = question(&first);
    assert_eq!(asked, "Which?");
    assert!(!words(&first).contains(&"tool.started ask_staffer".to_owned()));

    let second = bench.run(resumed(&first, &call, "Music")).await;
    assert_eq!(end(&second), EndReason::Done);
    assert_eq!(text(&second), "Both are open.");
    // Nothing ran twice.
    assert_eq!(bench.school.departments(), ["Drama @ cmp_main", "Music @ cmp_main"]);
    let finished = second.iter().any(
        |kind| matches!(kind, TurnEventKind::ToolFinished { call_id, .. } if *call_id == call),
    );
    assert!(finished, "the question came to an end");

    // The model sees one exchange: its two calls and the return of each, under its own id.
    let request = &bench.script.requests()[1];
    let answer: Value = serde_json::from_str(&returned(request, "call_1")).unwrap();
    assert_eq!(answer["data"], json!({"answer": "Music"}));
    assert!(returned(request, "call_2").contains("Drama"));

    // Steps and numbers go on where they stood.
    let steps: Vec<_> = second
        .iter()
        .filter_map(|kind| match kind {
            TurnEventKind::StepStarted { step } => Some(*step),
            _ => None,
        })
        .collect();
    assert_eq!(steps, [1, 2]);
    assert!(bench.events.all().iter().skip(first.len()).all(|event| event.seq >= 1000));
}

#[tokio::test]
async fn of_two_questions_each_gets_its_own_answer() {
    let bench = Bench::with([
        Line::Calls(vec![
            ("call_1", "ask_staffer", json!({"question": "First?"})),
            ("call_2", "ask_staffer", json!({"question": "Second?"})),
        ]),
        Line::Says("Thank you."),
    ])
    .await;
    let first = bench.run(turn("ask me")).await;
    let asked: Vec<_> = first
        .iter()
        .filter_map(|kind| match kind {
            TurnEventKind::Question { call_id, .. } => Some(call_id.clone()),
            _ => None,
        })
        .collect();
    let second = bench.run(resumed(&first, &asked[1], "two")).await;
    assert_eq!(end(&second), EndReason::Waiting);
    assert!(!second.iter().any(|kind| matches!(kind, TurnEventKind::Question { .. })));
    let third = bench.run(resumed(&second, &asked[0], "one")).await;
    assert_eq!(end(&third), EndReason::Done);
    let request = &bench.script.requests()[1];
    assert!(returned(request, "call_1").contains("one"));
    assert!(returned(request, "call_2").contains("two"));
}

#[tokio::test]
async fn a_question_without_words_is_no_question() {
    let bench = Bench::with([
        Line::Calls(vec![("call_1", "ask_staffer", json!({"question": ""}))]),
        Line::Says("Never mind."),
    ])
    .await;
    let events = bench.run(turn("ask me nothing")).await;
    assert_eq!(end(&events), EndReason::Done);
    assert!(error(&events, "ask_staffer").contains("args.question"));
}

#[tokio::test]
async fn a_specialist_can_ask_and_go_on() {
    let task = json!({"description": "find out", "subagent_type": "class_teacher"});
    let bench = Bench::with([
        Line::Calls(vec![("call_1", "task", task)]),
        Line::Calls(vec![("call_1", "ask_staffer", json!({"question": "Which day?"}))]),
        Line::Says("It is Monday."),
        Line::Says("Monday, then."),
    ])
    .await;
    let first = bench.run(turn("find out")).await;
    assert_eq!(end(&first), EndReason::Waiting);
    let second = bench.run(resumed(&first, &question(&first).0, "Monday")).await;
    assert_eq!(end(&second), EndReason::Done);
    assert_eq!(text(&second), "Monday, then.");
    let requests = bench.script.requests();
    assert!(returned(&requests[2], "call_1").contains("Monday"), "the specialist is answered");
    assert!(returned(&requests[3], "call_1").contains("It is Monday."), "and then Rover");
}

#[tokio::test]
async fn what_is_no_longer_offered_never_runs() {
    let task = json!({"description": "find out", "subagent_type": "class_teacher"});
    let bench = Bench::with([
        Line::Calls(vec![("call_1", "task", task)]),
        Line::Calls(vec![("call_1", "ask_staffer", json!({"question": "Which day?"}))]),
        Line::Says("That specialist is gone."),
    ])
    .await;
    let first = bench.run(turn("find out")).await;
    let mut request = resumed(&first, &question(&first).0, "Monday");
    request["runtimeContext"]["capabilities"] = json!({});
    let second = bench.run(request).await;
    assert_eq!(end(&second), EndReason::Done);
    assert!(error(&second, "task").contains("there is no tool task"));
}

#[tokio::test]
async fn a_checkpoint_of_another_version_is_refused_in_a_sentence() {
    let bench = Bench::with([]).await;
    let mut request = turn("");
    request["resume"] = json!({
        "checkpoint": {"format": 99}, "callId": "c", "answer": {"kind": "text", "text": "x"}
    });
    let events = bench.run(request).await;
    let Some(TurnEventKind::Finished { reason: EndReason::Failed, message: Some(message) }) =
        events.last()
    else {
        panic!("{events:?}")
    };
    assert!(message.contains("another version"));
}

#[tokio::test]
async fn what_takes_something_away_waits_for_a_plain_yes() {
    let archive =
        || Line::Calls(vec![("call_1", "archive_department", json!({"departmentId": "dep_1"}))]);
    for (answer, sent) in [
        (json!({"kind": "approved"}), true),
        (json!({"kind": "rejected", "reason": "not now"}), false),
        (json!({"kind": "text", "text": "yes"}), false),
    ] {
        let bench = Bench::with([archive(), Line::Says("As you wish.")]).await;
        let first = bench.run(turn("archive it")).await;
        assert_eq!(end(&first), EndReason::Waiting);
        assert!(bench.school.messages().is_empty(), "nothing is sent before the answer");
        let (call, summary) = first
            .iter()
            .find_map(|kind| match kind {
                TurnEventKind::Approval { call_id, summary } => Some((call_id, summary)),
                _ => None,
            })
            .unwrap();
        assert!(summary.contains("departmentId \"dep_1\""), "{summary}");
        let mut request = resumed(&first, call, "");
        request["resume"]["answer"] = answer;
        let second = bench.run(request).await;
        assert_eq!(end(&second), EndReason::Done);
        assert_eq!(bench.school.messages().len(), usize::from(sent));
        let reason = error(&second, "archive_department");
        assert_eq!(reason.contains("did not approve"), !sent, "{reason}");
    }
}
