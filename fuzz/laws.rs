//! What must hold of any bytes at all: read as a packet from the queue, and read as the text of a model's arguments.
//!
//! The fuzzer runs this on bytes of its own, `tools/tests/corpus.rs` on those that the fuzzer once found worth keeping.

use std::sync::LazyLock;

use agent_contract::schema::validator;
use agent_contract::wire::{Packet, PacketData, classify};
use agent_contract::{AgentToolRequest, Reader, ToolError, repair_text};
use serde_json::Value;
use tools::agent_tools::readers;

/// Lines that an error has at most.
const LINES: usize = 8;
/// No error is longer, however long what it is about.
const LONGEST: usize = 8 * 1024;

/// A tool and the judge of its arguments.
type Judged = (Reader, Box<dyn Fn(&Value) -> bool + Send + Sync>);

static TOOLS: LazyLock<Vec<Judged>> = LazyLock::new(|| {
    let judged = |reader: Reader| -> Judged {
        let validator = validator(&(reader.def.args_schema)()).expect("the schema compiles");
        (reader, Box::new(move |value: &Value| validator.is_valid(value)))
    };
    readers().into_iter().map(judged).collect()
});

/// Panics if one of the laws is broken.
pub(crate) fn hold(bytes: &[u8]) {
    packet(bytes);
    if let Ok(text) = std::str::from_utf8(bytes) {
        written(text);
    }
}

/// A packet is read in some way; a call of a tool is read or refused.
fn packet(bytes: &[u8]) {
    let (Packet::Request { pattern, data, .. } | Packet::Event { pattern, data }) = classify(bytes);
    let PacketData::Json(data) = data else { return };
    let request = match AgentToolRequest::from_data(data) {
        Ok(request) => request,
        Err(fault) => return sentence(&fault.to_string()),
    };
    let again = AgentToolRequest::from_data(serde_json::to_value(&request).expect("it is JSON"));
    assert_eq!(again.as_ref(), Ok(&request), "a request survives the wire");
    let Some(pattern) = pattern else { return };
    for (reader, judge) in TOOLS.iter() {
        if reader.def.event == Some(pattern.as_str()) || reader.def.name == pattern.as_str() {
            arguments(reader, judge, &request.args);
        }
    }
}

/// What a model wrote becomes arguments that travel unchanged, or a sentence. Every tool reads or refuses them.
fn written(text: &str) {
    match repair_text(text) {
        Ok(read) => {
            let sent = read.value.to_string();
            let came: Value = serde_json::from_str(&sent).expect("what is sent is JSON");
            assert_eq!(came, read.value, "arguments survive the wire");
            for (reader, judge) in TOOLS.iter() {
                arguments(reader, judge, &came);
            }
        }
        Err(fault) => sentence(&fault.explained().to_string()),
    }
}

fn arguments(
    Reader { def, args: read, .. }: &Reader,
    judge: &dyn Fn(&Value) -> bool,
    args: &Value,
) {
    let taken = judge(args);
    match read(args.clone()) {
        Ok(decoded) => {
            assert!(
                judge(&decoded.canonical),
                "{}: {args}: read as what the schema refuses",
                def.name
            );
            assert!(
                taken || !decoded.repairs.is_empty(),
                "{}: {args}: refused, and read",
                def.name
            );
            let again = read(decoded.canonical.clone()).expect("it is read twice");
            assert_eq!(again.canonical, decoded.canonical, "{}: {args}", def.name);
            assert!(again.repairs.is_empty(), "{}: {args}: {:?}", def.name, again.repairs);
        }
        Err(error) => {
            let ToolError::Invalid(faults) = &error else {
                panic!("{}: {args}: {error}", def.name)
            };
            assert!((1..=LINES).contains(&faults.len()), "{}: {args}: {error}", def.name);
            let text = error.to_string();
            sentence(&text);
            assert_eq!(text.lines().count(), faults.len() + 1, "{}: {args}: {text}", def.name);
            for fault in faults {
                assert!(fault.path().starts_with("args"), "{}: {args}: {text}", def.name);
                assert!(
                    !taken || fault.expected().contains("control"),
                    "{}: {args}: {text}",
                    def.name
                );
                assert!(
                    fault.expected() != "values that this tool can read",
                    "{}: {args}",
                    def.name
                );
            }
        }
    }
}

/// What a model and a person read is short and of letters.
fn sentence(text: &str) {
    assert!(text.len() <= LONGEST, "an error of {} bytes", text.len());
    let odd = text.chars().find(|letter| letter.is_control() && *letter != '\n');
    assert_eq!(odd, None, "{text:?}");
}
