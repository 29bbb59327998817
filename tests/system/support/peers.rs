//! The peers: programs of `tests/peers` around the real client libraries, run beside a test or to their end.

use std::io::{BufRead as _, BufReader, Lines, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Output, Stdio};
use std::sync::Mutex;

use serde_json::Value;

/// A program of `tests/peers` that runs beside the test; it ends when its input closes.
pub(crate) struct Peer {
    child: Child,
    // Held to the end: closing it is what ends the peer.
    _input: ChildStdin,
    lines: Mutex<Lines<BufReader<ChildStdout>>>,
}

impl Peer {
    /// Runs a program to its end and returns what it printed; it must succeed.
    pub(crate) fn run(program: &str, args: &[&str]) -> Vec<Value> {
        let output = node(program, args).output().expect("node runs");
        let printed = String::from_utf8_lossy(&output.stdout);
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{program}: {}\n{printed}\n{complaint}", output.status);
        printed.lines().map(json_line).collect()
    }

    /// Where a program of theirs is.
    pub(crate) fn path(program: &str) -> String {
        peers().join(program).display().to_string()
    }

    /// Runs a program to its end, which may be a bad one.
    pub(crate) fn ended(program: &str, args: &[&str]) -> Output {
        node(program, args).output().expect("node runs")
    }

    /// Runs a program with these variables to its end and returns what it printed and whether it succeeded.
    pub(crate) fn try_run(
        program: &str,
        args: &[&str],
        variables: &[(&str, &str)],
    ) -> (bool, Vec<Value>) {
        let mut node = node(program, args);
        let output = node.envs(variables.iter().copied()).output().expect("node runs");
        let printed = String::from_utf8_lossy(&output.stdout);
        (output.status.success(), printed.lines().map(json_line).collect())
    }

    /// Starts a program.
    pub(crate) fn start(program: &str, args: &[&str]) -> Self {
        Self::start_with(program, args, &[])
    }

    /// Starts a program with these variables.
    pub(crate) fn start_with(program: &str, args: &[&str], variables: &[(&str, &str)]) -> Self {
        let mut child = node(program, args)
            .envs(variables.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("node starts");
        let input = child.stdin.take().expect("its input is piped");
        let output = BufReader::new(child.stdout.take().expect("its output is piped"));
        Self { child, _input: input, lines: Mutex::new(output.lines()) }
    }

    /// What it prints up to the first line that has this key.
    pub(crate) fn lines_until(&self, key: &str) -> Vec<Value> {
        let mut lines = self.lines.lock().expect("no reader panicked");
        let mut found = Vec::new();
        for line in lines.by_ref() {
            found.push(json_line(&line.expect("its output is text")));
            if found.last().is_some_and(|line| line.get(key).is_some()) {
                return found;
            }
        }
        panic!("it ended without `{key}`: {found:?}");
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A model that holds in the middle of its answer, and its base URL.
pub(crate) fn held_model() -> (Peer, String) {
    let model = Peer::start("held-model.mjs", &[]);
    let base = model.lines_until("base").last().expect("a line")["base"]
        .as_str()
        .expect("text")
        .to_owned();
    (model, base)
}

/// Lets the model go on to the end of its answer.
pub(crate) fn let_go(base: &str) {
    let go = base.replace("/v1", "/go");
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let sent = runtime.block_on(reqwest::Client::new().post(go).send());
    assert!(sent.is_ok_and(|answer| answer.status().is_success()), "the model is there");
}

/// The last thing that a peer reported under this step.
pub(crate) fn seen<'a>(lines: &'a [Value], step: &str) -> &'a Value {
    let found = lines.iter().rev().find(|line| line["step"] == step);
    found.unwrap_or_else(|| panic!("no step `{step}` in {lines:?}"))
}

pub(super) fn node(program: &str, args: &[&str]) -> Command {
    let mut command = Command::new("node");
    match std::env::var("ROVER_TEST_NEST") {
        // The same program beside the packages of an older Nest; scripts/setup installs them.
        Ok(version) if program.starts_with("nest-") => {
            let older = peers().join(format!("nest-{version}"));
            command.args(["--preserve-symlinks", "--preserve-symlinks-main"]);
            command.arg(older.join(program));
        }
        _ => {
            command.arg(peers().join(program));
        }
    }
    command.args(args);
    command
}

fn peers() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/peers")
}

/// Runs a Python program of `tests/peers` on this input, and returns what it printed; it must succeed.
pub(crate) fn python(program: &str, args: &[&str], input: &str) -> Vec<Value> {
    let interpreter = peers().join("venv/bin/python");
    assert!(interpreter.exists(), "{} is missing; run scripts/setup", interpreter.display());
    let mut child = Command::new(interpreter)
        .arg(peers().join(program))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("python starts");
    let mut stdin = child.stdin.take().expect("its input is piped");
    stdin.write_all(input.as_bytes()).expect("it reads");
    drop(stdin);
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success(), "{program}: {}", output.status);
    String::from_utf8(output.stdout).expect("text").lines().map(json_line).collect()
}

fn json_line(line: &str) -> Value {
    serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))
}
