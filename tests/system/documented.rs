//! What the documentation tells a reader to type, typed into a shell.

use std::path::Path;

use agent_contract::{
    AgentCallScope, AgentIdentity, AgentRuntimeContextInput, AgentToolRequest, AgentToolResult,
    resolve_runtime_context,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tools::agent_tools::DEFS;

use crate::support::Folder;

const REGISTRY: &str = include_str!("../../tools/REGISTRY.md");

#[test]
fn every_command_of_the_registry_page_runs_as_it_stands() {
    let demo = Folder::empty();
    demo.left_by("dev", &[]);
    let commands = fenced(REGISTRY, "sh");
    for command in &commands {
        // What one command writes, the next must not find.
        let (status, printed) = demo.copied().shell(command);
        assert!(status.success() && printed.contains("\"scopeContext\""), "{command}\n{printed}");
    }
    for def in DEFS {
        let call = format!("rover call {} ", def.name);
        assert!(commands.iter().any(|command| command.starts_with(&call)), "{call} is not shown");
    }
}

/// The pages that are written by hand.
const PAGES: &[(&str, &str)] = &[
    ("README.md", include_str!("../../docs/README.md")),
    ("a-chat-turn.md", include_str!("../../docs/a-chat-turn.md")),
    ("adding-a-local-tool.md", include_str!("../../docs/adding-a-local-tool.md")),
    ("adding-an-rpc-tool.md", include_str!("../../docs/adding-an-rpc-tool.md")),
    ("conversations.md", include_str!("../../docs/conversations.md")),
    ("defining-a-tool.md", include_str!("../../docs/defining-a-tool.md")),
    ("securing-the-wire.md", include_str!("../../docs/securing-the-wire.md")),
    ("the-rpc-hop.md", include_str!("../../docs/the-rpc-hop.md")),
    ("the-shared-contract.md", include_str!("../../docs/the-shared-contract.md")),
    ("tool-registry.md", include_str!("../../docs/tool-registry.md")),
];

#[test]
fn every_rust_snippet_is_part_of_a_source_that_is_compiled() {
    let mut sources = Vec::new();
    for member in ["tools", "server/src"] {
        read_all(&Path::new(env!("CARGO_MANIFEST_DIR")).join(member), &mut sources);
    }
    for (page, text) in PAGES {
        for snippet in fenced(text, "rust") {
            let compiled = sources.iter().any(|source| source.contains(&flat(snippet)));
            assert!(compiled, "{page}: no source has\n{snippet}");
        }
    }
}

#[test]
fn every_json_snippet_is_what_its_label_says() {
    let tools: Value = serde_json::from_str(include_str!("../../tools/tools.json")).expect("JSON");
    for (page, text) in PAGES {
        assert!(fenced(text, "json").is_empty(), "{page}: label the JSON with its type");
        for (label, snippet) in labelled(text) {
            let value: Value = serde_json::from_str(snippet).expect(snippet);
            let reread = match label {
                "AgentCallScope" => reread::<AgentCallScope>(&value),
                "AgentIdentity" => reread::<AgentIdentity>(&value),
                "AgentRuntimeContextInput" => {
                    resolve_runtime_context(value.clone()).expect("it parses");
                    reread::<AgentRuntimeContextInput>(&value)
                }
                "AgentToolResult" => reread::<AgentToolResult>(&value),
                "Packet" => reread_as(&value["data"], &value, reread::<AgentToolRequest>),
                "ReplyPacket" => reread_as(&value["response"], &value, reread::<AgentToolResult>),
                "ToolPage" => shown_of(&tools, &value),
                other => panic!("{page}: nothing is called {other}"),
            };
            assert_eq!(reread, value, "{page}");
        }
    }
}

#[test]
fn every_shell_snippet_prints_what_the_page_says() {
    let demo = Folder::empty();
    demo.left_by("dev", &[]);
    for (page, text) in PAGES {
        let school = demo.copied();
        for block in text.split("\n```sh\n").skip(1) {
            let (commands, after) = block.split_once("\n```").expect("the block ends");
            let (status, printed) = school.shell(commands);
            assert!(status.success(), "{page}: {commands}\n{printed}");
            let Some(expected) = after.strip_prefix("\n\n```text\n") else { continue };
            for line in expected.split_once("\n```").expect("the block ends").0.lines() {
                assert!(printed.contains(line), "{page}: `{line}` is not in\n{printed}");
            }
        }
    }
}

#[test]
fn every_link_leads_somewhere() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    for (page, text) in PAGES {
        for link in text.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next()) {
            assert!(folder.join(link).exists(), "{page}: {link}");
        }
        let index = PAGES[0].1.contains(&format!("({page})")) || *page == "README.md";
        assert!(index, "docs/README.md does not name {page}");
    }
}

/// The value after it was read as its type and written again.
fn reread<T: DeserializeOwned + Serialize>(value: &Value) -> Value {
    let read: T = serde_json::from_value(value.clone()).unwrap_or_else(|e| panic!("{e}: {value}"));
    serde_json::to_value(read).expect("it is written")
}

/// A packet around a value; how the packet is read is for the tests of the wire.
fn reread_as(inner: &Value, packet: &Value, read: fn(&Value) -> Value) -> Value {
    assert_eq!(&read(inner), inner);
    packet.clone()
}

/// What `tools.json` has under the keys that the page shows of a tool.
fn shown_of(tools: &Value, shown: &Value) -> Value {
    let tool = tools["tools"].as_array().expect("a list").iter();
    let tool = tool.clone().find(|tool| tool["name"] == shown["name"]).expect("it is there");
    let keys = shown.as_object().expect("an object").keys();
    keys.map(|key| (key.clone(), tool[key].clone())).collect()
}

/// The blocks of this language.
fn fenced<'a>(page: &'a str, language: &str) -> Vec<&'a str> {
    let fence = format!("\n```{language}\n");
    let blocks = page.split(fence.as_str()).skip(1);
    blocks.map(|block| block.split_once("\n```").expect("the block ends").0).collect()
}

/// The JSON blocks with what they are.
fn labelled(page: &str) -> Vec<(&str, &str)> {
    let blocks = page.split("\n```json ").skip(1);
    blocks
        .map(|block| {
            let (label, rest) = block.split_once('\n').expect("the label ends");
            (label, rest.split_once("\n```").expect("the block ends").0)
        })
        .collect()
}

/// The text without its indentation, which depends on where a snippet stands.
fn flat(text: &str) -> String {
    text.lines().map(str::trim).collect::<Vec<_>>().join("\n")
}

/// Every Rust source below the folder.
fn read_all(folder: &Path, sources: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            read_all(&path, sources);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            sources.push(flat(&std::fs::read_to_string(path).expect("it is readable")));
        }
    }
}
