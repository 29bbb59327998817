//! Whole turns with the model that needs no network.

use agent_contract::{EndReason, TurnEventKind};
use serde_json::json;

use crate::bench::{Bench, end, text, turn, words};

#[tokio::test]
async fn a_sentence_becomes_a_call_and_its_result_a_sentence() {
    let bench = Bench::offline().await;
    let events = bench.run(turn("create a department called Mathematics")).await;
    assert_eq!(end(&events), EndReason::Done);
    assert_eq!(bench.school.departments(), ["Mathematics @ cmp_main"]);
    assert!(words(&events).contains(&"tool.finished create_department".to_owned()));
    assert!(text(&events).contains("Mathematics"), "{}", text(&events));
    assert!(matches!(&events[0], TurnEventKind::Started { model, .. } if model == "offline"));
}

#[tokio::test]
async fn the_date_is_told_in_the_schools_zone() {
    let bench = Bench::offline().await;
    let events = bench.run(turn("what is today's date")).await;
    assert_eq!(end(&events), EndReason::Done);
    assert!(text(&events).contains("Tuesday"), "{}", text(&events));
}

#[tokio::test]
async fn a_refusal_is_told_and_nothing_is_written() {
    let bench = Bench::offline().await;
    let mut request = turn("create a department called Art");
    request["runtimeContext"]["userDetails"]["userId"] = json!("usr_guest");
    let events = bench.run(request).await;
    assert_eq!(end(&events), EndReason::Done);
    assert!(bench.school.departments().is_empty());
    assert!(text(&events).to_lowercase().contains("guests may not"), "{}", text(&events));
}

#[tokio::test]
async fn what_it_does_not_understand_changes_nothing() {
    let bench = Bench::offline().await;
    let events = bench.run(turn("sing me a song about the sea")).await;
    assert_eq!(end(&events), EndReason::Done);
    assert!(bench.school.messages().is_empty());
    assert!(!text(&events).is_empty());
}
