//! A running server whose database goes and comes back.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::{Duration, Instant};

use agent_contract::{InProcessTurns, TurnEndpoint, TurnId, WireMessage};
use futures_util::future::BoxFuture;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use super::{Server, Workers};
use crate::config::ServerConfig;
use crate::db::testing::{OwnDatabase, Proxy};

/// Takes turns, of which there are none here.
struct Idle;

impl TurnEndpoint for Idle {
    fn run(&self, _: WireMessage) -> BoxFuture<'_, ()> {
        Box::pin(async {})
    }

    fn stop(&self, _: &TurnId) {}
}

/// The status and the body of one answer.
async fn ask(addr: SocketAddr, method: &str, path: &str, bearer: &str, body: &str) -> (u16, Value) {
    let mut stream = TcpStream::connect(addr).await.unwrap();
    let request = format!(
        "{method} {path} HTTP/1.0\r\nauthorization: Bearer {bearer}\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).await.unwrap();
    let (head, body) = text.split_once("\r\n\r\n").unwrap();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    (status, serde_json::from_str(body).unwrap_or(Value::Null))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_whose_postgres_goes_says_so_and_works_on_when_it_is_back() {
    let (folder, own) = (tempfile::tempdir().unwrap(), OwnDatabase::up_to_date().await);
    let (mut proxy, url) = Proxy::before_postgres(&own).await;
    let listen = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
    let config = ServerConfig::new(listen, url, folder.path().join("keys"));
    let server = Server::open(ServerConfig { demo: true, ..config }).await.unwrap();
    let workers = Workers::InProcess(Arc::new(InProcessTurns::new(Arc::new(Idle))));
    let running = server.start(workers).await.unwrap();
    let addr = running.addr();
    let account = json!({ "email": "grace.namutebi@naalya.example", "password": "rover-demo" });
    let (_, signed) = ask(addr, "POST", "/api/auth/sign-in", "", &account.to_string()).await;
    let bearer = signed["token"].as_str().unwrap();
    assert_eq!(ask(addr, "GET", "/readyz", "", "").await.0, 200);
    assert_eq!(ask(addr, "GET", "/api/departments", bearer, "").await.0, 200);

    proxy.cut().await;
    let asked = Instant::now();
    let (status, health) = ask(addr, "GET", "/readyz", "", "").await;
    assert_eq!((status, &health["database"]), (503, &json!(false)), "{health}");
    assert!(asked.elapsed() < Duration::from_secs(10), "whoever asks does not wait for a frame");
    let (status, problem) = ask(addr, "GET", "/api/departments", bearer, "").await;
    let sentence = "the server is busy and has not begun this; try again in a moment";
    assert_eq!((status, &problem["detail"]), (503, &json!(sentence)), "{problem}");
    assert_eq!(ask(addr, "GET", "/healthz", "", "").await.0, 200, "the process lives");

    proxy.mend().await;
    assert_eq!(ask(addr, "GET", "/readyz", "", "").await.0, 200);
    let (status, departments) = ask(addr, "GET", "/api/departments", bearer, "").await;
    assert!(status == 200 && !departments.to_string().contains("error"), "{departments}");
    running.shutdown(Duration::from_secs(20)).await;
}
