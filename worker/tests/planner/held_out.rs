//! The held-out sentences: written before the templates were read, so that the score says how far
//! the templates reach and not how well they were copied.

use serde_json::Value;
use worker::planner::PlannedCall;

use crate::school::{Talk, Turn, looks_up, writes};

const SENTENCES: &str = include_str!("../data/held_out_sentences.tsv");

/// What a sentence must come to.
struct Expected<'a> {
    sentence: &'a str,
    tool: &'a str,
    calls: Vec<Value>,
}

#[test]
fn held_out_sentences_are_understood_and_nothing_is_written_by_mistake() {
    let mut right = 0;
    let mut misses = Vec::new();
    let mut wrong_writes = Vec::new();
    let rows = rows();
    for row in &rows {
        let talk = Turn::of_rover(&[]).say(row.sentence);
        if is_right(row, &talk) {
            right += 1;
        } else {
            misses.push(format!("{:?} wants {}: {talk:?}", row.sentence, row.tool));
        }
        if talk.calls.iter().any(|call| writes(call) && !is_wanted(row, call)) {
            wrong_writes.push(row.sentence);
        }
    }
    println!("held-out sentences: {right} of {} right\n{}", rows.len(), misses.join("\n"));
    assert!(rows.len() >= 60, "too few sentences to mean anything: {}", rows.len());
    assert!(wrong_writes.is_empty(), "written by mistake: {wrong_writes:?}");
    assert!(right * 100 >= rows.len() * 90, "{right} of {} right: {misses:#?}", rows.len());
}

fn is_right(row: &Expected<'_>, talk: &Talk) -> bool {
    let (wanted, others): (Vec<&PlannedCall>, Vec<&PlannedCall>) =
        talk.calls.iter().partition(|call| call.name == row.tool);
    match row.tool {
        "-" => talk.calls.iter().all(looks_up) && talk.text.is_some(),
        "ask_staffer" => {
            talk.text.is_none() && !wanted.is_empty() && others.into_iter().all(looks_up)
        }
        _ => {
            let arguments: Vec<Value> = wanted.iter().map(|call| telling(call)).collect();
            let helps =
                |call: &PlannedCall| looks_up(call) || call.name == "task" || asks_who(call);
            arguments == row.calls && others.into_iter().all(helps)
        }
    }
}

/// Who was absent is asked of everyone who records attendance without saying it.
fn asks_who(call: &PlannedCall) -> bool {
    call.name == "ask_staffer"
        && call.arguments["options"]
            .as_array()
            .is_some_and(|options| options.contains(&"Nobody".into()))
}

fn is_wanted(row: &Expected<'_>, call: &PlannedCall) -> bool {
    call.name == row.tool && row.calls.contains(&telling(call))
}

/// The arguments without empty lists, which say the same as lists left out.
fn telling(call: &PlannedCall) -> Value {
    let mut arguments = call.arguments.clone();
    if let Some(fields) = arguments.as_object_mut() {
        fields.retain(|_, value| value.as_array().is_none_or(|list| !list.is_empty()));
    }
    arguments
}

fn rows() -> Vec<Expected<'static>> {
    let lines = SENTENCES.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    lines
        .map(|line| {
            let fields: Vec<_> = line.split('\t').collect();
            let [sentence, tool, arguments] = fields[..] else { panic!("three columns: {line}") };
            let calls = match serde_json::from_str(arguments).expect("arguments are JSON") {
                Value::Array(calls) => calls,
                one => vec![one],
            };
            Expected { sentence, tool, calls }
        })
        .collect()
}
