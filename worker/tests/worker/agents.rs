//! Specialists: their own tools, prompt and calls.

use agent_contract::{EndReason, TurnEventKind, WithheldReason};
use serde_json::json;

use crate::bench::{Bench, end, returned, text, turn, words};
use crate::script::Line;

#[tokio::test]
async fn a_specialist_works_with_its_own_tools_under_the_call_that_sent_it() {
    let task = json!({"description": "Which classes?", "subagent_type": "class_teacher"});
    let bench = Bench::with([
        Line::Calls(vec![("call_1", "task", task)]),
        Line::Calls(vec![("call_1", "list_my_classes", json!({}))]),
        Line::Says("Physics in S1 East."),
        Line::Says("You teach Physics in S1 East."),
    ])
    .await;
    let events = bench.run(turn("which classes do I teach")).await;
    assert_eq!(end(&events), EndReason::Done);
    // Only Rover's words reach the person, and only its messages the thread.
    assert_eq!(text(&events), "You teach Physics in S1 East.");
    insta::assert_snapshot!(words(&events).join("\n"), @"
    started
    offered
    step.started
    usage
    message
    tool.started task
    subagent.started class_teacher
    usage
    subagent.message
    tool.started list_my_classes
    tool.published
    reply
    tool.finished list_my_classes
    subagent.message
    usage
    subagent.message
    subagent.finished class_teacher
    tool.finished task
    message
    step.started
    text.delta
    text.done
    usage
    message
    finished
    ");
    let calls: Vec<_> = events
        .iter()
        .filter_map(|kind| match kind {
            TurnEventKind::ToolStarted { call_id, agent, parent, .. } => {
                Some((call_id.clone(), agent.clone(), parent.clone()))
            }
            _ => None,
        })
        .collect();
    assert_eq!(calls[0].1, "rover");
    assert_eq!(calls[1].1, "class_teacher");
    assert_eq!(calls[1].2.as_ref(), Some(&calls[0].0));
    // The model used one id twice; the calls are told apart all the same.
    assert_ne!(calls[0].0, calls[1].0);

    let requests = bench.script.requests();
    let names = |index: usize| -> Vec<String> {
        let tools = requests[index]["tools"].as_array().unwrap().iter();
        tools.map(|tool| tool["function"]["name"].as_str().unwrap().to_owned()).collect()
    };
    assert!(names(0).contains(&"create_department".to_owned()));
    assert!(!names(1).contains(&"create_department".to_owned()), "nothing is inherited");
    assert!(!names(1).contains(&"task".to_owned()), "work is not handed on");
    assert_eq!(requests[1]["messages"].as_array().unwrap().len(), 2, "it sees only its task");
    assert!(returned(&requests[3], "call_1").contains("Physics in S1 East."));
}

#[tokio::test]
async fn an_unknown_specialist_is_refused_with_the_roster() {
    let task = json!({"description": "x", "subagent_type": "general-purpose"});
    let bench =
        Bench::with([Line::Calls(vec![("call_1", "task", task)]), Line::Says("Nobody.")]).await;
    bench.run(turn("hand it over")).await;
    assert!(returned(&bench.script.requests()[1], "call_1").contains("one of class_teacher"));
}

#[tokio::test]
async fn every_withheld_tool_has_its_reason() {
    let bench = Bench::with([Line::Says("Hello.")]).await;
    let events = bench.run(turn("hello")).await;
    let (tools, withheld) = events
        .iter()
        .find_map(|kind| match kind {
            TurnEventKind::Offered { tools, withheld } => Some((tools, withheld)),
            _ => None,
        })
        .unwrap();
    for definition in tools::agent_tools::DEFS {
        let offered =
            tools.iter().any(|tool| tool.agent == "rover" && tool.name == definition.name);
        let why = withheld
            .iter()
            .find(|tool| tool.agent == "rover" && tool.name == definition.name)
            .map(|tool| tool.reason);
        assert_ne!(offered, why.is_some(), "{}", definition.name);
    }
    let reason = |agent: &str, name: &str| {
        let found = withheld.iter().find(|tool| tool.agent == agent && tool.name == name);
        found.map(|tool| tool.reason)
    };
    // A campus turn of a class teacher.
    assert_eq!(reason("rover", "compare_campuses"), Some(WithheldReason::RunMode));
    assert_eq!(reason("class_teacher", "create_department"), Some(WithheldReason::AgentRole));
    assert_eq!(
        reason("director_of_studies", "create_department"),
        Some(WithheldReason::Capability)
    );
}
