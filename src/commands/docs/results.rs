//! What the examples answer: each is sent through the gates to a demo school, by somebody who may.
//!
//! Examples that write have a school each, so that none of them sees what another one did.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use agent_contract::{
    AgentToolResult, Effect, InProcessEvents, InProcessTools, InProcessTurns, TurnEventKind,
    WorkerKey,
};
use server::Server;
use server::config::ServerConfig;
use server::db::DatabaseUrl;
use server::demo::{Results, Showing, showing};
use tempfile::TempDir;
use tools::agent_tools::DEFS;
use worker::OneCall;

use super::DocsError;

/// Runs every example of every tool.
pub(super) async fn of_every_example() -> Result<Results, DocsError> {
    let shared = School::open().await?;
    let mut results = Results::default();
    for def in DEFS {
        for example in def.shown() {
            let showing = showing(def, example).ok_or(DocsError::Nobody(def.name))?;
            let result = match def.effect {
                Effect::Read => shared.answer(&showing).await?,
                Effect::Write => School::open().await?.answer(&showing).await?,
            };
            results.push(&showing, &result);
        }
    }
    Ok(results)
}

/// A demo school in a folder of its own, with nobody let in.
struct School {
    server: Server,
    key: Arc<WorkerKey>,
    _folder: TempDir,
}

impl School {
    async fn open() -> Result<Self, DocsError> {
        let folder = TempDir::new().map_err(DocsError::Folder)?;
        let database = DatabaseUrl::Sqlite(folder.path().join("rover.db"));
        let nowhere = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        let mut config = ServerConfig::new(nowhere, database, folder.path().join("keys"));
        config.demo = true;
        let key = Arc::new(WorkerKey::generate());
        config.workers.push(key.public());
        Ok(Self { server: Server::open(config).await?, key, _folder: folder })
    }

    /// The successful answer, which is of the result's schema.
    async fn answer(&self, showing: &Showing) -> Result<AgentToolResult, DocsError> {
        let tools = Arc::new(InProcessTools::new(self.server.tools()));
        let events = Arc::new(InProcessEvents::new(self.server.events()));
        let call = OneCall::new(
            showing.tool,
            showing.arguments.clone(),
            tools,
            events,
            Some(Arc::clone(&self.key)),
        )
        .answering(showing.answer.map(str::to_owned));
        let turns = Arc::new(InProcessTurns::new(Arc::new(call)));
        let command = showing.command();
        let console = self.server.console();
        let turn = console.run_turn(&showing.email, &showing.mode, &command, turns).await;
        let turn = turn.map_err(|source| DocsError::Call {
            command: command.clone(),
            source: Box::new(source),
        })?;
        let result = turn.events.into_iter().find_map(|event| match event.kind {
            TurnEventKind::ToolFinished { result, .. } => Some(result),
            _ => None,
        });
        match result {
            Some(AgentToolResult::Ok { data, scope_context }) => {
                let schema = (showing.tool.output_schema)();
                jsonschema::validate(&schema, &data)
                    .map_err(|fault| DocsError::Result { command, fault: fault.to_string() })?;
                Ok(AgentToolResult::Ok { data, scope_context })
            }
            Some(AgentToolResult::Err { error }) => Err(DocsError::Refused { command, error }),
            None => Err(DocsError::Refused { command, error: "it never ended".to_owned() }),
        }
    }
}
