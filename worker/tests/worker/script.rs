//! A server that speaks chat completions over HTTP and answers from a script, in order.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;

/// One answer of the script.
pub(crate) enum Line {
    /// Words.
    Says(&'static str),
    /// Calls: id, tool, arguments as text.
    Calls(Vec<(&'static str, &'static str, Value)>),
    /// Calls whose arguments are sent as they stand.
    Raw(&'static str, &'static str, &'static str),
    /// A call in which the answer ran out of length.
    Short(&'static str, &'static str, &'static str),
    /// Some words, and then nothing until the other side hangs up.
    Hangs(&'static str),
    /// Some words, and then the end of the connection.
    Cut(&'static str),
    /// An HTTP error.
    Fails(u16),
}

/// The server, and what it was asked.
#[derive(Clone)]
pub(crate) struct Script {
    pub(crate) base_url: String,
    answers: Arc<Answers>,
    requests: Arc<Mutex<Vec<Value>>>,
    hung_up: Arc<Notify>,
}

/// Where the answers come from.
enum Answers {
    InOrder(Mutex<VecDeque<Line>>),
    By(fn(&Value) -> Line),
}

impl Answers {
    fn to(&self, request: &Value) -> Line {
        match self {
            Self::InOrder(lines) => {
                lines.lock().unwrap().pop_front().expect("the script has a line for this request")
            }
            Self::By(rule) => rule(request),
        }
    }
}

impl Script {
    pub(crate) async fn of(lines: impl IntoIterator<Item = Line>) -> Self {
        Self::new(Answers::InOrder(Mutex::new(lines.into_iter().collect()))).await
    }

    /// A model that answers by what it is asked, so often as it is asked.
    pub(crate) async fn by(rule: fn(&Value) -> Line) -> Self {
        Self::new(Answers::By(rule)).await
    }

    async fn new(answers: Answers) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let script = Self {
            base_url: format!("http://{}/v1", listener.local_addr().unwrap()),
            answers: Arc::new(answers),
            requests: Arc::default(),
            hung_up: Arc::default(),
        };
        let serving = script.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serving.clone().serve(stream));
            }
        });
        script
    }

    /// The bodies of the requests so far.
    pub(crate) fn requests(&self) -> Vec<Value> {
        self.requests.lock().unwrap().clone()
    }

    /// Waits until the other side has hung up on an answer that hangs.
    pub(crate) async fn hung_up(&self) {
        self.hung_up.notified().await;
    }

    async fn serve(self, mut stream: TcpStream) {
        let (head, body) = read(&mut stream).await;
        assert!(head.starts_with("POST /v1/chat/completions "), "{head}");
        assert!(head.contains("Bearer test-key"), "{head}");
        let line = self.answers.to(&body);
        self.requests.lock().unwrap().push(body);
        match line {
            Line::Fails(status) => {
                let error = json!({"error": {"message": "at /srv/model.py:1", "type": "x"}});
                let body = error.to_string();
                let length = body.len();
                let head = format!("HTTP/1.1 {status} No\r\ncontent-length: {length}\r\n");
                send(&mut stream, &format!("{head}content-type: application/json\r\n\r\n{body}"))
                    .await;
            }
            Line::Says(text) => whole(&mut stream, words(text), "stop").await,
            Line::Calls(calls) => {
                let calls = calls
                    .into_iter()
                    .enumerate()
                    .map(|(index, (id, name, args))| call(index, id, name, &args.to_string()));
                whole(&mut stream, calls.collect(), "tool_calls").await;
            }
            Line::Raw(id, name, args) => {
                whole(&mut stream, vec![call(0, id, name, args)], "tool_calls").await;
            }
            Line::Short(id, name, args) => {
                whole(&mut stream, vec![call(0, id, name, args)], "length").await;
            }
            Line::Cut(text) => begin(&mut stream, words(text)).await,
            Line::Hangs(text) => {
                begin(&mut stream, words(text)).await;
                // Nothing more comes; reading ends when the other side closes.
                let mut rest = Vec::new();
                let _ = stream.read_to_end(&mut rest).await;
                self.hung_up.notify_one();
            }
        }
    }
}

async fn read(stream: &mut TcpStream) -> (String, Value) {
    let mut bytes = Vec::new();
    loop {
        let mut chunk = [0; 4096];
        let count = stream.read(&mut chunk).await.unwrap();
        bytes.extend_from_slice(&chunk[..count]);
        let text = String::from_utf8_lossy(&bytes);
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let length = head
            .lines()
            .find_map(|line| line.to_lowercase().strip_prefix("content-length: ")?.parse().ok())
            .unwrap_or(0_usize);
        if body.len() >= length {
            return (head.to_owned(), serde_json::from_str(body).unwrap());
        }
    }
}

async fn begin(stream: &mut TcpStream, deltas: Vec<Value>) {
    send(stream, "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n")
        .await;
    for delta in deltas {
        event(stream, &chunk(&delta, None).to_string()).await;
    }
}

async fn whole(stream: &mut TcpStream, deltas: Vec<Value>, finish: &str) {
    begin(stream, deltas).await;
    event(stream, &chunk(&json!({}), Some(finish)).to_string()).await;
    let usage = json!({"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10});
    let mut last = chunk(&json!({}), None);
    last["choices"] = json!([]);
    last["usage"] = usage;
    event(stream, &last.to_string()).await;
    event(stream, "[DONE]").await;
}

fn words(text: &str) -> Vec<Value> {
    text.split_inclusive(' ').map(|word| json!({"content": word})).collect()
}

/// A call in two pieces, as providers send it.
fn call(index: usize, id: &str, name: &str, args: &str) -> Value {
    json!({"tool_calls": [{
        "index": index, "id": id, "type": "function",
        "function": {"name": name, "arguments": args}
    }]})
}

fn chunk(delta: &Value, finish: Option<&str>) -> Value {
    json!({
        "id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "scripted",
        "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]
    })
}

async fn event(stream: &mut TcpStream, data: &str) {
    send(stream, &format!("data: {data}\n\n")).await;
}

async fn send(stream: &mut TcpStream, text: &str) {
    // The other side may have hung up already; then there is nobody to send to.
    let _ = stream.write_all(text.as_bytes()).await;
}
