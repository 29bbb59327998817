//! The crate graph is the design; these are its edges that must not exist.
//!
//! `cargo tree` is asked rather than `cargo metadata`, which reports optional crates that are not
//! built. Within a crate, only one module may name each foreign library.

use std::path::{Path, PathBuf};
use std::process::Command;

/// (crate, libraries it must not reach by any path)
const APART: &[(&str, &[&str])] = &[
    (
        "agent-tool-macros",
        &["agent-contract", "lapin", "oso", "sqlx", "axum", "rig", "rmcp", "tokio"],
    ),
    (
        "agent-contract",
        &["lapin", "oso", "sqlx", "axum", "rig", "rmcp", "tools", "server", "worker"],
    ),
    ("tools", &["lapin", "oso", "sqlx", "axum", "rig", "rmcp", "server", "worker"]),
    ("broker", &["oso", "sqlx", "axum", "rig", "rmcp", "tools", "server", "worker"]),
    ("worker", &["oso", "sqlx", "axum", "rmcp", "server"]),
    ("server", &["rig", "rig-core", "rmcp", "worker"]),
];

/// (what a path ends in, the only places that may name it)
const NAMED_ONLY_IN: &[(&str, &[&str])] = &[
    ("oso::", &["server/src/authz"]),
    ("Pool", &["server/src/db"]),
    ("rig::", &["worker/src/engine"]),
    ("rmcp::", &["src/commands/mcp"]),
    ("lapin::", &["broker/src", "server/src/amqp", "worker/src/amqp"]),
];

#[test]
fn no_crate_reaches_what_it_must_not() {
    for (krate, forbidden) in APART {
        let reached = reachable(krate);
        assert!(reached.iter().any(|name| name == krate), "cargo tree said nothing of {krate}");
        let found: Vec<_> = forbidden.iter().filter(|f| reached.iter().any(|r| r == *f)).collect();
        assert!(found.is_empty(), "{krate} reaches {found:?}");
    }
}

#[test]
fn what_must_not_spread_is_named_in_one_room() {
    for (word, rooms) in NAMED_ONLY_IN {
        let mut seen = 0;
        for file in sources() {
            let text = std::fs::read_to_string(root().join(&file)).expect("it is readable");
            if !names(&text, word) {
                continue;
            }
            seen += 1;
            let shown = file.display().to_string();
            let inside = rooms.iter().any(|room| {
                shown.starts_with(&format!("{room}/")) || shown == format!("{room}.rs")
            });
            assert!(inside, "{shown} names {word}; only {rooms:?} may");
        }
        assert!(seen > 0, "nothing names {word}, so this check watches nothing");
    }
}

/// Whether the code (not its comments) has the word: a library at the head of a path, a type at its end.
fn names(text: &str, word: &str) -> bool {
    text.lines().map(|line| line.split("//").next().unwrap_or_default()).any(|code| {
        code.match_indices(word).any(|(at, _)| {
            let before = code[..at].chars().next_back();
            let after = code[at + word.len()..].chars().next();
            let part_of_a_word =
                |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
            if word.ends_with("::") {
                !part_of_a_word(before) && before != Some(':')
            } else {
                // `SqlitePool`, `PgPool` and `Pool` alike.
                !part_of_a_word(after)
            }
        })
    })
}

fn reachable(krate: &str) -> Vec<String> {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--offline", "--locked", "-e", "normal,build", "--prefix", "none"])
        .args(["--format", "{p}", "-p", krate])
        .current_dir(root())
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("text");
    text.lines().filter_map(|line| line.split(' ').next()).map(str::to_owned).collect()
}

fn sources() -> Vec<PathBuf> {
    let mut found = Vec::new();
    for start in [
        "agent-tool-macros/src",
        "agent-contract/src",
        "tools/src",
        "broker/src",
        "server/src",
        "worker/src",
        "src",
    ] {
        walk(&root().join(start), &mut found);
    }
    found.iter().map(|path| path.strip_prefix(root()).expect("below the root").to_owned()).collect()
}

fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            walk(&path, found);
        } else if path.extension().is_some_and(|ext| ext == "rs") {
            found.push(path);
        }
    }
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}
