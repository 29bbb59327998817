//! `/openapi.json`: the addresses of this server as `OpenAPI` 3.1, made from what serves them.
//!
//! What a tool takes and answers stands in its definition as JSON Schema, which `OpenAPI` 3.1 takes as it is; so nothing
//! is described twice. The document is made once, when the router is.

use axum::http::{Method, StatusCode};
use serde_json::{Map, Value, json};

use super::api::Described;
use super::records::{Endpoint, VERSION, Verb};

/// What is said of an address that is no tool.
#[derive(Clone, Debug)]
pub(super) struct Words {
    /// What it does, in a sentence.
    pub(super) summary: &'static str,
    /// Whether it needs a signed-in person.
    pub(super) signed_in: bool,
    /// What is sent, if anything is.
    pub(super) takes: Option<Takes>,
    /// What a success is answered with.
    pub(super) answers: Answers,
    /// With which status, where it is not the usual one.
    pub(super) status: Option<StatusCode>,
}

/// The kind of a body that is sent.
#[derive(Clone, Copy, Debug)]
pub(super) enum Takes {
    /// JSON of this schema.
    Json(fn() -> Value),
    /// The bytes of a file, whose name is said in the query.
    File,
}

/// The kind of a successful answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answers {
    /// A JSON object.
    Json,
    /// Nothing but the status.
    Nothing,
    /// Plain text.
    Text,
    /// Server-sent events, as long as a turn lasts.
    Events,
    /// The bytes of a file, of whatever type it is.
    File,
}

impl Words {
    /// An address for everybody.
    pub(super) const fn open(summary: &'static str) -> Self {
        Self { summary, signed_in: false, takes: None, answers: Answers::Json, status: None }
    }

    /// An address for people who are signed in.
    pub(super) const fn signed_in(summary: &'static str) -> Self {
        Self { signed_in: true, ..Self::open(summary) }
    }

    pub(super) const fn with_status(self, status: StatusCode) -> Self {
        Self { status: Some(status), ..self }
    }

    pub(super) const fn taking(self, takes: Takes) -> Self {
        Self { takes: Some(takes), ..self }
    }

    pub(super) const fn answering(self, answers: Answers) -> Self {
        Self { answers, ..self }
    }
}

/// The document.
pub(super) fn document(described: &[Described], endpoints: &[Endpoint]) -> Value {
    let mut paths: Map<String, Value> = Map::new();
    for endpoint in endpoints {
        add(&mut paths, endpoint.path, &endpoint.method.method(), of_tool(endpoint));
    }
    for Described { method, path, words } in described {
        add(&mut paths, path, method, of_words(method, path, words));
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Rover",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "The school over REST, the chat, and what operators ask. Errors are problems (RFC 9457); \
                            what may not be seen is answered like what does not exist.",
        },
        "servers": [{ "url": "/" }],
        "paths": paths,
        "components": {
            "securitySchemes": { "signIn": { "type": "http", "scheme": "bearer" } },
            "schemas": { "Problem": problem_schema() },
            "responses": {
                "Problem": {
                    "description": "Why it did not succeed.",
                    "content": {
                        "application/problem+json": { "schema": { "$ref": "#/components/schemas/Problem" } },
                    },
                },
            },
        },
    })
}

fn add(paths: &mut Map<String, Value>, path: &str, method: &Method, operation: Value) {
    let at = paths.entry(path.to_owned()).or_insert_with(|| json!({}));
    at[method.as_str().to_ascii_lowercase()] = operation;
}

fn of_tool(endpoint: &Endpoint) -> Value {
    let def = endpoint.def();
    let args = (def.args_schema)();
    let reads = endpoint.method == Verb::Get;
    // The tool's first example, wherever its arguments travel here.
    let example = def.examples.first().map(|example| example.to_json(def.fields));
    let shown = |name: &str| example.as_ref().and_then(|example| example.get(name)).cloned();
    let mut parameters: Vec<Value> = endpoint
        .in_path()
        .map(|name| {
            let parameter = json!({
                "name": name,
                "in": "path",
                "required": true,
                "schema": args["properties"][name],
            });
            with_example(parameter, shown(name))
        })
        .collect();
    if reads {
        parameters.extend(endpoint.brought().map(|field| {
            let parameter = json!({
                "name": field.wire,
                "in": "query",
                "required": field.required,
                "description": field.description,
                "schema": args["properties"][field.wire],
            });
            with_example(parameter, shown(field.wire))
        }));
    } else {
        parameters.push(json!({
            "name": "Idempotency-Key",
            "in": "header",
            "required": false,
            "description": "The same key is the same change: sent again, it is answered as the first time.",
            "schema": { "type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]+$" },
        }));
    }
    if endpoint.is_guarded() {
        parameters.push(json!({
            "name": "If-Match",
            "in": "header",
            "required": def.field(VERSION).is_some_and(|field| field.required),
            "description": "The `ETag` of the version that was seen; with an older one nothing is changed.",
            "schema": { "type": "string", "pattern": "^\"[1-9][0-9]{0,14}\"$" },
        }));
    }
    let mut operation = json!({
        "operationId": def.name,
        "summary": def.label,
        "description": def.description,
        "parameters": parameters,
        "security": [{ "signIn": [] }],
        "responses": responses(endpoint.status(), json!({
            "description": "Done.",
            "content": { "application/json": { "schema": (def.output_schema)() } },
        })),
    });
    if !reads && let Some(schema) = body_schema(endpoint, &args) {
        let required = endpoint.brought().any(|field| field.required);
        let given = endpoint
            .brought()
            .filter_map(|field| Some((field.wire.to_owned(), shown(field.wire)?)));
        let body: Map<String, Value> = given.collect();
        let body = (!body.is_empty()).then_some(Value::Object(body));
        operation["requestBody"] = json!({
            "required": required,
            "content": { "application/json": with_example(json!({ "schema": schema }), body) },
        });
    }
    operation
}

fn with_example(mut described: Value, example: Option<Value>) -> Value {
    if let Some(example) = example {
        described["example"] = example;
    }
    described
}

/// The arguments without those that travel otherwise.
fn body_schema(endpoint: &Endpoint, args: &Value) -> Option<Value> {
    let mut properties = Map::new();
    let mut required = Vec::new();
    for field in endpoint.brought() {
        properties.insert(field.wire.to_owned(), args["properties"][field.wire].clone());
        if field.required {
            required.push(field.wire);
        }
    }
    if properties.is_empty() {
        return None;
    }
    Some(json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    }))
}

fn of_words(method: &Method, path: &str, words: &Words) -> Value {
    let mut parameters: Vec<Value> = path
        .split('/')
        .filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'))
        .map(|name| {
            json!({ "name": name, "in": "path", "required": true, "schema": { "type": "string", "minLength": 1 } })
        })
        .collect();
    if matches!(words.takes, Some(Takes::File)) {
        parameters.push(json!({
            "name": "filename",
            "in": "query",
            "required": true,
            "schema": { "type": "string", "minLength": 1 },
        }));
    }
    let content = match words.answers {
        Answers::Json => json!({ "application/json": { "schema": { "type": "object" } } }),
        Answers::Text => json!({ "text/plain": { "schema": { "type": "string" } } }),
        Answers::Events => json!({ "text/event-stream": { "schema": { "type": "string" } } }),
        Answers::File => json!({ "*/*": { "schema": {} } }),
        Answers::Nothing => json!({}),
    };
    let usual =
        if words.answers == Answers::Nothing { StatusCode::NO_CONTENT } else { StatusCode::OK };
    let status = words.status.unwrap_or(usual);
    let mut operation = json!({
        "operationId": operation_id(method, path),
        "summary": words.summary,
        "parameters": parameters,
        "responses": responses(status, json!({ "description": "Done.", "content": content })),
    });
    if words.signed_in {
        operation["security"] = json!([{ "signIn": [] }]);
    }
    let content = match words.takes {
        None => return operation,
        Some(Takes::Json(schema)) => json!({ "application/json": { "schema": schema() } }),
        Some(Takes::File) => json!({ "*/*": { "schema": {} } }),
    };
    operation["requestBody"] = json!({ "required": true, "content": content });
    operation
}

/// "get /api/turns/{id}" is `get_turns_id`.
fn operation_id(method: &Method, path: &str) -> String {
    let words = path.split(|letter: char| !letter.is_ascii_alphanumeric());
    let words = words.filter(|word| !word.is_empty() && *word != "api").map(str::to_owned);
    let words: Vec<String> =
        std::iter::once(method.as_str().to_ascii_lowercase()).chain(words).collect();
    words.join("_")
}

fn responses(status: StatusCode, success: Value) -> Value {
    let mut responses = Map::new();
    responses.insert(status.as_str().to_owned(), success);
    responses.insert("default".to_owned(), json!({ "$ref": "#/components/responses/Problem" }));
    Value::Object(responses)
}

fn problem_schema() -> Value {
    json!({
        "type": "object",
        "required": ["type", "title", "status", "detail"],
        "properties": {
            "type": { "type": "string", "description": "Which problem it is; it never changes." },
            "title": { "type": "string" },
            "status": { "type": "integer", "minimum": 400, "maximum": 599 },
            "detail": { "type": "string", "description": "What is wrong and what to do." },
        },
    })
}
