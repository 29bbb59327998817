//! The exported contract under its real readers: the TypeScript compiler, Zod and Ajv.

use std::path::Path;
use std::process::Command;

use agent_contract::schema::validator;
use agent_contract::{AgentToolResult, script};
use schema_samples::{full, samples};
use serde_json::{Value, json};
use tools::agent_tools::{DEFS, ToolName};

use crate::support::{Folder, Peer, seen};

/// Random instances and neighbours of each schema, beside its edges.
const RANDOM: usize = 40;

#[test]
fn zod_and_ajv_give_our_verdicts_and_tsc_is_content() {
    let folder = Folder::empty();
    let contract = peers().join("contract");
    let modules = folder.path().join("node_modules");
    std::os::unix::fs::symlink(peers().join("node_modules"), modules).expect("a link");
    for name in ["tsconfig.json", "usage.ts"] {
        std::fs::copy(contract.join(name), folder.path().join(name)).expect("it is copied");
    }
    let write = |name: &str, text: &str| {
        std::fs::write(folder.path().join(name), text).expect("it is written");
    };
    write("package.json", r#"{ "type": "module" }"#);
    for (flag, name) in
        [("--ts", "contract.ts"), ("--zod", "contract.zod.ts"), ("--json-schema", "schemas.json")]
    {
        let (status, printed) = folder.try_ask(&["contract", "export", flag]);
        assert!(status.success(), "{printed}");
        write(name, &printed);
    }

    let (compiled, complaint) = tsc(folder.path());
    assert!(compiled, "{complaint}");

    let mut samples = all_samples();
    write("envelopes.json", &envelopes().to_string());
    let differ = |samples: &[Value]| {
        write("samples.json", &json!(samples).to_string());
        Peer::run("contract/verdicts.mjs", &[folder.path().to_str().expect("text")])
    };
    let lines = differ(&samples);
    for judge in ["zod", "ajv", "envelopes"] {
        let verdict = seen(&lines, judge);
        assert_eq!(verdict["differ"], 0, "{verdict:#}");
    }
    // Judges that agree with everything would be none.
    for sample in &mut samples[..3] {
        sample["taken"] = json!(sample["taken"] == false);
    }
    let misled = differ(&samples[..20]);
    assert_eq!(
        (&seen(&misled, "zod")["differ"], &seen(&misled, "ajv")["differ"]),
        (&json!(3), &json!(3))
    );
    eprintln!("{} samples; zod and ajv differ from us in 0", seen(&lines, "zod")["tried"]);
    assert!(samples.len() > 100 * DEFS.len(), "{}", samples.len());
}

/// A compiler that is content with everything would prove nothing.
#[test]
fn the_compiler_says_no() {
    let folder = Folder::empty();
    let modules = folder.path().join("node_modules");
    std::os::unix::fs::symlink(peers().join("node_modules"), modules).expect("a link");
    std::fs::copy(peers().join("contract/tsconfig.json"), folder.path().join("tsconfig.json"))
        .expect("it is copied");
    let wrong = script::types(DEFS) + "\nexport const wrong: CreateDepartmentArgs = {};\n";
    std::fs::write(folder.path().join("contract.ts"), wrong).expect("it is written");
    let (compiled, complaint) = tsc(folder.path());
    assert!(!compiled && complaint.contains("TS2741"), "{complaint}");
}

/// A value and what our validator says of it, for every tool and for the envelope.
fn all_samples() -> Vec<Value> {
    let mut all = Vec::new();
    let schemas = script::json_schema(DEFS);
    for def in DEFS {
        for of in ["args", "result"] {
            add(&mut all, of, def.name, &schemas["tools"][def.name][of]);
        }
    }
    for name in ["AgentIdentity", "AgentCallScope"] {
        add(&mut all, "envelope", name, &schemas["envelope"][name]);
    }
    all
}

fn add(all: &mut Vec<Value>, of: &str, name: &str, schema: &Value) {
    let validator = validator(schema).expect("it compiles");
    // JavaScript would read another number than the one that is written.
    let held = samples(schema, RANDOM).into_iter().filter(|sample| !is_beyond_javascript(sample));
    all.extend(held.map(|value| {
        let taken = validator.is_valid(&value);
        json!({ "of": of, "name": name, "value": value, "taken": taken })
    }));
}

/// Results as the server writes them, and what is none.
fn envelopes() -> Value {
    let data = full(&(ToolName::CreateDepartment.definition().output_schema)());
    let result = |result: AgentToolResult| json!({ "value": result, "taken": true });
    json!([
        result(AgentToolResult::ok(data.clone(), "Data covers the whole school.")),
        result(AgentToolResult::err("Permission denied")),
        { "value": { "data": data }, "taken": false },
        { "value": { "data": {}, "scopeContext": "Data covers the whole school." }, "taken": false },
        { "value": { "error": 1 }, "taken": false },
        { "value": null, "taken": false },
    ])
}

fn is_beyond_javascript(value: &Value) -> bool {
    const SAFE: f64 = 9_007_199_254_740_991.0;
    match value {
        Value::Number(number) => number.as_f64().is_none_or(|number| number.abs() > SAFE),
        Value::Array(items) => items.iter().any(is_beyond_javascript),
        Value::Object(fields) => fields.values().any(is_beyond_javascript),
        Value::Null | Value::Bool(_) | Value::String(_) => false,
    }
}

fn tsc(folder: &Path) -> (bool, String) {
    let program = peers().join("node_modules/.bin/tsc");
    let output = Command::new(program).current_dir(folder).output().expect("tsc runs");
    (output.status.success(), String::from_utf8_lossy(&output.stdout).into_owned())
}

fn peers() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/peers")
}
