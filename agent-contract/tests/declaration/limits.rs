//! Each row of the limits table, with a tool just inside and one just over.

use agent_contract::schema::provider::{Applies, Bound, LARGE_ENUM, LIMITS, Limit, Provider, What};
use agent_contract::{Declarations, Form, FormFault, ToolText};
use serde_json::{Map, Value, json};

use Provider::{Anthropic, Gemini, OpenAi};

/// The numbers as the providers state them, written down apart from the table.
const STATED: &[(Provider, What, usize)] = &[
    (OpenAi, What::Tools, 128),
    (OpenAi, What::ToolName, 64),
    (OpenAi, What::Description, 1024),
    (OpenAi, What::Depth, 10),
    (OpenAi, What::Properties, 5000),
    (OpenAi, What::EnumValues, 1000),
    (OpenAi, What::LargeEnumText, 15_000),
    (OpenAi, What::NameText, 120_000),
    (Anthropic, What::ToolName, 64),
    (Anthropic, What::PropertyName, 64),
    (Anthropic, What::StrictTools, 20),
    (Anthropic, What::StrictOptionals, 24),
    (Anthropic, What::StrictUnions, 16),
    (Gemini, What::Tools, 512),
    (Gemini, What::ToolName, 64),
    (Gemini, What::PropertyName, 64),
];

#[test]
fn the_table_has_the_stated_numbers() {
    let numbers = LIMITS.iter().filter_map(|limit| match limit.bound {
        Bound::AtMost(most) => Some((limit.provider, limit.what, most)),
        Bound::Letters { .. } => None,
    });
    assert_eq!(numbers.collect::<Vec<_>>(), STATED);
}

#[test]
fn every_row_says_where_and_when_it_was_seen() {
    for limit in LIMITS {
        assert!(limit.source.len() >= 8, "{limit:?}");
        let date: jiff::civil::Date = limit.seen.parse().expect("a date");
        assert!(date.year() >= 2026, "{limit:?}");
    }
    for (i, one) in LIMITS.iter().enumerate() {
        let again =
            LIMITS[i + 1..].iter().find(|two| (two.provider, two.what) == (one.provider, one.what));
        assert_eq!(again, None, "two rows for one limit");
    }
}

/// The form in which the row applies.
fn form(limit: &Limit) -> Form {
    match (limit.provider, limit.applies) {
        (OpenAi, Applies::Always) => Form::OpenAi,
        (OpenAi, Applies::Strict) => Form::OpenAiStrict,
        (Anthropic, _) => Form::Anthropic,
        (Gemini, _) => Form::Gemini,
    }
}

#[test]
fn just_inside_is_taken_and_just_over_is_stated() {
    for limit in LIMITS {
        let (inside, over) = cases(limit);
        let taken = declare(limit, &inside).unwrap_or_else(|fault| panic!("{fault}"));
        assert_eq!(taken.refused, [], "{limit}");
        assert!(taken.tools.iter().all(|tool| tool.downgrade.is_none()), "{limit}");

        let faults = match declare(limit, &over) {
            Err(fault) => vec![fault],
            Ok(declared) => {
                let downgrades = declared.tools.into_iter().filter_map(|tool| tool.downgrade);
                declared.refused.into_iter().chain(downgrades).collect()
            }
        };
        let [fault] = &faults[..] else { panic!("{limit}: one fault, not {faults:?}") };
        assert_eq!(fault.limit(), limit);
        assert!(fault.to_string().contains(&limit.to_string()), "{fault}");
    }
}

#[test]
fn over_a_limit_of_every_tool_is_refused_and_over_one_of_strict_is_plain() {
    for limit in LIMITS {
        let (_, over) = cases(limit);
        match (limit.applies, limit.what) {
            (_, What::Tools) => assert!(matches!(
                declare(limit, &over),
                Err(FormFault::TooManyTools { count, .. }) if count == over.len()
            )),
            (Applies::Always, _) => {
                let declared = declare(limit, &over).unwrap();
                assert_eq!((declared.tools.len(), declared.refused.len()), (0, 1), "{limit}");
                assert_eq!(declared.refused[0].tool(), Some(over[0].name.as_str()));
            }
            (Applies::Strict, _) => {
                let declared = declare(limit, &over).unwrap();
                assert_eq!(declared.refused, []);
                let (last, before) = declared.tools.split_last().unwrap();
                assert!(!last.strict && last.downgrade.is_some(), "{limit}");
                assert!(before.iter().all(|tool| tool.strict), "{limit}");
            }
        }
    }
}

#[test]
fn a_tool_that_fits_into_what_is_left_stays_strict() {
    let tools: Vec<Tool> = [("a", 20), ("b", 5), ("c", 4), ("d", 1), ("e", 0)]
        .iter()
        .map(|(name, optionals)| Tool::new(name, optional(*optionals)))
        .collect();
    let declared = Form::Anthropic.declare(&texts(&tools)).unwrap();
    let strict: Vec<bool> = declared.tools.iter().map(|tool| tool.strict).collect();
    assert_eq!(strict, [true, false, true, false, true]);
    let fault = declared.tools[1].downgrade.as_ref().unwrap().to_string();
    assert_eq!(
        fault,
        "`b` would make it 25, and Anthropic takes 24 optional arguments in all strict tools of \
         a request (seen 2026-12-01)"
    );
    assert_eq!(declared.tools[1].json["input_schema"], optional(5), "the whole schema, as advice");
    assert_eq!(declared.tools[1].json.get("strict"), None);
    assert_eq!(declared.tools[2].json["strict"], true);
}

/// A tool of its own words.
struct Tool {
    name: String,
    description: String,
    schema: Value,
}

impl Tool {
    fn new(name: &str, schema: Value) -> Self {
        Self { name: name.to_owned(), description: "Does it.".to_owned(), schema }
    }
}

fn texts(tools: &[Tool]) -> Vec<ToolText<'_>> {
    tools
        .iter()
        .map(|Tool { name, description, schema }| ToolText { name, description, schema })
        .collect()
}

fn declare(limit: &Limit, tools: &[Tool]) -> Result<Declarations, FormFault> {
    form(limit).declare(&texts(tools))
}

/// Tools just inside the limit, and tools of which the last goes just over it.
fn cases(limit: &Limit) -> (Vec<Tool>, Vec<Tool>) {
    let most = match limit.bound {
        Bound::AtMost(most) => most,
        Bound::Letters { also, letter_first } => return lettered(limit.what, also, letter_first),
    };
    (counted(limit.what, most), counted(limit.what, most + 1))
}

/// Tools that come to this count.
fn counted(what: What, count: usize) -> Vec<Tool> {
    let one = |schema| vec![Tool::new("t", schema)];
    let long = "x".repeat(count);
    match what {
        What::Tools => many(count, |_| required([])),
        What::ToolName => vec![Tool::new(&long, required([]))],
        What::Description => {
            vec![Tool { description: "é".repeat(count), ..Tool::new("t", required([])) }]
        }
        What::PropertyName => one(required([(long, text())])),
        What::Depth => one(nested(count)),
        What::Properties => one(required((0..count).map(|n| (format!("p{n}"), text())))),
        What::EnumValues => one(required([("p".to_owned(), words(count, 1))])),
        // One word more than may be without a limit, and the last takes up the rest.
        What::LargeEnumText => one(required([("p".to_owned(), words(LARGE_ENUM + 1, count))])),
        // Too few words to be a large enum.
        What::NameText => one(required([("p".to_owned(), words(2, count - 1))])),
        What::StrictTools => many(count, |_| required([])),
        What::StrictOptionals => {
            vec![Tool::new("first", optional(count - 1)), Tool::new("last", optional(1))]
        }
        What::StrictUnions => {
            let choice = json!({ "anyOf": [{ "type": "string" }, { "type": "integer" }] });
            let all_but_one = (0..count - 1).map(|n| (format!("p{n}"), choice.clone()));
            vec![
                Tool::new("first", required(all_but_one)),
                Tool::new("last", required([("p".to_owned(), choice)])),
            ]
        }
        What::ToolNameLetters | What::PropertyNameLetters => unreachable!("no count"),
    }
}

fn lettered(what: What, also: &str, letter_first: bool) -> (Vec<Tool>, Vec<Tool>) {
    let good = format!("aZ9{also}");
    let mut bad = vec!["a b".to_owned(), "naïve".to_owned(), String::new()];
    if letter_first {
        bad.push("9a".to_owned());
    }
    for odd in ['.', ':', '-', '$', '/'] {
        if !also.contains(odd) {
            bad.push(format!("a{odd}"));
        }
    }
    let tool = |name: String| match what {
        What::ToolNameLetters => Tool::new(&name, required([])),
        _ => Tool::new("t", required([(name, text())])),
    };
    // The table test takes one; the others are looked at here.
    let form = if letter_first { Form::Gemini } else { Form::Anthropic };
    for name in &bad {
        let refused = form.declare(&texts(&[tool(name.clone())])).expect("one tool").refused;
        assert_eq!(refused.len(), 1, "`{name}` {what:?} {form:?}");
    }
    (vec![tool(good)], vec![tool(bad.remove(0))])
}

fn many(count: usize, schema: impl Fn(usize) -> Value) -> Vec<Tool> {
    (0..count).map(|n| Tool::new(&format!("t{n}"), schema(n))).collect()
}

fn text() -> Value {
    json!({ "type": "string" })
}

/// So many words with so many characters in all.
fn words(count: usize, characters: usize) -> Value {
    let mut words: Vec<String> = (1..count).map(|n| format!("{n:03}")).collect();
    let taken: usize = words.iter().map(String::len).sum();
    words.push("w".repeat(characters.saturating_sub(taken)));
    json!({ "type": "string", "enum": words })
}

/// Lists in lists below one property.
fn nested(levels: usize) -> Value {
    let inner = (1..levels).fold(text(), |inner, _| json!({ "type": "array", "items": inner }));
    required([("p".to_owned(), inner)])
}

fn optional(count: usize) -> Value {
    let properties = (0..count).map(|n| (format!("p{n}"), text())).collect();
    json!({ "type": "object", "properties": Value::Object(properties), "required": [],
            "additionalProperties": false })
}

fn required(properties: impl IntoIterator<Item = (String, Value)>) -> Value {
    let properties: Map<String, Value> = properties.into_iter().collect();
    let required: Vec<&String> = properties.keys().collect();
    json!({ "type": "object", "required": required, "properties": properties.clone(),
            "additionalProperties": false })
}
