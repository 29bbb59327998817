//! Two registries that meet on the real broker while a deploy rolls on: what the handshake says, and what becomes of a
//! call that is sent all the same. `scripts/drift` shows the same with two builds.

use std::borrow::Cow;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use agent_contract::lock::{Lock, Shape, Version};
use agent_contract::wire::{HEADER_CONTRACT, HEADER_OUTCOME, decode_reply, encode_request};
use agent_contract::{
    Posture, ReplyPacket, Timestamp, ToolDefinition, ToolTransport as _, WireMessage,
};
use serde_json::{Value, json};
use server::config::ServerConfig;
use server::db::DatabaseUrl;
use server::identity::IdentityMode;
use server::{RunningServer, Server, Workers};
use tempfile::TempDir;
use tools::agent_tools::DEFS;
use worker::amqp::{Outbound, Sender};
use worker::servers::{Servers, Unserved};

use crate::support::{Queues, queues};

const PATIENCE: std::time::Duration = std::time::Duration::from_secs(20);

/// A server of this build, and a worker's connection to it.
struct Meeting {
    running: RunningServer,
    outbound: Outbound,
    sender: Sender,
    identity: Value,
    _data: TempDir,
    _queues: Queues,
}

impl Meeting {
    async fn new(test: &str, contract: Cow<'static, str>) -> Self {
        let queues = queues(test);
        let data = TempDir::new().expect("a folder");
        let listen = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        let database = DatabaseUrl::Sqlite(data.path().join("rover.db"));
        let mut config = ServerConfig::new(listen, database, data.path().join("keys"));
        (config.demo, config.identity, config.contract) = (true, IdentityMode::Plain, contract);
        let server = Server::open(config).await.expect("it opens");
        let console = server.console();
        let ruth =
            console.standing("ruth.akello@naalya.example", "school", tool("list_staff")).await;
        let identity = json!(ruth.expect("she is there").context)["userDetails"].clone();
        let (broker, tools, prefix) = queues.names();
        let mut settings = server::amqp::AmqpSettings::at(broker);
        settings.names = server::amqp::Names::of(tools, prefix);
        let mut workers = worker::amqp::AmqpSettings::at(broker);
        workers.names = settings.names.clone();
        let running = server.start(Workers::Amqp(Box::new(settings))).await.expect("it starts");
        let outbound = Outbound::start(workers).expect("it starts");
        outbound.ready().await.expect("it stands");
        let sender = outbound.sender();
        Self { running, outbound, sender, identity, _data: data, _queues: queues }
    }

    /// What a worker that holds this tool may not offer.
    async fn unserved(&self, held: &ToolDefinition) -> Arc<Unserved> {
        let held: &'static ToolDefinition = Box::leak(Box::new(*held));
        let servers = Servers::new(Arc::new(self.sender.clone()), Box::leak(Box::new([held])));
        servers.ask().await;
        servers.unserved().await
    }

    /// A call of this tool under its version: the outcome, and the envelope or Nest's own answer.
    async fn call(&self, held: &ToolDefinition, args: Value) -> (String, Value) {
        let who = &self.identity;
        let identity = json!({
            "sub": who["userId"], "email": who["email"], "type": who["userType"],
            "profileId": who["profileId"], "schoolId": who["schoolId"],
        });
        let data = json!({ "identity": identity, "scope": { "mode": "school" }, "args": args });
        let id = uuid();
        let message = WireMessage::new(encode_request(held.event.expect("remote"), &data, &id))
            .with_header(HEADER_CONTRACT, held.wire_hash());
        let reply =
            self.sender.call(message, Timestamp::now().after(PATIENCE)).await.expect("a reply");
        let outcome = reply.headers.get(HEADER_OUTCOME).cloned().unwrap_or_default();
        match decode_reply(&reply.body) {
            ReplyPacket::Complete(Some(envelope)) => (outcome, envelope),
            ReplyPacket::NoHandler => (outcome, json!("no handler")),
            other => panic!("{other:?}"),
        }
    }

    async fn end(self) {
        drop(self.outbound);
        self.running.shutdown(PATIENCE).await;
    }
}

fn uuid() -> String {
    // Time and process are enough to tell the calls of one test apart.
    format!("drift-{}-{}", std::process::id(), Timestamp::now().as_millisecond())
}

fn tool(name: &str) -> &'static ToolDefinition {
    DEFS.iter().find(|def| def.name == name).expect("it is registered")
}

/// `list_departments` as it was before it could be narrowed to a campus.
fn before() -> Value {
    let mut schema = (tool("list_departments").args_schema)();
    schema["properties"].as_object_mut().expect("an object").remove("campusId").expect("there");
    schema
}

/// `list_departments` as it may be one day.
fn after() -> Value {
    let mut schema = (tool("list_departments").args_schema)();
    schema["properties"]["archived"] = json!({ "type": "boolean" });
    schema
}

/// `create_department` with its name under another name.
fn renamed() -> Value {
    let mut schema = (tool("create_department").args_schema)();
    let properties = schema["properties"].as_object_mut().expect("an object");
    let name = properties.remove("name").expect("there");
    properties.insert("title".to_owned(), name);
    schema["required"] = json!(["title"]);
    schema
}

#[tokio::test(flavor = "multi_thread")]
async fn amqp_meets_an_optional_argument_on_one_side_only() {
    let mut older = *tool("list_departments");
    older.args_schema = before;
    let mut lock = Lock::parse(tools::CONTRACT).expect("a lock");
    let locked = lock.tools.get_mut(older.name).expect("locked");
    let shape = Shape::of(&older);
    locked.accepts.push(shape.fingerprint());
    locked.history.push(Version { wire: shape.fingerprint(), shape });
    let text = lock.text().expect("text");

    // The server went first and says that it still serves the older version.
    let meeting = Meeting::new("drift-added", Cow::Owned(text)).await;
    assert_eq!(meeting.unserved(&older).await.why(older.name), None);
    let (outcome, envelope) = meeting.call(&older, json!({})).await;
    assert!(outcome == "ok" && envelope["data"]["items"].is_array(), "{outcome} {envelope}");

    // The worker went first: its argument would be refused, so the tool is not offered, and a call is not run.
    let mut newer = *tool("list_departments");
    newer.args_schema = after;
    let unserved = meeting.unserved(&newer).await;
    let why = unserved.why(newer.name).expect("refused");
    assert!(why.contains("/args/properties/archived is gone"), "{why}");
    let (outcome, envelope) = meeting.call(&newer, json!({ "archived": true })).await;
    let error = envelope["error"].as_str().expect("an error");
    assert!(outcome == "mismatch" && error.contains("args.archived"), "{outcome} {error}");
    meeting.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn amqp_meets_a_renamed_field_and_a_tool_that_is_gone() {
    let meeting = Meeting::new("drift-renamed", Cow::Borrowed(tools::CONTRACT)).await;
    let mut other = *tool("create_department");
    other.args_schema = renamed;
    let unserved = meeting.unserved(&other).await;
    let why = unserved.why(other.name).expect("refused");
    assert!(why.contains("/args/properties/name is new"), "{why}");
    let (outcome, envelope) = meeting.call(&other, json!({ "title": "Astronomy" })).await;
    let error = envelope["error"].as_str().expect("an error");
    assert!(outcome == "mismatch" && error.contains("args.title"), "{outcome} {error}");
    let (_, listed) = meeting.call(tool("list_departments"), json!({})).await;
    assert!(!listed.to_string().contains("Astronomy"), "nothing was done: {listed}");

    let mut gone = *tool("list_departments");
    (gone.name, gone.event) = ("count_departments", Some("count.departments"));
    let unserved = meeting.unserved(&gone).await;
    assert!(unserved.why(gone.name).expect("refused").contains("no such tool"));
    assert_eq!(meeting.call(&gone, json!({})).await.1, "no handler");
    meeting.end().await;
}

/// A posture is no part of the wire: the call is carried, and the server's own posture decides.
#[tokio::test(flavor = "multi_thread")]
async fn amqp_meets_another_posture() {
    let meeting = Meeting::new("drift-posture", Cow::Borrowed(tools::CONTRACT)).await;
    let mut looser = *tool("create_department");
    looser.posture = Some(Posture::Relationship);
    assert_eq!(meeting.unserved(&looser).await.why(looser.name), None);
    let (outcome, envelope) = meeting.call(&looser, json!({ "name": "Astronomy" })).await;
    let error = envelope["error"].as_str().expect("an error");
    assert!(outcome == "denied" && error.starts_with("Permission denied"), "{outcome} {error}");
    meeting.end().await;
}

/// `scripts/drift` is not run with the tests, so its patches are at least held against the code that they change.
#[test]
fn the_changes_that_the_script_makes_still_fit() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let patches = std::fs::read_dir(root.join("tests/drift")).expect("it is there");
    let patches: Vec<PathBuf> = patches.map(|entry| entry.expect("an entry").path()).collect();
    assert_eq!(patches.len(), 4, "{patches:?}");
    let fits = Command::new("git")
        .args(["apply", "--check"])
        .args(&patches)
        .current_dir(root)
        .output()
        .expect("git runs");
    assert!(fits.status.success(), "{}", String::from_utf8_lossy(&fits.stderr));
}
