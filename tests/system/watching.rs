//! What an operator sees of a running system: counters that Prometheus reads, and a log that names nobody.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use crate::support::{Peer, Rover, python};

const GRACE: &str = "grace.namutebi@naalya.example";
const MARKED: &str = "Zebrafish";

fn get(address: &str) -> (u16, String, String) {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let answer = reqwest::Client::new().get(address).send().await.expect("it answers");
        let kind = answer.headers()["content-type"].to_str().expect("text").to_owned();
        (answer.status().as_u16(), kind, answer.text().await.expect("text"))
    })
}

/// Signs in with a wrong password, asks with a bearer that nobody signed, and has a turn: all with words that are
/// looked for afterwards.
fn leaves_marks(address: &str, token: &str) {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let client = reqwest::Client::new();
    runtime.block_on(async {
        let wrong = [("email", "marked.person@naalya.example"), ("password", "hunter2-secret")];
        let wrong: BTreeMap<_, _> = wrong.into_iter().collect();
        let sign_in = client.post(format!("{address}/api/auth/sign-in")).json(&wrong).send().await;
        assert_eq!(sign_in.expect("it answers").status(), 401);
        let asked =
            client.get(format!("{address}/api/me")).bearer_auth("forged-token").send().await;
        assert_eq!(asked.expect("it answers").status(), 401);
    });
    let chat = format!("{address}/api/naalya-ai/chat");
    for sentence in [
        format!("create a department called {MARKED} at Main Campus"),
        format!("create a department called {MARKED} at Main Campus"),
        "find students called Nakato".to_owned(),
    ] {
        let (read, lines) =
            Peer::try_run("chat-client.mjs", &[&chat, &sentence], &[("TOKEN", token)]);
        assert!(read, "{lines:?}");
    }
}

/// Samples by name and labels.
fn samples(text: &str) -> BTreeMap<String, f64> {
    let lines = python("metrics.py", &[], text);
    let sample = |line: &Value| {
        let labels = line["labels"].as_object().expect("labels").iter();
        let label = |(name, value): (&String, &Value)| {
            format!("{name}={}", value.as_str().unwrap_or_default())
        };
        let mut labels: Vec<_> = labels.map(label).collect();
        labels.sort();
        let name = format!("{}{{{}}}", line["name"].as_str().expect("text"), labels.join(","));
        // JSON has no word for infinity, and no sample of ours is one.
        (name, line["value"].as_f64().expect("a number"))
    };
    lines.iter().map(sample).collect()
}

#[test]
fn metrics_are_read_by_prometheus_and_count_what_happened() {
    let rover = Rover::dev(&[]);
    let address = rover.address().to_owned();
    leaves_marks(&address, rover.ask(&["token", GRACE]).trim());
    // Addresses and methods that anybody makes up are no labels.
    for n in 0..20 {
        assert_eq!(get(&format!("{address}/made-up-{n}")).0, 404);
    }
    let (status, kind, text) = get(&format!("{address}/metrics"));
    assert_eq!((status, kind.as_str()), (200, "text/plain; version=0.0.4; charset=utf-8"));
    let samples = samples(&text);
    for (sample, expected) in [
        ("rover_calls_total{outcome=ok,tool=create_department}", 1.0),
        ("rover_calls_total{outcome=error,tool=create_department}", 1.0),
        ("rover_gate_refusals_total{gate=handler}", 1.0),
        ("rover_turns_begun_total{}", 3.0),
        ("rover_turns_ended_total{reason=done}", 3.0),
        ("rover_turn_duration_seconds_count{}", 3.0),
        ("rover_sign_ins_total{outcome=wrong}", 1.0),
        ("rover_security_lines_total{kind=bad_password}", 1.0),
        ("rover_security_lines_total{kind=bad_bearer}", 1.0),
        ("rover_http_requests_total{method=POST,route=/api/naalya-ai/chat,status=200}", 3.0),
        ("rover_http_requests_total{method=POST,route=/api/auth/sign-in,status=401}", 1.0),
        ("rover_running_turns{}", 0.0),
        ("rover_workers{}", 1.0),
    ] {
        assert_eq!(samples.get(sample), Some(&expected), "{sample} in\n{text}");
    }
    assert!(samples["rover_db_connections{pool=read,state=idle}"] >= 1.0, "{text}");
    for (count, number) in samples.iter().filter(|(name, _)| name.contains("_seconds_count{")) {
        let labels = count.split_once('{').expect("labels").1;
        let name = count.split("_count{").next().expect("a name");
        let all = if labels == "}" { "le=+Inf}".to_owned() } else { format!("le=+Inf,{labels}") };
        assert_eq!(samples.get(&format!("{name}_bucket{{{all}")), Some(number), "{count}");
    }
    for word in ["made-up", "namutebi", "naalya.example", MARKED, "Nakato", "hunter2", "marked"] {
        assert!(!text.to_lowercase().contains(&word.to_lowercase()), "{word} in\n{text}");
    }
    assert!(samples.len() < 400, "{} series after three turns", samples.len());
}

/// A process whose log goes into a file; gone when dropped.
struct Logging(Child);

impl Drop for Logging {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn the_log_names_nobody_at_any_level() {
    let folder = tempfile::TempDir::new().expect("a folder");
    let log = folder.path().join("log");
    let process = |arguments: &[&str], log: Stdio| {
        let mut program = Command::new(env!("CARGO_BIN_EXE_rover"));
        program.args(arguments).current_dir(folder.path()).stdin(Stdio::null());
        program.env("ROVER_LOG", "debug").env("ROVER_LOG_FORMAT", "json");
        program.stdout(Stdio::piped()).stderr(log).spawn().expect("it starts")
    };
    let file = std::fs::File::create(&log).expect("a file");
    let mut rover = Logging(process(&["dev", "--listen", "127.0.0.1:0"], file.into()));
    let address = listening(&mut rover.0);
    let token = process(&["token", GRACE], Stdio::null()).wait_with_output().expect("it ends");
    let token = String::from_utf8(token.stdout).expect("text");
    leaves_marks(&address, token.trim());
    drop(rover);

    let text = std::fs::read_to_string(&log).expect("text");
    let lines: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|fault| panic!("{fault}: {line}")))
        .collect();
    let has = |target: &str, message: &str| {
        lines.iter().any(|line| line["target"] == target && line["message"] == message)
    };
    assert!(has("rover::security", "refused"), "what smells is said");
    assert!(
        has("server::rpc::trail", "passed") && has("server::rpc::trail", "refused"),
        "gates are said"
    );
    for word in [
        "namutebi",
        "zebrafish",
        "nakato",
        "hunter2",
        "marked.person",
        "forged-token",
        "naalya.example",
        token.trim(),
    ] {
        let told = text.lines().find(|line| line.to_lowercase().contains(&word.to_lowercase()));
        assert_eq!(told, None, "{word} is in the log");
    }
}

fn listening(child: &mut Child) -> String {
    use std::io::{BufRead as _, BufReader};
    let output = BufReader::new(child.stdout.take().expect("its output is piped"));
    let mut lines = output.lines().map_while(Result::ok);
    let line = lines.find(|line| line.contains("http://")).expect("it says where it listens");
    std::thread::spawn(move || lines.for_each(drop));
    let from = line.find("http://").expect("an address");
    line[from..].split_whitespace().next().expect("a word").to_owned()
}

#[test]
fn readiness_names_what_is_there() {
    let rover = Rover::dev(&[]);
    let (status, _, text) = get(&format!("{}/readyz", rover.address()));
    let told: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(status, 200);
    assert_eq!(
        told,
        serde_json::json!({ "status": "ready", "database": true, "policy": true, "workers": true })
    );
    assert!(Path::new(&rover.data_dir()).join("rover.db").is_file());
}
