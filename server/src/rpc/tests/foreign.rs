//! Every tool as one school with every id of the other: no row, no hint, no write.
//!
//! Tools, their arguments and the ids are read from the registry and the schema, so a new tool or table is asked too.
//! A hint is any difference between what a foreign id is told and what an id is told that exists nowhere, in the answer
//! or in what the gates say.

use std::collections::BTreeMap;

use agent_contract::{
    AgentRunMode, ArgField, ArgShape, Effect, FieldKind, Kind, ToolDefinition, ToolScope,
    TurnEventKind, TurnId,
};
use serde_json::Value;

use super::bench::{Bench, Caller, GRACE, MAIN, campus, envelope};
use crate::db::testing::{
    other::{Other, steady, steady_but_for_versions},
    shape,
};
use crate::demo;

const THEIRS: &str = "riverbend";
/// Ids that exist in no school.
const NOWHERE: [&str; 2] = ["0199c3a1-0d5e-7000-8000-00000000beef", "naalya-no-such-record"];
/// Of a table that the argument is not about, so many ids are tried.
const OF_OTHER_KINDS: usize = 1;
/// The same where the argument's name says no table.
const OF_ANY_KIND: usize = 5;

/// A place in a tool's arguments where an id may stand.
#[derive(Clone, Debug)]
struct Hole {
    path: Vec<Step>,
    name: &'static str,
}

#[derive(Clone, Debug)]
enum Step {
    Member(&'static str),
    Item,
    /// The variant of this tag.
    Variant(&'static str, &'static str),
}

fn holes(fields: &'static [ArgField], path: &[Step], found: &mut Vec<Hole>) {
    for field in fields {
        let here = [path, &[Step::Member(field.wire)]].concat();
        into(field.shape, field, here, found);
    }
}

fn into(
    shape: &'static ArgShape,
    field: &'static ArgField,
    path: Vec<Step>,
    found: &mut Vec<Hole>,
) {
    let names_ids = ["Id", "Ids", "id", "ids"].iter().any(|end| field.wire.ends_with(end));
    match shape {
        ArgShape::Text if names_ids || matches!(field.kind, FieldKind::Id | FieldKind::Campus) => {
            found.push(Hole { path, name: field.wire });
        }
        ArgShape::List(item) => into(item, field, [path, vec![Step::Item]].concat(), found),
        ArgShape::Object(fields) => holes(fields, &path, found),
        ArgShape::Tagged { tag, variants } => {
            for (value, fields) in *variants {
                let variant = [path.clone(), vec![Step::Variant(tag, value)]].concat();
                holes(fields, &variant, found);
            }
        }
        _ => {}
    }
}

/// The arguments with this id in the place; what is missing on the way there comes from the sample.
fn filled(args: &mut Value, sample: &Value, path: &[Step], id: &str) {
    match path {
        [] => *args = id.into(),
        [Step::Member(name), rest @ ..] => {
            if !args.is_object() {
                *args = if sample.is_object() { sample.clone() } else { serde_json::json!({}) };
            }
            if args.get(name).is_none() {
                args[*name] = sample[*name].clone();
            }
            filled(&mut args[*name], &sample[*name], rest, id);
        }
        [Step::Item, rest @ ..] => {
            if args.as_array().is_none_or(Vec::is_empty) {
                *args = serde_json::json!([sample[0]]);
            }
            filled(&mut args[0], &sample[0], rest, id);
        }
        [Step::Variant(tag, value), rest @ ..] => {
            *args = serde_json::json!({ *tag: value });
            filled(args, &Value::Null, rest, id);
        }
    }
}

/// The ids to try in a place: all of the table that it names, and some of every other.
fn tried<'i>(hole: &Hole, ids: &'i BTreeMap<String, Vec<String>>) -> Vec<&'i str> {
    let mut table = String::new();
    for letter in hole.name.trim_end_matches('s').trim_end_matches("Id").chars() {
        if letter.is_uppercase() {
            table.push('_');
        }
        table.push(letter.to_ascii_lowercase());
    }
    let known = ids.contains_key(&table);
    let most = |of: &str| match (known, of == table) {
        (true, true) => usize::MAX,
        (true, false) => OF_OTHER_KINDS,
        (false, _) => OF_ANY_KIND,
    };
    ids.iter().flat_map(|(of, ids)| ids.iter().take(most(of))).map(String::as_str).collect()
}

/// What the gates said of each call of a turn.
async fn traces(bench: &Bench, turn: &TurnId) -> BTreeMap<String, String> {
    let mut traces = BTreeMap::<String, String>::new();
    bench.log.settle().await;
    for event in bench.log.events(turn).await.unwrap() {
        if let TurnEventKind::Gate { call_id, gate, passed, detail } = event.kind {
            let line = format!("\n{gate} {passed} {}", detail.unwrap_or_default());
            traces.entry(call_id.to_string()).or_default().push_str(&line);
        }
    }
    traces
}

/// Arguments that the tool takes: those of its example, or the plainest.
fn honest(tool: &'static ToolDefinition) -> Value {
    match tool.shown().first() {
        Some(example) => example.to_json(tool.fields),
        None => schema_samples::least(&(tool.args_schema)()),
    }
}

async fn caller(bench: &Bench, tool: &'static ToolDefinition) -> Caller {
    let mode = match tool.scope {
        ToolScope::Campus => campus(MAIN, "Main Campus"),
        ToolScope::General | ToolScope::School => AgentRunMode::School,
    };
    let example = tool.shown().into_iter().next();
    let showing = example.and_then(|example| demo::showing(tool, example));
    let email = showing.map_or_else(|| GRACE.to_owned(), |showing| showing.email);
    bench.caller(&email, mode).await
}

#[tokio::test(flavor = "multi_thread")]
async fn every_tool_with_every_id_of_another_school_says_nothing_and_does_nothing() {
    let bench = Bench::new().await;
    let mut outside = bench.sql().await;
    let tables = shape::tenant_tables(&mut outside).await;
    shape::a_row_in_each(&mut outside, &tables, &["naalya", THEIRS]).await;
    let Other { ids, secrets } = Other::of(&mut outside, &tables, "naalya", THEIRS).await;
    let before = outside.rows_of(&tables, THEIRS).await;

    let tools: Vec<_> =
        ::tools::agent_tools::DEFS.iter().filter(|tool| tool.kind == Kind::Rpc).collect();
    let (mut places, mut calls, mut hints, mut seen) = (0, 0, Vec::new(), Vec::new());
    for tool in &tools {
        let event = tool.event.unwrap();
        let sample = schema_samples::full(&(tool.args_schema)());
        let mut found = Vec::new();
        holes(tool.fields, &[], &mut found);
        for (place, hole) in found.iter().enumerate() {
            places += 1;
            let caller = caller(&bench, tool).await;
            // Twice: a write that takes an id for a mere text is done by then, and does not differ for that.
            let asked: Vec<&str> = NOWHERE.into_iter().chain(tried(hole, &ids)).collect();
            let mut answers = Vec::new();
            for (n, id) in asked.iter().enumerate() {
                let mut args = honest(tool);
                filled(&mut args, &sample, &hole.path, id);
                let call = format!("{}-{place}-{n}", tool.name);
                let answer = envelope(&bench.executor, caller.call(event, &call, args)).await;
                answers.push((*id, call, answer.to_string()));
            }
            let traces = traces(&bench, &caller.turn).await;
            let plain = match tool.effect {
                Effect::Read => steady,
                Effect::Write => steady_but_for_versions,
            };
            let told: Vec<String> = answers
                .iter()
                .map(|(id, call, answer)| plain(&format!("{answer}{}", traces[call]), id))
                .collect();
            let missing = &told[NOWHERE.len() - 1];
            for (told, id) in told.iter().zip(&asked).skip(NOWHERE.len()) {
                calls += 1;
                if told != missing {
                    hints.push(format!(
                        "{} {:?} {id}:\n{told}\n--- missing:\n{missing}",
                        tool.name, hole.path
                    ));
                }
                seen.extend(secrets.iter().filter(|secret| told.contains(*secret)).cloned());
            }
        }
    }
    let after = outside.rows_of(&tables, THEIRS).await;
    let written: Vec<_> = before
        .iter()
        .filter(|(table, rows)| after[*table] != **rows)
        .map(|(table, _)| table)
        .collect();
    eprintln!(
        "{} tools, {places} places for an id, {} ids of the other school, {calls} calls: \
         {} rows seen, {} hints, {} tables written",
        tools.len(),
        ids.values().map(Vec::len).sum::<usize>(),
        seen.len(),
        hints.len(),
        written.len()
    );
    assert!(hints.is_empty(), "{}", hints.join("\n\n"));
    assert!(seen.is_empty(), "{seen:?}");
    assert!(written.is_empty(), "{written:?}");
    assert!(places >= 10 && calls > 100, "{places} places, {calls} calls");
}
