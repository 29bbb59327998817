//! One conversation over two servers on one database and one broker: what one began, the other shows, goes on with, stops,
//! queues behind and replaces.

use std::sync::Arc;
use std::time::Duration;

use reqwest::{RequestBuilder, Response};
use serde_json::{Value, json};
use tokio::runtime::Runtime;
use tokio::task::JoinHandle;

use crate::support::{Data, Peer, Queues, Rover, Worker, held_model, let_go, queues};

const HEAD_TEACHER: &str = "grace.namutebi@naalya.example";
const THREAD: &str = "one-conversation";
/// How long a message is watched that must not be answered yet.
const WATCHED: Duration = Duration::from_millis(700);

/// Two servers, and a person with a browser on each.
struct Scene {
    queues: Queues,
    data: Arc<Data>,
    a: Rover,
    b: Rover,
    token: String,
    runtime: Runtime,
}

impl Scene {
    fn new(test: &str, flags: &[&str]) -> Self {
        let queues = queues(test);
        let data = Arc::new(Data::on_postgres());
        let serve = || {
            let flags = [&queues.flags()[..], &["--demo"], flags].concat();
            Rover::listening("server", &flags, Arc::clone(&data))
        };
        let (a, b) = (serve(), serve());
        let token = a.ask(&["token", HEAD_TEACHER]).trim().to_owned();
        Self { queues, data, a, b, token, runtime: Runtime::new().expect("a runtime") }
    }

    fn worker(&self, flags: &[&str]) -> Worker {
        Worker::start(&[&self.queues.flags()[..], flags].concat())
    }

    fn post(&self, server: &Rover, path: &str, body: &Value) -> RequestBuilder {
        let address = format!("{}/api/naalya-ai/{path}", server.address());
        reqwest::Client::new().post(address).bearer_auth(&self.token).json(body)
    }

    fn chat(&self, server: &Rover, message: &Value) -> RequestBuilder {
        let body = json!({ "id": THREAD, "runMode": { "mode": "school" }, "messages": [message] });
        self.post(server, "chat", &body)
    }

    /// Says something through this server, and has its answer as soon as that begins.
    fn say(&self, server: &Rover, sentence: &str) -> Reading<'_> {
        self.read(self.chat(server, &said(sentence)))
    }

    /// The same beside the test.
    fn say_beside(&self, server: &Rover, sentence: &str) -> JoinHandle<Response> {
        let asked = self.chat(server, &said(sentence));
        self.runtime.spawn(async { asked.send().await.expect("the server is there") })
    }

    /// What runs, as this server shows it.
    fn follow(&self, server: &Rover) -> Reading<'_> {
        let address = format!("{}/api/naalya-ai/chat/{THREAD}/stream", server.address());
        self.read(reqwest::Client::new().get(address).bearer_auth(&self.token))
    }

    fn read(&self, asked: RequestBuilder) -> Reading<'_> {
        let answer = self.runtime.block_on(asked.send()).expect("the server is there");
        self.reading(answer)
    }

    fn reading(&self, answer: Response) -> Reading<'_> {
        assert_eq!(answer.status(), 200);
        Reading { runtime: &self.runtime, answer, seen: String::new() }
    }

    /// The conversation as this server has it.
    fn kept(server: &Rover) -> Vec<Value> {
        let kept = server.get(&format!("/api/naalya-ai/threads/{THREAD}"), HEAD_TEACHER);
        kept["messages"].as_array().expect("a list").clone()
    }

    /// Answers what Rover asked, through this server, with what that server shows of the conversation.
    fn answer(&self, server: &Rover, words: &str) -> String {
        let mut asking = Self::kept(server).pop().expect("Rover asked");
        let parts = asking["parts"].as_array_mut().expect("a list");
        let open = parts.iter_mut().rev().find(|part| part["state"] == "input-available");
        let open = open.expect("the question is open");
        open["state"] = json!("output-available");
        open["output"] = json!({ "answer": words });
        self.read(self.chat(server, &asking)).end()
    }
}

/// A stream of chunks that comes from a server.
struct Reading<'s> {
    runtime: &'s Runtime,
    answer: Response,
    seen: String,
}

impl Reading<'_> {
    /// Reads until these words were seen.
    fn until(&mut self, words: &str) {
        while !self.seen.contains(words) {
            assert!(self.more(), "it ended without `{words}`: {}", self.seen);
        }
    }

    /// Reads to the end, and says what was seen.
    fn end(mut self) -> String {
        while self.more() {}
        assert!(self.seen.contains("data: [DONE]"), "it is cut short: {}", self.seen);
        self.seen
    }

    fn more(&mut self) -> bool {
        let bytes = self.runtime.block_on(self.answer.chunk()).expect("the server is there");
        bytes.inspect(|bytes| self.seen.push_str(&String::from_utf8_lossy(bytes))).is_some()
    }
}

/// Two servers, and a worker whose model holds in the middle of each answer.
fn held(test: &str, flags: &[&str]) -> (Scene, Worker, Peer, String) {
    let (model, base) = held_model();
    let scene = Scene::new(test, flags);
    let worker = scene.worker(&["--model", "openai/held", "--openai-base-url", &base]);
    (scene, worker, model, base)
}

#[test]
fn amqp_a_turn_of_one_server_is_followed_to_its_end_through_another() {
    let (scene, _worker, model, base) = held("two-follow", &[]);
    let began = scene.say(&scene.a, "tell me something");
    let _ = model.lines_until("asked");
    let mut followed = scene.follow(&scene.b);
    followed.until("looking into it");
    let_go(&base);
    let (began, followed) = (began.end(), followed.end());
    assert!(followed.contains("this is the end"), "{followed}");
    assert_eq!(text(&followed), text(&began));
    let kept = Scene::kept(&scene.b);
    assert_eq!(kept, Scene::kept(&scene.a));
    assert_eq!(words(&kept[1]), "I am looking into it, and this is the end.");
}

#[test]
fn amqp_a_turn_of_one_server_is_stopped_through_another() {
    let (scene, _worker, model, _) = held("two-stop", &[]);
    let began = scene.say(&scene.a, "tell me something");
    let _ = model.lines_until("asked");
    let mut followed = scene.follow(&scene.b);
    followed.until("looking into it");
    let stop = scene.post(&scene.b, &format!("chat/{THREAD}/stop"), &json!({}));
    let stopped = scene.runtime.block_on(stop.send()).expect("the server is there");
    assert_eq!(stopped.status(), 202);
    let (began, followed) = (began.end(), followed.end());
    assert_eq!(text(&followed), text(&began));
    // The worker let go of the model, too.
    let _ = model.lines_until("left");
    for server in [&scene.a, &scene.b] {
        let again = scene.post(server, &format!("chat/{THREAD}/stop"), &json!({}));
        let again = scene.runtime.block_on(again.send()).expect("the server is there");
        assert_eq!(again.status(), 409, "nothing runs any more");
        assert_eq!(words(&Scene::kept(server)[1]), "I am looking into it,");
    }
}

#[test]
fn amqp_a_question_of_one_server_is_answered_through_another() {
    let scene = Scene::new("two-answer", &[]);
    let _worker = scene.worker(&[]);
    let asked = scene.say(&scene.a, "create a department called Zoology").end();
    assert!(asked.contains("ask_staffer"), "{asked}");
    let end = scene.answer(&scene.b, "Lakeside Campus");
    assert!(text(&end).contains("Zoology") && text(&end).contains("Lakeside Campus"), "{end}");
    let kept = Scene::kept(&scene.a);
    assert_eq!(kept.len(), 2, "one of the person's, one of Rover's: {kept:?}");
    assert_eq!(kept, Scene::kept(&scene.b));
    once(&scene.a);
}

#[test]
fn amqp_a_question_is_answered_after_every_process_was_started_anew() {
    let scene = Scene::new("two-restart", &[]);
    let worker = scene.worker(&[]);
    let asked = scene.say(&scene.a, "create a department called Zoology").end();
    assert!(asked.contains("ask_staffer"), "{asked}");
    drop(worker);
    let Scene { queues, data, a, b, token, runtime } = scene;
    assert!(a.interrupt().success() && b.interrupt().success(), "Ctrl-C ends them well");
    let serve = || {
        let flags = [&queues.flags()[..], &["--demo"]].concat();
        Rover::listening("server", &flags, Arc::clone(&data))
    };
    let (a, b) = (serve(), serve());
    let scene = Scene { queues, data, a, b, token, runtime };
    let _worker = scene.worker(&[]);
    let end = scene.answer(&scene.a, "Lakeside Campus");
    assert!(text(&end).contains("Zoology") && text(&end).contains("Lakeside Campus"), "{end}");
    once(&scene.b);
}

#[test]
fn amqp_a_second_message_through_another_server_waits_its_turn() {
    let (scene, _worker, model, base) = held("two-queue", &["--second-message", "queue"]);
    let mut first = scene.say(&scene.a, "tell me something");
    let _ = model.lines_until("asked");
    first.until("looking into it");
    let mut second = scene.say_beside(&scene.b, "and something else");
    let early = scene.runtime.block_on(async { tokio::time::timeout(WATCHED, &mut second).await });
    assert!(early.is_err(), "it is answered while the first turn runs");
    let_go(&base);
    assert!(first.end().contains("this is the end"));
    let _ = model.lines_until("asked");
    let mut second = scene.reading(scene.runtime.block_on(second).expect("no panic"));
    second.until("looking into it");
    let_go(&base);
    assert!(second.end().contains("this is the end"));
    let kept = Scene::kept(&scene.a);
    let said: Vec<_> = kept.iter().map(words).collect();
    let whole = "I am looking into it, and this is the end.";
    assert_eq!(said, ["tell me something", whole, "and something else", whole]);
}

#[test]
fn amqp_a_second_message_through_another_server_takes_the_place_of_the_first() {
    let (scene, _worker, model, base) = held("two-replace", &["--second-message", "replace"]);
    let mut first = scene.say(&scene.a, "tell me something");
    let _ = model.lines_until("asked");
    first.until("looking into it");
    let second = scene.say_beside(&scene.b, "and something else");
    let first = first.end();
    assert!(!first.contains("this is the end"), "{first}");
    let _ = model.lines_until("left");
    let _ = model.lines_until("asked");
    let mut second = scene.reading(scene.runtime.block_on(second).expect("no panic"));
    second.until("looking into it");
    let_go(&base);
    assert!(second.end().contains("this is the end"));
    let said: Vec<_> = Scene::kept(&scene.a).iter().map(words).collect();
    let (cut, whole) = ("I am looking into it,", "I am looking into it, and this is the end.");
    assert_eq!(said, ["tell me something", cut, "and something else", whole]);
}

#[test]
fn amqp_a_second_message_through_another_server_is_refused() {
    let (scene, _worker, model, base) = held("two-refuse", &["--second-message", "refuse"]);
    let mut first = scene.say(&scene.a, "tell me something");
    let _ = model.lines_until("asked");
    first.until("looking into it");
    let second = scene.say_beside(&scene.b, "and something else");
    let second = scene.runtime.block_on(second).expect("no panic");
    assert_eq!(second.status(), 409);
    let why = scene.runtime.block_on(second.text()).expect("the server is there");
    assert!(why.contains("still") && !why.contains("turn_id"), "{why}");
    let_go(&base);
    assert!(first.end().contains("this is the end"));
    assert_eq!(Scene::kept(&scene.b).len(), 2, "the second was never said");
}

/// It was done once, and written down.
fn once(server: &Rover) {
    let departments = server.get("/api/departments", HEAD_TEACHER).to_string();
    assert_eq!(departments.matches("Zoology").count(), 1, "{departments}");
    assert!(server.ask(&["audit", "verify"]).contains("whole"));
}

fn said(sentence: &str) -> Value {
    json!({ "role": "user", "parts": [{ "type": "text", "text": sentence }] })
}

/// The words of a message.
fn words(message: &Value) -> String {
    let parts = message["parts"].as_array().expect("a list").iter();
    parts.filter(|part| part["type"] == "text").filter_map(|part| part["text"].as_str()).collect()
}

/// The words that a stream brought.
fn text(stream: &str) -> String {
    let chunks = stream.lines().filter_map(|line| line.strip_prefix("data: "));
    let chunks = chunks.filter_map(|chunk| serde_json::from_str::<Value>(chunk).ok());
    chunks.filter_map(|chunk| Some(chunk.get("delta")?.as_str()?.to_owned())).collect()
}
