//! What holds for every sentence: arbitrary text neither panics nor writes, and a sentence made
//! from a template comes back as the values that it was made with.

use agent_contract::{FieldKind, ToolDefinition};
use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;
use serde_json::{Value, json};
use tools::agent_tools::DEFS;
use worker::planner::PlannedCall;

use crate::school::{Turn, definition, writes};

/// Words that no template uses and no date, number or name is made of.
fn name() -> impl Strategy<Value = String> {
    proptest::string::string_regex(
        "[B-DF-HJ-NP-TV-Z]{3}[a-z]{2}zq( [B-DF-HJ-NP-TV-Z]{3}[a-z]{2}zx)?",
    )
    .expect("the pattern is well formed")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn arbitrary_text_neither_panics_nor_writes(text in "\\PC{0,80}") {
        let talk = Turn::of_rover(&[]).say(&text);
        prop_assert!(!talk.calls.iter().any(writes), "{:?}", talk.calls);
    }

    #[test]
    fn words_of_the_templates_in_any_order_do_not_panic(
        words in proptest::collection::vec(template_word(), 0..10),
    ) {
        Turn::of_rover(&[]).say(&words.join(" "));
    }

    #[test]
    fn a_sentence_of_a_template_gives_back_its_values(
        (definition, variant) in variant(),
        names in proptest::collection::btree_set(name(), 8),
    ) {
        gives_back(definition, variant, &Vec::from_iter(names))?;
    }
}

fn variants() -> Vec<(&'static ToolDefinition, &'static str)> {
    let sentences = DEFS.iter().flat_map(|definition| {
        definition
            .say
            .iter()
            .flat_map(|sentence| sentence.variants)
            .map(|it| (*definition, it.text))
    });
    sentences.collect()
}

fn variant() -> impl Strategy<Value = (&'static ToolDefinition, &'static str)> {
    prop::sample::select(variants())
}

fn template_word() -> impl Strategy<Value = String> {
    let words: Vec<String> = variants()
        .iter()
        .flat_map(|(_, text)| text.split(' '))
        .map(|word| word.trim_matches(['{', '}']).to_owned())
        .chain(["and", "tomorrow", "2", "Friday", "\"", "Kato", ","].map(str::to_owned))
        .collect();
    prop::sample::select(words)
}

/// Says the variant with values for its slots, and looks for the values in the call.
fn gives_back(
    definition: &'static ToolDefinition,
    variant: &str,
    names: &[String],
) -> TestCaseResult {
    let mut sentence = variant.to_owned();
    let mut expected = Vec::new();
    for (field, name) in definition.fields.iter().zip(names) {
        let slot = format!("{{{}}}", field.name);
        if !sentence.contains(&slot) {
            continue;
        }
        let (said, value) = sample(definition, field.wire, field.kind, field.lookup, name);
        sentence = sentence.replace(&slot, &said);
        expected.push((field.wire, value));
    }
    let mut turn = Turn::of_rover(&[]);
    turn.roster.clear();
    turn.tools =
        definition.fields.iter().filter_map(|field| field.lookup.map(str::to_owned)).collect();
    turn.tools.extend(["list_campuses", "ask_staffer", definition.name].map(str::to_owned));
    turn.results = lookups(names);
    let talk = turn.say(&sentence);
    let called = talk.calls.iter().filter(|call| call.name == definition.name).collect::<Vec<_>>();
    // What is missing is asked for; what no sentence can carry, such as a list of marks, is said to be so.
    let asked = talk.calls.last().is_some_and(|call| call.name == "ask_staffer")
        || talk.text.as_deref().is_some_and(|text| text.contains("cannot be said in a sentence"));
    let complete = definition
        .fields
        .iter()
        .filter(|field| field.required)
        .all(|field| expected.iter().any(|(wire, _)| *wire == field.wire));
    // Two names with nothing between them can be parted in more than one way.
    let is_plain = complete && !variant.contains("} {");
    prop_assert!(called.len() == 1 || (asked && !is_plain), "{sentence}: {talk:?}");
    for call in called {
        for (wire, value) in &expected {
            prop_assert_eq!(&call.arguments[*wire], value, "{}: {:?}", sentence, called_as(call));
        }
    }
    Ok(())
}

fn called_as(call: &PlannedCall) -> String {
    format!("{} {}", call.name, call.arguments)
}

/// A value of a kind: how it is said, and what the call must carry.
fn sample(
    definition: &ToolDefinition,
    wire: &str,
    kind: FieldKind,
    lookup: Option<&str>,
    name: &str,
) -> (String, Value) {
    let schema = (definition.args_schema)();
    match kind {
        FieldKind::Number => ("three".to_owned(), json!(3)),
        FieldKind::Bool => ("yes".to_owned(), json!(true)),
        FieldKind::Date => ("the 5th of May 2027".to_owned(), json!("2027-05-05")),
        FieldKind::Enum => {
            let value = schema["properties"][wire]["enum"][0].clone();
            (value.as_str().expect("values of an enum are text").replace('_', " "), value)
        }
        FieldKind::Campus => (name.to_owned(), json!(format!("id of {name}"))),
        _ if lookup.is_some() => (name.to_owned(), json!(format!("id of {name}"))),
        FieldKind::List => (name.to_owned(), json!([name])),
        FieldKind::Text | FieldKind::Id | FieldKind::Object => (name.to_owned(), json!(name)),
    }
}

/// Every lookup finds a row for each of the names.
fn lookups(names: &[String]) -> Vec<(&'static str, Value)> {
    let rows: Vec<Value> =
        names.iter().map(|name| json!({"id": format!("id of {name}"), "name": name})).collect();
    let tools =
        DEFS.iter().flat_map(|definition| definition.fields).filter_map(|field| field.lookup);
    tools
        .chain(["list_campuses"])
        .filter(|name| definition(name).is_some())
        .map(|name| (name, json!({"data": rows, "scopeContext": ""})))
        .collect()
}
