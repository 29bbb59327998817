//! What changes between two calls of one turn, over two processes and a broker: the second call already obeys.

use serde_json::Value;

use crate::support::{Peer, Rover, Worker, let_go, python, queues};

const HEAD_TEACHER: &str = "grace.namutebi@naalya.example";
const DIRECTOR: &str = "daniel.okello@naalya.example";
const STAFF: &str = "naalya-staff-grace.namutebi";

#[test]
fn amqp_obeys_at_the_second_call_what_changed_after_the_first() {
    let table = [
        (
            "role",
            format!("UPDATE staff_role SET role = 'teacher' WHERE staff_id = '{STAFF}'"),
            "you may not create departments",
        ),
        (
            "account",
            format!("UPDATE account SET disabled = TRUE WHERE email = '{HEAD_TEACHER}'"),
            "this account cannot use this school",
        ),
        (
            "service",
            format!("UPDATE staff SET active = FALSE WHERE id = '{STAFF}'"),
            "this account cannot use this school",
        ),
    ];
    for (what, change, told) in table {
        let names = ["First", "Second"]
            .map(|name| format!(r#"{{"name":"{name}","campusId":"naalya-campus-main"}}"#));
        let model = Peer::start("calling-model.mjs", &["create_department", &names[0], &names[1]]);
        let lines = model.lines_until("base");
        let base = lines.last().expect("a line")["base"].as_str().expect("text").to_owned();
        let queues = queues(&format!("meanwhile-{what}"));
        let rover = Rover::server(&[&queues.flags()[..], &["--demo"]].concat());
        let model_flags = ["--model", "openai/calling", "--openai-base-url", &base];
        let _worker = Worker::start(&[&queues.flags()[..], &model_flags].concat());
        let token = rover.ask(&["token", HEAD_TEACHER]);
        let chat = format!("{}/api/naalya-ai/chat", rover.address());
        let messages = std::thread::scope(|scope| {
            let turn = scope.spawn(|| {
                let said = [chat.as_str(), "add two departments"];
                Peer::try_run("chat-client.mjs", &said, &[("TOKEN", token.trim())])
            });
            let _ = model.lines_until("held");
            let file = rover.data_dir().join("rover.db").display().to_string();
            let changed = python("sqlite.py", &[&file, &change], "");
            assert!(
                changed[0]["rows"].as_i64().is_some_and(|rows| rows > 0),
                "{what}: {changed:?}"
            );
            let_go(&base);
            turn.join().expect("no panic").1
        });
        let messages = messages.last().expect("a line").to_string();
        assert!(messages.contains(told), "{what}: {messages}");
        let listed: Value = rover.get("/api/departments", DIRECTOR);
        let names: Vec<_> = listed["departments"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|one| &one["name"])
            .collect();
        assert!(names.iter().any(|name| *name == "First"), "{what}: {names:?}");
        assert!(!names.iter().any(|name| *name == "Second"), "{what}: {names:?}");
    }
}
