//! `rover mcp`: the tools of one person in one run mode, for an MCP client on standard input and output.
//!
//! A call takes the way of `rover call`, through the same gates, so this opens no door that is not there. Nothing but
//! the protocol is written to standard output. Only here is rmcp named.

mod tool;

use std::sync::Arc;
use std::time::Duration;

use agent_contract::{
    AgentRunModeName, AgentRuntimeContext, Kind, ToolDefinition, resolve_runtime_context,
    tools_for_mode,
};
use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, CallToolResult, Implementation,
    ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerConfig,
};
use rmcp::service::{RequestContext, ServerInitializeError};
use rmcp::transport::stdio;
use rmcp::{ErrorData, RoleServer, ServerHandler, ServiceExt as _};
use serde_json::Value;
use tokio_util::task::TaskTracker;
use tools::agent_tools::DEFS;

use super::calls::{Called, Calls};
use super::{CommandError, Person};
use crate::config::Config;

/// How long calls have to end after the client has left.
const PATIENCE: Duration = Duration::from_secs(20);

/// Why a client could not be served to the end.
#[derive(Debug, thiserror::Error)]
pub(crate) enum McpError {
    /// What came first was no MCP.
    #[error(
        "what the client wrote is no MCP; `rover mcp` is started by an MCP client, not by hand"
    )]
    Start(#[source] Box<ServerInitializeError>),
    /// The service ended by a fault of its own.
    #[error("the connection to the MCP client broke off")]
    BrokenOff,
}

/// Serves the client until it leaves.
pub(crate) async fn serve(config: &Config, person: Person<'_>) -> Result<(), CommandError> {
    let calls = Calls::open(config).await?;
    // Who cannot work in this mode is told now, not at the first call.
    let standing = calls.server().console().standing(person.email, person.mode, DEFS[0]).await?;
    let context = resolve_runtime_context(standing.context)?;
    let desk = Desk {
        calls: Arc::new(calls),
        email: person.email.to_owned(),
        mode: person.mode.to_owned(),
        offered: offered(context.run_mode.name()),
        instructions: instructions(&context),
        running: TaskTracker::new(),
    };
    let running = desk.running.clone();
    let ended = match desk.serve(stdio()).await {
        Ok(service) => service.waiting().await.map(drop).map_err(|_| McpError::BrokenOff.into()),
        Err(ServerInitializeError::ConnectionClosed(_)) => Ok(()),
        Err(error) => Err(McpError::Start(Box::new(error)).into()),
    };
    running.close();
    if tokio::time::timeout(PATIENCE, running.wait()).await.is_err() {
        tracing::warn!("a call had not ended when its client left");
    }
    ended
}

/// What the server runs in this mode.
fn offered(mode: AgentRunModeName) -> Vec<&'static ToolDefinition> {
    tools_for_mode(DEFS, mode).into_iter().filter(|def| def.kind == Kind::Rpc).collect()
}

fn instructions(context: &AgentRuntimeContext) -> String {
    let person = &context.user_details;
    let school = person.school_name.as_deref().unwrap_or("a school");
    format!(
        "Tools of {school}, used as {}. Every result says in scopeContext how far its data reaches; qualify what you \
         say from it. A refusal is this person's own limit; do not try another way around.",
        person.name
    )
}

/// One client's tools.
struct Desk {
    calls: Arc<Calls>,
    email: String,
    mode: String,
    offered: Vec<&'static ToolDefinition>,
    instructions: String,
    running: TaskTracker,
}

impl Desk {
    /// The tool, or why the client cannot have it.
    fn tool(&self, name: &str) -> Result<&'static ToolDefinition, ErrorData> {
        if let Some(def) = self.offered.iter().copied().find(|def| def.name == name) {
            return Ok(def);
        }
        let why = match super::tool(name) {
            Err(unknown) => unknown.to_string(),
            Ok(def) if def.kind == Kind::Local => {
                format!("`{name}` belongs to the chat and is not offered here")
            }
            Ok(_) => format!("`{name}` is not there in the run mode {}", self.mode),
        };
        Err(ErrorData::invalid_params(why, None))
    }

    /// Runs the call in a task of its own: it is not dropped when its client no longer waits.
    async fn call(&self, def: &'static ToolDefinition, args: Value) -> CallToolResult {
        let (calls, email, mode) = (Arc::clone(&self.calls), self.email.clone(), self.mode.clone());
        let call = self.running.spawn(async move {
            let person = Person { email: &email, mode: &mode };
            calls.send(def, person, args, None, &format!("{} over MCP", def.name)).await
        });
        match call.await {
            Ok(Ok(Called { result: Some(result), .. })) => tool::returned(&result),
            Ok(Ok(Called { result: None, turn })) => {
                tool::failed(&format!("the call was not sent; `rover turn show {turn}` says why"))
            }
            Ok(Err(error)) => tool::failed(&error.to_string()),
            Err(_) => tool::failed(
                "something went wrong on our side; check what became of this before repeating it",
            ),
        }
    }
}

impl ServerHandler for Desk {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("rover", env!("CARGO_PKG_VERSION")))
            .with_instructions(self.instructions.clone())
    }

    async fn list_tools(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tools = self.offered.iter().map(|def| tool::listed(def)).collect();
        let all = ListToolsResult::with_all_items(tools);
        // The list is this person's.
        Ok(ListToolsResult { ttl_ms: Some(0), cache_scope: Some(CacheScope::Private), ..all })
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let def = self.tool(&request.name)?;
        let args = Value::Object(request.arguments.unwrap_or_default());
        Ok(self.call(def, args).await.into())
    }
}
