//! The forms of providers, seen on a type that uses the whole dialect.

use agent_contract::schema::of_args;
use agent_contract::schema::provider::Provider::{Anthropic, Gemini, OpenAi};
use agent_contract::{Form, ToolText, decode};
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
                    "A number. Limits: more than 0, a multiple of 1. Limits: one of 1, 2." },
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
