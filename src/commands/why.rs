//! `rover why`: the first gate that stops a tool, for a past turn or as a dry run.
//!
//! A dry run executes nothing: it walks the same tables and the same rows that a turn would. With `--amqp` it asks the
//! servers there what they serve, as a worker of this build would.

use agent_contract::{
    AgentRole, AgentRuntimeContext, CallFault, EndReason, Kind, Posture, ToolDefinition,
    TurnEventKind, WithheldReason, resolve_runtime_context,
};
use worker::graph::{RoverGraph, create_served_graph};

use super::{CommandError, Person, calls::Calls, hops, tool};
use crate::config::Config;
use crate::say::say;
use crate::system;

/// Says what became of the tool in a past turn.
pub(crate) async fn past(config: &Config, name: &str, turn: &str) -> Result<(), CommandError> {
    let def = tool(name)?;
    let trace = system::read(config, None).await?.console().turn(turn).await?;
    let kinds: Vec<&TurnEventKind> = trace.events.iter().map(|event| &event.kind).collect();
    say!("{name} in turn {}: {}", trace.id, verdict(def, &kinds));
    Ok(())
}

/// Says what would become of the tool if this person's turn began now.
pub(crate) async fn dry_run(
    config: &Config,
    name: &str,
    person: Person<'_>,
    sentence: Option<&str>,
) -> Result<(), CommandError> {
    let def = tool(name)?;
    let calls = Calls::open(config).await?;
    let standing = calls.server().console().standing(person.email, person.mode, def).await?;
    say!("{name} for {}, {} ({})", person.email, person.mode, standing.roles.join(", "));
    let context = resolve_runtime_context(standing.context)?;
    let unserved = calls.unserved().await;
    let graph = create_served_graph(&context, config.model.form(), &unserved);
    if !offered(def, &graph) {
        return Ok(());
    }
    if let Some(sentence) = sentence {
        chosen(def, &context, sentence);
    }
    if def.kind == Kind::Local {
        passed("gates", "none, it runs in the worker");
        return Ok(());
    }
    passed("run mode", "the server admits it in this mode");
    match (standing.refusal, def.posture) {
        (Some(refusal), _) => stopped("posture", &refusal.to_string()),
        (None, Some(Posture::Relationship)) => {
            passed("posture", "by proof: the domain decides when it sees the record");
        }
        (None, _) => {
            passed("posture", "a role of this person is granted it");
            say!("nothing stops it before the handler; a record out of reach still looks absent");
        }
    }
    Ok(())
}

/// Prints who is offered the tool, or why nobody is.
fn offered(def: &ToolDefinition, graph: &RoverGraph) -> bool {
    let agents: Vec<&str> = std::iter::once(graph.rover())
        .chain(graph.specialists())
        .filter(|agent| agent.tool(def.name).is_some())
        .map(|agent| agent.role.wire_id())
        .collect();
    if !agents.is_empty() {
        passed("offered", &format!("to {}", agents.join(", ")));
        return askable(graph);
    }
    for role in AgentRole::ALL {
        if let Some(withheld) = graph.why_withheld(*role, def.name) {
            let because = withheld.detail.as_deref().unwrap_or(because(withheld.reason));
            stopped("offered", &format!("withheld from {}: {because}", role.wire_id()));
        }
    }
    false
}

/// Prints whose model cannot be asked at all with the tools that it is offered.
fn askable(graph: &RoverGraph) -> bool {
    let mut askable = true;
    for agent in std::iter::once(graph.rover()).chain(graph.specialists()) {
        if let Err(fault) = &agent.declared {
            stopped("asked", &format!("{}'s model cannot be: {fault}", agent.role.wire_id()));
            askable = false;
        }
    }
    askable
}

/// Prints whether the offline planner would choose the tool for the sentence.
fn chosen(def: &ToolDefinition, context: &AgentRuntimeContext, sentence: &str) {
    match worker::first_move(context, sentence) {
        worker::FirstMove::Calls(names) if names.iter().any(|name| name == def.name) => {
            passed("chosen", "the offline planner calls it for this sentence");
        }
        worker::FirstMove::Calls(names) => {
            stopped("chosen", &format!("the offline planner calls {} first", names.join(", ")));
        }
        worker::FirstMove::Says(text) => {
            stopped("chosen", &format!("the offline planner calls nothing; it says: {text}"));
        }
    }
}

fn verdict(def: &ToolDefinition, kinds: &[&TurnEventKind]) -> String {
    use TurnEventKind as Event;
    let name = def.name;
    let offered = kinds.iter().any(|kind| {
        matches!(kind, Event::Offered { tools, .. } if tools.iter().any(|tool| tool.name == name))
    });
    let call = kinds.iter().find_map(|kind| match kind {
        Event::ToolStarted { name: called, call_id, .. } if called == name => Some(call_id),
        _ => None,
    });
    let rejected = kinds.iter().find_map(|kind| match kind {
        Event::ToolRejected { name: called, fault, .. } if called == name => Some(fault),
        _ => None,
    });
    if let (None, Some(fault)) = (call, rejected) {
        return match fault {
            CallFault::UnknownTool { .. } => "called, but no such tool was there".to_owned(),
            CallFault::Withheld { reason } => format!("called, but withheld: {}", because(*reason)),
            CallFault::MalformedArguments { .. } => {
                "called with arguments that are no JSON object".to_owned()
            }
            CallFault::CutOff { .. } => {
                "called, but the model's reply ran out of length within the call".to_owned()
            }
        };
    }
    let Some(call) = call else {
        let withheld = kinds.iter().find_map(|kind| match kind {
            Event::Offered { withheld, .. } => withheld.iter().find(|tool| tool.name == name),
            _ => None,
        });
        return match (offered, withheld) {
            (true, _) => "offered, and the model did not choose it".to_owned(),
            (false, Some(tool)) => format!("not offered: {}", hops::withheld(tool)),
            (false, None) => "not offered, and no agent of this turn could have been".to_owned(),
        };
    };
    for kind in kinds {
        match kind {
            Event::Gate { call_id, gate, passed: false, detail } if call_id == call => {
                let detail = detail.as_deref().unwrap_or("no detail was kept");
                return format!("stopped at gate {} {}: {detail}", gate.number(), gate.as_str());
            }
            Event::ToolFinished { call_id, result, .. } if call_id == call => {
                return match result.error() {
                    None => "it ran, and its result came back".to_owned(),
                    Some(error) => format!("it did not succeed: {error}"),
                };
            }
            _ => {}
        }
    }
    let end = kinds.iter().find_map(|kind| match kind {
        Event::Finished { reason, .. } => Some(*reason),
        _ => None,
    });
    match end {
        Some(EndReason::Stopped) => "called, and the turn was stopped before a reply".to_owned(),
        Some(EndReason::Superseded) => {
            "asked, and the person wrote something else instead of an answer".to_owned()
        }
        Some(reason) => format!("called, and no reply came before the turn ended ({reason:?})"),
        None => "called, and no reply came yet".to_owned(),
    }
}

fn because(reason: WithheldReason) -> &'static str {
    match reason {
        WithheldReason::RunMode => "it is for the other run mode",
        WithheldReason::AgentRole => "it is for other agents",
        WithheldReason::Capability => "that agent does not exist for this person",
        WithheldReason::Sandbox => "no sandbox is mounted",
        WithheldReason::Contract => "the servers know another version of it",
        WithheldReason::Provider => "the model's provider does not take it as it is declared",
    }
}

fn passed(gate: &str, detail: &str) {
    say!("  passed   {gate:<9} {detail}");
}

fn stopped(gate: &str, detail: &str) {
    say!("  STOPPED  {gate:<9} {detail}");
}
