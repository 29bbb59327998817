//! The shapes in which calls arrive damaged, from public bug reports: each is repaired, and the repair told, or it is
//! explained in a line. The reports were written by others about other programs; what becomes of each is ours.

use agent_contract::{ArgumentFault, ToolArgs, ToolError, decode, repair_text};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

/// What the reports' tools took, in one type.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Report {
    /// A number.
    pull_number: Option<u32>,
    /// Another.
    min_price: Option<f64>,
    /// A switch.
    #[serde(default)]
    draft: bool,
    /// Any text.
    title: Option<String>,
    /// A day.
    day: Option<agent_contract::Date>,
    /// An instant.
    at: Option<agent_contract::Timestamp>,
    /// An address.
    #[schemars(email)]
    mail: Option<String>,
    /// Several words.
    #[serde(default)]
    labels: Vec<String>,
    /// Several changes.
    #[serde(default)]
    edits: Vec<Edit>,
    /// One change.
    edit: Option<Edit>,
}

/// A change.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Edit {
    /// What to replace.
    old_text: String,
    /// From which line.
    line: Option<u32>,
}

/// What becomes of a call.
enum Becomes {
    /// These arguments, with these repairs.
    Whole(Value, &'static [&'static str]),
    /// Nothing; these lines say why.
    Told(&'static [&'static str]),
}
use Becomes::{Told, Whole};

/// (where it was reported, the text that a model wrote as arguments, what becomes of it)
#[expect(clippy::too_many_lines, reason = "a table has as many lines as rows")]
fn reports() -> Vec<(&'static str, &'static str, Becomes)> {
    vec![
        ("openai/openai-agents-js #664", "", Whole(json!({}), &["args empty_to_object"])),
        ("langchain-ai/langchain #34242", "null", Whole(json!({}), &["args empty_to_object"])),
        (
            "modelcontextprotocol/typescript-sdk #1404",
            " \n",
            Whole(json!({}), &["args empty_to_object"]),
        ),
        ("NousResearch/hermes-agent #83937", r#""""#, Whole(json!({}), &["args empty_to_object"])),
        (
            "github/github-mcp-server #2044",
            r#"{"pullNumber":"5812"}"#,
            Whole(json!({ "pullNumber": 5812 }), &["args.pullNumber text_to_number"]),
        ),
        (
            "anthropics/claude-code #24597",
            r#"{"pullNumber":"7","edit":"{\"oldText\":\"a\"}","labels":"[\"x\"]"}"#,
            Whole(
                json!({ "pullNumber": 7, "edit": { "oldText": "a" }, "labels": ["x"] }),
                &["args.pullNumber text_to_number", "args.edit unquoted", "args.labels unquoted"],
            ),
        ),
        (
            "OpenHands/software-agent-sdk #1085",
            r#"{"edit":{"oldText":"a","line":"540"}}"#,
            Whole(
                json!({ "edit": { "oldText": "a", "line": 540 } }),
                &["args.edit.line text_to_number"],
            ),
        ),
        (
            "lmstudio-ai/lmstudio-bug-tracker #1626",
            r#"{"title":"1"}"#,
            Whole(json!({ "title": "1" }), &[]),
        ),
        (
            "earendil-works/pi #9931",
            r#"{"edits":"[{\"oldText\":\"a\"}]"}"#,
            Whole(json!({ "edits": [{ "oldText": "a" }] }), &["args.edits unquoted"]),
        ),
        (
            "earendil-works/pi #7856",
            r#"{"title":"{\"oldText\":\"a\"}"}"#,
            Whole(json!({ "title": "{\"oldText\":\"a\"}" }), &[]),
        ),
        (
            "Hmbown/Codewhale #5349",
            r#"{"edits":"[{\"oldText\":\"a\",\"line\":\"2\"}]"}"#,
            Whole(
                json!({ "edits": [{ "oldText": "a", "line": 2 }] }),
                &["args.edits unquoted", "args.edits[0].line text_to_number"],
            ),
        ),
        (
            "oracle/langchain-oracle #56",
            r#""{\"title\":\"a\"}""#,
            Whole(json!({ "title": "a" }), &["args unquoted"]),
        ),
        (
            "mastra-ai/mastra #12396",
            r#"{"minPrice":null}"#,
            Whole(json!({}), &["args.minPrice left_out"]),
        ),
        (
            "livekit/agents-js #2308",
            r#"{"edit":{"oldText":null}}"#,
            Told(&["args.edit.oldText: expected string, got null"]),
        ),
        ("PhilflowIO/dav-mcp #15", r#"{"mail":""}"#, Whole(json!({}), &["args.mail left_out"])),
        (
            "PhilflowIO/dav-mcp #15",
            r#"{"mail":"unknown"}"#,
            Told(&[r#"args.mail: expected text in email form, got string "unknown""#]),
        ),
        (
            "PhilflowIO/dav-mcp #15",
            r#"{"mail":"null"}"#,
            Told(&[r#"args.mail: expected text in email form, got string "null""#]),
        ),
        (
            "livekit/agents #4196",
            "{\"title\":\"two\nlines\"}",
            Whole(json!({ "title": "two\nlines" }), &["args controls_escaped"]),
        ),
        ("anthropics/claude-code #79339", "{\"title\":\"\\한\"}", Told(&[ESCAPE])),
        ("openclaw/openclaw #141323", r#"{"title":"\d+"}"#, Told(&[ESCAPE])),
        ("BerriAI/litellm #40582", r#"{"title":"a"}{"title":"a"}"#, Told(&[SEVERAL])),
        ("BerriAI/litellm #40582", r#"{"title":"a"} {"title":"b"}"#, Told(&[SEVERAL])),
        (
            "intrafind/ihub-apps #1802",
            r#"{"title":"a}{b"}"#,
            Whole(json!({ "title": "a}{b" }), &[]),
        ),
        (
            "emcie-co/parlant #785",
            r#"{"labels":"red, green"}"#,
            Told(&[r#"args.labels: expected array, got string "red, green""#]),
        ),
        (
            "crewAIInc/crewAI #611",
            r#"{"labels":"[\"red\",\"green\"]"}"#,
            Whole(json!({ "labels": ["red", "green"] }), &["args.labels unquoted"]),
        ),
        (
            "teng-lin/notebooklm-py #1680",
            r#"{"labels":"red"}"#,
            Told(&[r#"args.labels: expected array, got string "red""#]),
        ),
        ("pydantic/pydantic-ai #3118", r#"{"title": "example with retry"#, Told(&[CUT_OFF])),
        // That a call of nothing was cut off is known to the worker alone, which is told why the model stopped.
        ("mattmezza/humux #77", "{}", Whole(json!({}), &[])),
        ("tailcallhq/forgecode #894", r#"Sure: {"title":"a"}"#, Told(&[NO_JSON])),
        ("tailcallhq/forgecode #894", r#"{"title":"a"} as you asked"#, Told(&[NO_JSON])),
        (
            "NousResearch/hermes-agent #110436",
            r#"{"oldText":"a","line":3}"#,
            Told(&[
                "args.edit: expected an object that holds oldText, line, got them one level up; put them into that object",
            ]),
        ),
        // No report is about these; serde would read some of them all the same.
        ("a field twice", r#"{"title":"a","title":"b"}"#, Told(&[TWICE])),
        (
            "a field twice, with a name that breaks lines",
            "{\"a\nb\":1,\"a\nb\":2}",
            Told(&[TWICE_IN_TWO]),
        ),
        (
            "a field twice, inside a quoted object",
            r#""{\"title\":\"a\",\"title\":\"b\"}""#,
            Told(&[TWICE]),
        ),
        ("a wrapper", r#"{"args":{"title":"a"}}"#, Told(&[WRAPPED])),
        ("a quoted wrapper", r#"{"args":"{\"title\":\"a\"}"}"#, Told(&[WRAPPED])),
        (
            "a day in words",
            r#"{"day":"1st Feb 2026"}"#,
            Told(&[r#"args.day: expected a date such as 2026-02-01, got string "1st Feb 2026""#]),
        ),
        (
            "a day of two readings",
            r#"{"day":"01/02/2026"}"#,
            Told(&[r#"args.day: expected a date such as 2026-02-01, got string "01/02/2026""#]),
        ),
        (
            "a day in short",
            r#"{"day":"2026-2-1"}"#,
            Told(&[r#"args.day: expected a date such as 2026-02-01, got string "2026-2-1""#]),
        ),
        (
            "an instant without its zone",
            r#"{"at":"2026-02-01T08:30:00"}"#,
            Told(&[
                r#"args.at: expected an instant such as 2026-02-01T08:30:00Z, got string "2026-02-01T08:30:00""#,
            ]),
        ),
        (
            "several faults at once",
            r#"{"tilte":"a","draft":"yes","edit":{}}"#,
            Told(&[
                "args.draft: expected boolean, got string \"yes\"",
                "args.edit.oldText: expected string, got nothing",
                "args.tilte: expected one of the fields pullNumber, minPrice, draft, title, day, at, mail, labels, edits, edit (nearest: title), got an unknown field",
            ]),
        ),
        (
            "a repair beside a fault is not made",
            r#"{"pullNumber":"7","draft":"yes"}"#,
            Told(&[
                "args.draft: expected boolean, got string \"yes\"",
                "args.pullNumber: expected integer, got string \"7\"",
            ]),
        ),
    ]
}

const ESCAPE: &str = r"args: expected a JSON object, got text with a backslash that JSON does not know; write it as \\";
const SEVERAL: &str = "args: expected one JSON object, got several values, one after the other; make one call for each";
const CUT_OFF: &str = "args: expected a whole JSON object, got text that ends in the middle of one";
const NO_JSON: &str = "args: expected a JSON object, got text that is none";
const TWICE: &str = r#"args: expected each field once, got the field "title" twice"#;
const TWICE_IN_TWO: &str = r#"args: expected each field once, got the field "a\u{a}b" twice"#;
const WRAPPED: &str =
    r#"args: expected the arguments themselves, got them wrapped in "args"; leave that level out"#;

#[test]
fn every_reported_shape() {
    for (report, text, becomes) in reports() {
        match (becomes, call(text)) {
            (Whole(expected, repairs), Ok((args, found))) => {
                assert_eq!(args, expected, "{report}: {text}");
                assert_eq!(found, repairs, "{report}: {text}");
            }
            (Told(expected), Err(faults)) => {
                let mut lines: Vec<String> = faults.iter().map(ToString::to_string).collect();
                lines.sort();
                assert_eq!(lines, expected, "{report}: {text}");
            }
            (_, came) => panic!("{report}: {text}: {came:?}"),
        }
    }
}

/// A call on its whole way: the text in the worker, the value in the server.
fn call(text: &str) -> Result<(Value, Vec<String>), Vec<ArgumentFault>> {
    let read = repair_text(text).map_err(|fault| vec![fault.explained()])?;
    let sent = serde_json::from_str(&read.value.to_string()).expect("what is sent is JSON");
    match decode::<Report>(sent) {
        Ok(decoded) => {
            let repairs = read.repairs.iter().chain(&decoded.repairs);
            let told = repairs.map(|repair| {
                let kind = serde_json::to_value(repair.kind).expect("a word");
                format!("{} {}", repair.path, kind.as_str().expect("a word"))
            });
            Ok((decoded.canonical, told.collect()))
        }
        Err(ToolError::Invalid(faults)) => Err(faults),
        Err(other) => panic!("{other}"),
    }
}

/// Arguments that never were: the key is absent from the packet, or null.
#[test]
fn absent_arguments_are_none() {
    let decoded = decode::<Report>(Value::Null).expect("every argument may be left out");
    assert_eq!((decoded.canonical, decoded.repairs.len()), (json!({}), 1));
}
