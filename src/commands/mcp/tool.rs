//! A tool of the registry in MCP's words.

use std::sync::Arc;

use agent_contract::{AgentToolResult, Effect, ToolDefinition, Verb};
use rmcp::model::{CallToolResult, ContentBlock, JsonObject, Tool, ToolAnnotations};
use serde_json::{Value, json};

/// The tool as a client lists it.
pub(super) fn listed(def: &ToolDefinition) -> Tool {
    Tool::new(def.name, def.description, object((def.args_schema)()))
        .with_title(title(def.name))
        .with_raw_output_schema(object(envelope(&(def.output_schema)())))
        .with_annotations(annotations(def))
}

/// What came of a call. A refusal has no structured content: it would have to be of the result's schema.
pub(super) fn returned(result: &AgentToolResult) -> CallToolResult {
    match result.error() {
        None => CallToolResult::structured(json!(result)),
        Some(error) => failed(error),
    }
}

/// A call that came to nothing, in words that its caller reads.
pub(super) fn failed(error: &str) -> CallToolResult {
    CallToolResult::error(vec![ContentBlock::text(error)])
}

/// "Create department" for `create_department`: the label is worded for work under way.
fn title(name: &str) -> String {
    let words = name.replace('_', " ");
    let mut letters = words.chars();
    letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect()
}

/// All four hints: where one is missing, a client must think the worst.
fn annotations(def: &ToolDefinition) -> ToolAnnotations {
    let writes = def.effect == Effect::Write;
    let verb = Verb::named(def.verb);
    let asks_first = verb.is_some_and(|verb| verb.asks_first);
    let adds = verb.is_some_and(|verb| verb.actions.first() == Some(&"Create"));
    ToolAnnotations::new()
        .read_only(!writes)
        // Whatever does more than add something new, or sends it away.
        .destructive(writes && (asks_first || !adds))
        .idempotent(!writes)
        // Among the verbs that add something, those that ask first are the ones that reach out of the school.
        .open_world(writes && asks_first && adds)
}

/// The schema of a result: the output, and how far it reaches.
fn envelope(output: &Value) -> Value {
    json!({
        "type": "object",
        "properties": {
            "data": output,
            "scopeContext": {
                "type": "string",
                "description": "How far the data reaches; qualify what is said from it.",
            },
        },
        "required": ["data", "scopeContext"],
    })
}

fn object(schema: Value) -> Arc<JsonObject> {
    Arc::new(match schema {
        Value::Object(schema) => schema,
        _ => JsonObject::new(),
    })
}

#[cfg(test)]
mod tests {
    use tools::agent_tools::DEFS;

    use super::*;

    fn hints(name: &str) -> [Option<bool>; 4] {
        let def = DEFS.iter().find(|def| def.name == name).unwrap();
        let hints = annotations(def);
        [hints.read_only_hint, hints.destructive_hint, hints.idempotent_hint, hints.open_world_hint]
    }

    #[test]
    fn a_title_is_the_name_in_words() {
        let department = DEFS.iter().find(|def| def.name == "create_department").unwrap();
        assert_eq!(listed(department).title.as_deref(), Some("Create department"));
    }

    #[test]
    fn a_client_learns_what_a_tool_does_to_the_school() {
        let [yes, no] = [Some(true), Some(false)];
        for (name, expected) in [
            ("list_departments", [yes, no, yes, no]),
            ("create_department", [no, no, no, no]),
            ("enrol_student", [no, no, no, no]),
            ("rename_department", [no, yes, no, no]),
            ("record_attendance", [no, yes, no, no]),
            ("archive_department", [no, yes, no, no]),
            ("withdraw_student", [no, yes, no, no]),
        ] {
            assert_eq!(hints(name), expected, "{name}");
        }
    }

    #[test]
    fn a_refusal_is_text_and_a_result_is_both() {
        let refused = returned(&AgentToolResult::err("Permission denied"));
        assert_eq!((refused.is_error, refused.structured_content), (Some(true), None));
        let done = returned(&AgentToolResult::ok(json!([1]), "across the school"));
        assert_eq!(done.is_error, Some(false));
        let expected = json!({ "data": [1], "scopeContext": "across the school" });
        assert_eq!(done.structured_content, Some(expected));
        assert_eq!(done.content.len(), 1);
    }
}
