//! The whole pipeline: the worker's caller, the broker, a server process with every gate, a database.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use agent_contract::{
    CallId, EventTransport, Timestamp, ToolDefinition, TransportError, TurnEvent, TurnId,
};
use futures_util::future::BoxFuture;
use serde_json::{Value, json};
use tempfile::TempDir;
use tools::agent_tools::DEFS;
use worker::amqp::{AmqpSettings, Names, Outbound};
use worker::caller::Caller;
use worker::proxy::AgentToolService;
use worker::turn::Narrator;

use crate::echo::broker;
use crate::{Figure, measured};

/// A server with the demo school, and a caller.
pub(crate) struct Rover {
    child: Child,
    at_rest: u64,
    service: AgentToolService,
    _outbound: Outbound,
    _data: TempDir,
    database: Option<String>,
}

struct Unwatched;

impl EventTransport for Unwatched {
    fn publish(&self, _: TurnEvent) -> BoxFuture<'_, Result<(), TransportError>> {
        Box::pin(async { Ok(()) })
    }
}

impl Rover {
    pub(crate) async fn on(kind: &str) -> Self {
        let data = TempDir::new().unwrap();
        let own = format!("rover-bench-{}-{kind}", std::process::id());
        let (tools, prefix) = (format!("{own}-tools"), format!("{own}-"));
        let mut command = Command::new(env!("CARGO_BIN_EXE_rover"));
        command.current_dir(data.path()).env("ROVER_DATA_DIR", data.path().join("data"));
        command.args(["server", "--demo", "--listen", "127.0.0.1:0", "--identity", "plain"]);
        command.args(["--amqp", &broker(), "--tool-queue", &tools, "--queue-prefix", &prefix]);
        let database = (kind == "postgres").then(|| {
            let name =
                format!("rover_bench_{}_{}", std::process::id(), Timestamp::now().as_millisecond());
            psql(&format!("CREATE DATABASE {name}"));
            command.env("ROVER_DATABASE", cluster().replacen("/postgres", &format!("/{name}"), 1));
            name
        });
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
        assert!(lines.any(|line| line.contains("listens at")), "the server starts");
        std::thread::spawn(move || lines.for_each(drop));
        let settings =
            AmqpSettings { names: Names::of(&tools, &prefix), ..AmqpSettings::at(broker()) };
        let outbound = Outbound::start(settings).unwrap();
        outbound.ready().await.unwrap();
        let service = AgentToolService::new(Arc::new(outbound.sender()), Duration::from_mins(1));
        service.servers().ask().await;
        let at_rest = resident(&child);
        Self { child, at_rest, service, _outbound: outbound, _data: data, database }
    }

    pub(crate) async fn reads(&self, in_flight: usize, lasting: Duration) -> Figure {
        self.calls("list_departments", in_flight, lasting, |_| json!({})).await
    }

    pub(crate) async fn writes(&self, in_flight: usize, lasting: Duration) -> Figure {
        self.calls("enrol_student", in_flight, lasting, |number| {
            json!({ "name": format!("Bench {number}"), "classId": "naalya-class-s1-east" })
        })
        .await
    }

    /// MiB of the server before the first call, and now.
    pub(crate) fn memory(&self) -> (u64, u64) {
        (self.at_rest, resident(&self.child))
    }

    async fn calls(
        &self,
        tool: &str,
        in_flight: usize,
        lasting: Duration,
        args: impl Fn(u64) -> Value + Clone + Send + 'static,
    ) -> Figure {
        let definition: &'static ToolDefinition =
            DEFS.iter().find(|def| def.name == tool).expect("it is registered");
        let service = self.service.clone();
        measured(in_flight, lasting, move |number| {
            let (service, args) = (service.clone(), args(number));
            async move {
                let turn: TurnId = "trn_bench".parse().unwrap();
                let narrator = Narrator::new(turn, 0, Arc::new(Unwatched));
                let result = service
                    .call(&head_teacher(), &narrator, definition, &CallId::mint(), args)
                    .await;
                assert!(result.is_ok(), "{result:?}");
            }
        })
        .await
    }
}

impl Drop for Rover {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        if let Some(name) = &self.database {
            psql(&format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)"));
        }
    }
}

fn head_teacher() -> Caller {
    let identity = json!({
        "sub": "naalya-user-grace.namutebi", "email": "grace.namutebi@naalya.example",
        "type": "staff", "profileId": "naalya-staff-grace.namutebi", "schoolId": "naalya",
    });
    Caller {
        identity: serde_json::from_value(identity).unwrap(),
        scope: serde_json::from_value(json!({ "mode": "school" })).unwrap(),
        token: None,
        traceparent: None,
        deadline: Timestamp::now().after(Duration::from_mins(1)),
        takeover: 0,
    }
}

fn resident(child: &Child) -> u64 {
    let status =
        std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or_default();
    line.split_whitespace().next().and_then(|kib| kib.parse::<u64>().ok()).unwrap_or_default()
        / 1024
}

fn cluster() -> String {
    std::env::var("ROVER_TEST_POSTGRES")
        .unwrap_or_else(|_| "postgres://postgres@127.0.0.1:5432/postgres".to_owned())
}

fn psql(question: &str) {
    let output = Command::new("psql").args([&cluster(), "-XAtc", question]).output().expect("psql");
    assert!(output.status.success(), "{question}: {}", String::from_utf8_lossy(&output.stderr));
}
