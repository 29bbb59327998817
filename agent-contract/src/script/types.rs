//! TypeScript types: names and events, arguments and results, the envelope, and the Hub's labels.

use std::fmt::Write as _;

use serde_json::Value;

use super::{comment, envelope, is_required, key, pascal, quoted};
use crate::definition::ToolDefinition;

/// What no schema says: the envelope is generic over the tool.
const ENVELOPE: &str = "\
/** One call: who, where, and the model's arguments. */
export interface AgentToolRequest<A> {
  identity: AgentIdentity;
  scope: AgentCallScope;
  args: A;
}

/** What every call ends in. A result that holds both is no success. */
export type AgentToolResult<T> =
  | { data: T; scopeContext: string; error?: undefined }
  | { error: string };
";

/// The file of types.
pub fn types(defs: &[&ToolDefinition]) -> String {
    let mut text =
        "// Written by `rover contract export --ts` from the registry; do not edit.\n\n".to_owned();
    for (name, schema) in envelope() {
        declare(&mut text, name, &schema);
    }
    text.push_str(ENVELOPE);
    for def in defs {
        let name = pascal(def.name);
        text.push('\n');
        text.push_str(&comment(&format!("Arguments of `{}`.\n{}", def.name, def.description), ""));
        let _ = writeln!(text, "export type {name}Args = {};\n", of(&(def.args_schema)(), ""));
        text.push_str(&comment(&format!("Data of a result of `{}`.", def.name), ""));
        let _ = writeln!(text, "export type {name}Result = {};", of(&(def.output_schema)(), ""));
    }
    tables(&mut text, defs);
    text
}

fn declare(text: &mut String, name: &str, schema: &Value) {
    text.push_str(&comment(schema["description"].as_str().unwrap_or_default(), ""));
    let _ = writeln!(text, "export type {name} = {};\n", of(schema, ""));
}

/// What is told tool by tool.
fn tables(text: &mut String, defs: &[&ToolDefinition]) {
    let events: Vec<(&str, &str)> =
        defs.iter().filter_map(|def| Some((def.name, def.event?))).collect();
    let mut table = |doc: &str, head: &str, rows: Vec<String>| {
        text.push('\n');
        text.push_str(&comment(doc, ""));
        let _ = writeln!(
            text,
            "{head} {{\n{}\n}}{}",
            rows.join("\n"),
            if head.contains('=') { " as const;" } else { "" }
        );
    };
    table(
        "The arguments of every tool.",
        "export interface ToolArgs",
        defs.iter().map(|def| format!("  {}: {}Args;", key(def.name), pascal(def.name))).collect(),
    );
    table(
        "The data of every tool's result.",
        "export interface ToolResults",
        defs.iter()
            .map(|def| format!("  {}: {}Result;", key(def.name), pascal(def.name)))
            .collect(),
    );
    table(
        "The event of every tool that the server runs.",
        "export const toolEvents =",
        events.iter().map(|(name, event)| format!("  {}: {},", key(name), quoted(event))).collect(),
    );
    table(
        "The Hub's activity line of every tool.",
        "export const toolLabels =",
        defs.iter().map(|def| format!("  {}: {},", key(def.name), quoted(def.label))).collect(),
    );
    text.push_str(
        "\n/** The name of a tool. */\nexport type ToolName = keyof ToolArgs;\n\
         \n/** The event of a tool that the server runs. */\n\
         export type ToolEvent = (typeof toolEvents)[keyof typeof toolEvents];\n",
    );
}

/// The type of a schema's values.
fn of(schema: &Value, indent: &str) -> String {
    if let Some(branches) = schema["anyOf"].as_array() {
        return branches.iter().map(|branch| of(branch, indent)).collect::<Vec<_>>().join(" | ");
    }
    if let Some(words) = schema["enum"].as_array() {
        return words.iter().map(Value::to_string).collect::<Vec<_>>().join(" | ");
    }
    match schema["type"].as_str() {
        Some("object") => object(schema, indent),
        Some("array") => format!("Array<{}>", of(&schema["items"], indent)),
        Some("integer" | "number") => "number".to_owned(),
        Some("boolean") => "boolean".to_owned(),
        Some("null") => "null".to_owned(),
        Some("string") => "string".to_owned(),
        _ => "unknown".to_owned(),
    }
}

fn object(schema: &Value, indent: &str) -> String {
    let inner = format!("{indent}  ");
    let mut fields = String::new();
    for (name, field) in schema["properties"].as_object().into_iter().flatten() {
        fields.push_str(&comment(field["description"].as_str().unwrap_or_default(), &inner));
        let mark = if is_required(schema, name) { "" } else { "?" };
        let _ = writeln!(fields, "{inner}{}{mark}: {};", key(name), of(field, &inner));
    }
    match (fields.is_empty(), schema.get("additionalProperties")) {
        (true, Some(values @ Value::Object(_))) => {
            format!("Record<string, {}>", of(values, indent))
        }
        (true, _) => "Record<string, never>".to_owned(),
        (false, _) => format!("{{\n{fields}{indent}}}"),
    }
}
