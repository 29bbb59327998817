//! A worker is killed in the middle of a turn that writes, and another goes on with it: real processes, real broker.
//!
//! Wherever it happens, the person reads one message to its end, and what was to be done is done once.

use serde_json::Value;

use crate::support::{Peer, Queues, Rover, Worker, let_go, queues};

const HEAD_TEACHER: &str = "grace.namutebi@naalya.example";
const DEPARTMENT: &str = "Astronomy";

/// A server, a model that acts, and workers that ask it.
struct Scene {
    queues: Queues,
    rover: Rover,
    model: Peer,
    base: String,
}

impl Scene {
    fn new(test: &str) -> Self {
        let queues = queues(test);
        let mut flags = queues.flags();
        flags.push("--demo");
        let rover = Rover::server(&flags);
        let campus = rover.campus("Main Campus");
        let model = Peer::start("acting-model.mjs", &[DEPARTMENT, &campus]);
        let base = model.lines_until("base").last().expect("a line")["base"].clone();
        let base = base.as_str().expect("text").to_owned();
        Self { queues, rover, model, base }
    }

    fn worker(&self) -> Worker {
        let mut flags = self.queues.flags();
        flags.extend(["--model", "openai/acting", "--openai-base-url", &self.base]);
        Worker::start(&flags)
    }

    /// Waits until the model is asked, and says for which step.
    fn asked(&self) -> String {
        let lines = self.model.lines_until("asked");
        lines.last().expect("a line")["asked"].as_str().expect("text").to_owned()
    }

    fn go(&self) {
        let_go(&self.base);
    }

    /// What the AI SDK's client holds at the end of the turn.
    fn said(&self) -> Vec<Value> {
        let token = self.rover.ask(&["token", HEAD_TEACHER]);
        let address = format!("{}/api/naalya-ai/chat", self.rover.address());
        let sentence = "add the department of astronomy";
        let (read, lines) =
            Peer::try_run("chat-client.mjs", &[&address, sentence], &[("TOKEN", token.trim())]);
        assert!(read, "{lines:?}");
        lines.last().expect("a line")["messages"].as_array().expect("a list").clone()
    }

    /// Once done, once written down, and once told; live and when it is read again.
    fn ended_well(&self, messages: &[Value]) {
        assert_eq!(messages.len(), 2, "one of the person's, one of Rover's: {messages:?}");
        assert_eq!(words(&messages[1]), ["Let me see.", "That is done."], "{}", messages[1]);
        let calls = calls(&messages[1]);
        assert_eq!(calls.len(), 1, "{calls:?}");
        assert_eq!(calls[0]["state"], "output-available", "{calls:?}");

        let departments = self.rover.get("/api/departments", HEAD_TEACHER).to_string();
        assert_eq!(departments.matches(DEPARTMENT).count(), 1, "{departments}");
        let threads = self.rover.get("/api/naalya-ai/threads", HEAD_TEACHER);
        let thread = threads.pointer("/threads/0/id").or_else(|| threads.pointer("/0/id"));
        let thread = thread.and_then(Value::as_str).expect("there is one");
        let path = format!("/api/naalya-ai/threads/{thread}");
        let stored = self.rover.get(&path, HEAD_TEACHER);
        let stored = stored["messages"].as_array().expect("a list").last().expect("one").clone();
        assert_eq!(words(&stored), ["Let me see.", "That is done."], "{stored}");
        assert!(self.rover.ask(&["audit", "verify"]).contains("whole"));
    }

    fn trace(&self) -> String {
        self.rover.ask(&["turn", "show", "last"])
    }
}

/// A turn whose worker is killed once `ready` returns, and is then gone on with.
fn killed(test: &str, kill_at: impl FnOnce(&Scene, Worker) -> Worker) -> Scene {
    let scene = Scene::new(test);
    let first = scene.worker();
    let messages = std::thread::scope(|scope| {
        let turn = scope.spawn(|| scene.said());
        let second = kill_at(&scene, first);
        let messages = turn.join().expect("no panic");
        drop(second);
        messages
    });
    scene.ended_well(&messages);
    let trace = scene.trace();
    assert!(trace.contains("taken over"), "{trace}");
    scene
}

#[test]
fn amqp_takes_a_turn_over_while_the_model_speaks() {
    killed("takeover-speaking", |scene, first| {
        assert_eq!(scene.asked(), "first");
        let second = scene.worker();
        first.kill();
        assert_eq!(scene.asked(), "first", "what was not complete is asked for again");
        scene.go();
        assert_eq!(scene.asked(), "second");
        scene.go();
        second
    });
}

#[test]
fn amqp_takes_a_turn_over_around_its_call() {
    killed("takeover-calling", |scene, first| {
        assert_eq!(scene.asked(), "first");
        let second = scene.worker();
        scene.go();
        // Somewhere between the model's last word and the reply of the server; wherever, it is done once.
        first.kill();
        while scene.asked() == "first" {
            scene.go();
        }
        scene.go();
        second
    });
}

#[test]
fn amqp_takes_a_turn_over_after_its_reply() {
    let scene = killed("takeover-replied", |scene, first| {
        assert_eq!(scene.asked(), "first");
        let second = scene.worker();
        scene.go();
        assert_eq!(scene.asked(), "second");
        first.kill();
        assert_eq!(scene.asked(), "second", "the call that was made is not asked for again");
        scene.go();
        second
    });
    let trace = scene.trace();
    assert_eq!(trace.matches("published create.department").count(), 1, "{trace}");
}

#[test]
fn amqp_gives_a_turn_up_that_loses_every_worker() {
    let scene = Scene::new("takeover-limit");
    let mut worker = scene.worker();
    let messages = std::thread::scope(|scope| {
        let turn = scope.spawn(|| scene.said());
        // The first worker and three that take over after it.
        for _ in 0..4 {
            assert_eq!(scene.asked(), "first");
            let next = scene.worker();
            std::mem::replace(&mut worker, next).kill();
        }
        turn.join().expect("no panic")
    });
    let shown = messages.last().expect("one").to_string();
    assert!(shown.contains("gave it up"), "{shown}");
    assert!(scene.trace().contains("WorkerLost"), "{}", scene.trace());
}

fn words(message: &Value) -> Vec<&str> {
    let parts = message["parts"].as_array().expect("a list").iter();
    parts.filter(|part| part["type"] == "text").filter_map(|part| part["text"].as_str()).collect()
}

fn calls(message: &Value) -> Vec<&Value> {
    let parts = message["parts"].as_array().expect("a list").iter();
    parts.filter(|part| part["type"] == "dynamic-tool").collect()
}
