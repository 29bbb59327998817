//! The contract for programs in TypeScript: types, Zod 4 schemas and labels, written from the same definitions that the
//! server and the worker link. Nothing here is kept by hand beside them.
//!
//! Both texts are made from the canonical schemas, so a value that one of them takes is a value that the server takes
//! before it repairs anything. JavaScript has no integers beyond 2⁵³: what lies there is refused rather than rounded.

mod types;
mod zod;

use serde_json::{Map, Value, json};

use crate::definition::ToolDefinition;
use crate::identity::AgentIdentity;
use crate::schema::of_output;

pub use types::types;
pub use zod::zod;

/// Every schema of the contract, as JSON Schema draft 2020-12: the envelope's parts, and two a tool.
pub fn json_schema(defs: &[&ToolDefinition]) -> Value {
    let tools: Map<String, Value> = defs
        .iter()
        .map(|def| {
            let args = (def.args_schema)();
            let result = (def.output_schema)();
            (def.name.to_owned(), json!({ "event": def.event, "args": args, "result": result }))
        })
        .collect();
    let parts = envelope().into_iter().map(|(name, schema)| (name.to_owned(), schema));
    let envelope: Map<String, Value> = parts.collect();
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "envelope": envelope,
        "tools": tools,
    })
}

/// The parts of the envelope that have one schema whatever the tool. They stay open: unknown keys are ignored.
fn envelope() -> [(&'static str, Value); 2] {
    [("AgentIdentity", of_output::<AgentIdentity>()), ("AgentCallScope", call_scope())]
}

/// Two forms: with two independent keys a scope could contradict itself.
fn call_scope() -> Value {
    json!({
        "description": "The scope that rides every call beside the identity.",
        "anyOf": [
            {
                "type": "object",
                "description": "The whole school.",
                "properties": {
                    "mode": { "type": "string", "enum": ["school"] },
                    "campusId": { "type": "null" },
                },
                "required": ["mode"],
            },
            {
                "type": "object",
                "description": "One campus, which wins over whatever campus the model asks for.",
                "properties": {
                    "mode": { "type": "string", "enum": ["campus"] },
                    "campusId": { "type": "string", "minLength": 1 },
                },
                "required": ["mode", "campusId"],
            },
        ],
    })
}

/// `create_department` as `CreateDepartment`.
fn pascal(name: &str) -> String {
    let capital = |word: &str| {
        let mut letters = word.chars();
        letters
            .next()
            .map(|first| first.to_ascii_uppercase())
            .into_iter()
            .chain(letters)
            .collect::<String>()
    };
    name.split('_').map(capital).collect()
}

/// A name as the key of an object: bare if it may be.
fn key(name: &str) -> String {
    let bare = name
        .starts_with(|letter: char| letter.is_ascii_alphabetic() || letter == '_' || letter == '$')
        && name
            .chars()
            .all(|letter| letter.is_ascii_alphanumeric() || letter == '_' || letter == '$');
    if bare { name.to_owned() } else { quoted(name) }
}

/// A text as a literal. JSON's are JavaScript's.
fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

fn is_required(schema: &Value, name: &str) -> bool {
    schema["required"].as_array().is_some_and(|names| names.iter().any(|required| required == name))
}

/// A comment above a declaration, closed by nothing that stands in the text.
fn comment(text: &str, indent: &str) -> String {
    let text = text.replace("*/", "* /");
    let lines: Vec<&str> = text.lines().collect();
    match &lines[..] {
        [] => String::new(),
        [line] => format!("{indent}/** {line} */\n"),
        lines => {
            let body = lines.join(&format!("\n{indent} * "));
            format!("{indent}/**\n{indent} * {body}\n{indent} */\n")
        }
    }
}
