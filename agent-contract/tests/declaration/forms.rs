//! The forms of providers, seen on a type that uses the whole dialect.

use agent_contract::schema::provider::Provider::{Anthropic, Gemini, OpenAi};
use agent_contract::schema::{of_args, validator};
use agent_contract::{Form, ToolText, decode};
use jsonschema::Validator;
use schema_samples::samples;
use serde_json::{Value, json};

use crate::sample::{Everything, least};

const NAME: &str = "do_everything";

fn declared(form: Form) -> Value {
    let schema = of_args::<Everything>();
    let tool = ToolText { name: NAME, description: "Do everything.", schema: &schema };
    let mut declared = form.declare(&[tool]).expect("one tool");
    assert_eq!(declared.refused, []);
    declared.tools.remove(0).json
}

#[test]
fn openai_plain_is_the_canonical_schema() {
    let expected = json!({ "type": "function", "function": {
        "name": NAME, "description": "Do everything.", "parameters": of_args::<Everything>(),
    } });
    assert_eq!(declared(Form::OpenAi), expected);
}

#[test]
fn openai_strict() {
    insta::assert_json_snapshot!(declared(Form::OpenAiStrict));
}

#[test]
fn anthropic() {
    insta::assert_json_snapshot!(declared(Form::Anthropic));
}

#[test]
fn gemini() {
    insta::assert_json_snapshot!(declared(Form::Gemini));
}

#[test]
fn a_form_knows_its_provider() {
    let providers: Vec<_> = Form::ALL.iter().map(|form| form.provider()).collect();
    assert_eq!(providers, [OpenAi, OpenAi, Anthropic, Gemini]);
}

#[test]
fn gemini_gets_no_parameters_where_there_are_no_arguments() {
    let schema = json!({
        "type": "object", "properties": {}, "required": [], "additionalProperties": false,
    });
    let tool = ToolText { name: "list_terms", description: "List.", schema: &schema };
    let declared = Form::Gemini.declare(&[tool]).unwrap();
    assert_eq!(declared.tools[0].json, json!({ "name": "list_terms", "description": "List." }));
}

#[test]
fn gemini_says_in_words_what_it_has_no_key_for() {
    let schema = json!({
        "type": "object",
        "properties": {
            "n": { "type": "integer", "description": "A number.", "enum": [1, 2],
                   "exclusiveMinimum": 0, "multipleOf": 1 },
            "tags": { "type": "array", "items": { "type": "string", "format": "uuid" },
                      "uniqueItems": true, "minItems": 1 },
            "at": { "type": "string", "format": "date-time" },
        },
        "required": ["n"],
        "additionalProperties": false,
    });
    let tool = ToolText { name: "t", description: "T.", schema: &schema };
    assert_eq!(
        Form::Gemini.declare(&[tool]).unwrap().tools[0].json["parameters"],
        json!({
            "type": "OBJECT",
            "properties": {
                "n": { "type": "INTEGER", "description":
                    "A number. Limits: more than 0, a multiple of 1, one of 1, 2." },
                "tags": { "type": "ARRAY", "items": { "type": "STRING", "description":
                    "Limits: a UUID." }, "minItems": 1, "description": "Limits: no item twice." },
                "at": { "type": "STRING", "format": "date-time" },
            },
            "required": ["n"],
        })
    );
}

/// What a strict model writes when it leaves out everything that may be left out.
fn with_nulls() -> Value {
    let mut args = least();
    for name in [
        "big",
        "bigger",
        "small",
        "short",
        "usual",
        "share",
        "urgent",
        "tries",
        "day",
        "at",
        "otherKind",
        "campusId",
        "toCampus",
        "labels",
        "contact",
        "contacts",
    ] {
        args[name] = Value::Null;
    }
    args["when"] = json!({ "by": "week", "number": 3, "weekdays": null });
    args
}

#[test]
fn the_null_of_a_strict_model_is_leaving_out() {
    let strict = declared(Form::OpenAiStrict)["function"]["parameters"].clone();
    let validator = jsonschema::validator_for(&strict).unwrap();
    assert!(validator.is_valid(&with_nulls()), "a strict model may write this");
    assert!(!validator.is_valid(&least()), "and must not leave anything out");

    let mut expected = least();
    expected["when"] = json!({ "by": "week", "number": 3 });
    let schema = of_args::<Everything>();
    assert_eq!(Form::OpenAiStrict.take_back(with_nulls(), &schema), expected);
    assert_eq!(Form::OpenAi.take_back(with_nulls(), &schema), with_nulls(), "it asked for none");

    // Whoever does not take it back is understood all the same.
    let (kept, taken) =
        (decode::<Everything>(with_nulls()).unwrap(), decode::<Everything>(expected).unwrap());
    assert_eq!(kept.canonical, taken.canonical);
    assert_eq!(format!("{:?}", kept.args), format!("{:?}", taken.args));
}

#[test]
fn whatever_the_canonical_schema_takes_every_form_takes() {
    let canonical = of_args::<Everything>();
    let takes = validator(&canonical).unwrap();
    let form = |form, pointer| {
        let schema = in_small_letters(declared(form).pointer(pointer).unwrap());
        let validator = validator(&schema).unwrap();
        (schema, validator)
    };
    let (strict, strict_takes) = form(Form::OpenAiStrict, "/function/parameters");
    let (_, anthropic_takes) = form(Form::Anthropic, "/input_schema");
    let (_, gemini_takes) = form(Form::Gemini, "/parameters");
    let mut tried = 0;
    for sample in samples(&canonical, 200).into_iter().filter(|sample| takes.is_valid(sample)) {
        assert!(anthropic_takes.is_valid(&sample), "anthropic: {sample}");
        assert!(gemini_takes.is_valid(&sample), "gemini: {sample}");
        let filled = filled(&sample, &strict);
        assert!(strict_takes.is_valid(&filled), "openai-strict: {filled}");
        assert_eq!(Form::OpenAiStrict.take_back(filled, &canonical), sample);
        tried += 1;
    }
    assert!(tried >= 200, "only {tried} samples were any good");
}

/// The value as a strict model would have to write it: null for all that is left out.
fn filled(value: &Value, strict: &Value) -> Value {
    if let Some(branches) = strict["anyOf"].as_array() {
        let fits = |branch: &&Value| takes_open(branch).is_valid(value);
        let branch = branches.iter().find(fits).unwrap_or_else(|| panic!("no branch for {value}"));
        return filled(value, branch);
    }
    match value {
        Value::Object(fields) => {
            let properties = strict["properties"].as_object().expect("an object's schema");
            let fill = |(name, schema): (&String, &Value)| {
                let given = fields.get(name);
                (name.clone(), given.map_or(Value::Null, |given| filled(given, schema)))
            };
            properties.iter().map(fill).collect()
        }
        Value::Array(items) => items.iter().map(|item| filled(item, &strict["items"])).collect(),
        other => other.clone(),
    }
}

/// The branch without its demand that everything be there.
fn takes_open(branch: &Value) -> Validator {
    fn open(node: &mut Value) {
        match node {
            Value::Object(fields) => {
                fields.shift_remove("required");
                fields.values_mut().for_each(open);
            }
            Value::Array(items) => items.iter_mut().for_each(open),
            _ => {}
        }
    }
    let mut branch = branch.clone();
    open(&mut branch);
    validator(&branch).expect("it compiles")
}

/// Gemini's types as JSON Schema spells them.
fn in_small_letters(node: &Value) -> Value {
    match node {
        Value::Object(fields) => {
            let small = |(key, value): (&String, &Value)| {
                let value = match (key.as_str(), value) {
                    ("type", Value::String(name)) => json!(name.to_lowercase()),
                    (_, other) => in_small_letters(other),
                };
                (key.clone(), value)
            };
            fields.iter().map(small).collect()
        }
        Value::Array(items) => items.iter().map(in_small_letters).collect(),
        other => other.clone(),
    }
}

#[test]
fn only_what_may_be_left_out_is_taken_back() {
    let schema = json!({
        "type": "object",
        "properties": {
            "must": { "type": "string" },
            "list": { "type": "array", "items": {
                "type": "object", "properties": { "may": { "type": "string" } }, "required": [],
            } },
        },
        "required": ["must"],
    });
    let args = json!({ "must": null, "odd": null, "list": [{ "may": null }, null] });
    assert_eq!(
        Form::OpenAiStrict.take_back(args, &schema),
        json!({ "must": null, "odd": null, "list": [{}, null] })
    );
}
