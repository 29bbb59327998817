//! Server and worker as processes of their own over RabbitMQ, and what a restart or a death leaves.

use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support::{Folder, Peer, Queues, Rover, Wish, Worker, held_model, let_go, queues};

const HEAD_TEACHER: &str = "grace.namutebi@naalya.example";

#[test]
fn amqp_carries_a_turn_between_two_processes() {
    let queues = queues("apart");
    let rover = server(&queues);
    let _worker = Worker::start(&queues.flags());
    let text = said(&rover, "create a department called Astronomy at Main Campus");
    assert!(text.contains("Astronomy") && text.contains("Main Campus"), "{text}");
    // A dry run asks the same servers what they serve.
    let mut why = vec!["why", "create_department", "--as", HEAD_TEACHER];
    why.extend(queues.flags());
    let verdict = rover.ask(&why);
    assert!(verdict.contains("nothing stops it before the handler"), "{verdict}");
    let trace = rover.ask(&["turn", "show", "last"]);
    for hop in ["worker", "queue", "server", "gate 10"] {
        assert!(trace.contains(hop), "no {hop} in\n{trace}");
    }
}

/// Its turns would be heard by nobody, so it takes none, and says why.
#[test]
fn amqp_a_worker_that_nobody_enrolled_does_not_stay() {
    let queues = queues("stranger");
    let rover = server(&queues);
    let folder = Folder::empty();
    let (status, printed) = folder.try_ask(&["worker", "key", "stranger.key"]);
    assert!(status.success(), "{printed}");
    for key in [&["--worker-key", "stranger.key"][..], &[]] {
        let mut worker = vec!["worker"];
        worker.extend(key);
        worker.extend(queues.flags());
        let (status, printed) = folder.try_ask(&worker);
        assert_eq!(status.code(), Some(1), "{printed}");
        assert!(
            printed.contains("`worker_key`: this server does not know the worker's key"),
            "{printed}"
        );
    }
    // One that is enrolled works beside it.
    let _worker = Worker::start(&queues.flags());
    let text = said(&rover, "create a department called Astronomy at Main Campus");
    assert!(text.contains("Astronomy"), "{text}");
}

/// Keys are rotated while server and worker run, and a call from the command line signs with the key beside them.
#[test]
fn amqp_carries_turns_through_a_rotation_of_the_keys() {
    let queues = queues("rotation");
    let rover = server(&queues);
    let _worker = Worker::start(&queues.flags());
    let text = said(&rover, "create a department called Astronomy at Main Campus");
    assert!(text.contains("Astronomy"), "{text}");
    let printed = rover.ask(&["keys", "rotate"]);
    assert!(printed.contains("newest") && printed.contains("the one before"), "{printed}");
    let text = said(&rover, "list the departments");
    assert!(text.contains("Astronomy"), "{text}");
    let mut call = vec!["call", "list_departments", "--as", HEAD_TEACHER];
    call.extend(queues.flags());
    assert!(rover.ask(&call).contains("Astronomy"));
}

#[test]
fn amqp_lets_a_worker_end_its_turn_before_it_goes() {
    let (model, base) = held_model();
    let queues = queues("worker-drains");
    let rover = server(&queues);
    let mut flags = queues.flags();
    flags.extend(["--model", "openai/held", "--openai-base-url", &base]);
    let worker = Worker::start(&flags);
    std::thread::scope(|scope| {
        let turn = scope.spawn(|| said(&rover, "tell me something"));
        let _ = model.lines_until("asked");
        worker.ask_to_end(Wish::Terminate);
        // It takes no more turns, and so the server knows of no worker.
        until("the worker is gone from the queue", || {
            rover.ready() == Some((200, "no workers".to_owned()))
        });
        let_go(&base);
        let text = turn.join().expect("no panic");
        assert!(text.contains("this is the end"), "{text}");
    });
    assert!(worker.ended().success());
}

#[test]
fn amqp_ends_at_once_on_a_second_wish() {
    let (model, base) = held_model();
    let queues = queues("second-wish");
    let rover = server(&queues);
    let mut flags = queues.flags();
    flags.extend(["--model", "openai/held", "--openai-base-url", &base]);
    let worker = Worker::start(&flags);
    std::thread::scope(|scope| {
        let turn = scope.spawn(|| said_whatever_comes(&rover, "tell me something"));
        let _ = model.lines_until("asked");
        worker.ask_to_end(Wish::Interrupt);
        rover.ask_to_end(Wish::Interrupt);
        until("it drains", || rover.ready() == Some((503, "draining".to_owned())));
        worker.ask_to_end(Wish::Interrupt);
        rover.ask_to_end(Wish::Interrupt);
        assert_eq!(worker.ended().code(), Some(130));
        let _ = turn.join().expect("no panic");
    });
    assert_eq!(rover.ended().code(), Some(130));
}

#[test]
fn what_was_done_is_there_after_a_restart() {
    let rover = Rover::dev(&[]);
    let text = said(&rover, "create a department called Astronomy at Main Campus");
    assert!(text.contains("Astronomy"), "{text}");
    let data = rover.data();
    assert!(rover.interrupt().success(), "Ctrl-C ends it well");
    let again = Rover::listening("dev", &[], data);
    let text = said(&again, "list the departments");
    assert!(text.contains("Astronomy"), "{text}");
    let threads = again.get("/api/naalya-ai/threads", HEAD_TEACHER).to_string();
    assert!(threads.contains("create a department called Astronomy"), "{threads}");
}

/// Asks until it holds, one question after the other; a fault is told and not waited for.
fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let began = Instant::now();
    while !holds() {
        assert!(began.elapsed() < Duration::from_secs(30), "never: {what}");
    }
}

fn server(queues: &Queues) -> Rover {
    let mut flags = queues.flags();
    flags.push("--demo");
    Rover::server(&flags)
}

fn said(rover: &Rover, sentence: &str) -> String {
    let (read, lines) = chat(rover, sentence);
    assert!(read, "{lines:?}");
    let end = lines.last().expect("a line");
    let message = end["messages"].as_array().expect("a list").last().expect("a line");
    let parts = message["parts"].as_array().expect("a list").iter();
    parts.filter(|part| part["type"] == "text").filter_map(|part| part["text"].as_str()).collect()
}

fn said_whatever_comes(rover: &Rover, sentence: &str) -> Value {
    chat(rover, sentence).1.last().expect("a line")["messages"].clone()
}

fn chat(rover: &Rover, sentence: &str) -> (bool, Vec<Value>) {
    let token = rover.ask(&["token", HEAD_TEACHER]);
    let address = format!("{}/api/naalya-ai/chat", rover.address());
    Peer::try_run("chat-client.mjs", &[&address, sentence], &[("TOKEN", token.trim())])
}
