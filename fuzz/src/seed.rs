//! Writes the seeds of the fuzzer: calls as they should be and as they arrive damaged, from the registry's own examples
//! and schemas. `cargo run --manifest-path fuzz/Cargo.toml --bin seed -- FOLDER`

use agent_contract::wire::encode_request;
use schema_samples::{drawn, full, neighbours};
use serde_json::{Value, json};
use tools::agent_tools::DEFS;

fn main() -> std::io::Result<()> {
    let folder = std::env::args().nth(1).expect("usage: seed FOLDER");
    std::fs::create_dir_all(&folder)?;
    let identity =
        json!({ "sub": "usr_1", "email": "a@b.example", "type": "staff", "profileId": "prf_1" });
    for def in DEFS {
        let schema = (def.args_schema)();
        let shown = def.examples.iter().map(|example| example.to_json(def.fields));
        let mut all: Vec<Value> = std::iter::once(full(&schema)).chain(shown).collect();
        all.extend(drawn(&neighbours(&schema), 4));
        for (i, args) in all.iter().enumerate() {
            let scope = json!({ "mode": "campus", "campusId": "cmp_1" });
            let data = json!({ "identity": identity, "scope": scope, "args": args });
            let packet = encode_request(def.event.unwrap_or(def.name), &data, "1");
            std::fs::write(format!("{folder}/{}-{i}-packet", def.name), packet)?;
            std::fs::write(format!("{folder}/{}-{i}-text", def.name), written(args, i))?;
        }
    }
    Ok(())
}

/// The arguments as a model writes them: plain, quoted once more, twice in a row, cut off, with a raw line break.
fn written(args: &Value, way: usize) -> String {
    let text = args.to_string();
    match way {
        1 => json!(text).to_string(),
        2 => text.repeat(2),
        3 => text.chars().take(text.chars().count() / 2).collect(),
        4 => text.replacen(',', ",\n", 1).replacen("\":\"", "\":\"\n", 1),
        _ => text,
    }
}
