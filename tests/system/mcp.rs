//! `rover mcp` under real clients: the Python SDK, which holds every result to the tool's output schema, and the
//! inspector, which looks at every schema.

use std::io::Write as _;
use std::process::Stdio;

use agent_contract::{Kind, ToolDefinition, ToolScope};
use serde_json::{Value, json};
use tools::agent_tools::DEFS;

use crate::support::{Peer, Rover, python, queues};

const HEAD_TEACHER: &str = "grace.namutebi@naalya.example";
const CLASS_TEACHER: &str = "ruth.akello@naalya.example";
const INSPECTOR: &str =
    "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js";

#[test]
fn a_client_lists_calls_and_is_refused_in_either_era() {
    let rover = Rover::dev(&[]);
    for (era, protocol) in [("legacy", "2025-11-25"), ("2026-07-28", "2026-07-28")] {
        let name = format!("Astronomy {era}");
        let calls = json!([
            ["create_department", { "name": name }],
            ["list_departments", {}],
            ["create_department", { "nmae": "X" }],
            ["compare_campuses", {}],
            ["list_departmens", {}],
            ["get_current_date", {}],
        ]);
        let served = served(&rover, HEAD_TEACHER, "campus:Main Campus");
        let lines = client(era, &calls, &served);
        assert_eq!(lines[0]["connected"], protocol);

        let named = |line: &Value| line["tool"]["name"].as_str().map(str::to_owned);
        let listed: Vec<String> = lines.iter().filter_map(named).collect();
        assert_eq!(listed, run_by_the_server(ToolScope::Campus));

        let ended: Vec<&Value> = lines.iter().filter(|line| line["call"].is_string()).collect();
        let created = &ended[0]["result"]["structuredContent"];
        assert_eq!(created["data"]["name"], json!(name), "{}", ended[0]);
        assert!(created["scopeContext"].to_string().contains("Main Campus"), "{created}");
        assert!(ended[1]["result"]["structuredContent"]["data"].to_string().contains(&name));

        let refused = &ended[2]["result"];
        assert_eq!((&refused["isError"], refused.get("structuredContent")), (&json!(true), None));
        assert!(refused["content"][0]["text"].to_string().contains("nmae"), "{refused}");
        for (call, says) in [(3, "not there in the run mode"), (4, "did you mean"), (5, "the chat")]
        {
            let refusal = ended[call]["refused"].as_str().unwrap_or_default();
            assert!(refusal.contains(says), "{}", ended[call]);
        }
    }
    let audit = rover.ask(&["audit", "verify"]);
    assert!(audit.contains("3 rows, whole"), "one of the demo, one a call that wrote: {audit}");
}

#[test]
fn a_person_is_refused_over_mcp_what_they_are_refused_elsewhere() {
    let rover = Rover::dev(&[]);
    let calls = json!([["create_department", { "name": "Astronomy" }]]);
    let lines = client("auto", &calls, &served(&rover, CLASS_TEACHER, "campus:Main Campus"));
    let refused = &lines.last().expect("a call")["result"];
    assert_eq!(refused["isError"], true, "{refused}");
    assert!(refused["content"][0]["text"].to_string().contains("Permission denied"), "{refused}");
    assert!(rover.ask(&["audit", "verify"]).contains("1 rows, whole"), "nothing was written");

    for (arguments, says) in [
        (["--as", "nobody@naalya.example", "--mode", "school"], "no account signs in"),
        (["--as", CLASS_TEACHER, "--mode", "campus:Nowhere"], "--mode campus:Nowhere"),
    ] {
        let (status, printed) = rover.try_ask(&[&["mcp"][..], &arguments].concat());
        assert!(!status.success() && printed.contains(says), "{printed}");
    }
}

#[test]
fn over_the_broker_a_call_goes_to_the_server_that_takes_it() {
    let queues = queues("mcp");
    let mut flags = queues.flags();
    flags.push("--demo");
    let rover = Rover::server(&flags);
    let mut served = served(&rover, HEAD_TEACHER, "campus:Main Campus");
    served.extend(queues.flags().into_iter().map(str::to_owned));
    let calls = json!([["create_department", { "name": "Astronomy" }]]);
    let lines = client("auto", &calls, &served);
    let created = &lines.last().expect("a call")["result"]["structuredContent"]["data"];
    assert_eq!(created["name"], "Astronomy", "{lines:?}");
    assert!(rover.ask(&["audit", "verify"]).contains("2 rows, whole"));

    // Its rows stay, and nobody is there to change them.
    let _rows = rover.data();
    assert!(rover.interrupt().success());
    let lines = client("auto", &calls, &served);
    let refused = &lines.last().expect("a call")["result"];
    assert_eq!(refused["isError"], true, "{refused}");
    let text = refused["content"][0]["text"].as_str().expect("text");
    assert!(text.contains("nothing was changed"), "{text}");
}

#[test]
fn nothing_but_the_protocol_is_on_standard_output_and_a_call_outlives_its_client() {
    let rover = Rover::dev(&[]);
    let mut served = rover.command(&["mcp", "--as", HEAD_TEACHER, "--mode", "campus:Main Campus"]);
    let mut child = served
        .env("ROVER_LOG", "trace")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    let client = json!({ "protocolVersion": "2025-06-18", "capabilities": {},
                         "clientInfo": { "name": "test", "version": "0" } });
    let call = json!({ "name": "create_department", "arguments": { "name": "Astronomy" } });
    let mut input = child.stdin.take().expect("its input is piped");
    for message in [
        json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": client }),
        json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }),
        json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/list" }),
        json!({ "jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": { "name": "nope" } }),
        json!({ "jsonrpc": "2.0", "id": 4, "method": "tools/call", "params": call }),
    ] {
        writeln!(input, "{message}").expect("it reads");
    }
    // The client leaves before its answer is there.
    drop(input);
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success(), "{}", output.status);
    for line in String::from_utf8(output.stdout).expect("text").lines() {
        let message: Value = serde_json::from_str(line).unwrap_or_else(|_| panic!("{line}"));
        assert_eq!(message["jsonrpc"], "2.0", "{line}");
    }
    assert!(rover.ask(&["audit", "verify"]).contains("2 rows, whole"), "the call was not dropped");
}

#[test]
fn the_inspector_finds_every_schema_portable_and_a_bad_one_not() {
    let rover = Rover::dev(&[]);
    let strict = ["--method", "tools/list", "--strict", "--format", "json"];
    for (mode, scope) in [("school", ToolScope::School), ("campus:Main Campus", ToolScope::Campus)]
    {
        let served = served(&rover, HEAD_TEACHER, mode);
        let target: Vec<&str> = served.iter().map(String::as_str).collect();
        let (code, answer, complaint) = inspect(&[&target[..], &strict].concat());
        assert_eq!((code, &*complaint), (Some(0), ""), "no error and no warning");
        let tools = answer["result"]["tools"].as_array().expect("a list");
        assert_eq!(tools.len(), run_by_the_server(scope).len());
        assert!(
            tools
                .iter()
                .all(|tool| tool["outputSchema"]["required"] == json!(["data", "scopeContext"]))
        );
        assert_eq!(answer.get("schemaFindings"), None, "{answer}");
    }
    let bad = Peer::path("unportable-mcp.mjs");
    let (code, _, complaint) = inspect(&[&["node", &bad][..], &strict].concat());
    assert_eq!(code, Some(6), "{complaint}");
    assert!(complaint.contains("1 error, 0 warnings"), "{complaint}");
}

/// The tools of the server that are there in the run mode of this scope.
fn run_by_the_server(scope: ToolScope) -> Vec<&'static str> {
    let there = |def: &&&ToolDefinition| {
        def.kind == Kind::Rpc && (def.scope == ToolScope::General || def.scope == scope)
    };
    DEFS.iter().filter(there).map(|def| def.name).collect()
}

/// The command by which a client starts the server.
fn served(rover: &Rover, email: &str, mode: &str) -> Vec<String> {
    let command = rover.command(&["mcp", "--as", email, "--mode", mode]);
    let folder = rover.data_dir().display().to_string();
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let mut words: Vec<_> = words.map(|word| word.to_string_lossy().into_owned()).collect();
    // A client hands on no variables of its own environment, so what they say is said by flags.
    words.extend(["--data-dir".to_owned(), folder]);
    let told = command.get_envs().find(|(name, _)| *name == "ROVER_DATABASE");
    if let Some((_, Some(database))) = told {
        words.extend(["--database".to_owned(), database.to_string_lossy().into_owned()]);
    }
    words
}

fn client(era: &str, calls: &Value, served: &[String]) -> Vec<Value> {
    let calls = calls.to_string();
    let mut arguments = vec![era, &calls];
    arguments.extend(served.iter().map(String::as_str));
    python("mcp-client.py", &arguments, "")
}

/// The inspector's exit code, its answer, and what it says beside it.
fn inspect(arguments: &[&str]) -> (Option<i32>, Value, String) {
    let output = Peer::ended(INSPECTOR, &[&["--cli"][..], arguments].concat());
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let answer = serde_json::from_slice(&output.stdout).unwrap_or_default();
    (output.status.code(), answer, text(&output.stderr))
}
