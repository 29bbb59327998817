//! A whole server over its real address: a worker of this process calls a tool with the token that its turn brought.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use agent_contract::wire::{HEADER_CTX, Packet, PacketData, classify, encode_request};
use agent_contract::{
    EndReason, EventTransport as _, Hop, InProcessEvents, InProcessTools, InProcessTurns,
    Timestamp, ToolTransport as _, TurnEndpoint, TurnEvent, TurnEventKind, TurnId, TurnRequest,
    WireMessage, identity_from_user_details, resolve_call_scope, resolve_runtime_context,
};
use futures_util::future::BoxFuture;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use super::{RunningServer, Server, Workers};
use crate::config::ServerConfig;
use crate::db::testing::{Kind, Site};

const PATIENCE: Duration = Duration::from_secs(20);

/// Asks for the departments, and tells the person what came back.
struct Worker {
    tools: InProcessTools,
    events: InProcessEvents,
}

/// Takes a turn and is never heard of again.
struct Silent;

impl TurnEndpoint for Worker {
    fn run(&self, message: WireMessage) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            let Packet::Request { data: PacketData::Json(data), .. } = classify(&message.body)
            else {
                panic!("a turn is a request")
            };
            let turn: TurnRequest = serde_json::from_value(data).unwrap();
            let context = resolve_runtime_context(turn.runtime_context).unwrap();
            let data = json!({
                "identity": identity_from_user_details(&context.user_details),
                "scope": resolve_call_scope(&context),
                "args": {},
            });
            let call = WireMessage {
                reply_to: Some("here".to_owned()),
                ..WireMessage::new(encode_request("list.departments", &data, "c1"))
            };
            let call = call.with_header(HEADER_CTX, message.header(HEADER_CTX).unwrap());
            let reply = self.tools.call(call, Timestamp::now().after(PATIENCE)).await.unwrap();
            let reply: Value = serde_json::from_slice(&reply.body).unwrap();
            let said = [
                TurnEventKind::TextDelta { text: reply["response"].to_string() },
                TurnEventKind::Finished { reason: EndReason::Done, message: None },
            ];
            for (seq, kind) in (0..).zip(said) {
                let (turn_id, at, hop) = (turn.turn_id.clone(), Timestamp::now(), Hop::Worker);
                self.events.publish(TurnEvent { turn_id, seq, at, hop, kind }).await.unwrap();
            }
        })
    }

    fn stop(&self, _: &TurnId) {}
}

impl TurnEndpoint for Silent {
    fn run(&self, _: WireMessage) -> BoxFuture<'_, ()> {
        Box::pin(async {})
    }

    fn stop(&self, _: &TurnId) {}
}

async fn opened(folder: &Path, site: &Site) -> Server {
    let listen = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
    let config = ServerConfig::new(listen, site.url(), folder.join("keys"));
    Server::open(ServerConfig { demo: true, ..config }).await.unwrap()
}

async fn started(server: Server, worker: Arc<dyn TurnEndpoint>) -> RunningServer {
    server.start(Workers::InProcess(Arc::new(InProcessTurns::new(worker)))).await.unwrap()
}

/// One request over a connection of its own; the body of the answer.
async fn ask(
    addr: SocketAddr,
    method: &str,
    path: &str,
    bearer: &str,
    body: &str,
) -> (TcpStream, String) {
    let mut stream = TcpStream::connect(addr).await.unwrap();
    let request = format!(
        "{method} {path} HTTP/1.0\r\nauthorization: Bearer {bearer}\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await.unwrap());
    }
    (stream, String::from_utf8(head).unwrap())
}

async fn answer(addr: SocketAddr, method: &str, path: &str, bearer: &str, body: &str) -> String {
    let (mut stream, _) = ask(addr, method, path, bearer, body).await;
    let mut text = String::new();
    stream.read_to_string(&mut text).await.unwrap();
    text
}

async fn signed_in(addr: SocketAddr) -> String {
    let credentials = json!({ "email": "sarah.nabirye@naalya.example", "password": "rover-demo" });
    let signed = answer(addr, "POST", "/api/auth/sign-in", "", &credentials.to_string()).await;
    let signed: Value = serde_json::from_str(&signed).unwrap();
    signed["token"].as_str().unwrap().to_owned()
}

fn saying(text: &str) -> String {
    let said = json!({ "role": "user", "parts": [{ "type": "text", "text": text }] });
    json!({ "id": "t1", "runMode": { "mode": "school" }, "messages": [said] }).to_string()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_turn_calls_a_tool_with_the_token_it_was_given() {
    let (folder, site) = (tempfile::tempdir().unwrap(), Site::new(Kind::of(module_path!())).await);
    let server = opened(folder.path(), &site).await;
    let worker = Worker {
        tools: InProcessTools::new(server.tools()),
        events: InProcessEvents::new(server.events()),
    };
    let running = started(server, Arc::new(worker)).await;
    let bearer = signed_in(running.addr()).await;
    let stream =
        answer(running.addr(), "POST", "/api/naalya-ai/chat", &bearer, &saying("departments?"))
            .await;
    assert!(stream.contains("Lakeside Campus"), "{stream}");
    assert!(stream.contains("scopeContext"), "{stream}");
    assert!(!stream.contains("Main Campus"), "she works at the lake only: {stream}");
    assert!(stream.contains("data: [DONE]"), "{stream}");
    running.shutdown(PATIENCE).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_comes_back_with_its_rows_and_ends_what_nobody_runs_any_more() {
    let (folder, site) = (tempfile::tempdir().unwrap(), Site::new(Kind::of(module_path!())).await);
    let first = started(opened(folder.path(), &site).await, Arc::new(Silent)).await;
    let bearer = signed_in(first.addr()).await;
    let (watching, head) =
        ask(first.addr(), "POST", "/api/naalya-ai/chat", &bearer, &saying("hello")).await;
    assert!(head.starts_with("HTTP/1.0 200"), "{head}");
    first.shutdown(Duration::ZERO).await;
    drop(watching);

    let second = started(opened(folder.path(), &site).await, Arc::new(Silent)).await;
    let thread = answer(second.addr(), "GET", "/api/naalya-ai/threads/t1", &bearer, "").await;
    let thread: Value = serde_json::from_str(&thread).expect("the sign-in outlives a restart");
    assert_eq!(thread["messages"][1]["metadata"]["endReason"], "worker_lost");
    second.shutdown(PATIENCE).await;
}
