//! `rover call`: one tool call as a person, through the same gates as a chat turn.
//!
//! It is a turn of its own, with the worker's side played by this command: so it leaves a trace, and
//! a write leaves its audit row. With `--amqp` the call goes to whichever server takes it.

use std::sync::Arc;
use std::time::Duration;

use agent_contract::{
    InProcessEvents, InProcessTools, InProcessTurns, Kind, ToolTransport, TurnEventKind,
};
use worker::OneCall;

use super::{CommandError, Person, tool};
use crate::config::Config;
use crate::say::say;
use crate::system;

/// How long a broker may take to be there. A command that asks once is not for waiting until somebody starts one.
const REACHING: Duration = Duration::from_secs(10);

/// Sends the call and prints the envelope.
pub(crate) async fn run(
    config: &Config,
    name: &str,
    person: Person<'_>,
    args: &str,
) -> Result<(), CommandError> {
    let def = tool(name)?;
    if def.kind == Kind::Local {
        return Err(CommandError::LocalTool(name.to_owned()));
    }
    let args = serde_json::from_str(args)?;
    let server = system::read(config).await?;
    let broker = match &config.amqp {
        None => None,
        Some(_) => Some(system::outbound(config)?),
    };
    let way: Arc<dyn ToolTransport> = match &broker {
        None => Arc::new(InProcessTools::new(server.tools())),
        Some(broker) => {
            let ready = tokio::time::timeout(REACHING, broker.ready()).await;
            let unreachable =
                |_| CommandError::Unreachable { key: config.amqp_key.clone(), within: REACHING };
            ready.map_err(unreachable)?.map_err(system::no_broker(config))?;
            Arc::new(broker.sender())
        }
    };
    let call = OneCall::new(def, args, way, Arc::new(InProcessEvents::new(server.events())));
    let turns = Arc::new(InProcessTurns::new(Arc::new(call)));
    let said = format!("rover call {name}");
    let trace = server.console().run_turn(person.email, person.mode, &said, turns).await?;
    let result = trace.events.iter().find_map(|event| match &event.kind {
        TurnEventKind::ToolFinished { result, .. } => Some(result),
        _ => None,
    });
    eprintln!("turn {}; see it with `rover turn show {}`", trace.id, trace.id);
    let Some(result) = result else { return Err(CommandError::Refused) };
    say!("{}", serde_json::to_string_pretty(result)?);
    if result.is_ok() { Ok(()) } else { Err(CommandError::Refused) }
}
