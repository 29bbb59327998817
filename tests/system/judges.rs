//! Every tool in every form that is claimed for it, before judges that we did not write: the vendors' own helpers and
//! `LangChain`'s converter. Each judge is also shown something bad in each form, and must say no.

use serde_json::{Value, json};
use tools::agent_tools::DEFS;

use crate::support::{Folder, python};

/// The forms, and who judges each.
const FORMS: [(&str, &[&str]); 5] = [
    ("canonical", &["google-genai", "langchain"]),
    ("openai", &["openai", "langchain"]),
    ("openai-strict", &["openai", "langchain"]),
    ("anthropic", &["anthropic", "langchain"]),
    ("gemini", &["google-genai"]),
];

#[test]
fn every_tool_in_every_form_passes_its_judges() {
    let cases = FORMS.map(|(form, _)| json!({ "form": form, "tools": declared(form) }));
    let verdicts = judged(&json!(cases));
    for verdict in &verdicts {
        assert_eq!(verdict["no"], Value::Null, "{verdict}");
    }
    for (form, judges) in FORMS {
        for judge in judges {
            let of_judge = |verdict: &&Value| verdict["form"] == form && verdict["judge"] == *judge;
            let seen = verdicts.iter().filter(of_judge).count();
            assert_eq!(seen, DEFS.len(), "{judge} saw every tool in the form {form}");
        }
    }
}

#[test]
fn every_judge_refuses_what_is_bad() {
    let bad = bad();
    let cases: Vec<Value> =
        bad.iter().map(|(form, _, tool)| json!({ "form": form, "tools": [tool] })).collect();
    let verdicts = judged(&json!(cases));
    let mut of_judges = verdicts.iter();
    for (form, judge, tool) in &bad {
        let (_, judges) = FORMS.iter().find(|(name, _)| name == form).expect("a form");
        let of_tool: Vec<&Value> = of_judges.by_ref().take(judges.len()).collect();
        let no = of_tool.iter().find(|verdict| verdict["judge"] == *judge).expect("its verdict");
        assert!(no["no"].is_string(), "{judge} takes {tool}");
    }
    for (form, judges) in FORMS {
        for judge in judges {
            let shown = bad.iter().any(|(of, by, _)| *of == form && by == judge);
            assert!(shown, "{judge} was shown nothing bad in the form {form}");
        }
    }
}

/// Something that this judge must refuse in this form.
fn bad() -> Vec<(&'static str, &'static str, Value)> {
    let object = |property: Value, required: Value| {
        json!({ "type": "object", "properties": { "a": property }, "required": required,
                "additionalProperties": false })
    };
    let function = |parameters: Value, strict: bool| {
        let mut function =
            json!({ "name": "bad", "description": "Bad.", "parameters": parameters });
        if strict {
            function["strict"] = json!(true);
        }
        json!({ "type": "function", "function": function })
    };
    let canonical =
        |schema: Value| json!({ "name": "bad", "description": "Bad.", "schema": schema });
    let anthropic = |schema: Value| json!({ "name": "bad", "description": "Bad.", "input_schema": schema, "strict": true });
    let gemini = |parameters: Value| json!({ "name": "bad", "description": "Bad.", "parameters": parameters });
    let maybe_text = || json!({ "type": ["string", "null"] });
    let text = || json!({ "type": "string" });
    let short = || json!({ "type": "string", "maxLength": 3 });
    vec![
        ("canonical", "google-genai", canonical(object(maybe_text(), json!([])))),
        ("canonical", "google-genai", canonical(object(json!(true), json!([])))),
        ("canonical", "langchain", canonical(json!({ "type": "object" }))),
        ("openai", "openai", function(object(json!(true), json!([])), false)),
        ("openai", "openai", function(object(json!({ "type": "text" }), json!([])), false)),
        (
            "openai",
            "langchain",
            json!({ "type": "function", "function": { "description": "Bad." } }),
        ),
        ("openai-strict", "openai", function(object(text(), json!([])), true)),
        ("openai-strict", "openai", function(object(short(), json!(["a"])), true)),
        ("openai-strict", "openai", function(object(text(), json!(["a"])), false)),
        (
            "openai-strict",
            "langchain",
            function(
                json!({ "type": "object", "properties": {
            "a": { "type": "object", "properties": {} } }, "required": ["a"] }),
                true,
            ),
        ),
        ("anthropic", "anthropic", anthropic(object(maybe_text(), json!([])))),
        ("anthropic", "anthropic", anthropic(object(short(), json!([])))),
        ("anthropic", "anthropic", anthropic(json!({ "type": "object", "properties": {} }))),
        ("anthropic", "langchain", json!({ "name": "bad", "schema": object(text(), json!([])) })),
        (
            "gemini",
            "google-genai",
            gemini(json!({ "type": "OBJECT", "properties": {
            "a": { "const": "x" } } })),
        ),
        (
            "gemini",
            "google-genai",
            gemini(json!({ "type": "OBJECT", "properties": {
            "a": { "type": ["STRING", "NULL"] } } })),
        ),
        (
            "gemini",
            "google-genai",
            gemini(json!({ "type": "OBJECT", "properties": {
            "a": { "type": "INTEGER", "enum": [1] } } })),
        ),
    ]
}

/// Every tool as this form declares it.
fn declared(form: &str) -> Value {
    if form == "canonical" {
        let tool = |def: &&agent_contract::ToolDefinition| json!({ "name": def.name, "description": def.description, "schema": (def.args_schema)() });
        return DEFS.iter().map(tool).collect();
    }
    let (exported, _) = Folder::empty().ask_apart(&["contract", "export", "--provider", form]);
    serde_json::from_str(&exported).expect("JSON")
}

fn judged(cases: &Value) -> Vec<Value> {
    python("judges.py", &[], &cases.to_string())
}
