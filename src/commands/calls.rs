//! Tool calls as a person, from outside a chat: each is a turn of its own, with the worker's side played here.
//!
//! So a call takes the way of a chat turn, through the same gates: it leaves a trace, and a write leaves its audit row.
//! With `--amqp` it goes to whichever server takes it.

use std::sync::Arc;
use std::time::Duration;

use agent_contract::{
    AgentToolResult, InProcessEvents, InProcessTools, InProcessTurns, ToolDefinition,
    ToolTransport, TurnEventKind, TurnId, WorkerKey,
};
use serde_json::Value;
use server::Server;
use tools::agent_tools::DEFS;
use worker::OneCall;
use worker::servers::{Servers, Unserved};

use super::{CommandError, Person};
use crate::config::Config;
use crate::system;

/// How long a broker may take to be there. A command that asks once is not for waiting until somebody starts one.
const REACHING: Duration = Duration::from_secs(10);

/// A way to send calls.
pub(crate) struct Calls {
    server: Server,
    way: Arc<dyn ToolTransport>,
    /// What calls are signed with.
    key: Arc<WorkerKey>,
    /// Held as long as calls are sent.
    _broker: Option<worker::amqp::Outbound>,
}

/// What became of a call.
pub(crate) struct Called {
    /// The turn that it was.
    pub(crate) turn: TurnId,
    /// What came back; none if the turn ended before it was sent.
    pub(crate) result: Option<AgentToolResult>,
}

impl Calls {
    /// Opens the rows that a server left, and the way to whoever executes.
    pub(crate) async fn open(config: &Config) -> Result<Self, CommandError> {
        let key = system::key_at_hand(config)?;
        let server = system::read(config, Some(&key)).await?;
        if config.amqp.is_none() {
            let way = Arc::new(InProcessTools::new(server.tools()));
            return Ok(Self { server, way, key, _broker: None });
        }
        let broker = system::outbound(config)?;
        let ready = tokio::time::timeout(REACHING, broker.ready()).await;
        let unreachable =
            |_| CommandError::Unreachable { key: config.amqp_key.clone(), within: REACHING };
        ready.map_err(unreachable)?.map_err(system::no_broker(config))?;
        let way = Arc::new(broker.sender());
        Ok(Self { server, way, key, _broker: Some(broker) })
    }

    /// The server whose rows they are.
    pub(crate) fn server(&self) -> &Server {
        &self.server
    }

    /// The tools of this build that whoever takes the calls would refuse.
    pub(crate) async fn unserved(&self) -> Arc<Unserved> {
        let servers = Servers::new(Arc::clone(&self.way), DEFS, Some(Arc::clone(&self.key)));
        servers.ask().await;
        servers.unserved().await
    }

    /// Sends one call and waits for its end.
    pub(crate) async fn send(
        &self,
        def: &'static ToolDefinition,
        person: Person<'_>,
        args: Value,
        answer: Option<&str>,
        said: &str,
    ) -> Result<Called, CommandError> {
        let events = Arc::new(InProcessEvents::new(self.server.events()));
        let call =
            OneCall::new(def, args, Arc::clone(&self.way), events, Some(Arc::clone(&self.key)))
                .answering(answer.map(str::to_owned));
        let turns = Arc::new(InProcessTurns::new(Arc::new(call)));
        let console = self.server.console();
        let trace = console.run_turn(person.email, person.mode, said, turns).await?;
        let result = trace.events.into_iter().find_map(|event| match event.kind {
            TurnEventKind::ToolFinished { result, .. } => Some(result),
            _ => None,
        });
        Ok(Called { turn: trace.id, result })
    }
}
