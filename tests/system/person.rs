//! `rover person`: all that is kept of what somebody said to Rover is given out and deleted, and nothing of anybody else.

use reqwest::{RequestBuilder, Response};
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use crate::support::Rover;

const RUTH: &str = "ruth.akello@naalya.example";
const GRACE: &str = "grace.namutebi@naalya.example";
const MARKS: &str = "name,mark\nRuth,81\n";
const MARKS_BASE64: &str = "bmFtZSxtYXJrClJ1dGgsODEK";

#[test]
fn what_a_person_said_is_exported_and_deleted() {
    let rover = Rover::dev(&[]);
    let (ruth, grace) = (Client::new(&rover, RUTH), Client::new(&rover, GRACE));
    let said = ruth.upload("said.csv");
    ruth.upload("never said.csv");
    ruth.say("who am I", &[&said]);
    let graces = grace.upload("graces.csv");
    grace.say("list the departments", &[&graces]);

    let export = exported(&rover, RUTH);
    assert_eq!(export["email"], RUTH);
    let conversations = export["conversations"].as_array().expect("a list");
    assert_eq!(conversations.len(), 1, "{export}");
    let text = conversations[0].to_string();
    assert!(text.contains("who am I") && text.contains("Ruth Akello"), "{text}");
    assert!(!export.to_string().contains("list the departments"), "another person's words");
    let files: Vec<_> = export["files"].as_array().expect("a list").iter().collect();
    let names: Vec<_> = files.iter().map(|file| &file["filename"]).collect();
    assert_eq!(names, ["said.csv", "never said.csv"]);
    for file in files {
        assert_eq!(
            (&file["bytes"], &file["mediaType"]),
            (&json!(MARKS_BASE64), &json!("text/csv"))
        );
    }

    let printed = rover.ask(&["person", "delete", RUTH]);
    assert!(printed.starts_with(&format!("1 conversations of {RUTH} are deleted")), "{printed}");
    let export = exported(&rover, RUTH);
    assert_eq!((&export["conversations"], &export["files"]), (&json!([]), &json!([])));
    assert_eq!(ruth.get(&said).status(), 404);
    assert_eq!(
        rover.get("/api/naalya-ai/threads", RUTH).to_string().matches("who am I").count(),
        0
    );
    // Nobody else lost anything.
    assert_eq!(grace.text(grace.get(&graces)), MARKS);
    assert_eq!(exported(&rover, GRACE)["conversations"].as_array().map(Vec::len), Some(1));
    assert!(rover.ask(&["audit", "verify"]).contains("whole"));

    for command in ["export", "delete"] {
        let (status, printed) = rover.try_ask(&["person", command, "nobody@naalya.example"]);
        assert_eq!(status.code(), Some(1), "{printed}");
        assert!(printed.contains("nobody@naalya.example"), "{printed}");
    }
}

fn exported(rover: &Rover, email: &str) -> Value {
    let printed = rover.ask(&["person", "export", email]);
    serde_json::from_str(&printed).unwrap_or_else(|fault| panic!("{fault}: {printed}"))
}

/// A person's client of the API.
struct Client {
    address: String,
    token: String,
    runtime: Runtime,
}

impl Client {
    fn new(rover: &Rover, email: &str) -> Self {
        let token = rover.ask(&["token", email]).trim().to_owned();
        let runtime = Runtime::new().expect("a runtime");
        Self { address: rover.address().to_owned(), token, runtime }
    }

    /// Uploads the marks under this name; answers where they are.
    fn upload(&self, name: &str) -> String {
        let path = format!("/api/naalya-ai/attachments?filename={}", name.replace(' ', "%20"));
        let asked = reqwest::Client::new().post(format!("{}{path}", self.address));
        let answer = self.send(asked.header("content-type", "text/csv").body(MARKS));
        assert_eq!(answer.status(), 201);
        let kept: Value = serde_json::from_str(&self.text(answer)).expect("it is JSON");
        kept["url"].as_str().expect("text").to_owned()
    }

    /// Says something about files, and waits for the end of the answer.
    fn say(&self, sentence: &str, files: &[&str]) {
        let mut parts = vec![json!({ "type": "text", "text": sentence })];
        parts.extend(files.iter().map(
            |url| json!({ "type": "file", "filename": "any", "mediaType": "text/csv", "url": url }),
        ));
        let message = json!({ "role": "user", "parts": parts });
        let body = json!({ "id": format!("of-{}", sentence.len()), "runMode": { "mode": "school" }, "messages": [message] });
        let asked = reqwest::Client::new().post(format!("{}/api/naalya-ai/chat", self.address));
        let answer = self.send(asked.json(&body));
        assert_eq!(answer.status(), 200);
        let stream = self.text(answer);
        assert!(stream.contains("data: [DONE]"), "{stream}");
    }

    fn get(&self, path: &str) -> Response {
        self.send(reqwest::Client::new().get(format!("{}{path}", self.address)))
    }

    fn send(&self, asked: RequestBuilder) -> Response {
        let sent = asked.bearer_auth(&self.token).send();
        self.runtime.block_on(sent).expect("the server is there")
    }

    fn text(&self, answer: Response) -> String {
        self.runtime.block_on(answer.text()).expect("the server is there")
    }
}
