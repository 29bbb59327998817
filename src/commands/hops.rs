//! Turn events in words, for the operator.

use agent_contract::{TurnEventKind, Withheld};

/// The event in one line or several; none for what only the page needs.
pub(crate) fn told(kind: &TurnEventKind) -> Vec<String> {
    use TurnEventKind as Kind;
    let line = match kind {
        Kind::Started { model, registry } => format!("started, model {model}, registry {registry}"),
        Kind::Offered { tools, withheld } => return offered(tools, withheld),
        Kind::Alive => "the worker is still at it".to_owned(),
        Kind::StepStarted { step } => format!("step {step}: the model is asked"),
        Kind::TextDelta { text } => format!("text {text:?}"),
        Kind::TextDone
        | Kind::Message { .. }
        | Kind::SubagentMessage { .. }
        | Kind::Waiting { .. } => return Vec::new(),
        Kind::TakenOver { takeover } => {
            format!("the worker was lost; the turn is taken over, for the {takeover}. time")
        }
        Kind::ToolStarted { name, args, agent, .. } => format!("{agent} calls {name} {args}"),
        Kind::ToolRepaired { repairs, .. } => format!("arguments repaired: {}", repairs.join("; ")),
        Kind::ToolRejected { name, agent, fault, .. } => {
            format!("{agent} wanted {name}, which cannot be: {fault:?}")
        }
        Kind::Published { event, attempt, call_id } => {
            format!("published {event}, attempt {attempt}, call {}", short(call_id.as_str()))
        }
        Kind::Gate { gate, passed, detail, .. } => {
            let verdict = if *passed { "passed" } else { "STOPPED" };
            let detail = detail.as_deref().map(|d| format!(" ({d})")).unwrap_or_default();
            format!("gate {:>2} {:<10} {verdict}{detail}", gate.number(), gate.as_str())
        }
        Kind::Reply { outcome, .. } => format!("reply: {}", outcome.as_str()),
        Kind::ToolFinished { name, result, .. } => match result.error() {
            None => format!("{name} done"),
            Some(error) => format!("{name} failed: {error}"),
        },
        Kind::SubagentStarted { agent, task, .. } => format!("{agent} is given: {task}"),
        Kind::SubagentFinished { agent, reason, .. } => format!("{agent} is done: {reason:?}"),
        Kind::Question { question, options, .. } => {
            format!("the person is asked: {question} {options:?}")
        }
        Kind::Approval { summary, .. } => format!("approval is asked: {summary}"),
        Kind::Shown { visibility, .. } => format!("the Hub shows it: {visibility:?}"),
        Kind::Usage { model, input_tokens, output_tokens } => {
            format!("{model} read {input_tokens} tokens and wrote {output_tokens}")
        }
        Kind::Finished { reason, message } => {
            let message = message.as_deref().map(|m| format!(": {m}")).unwrap_or_default();
            format!("finished, {reason:?}{message}")
        }
    };
    vec![line]
}

/// A withheld tool in words.
pub(crate) fn withheld(tool: &Withheld) -> String {
    let detail = tool.detail.as_deref().map(|detail| format!(" ({detail})")).unwrap_or_default();
    format!("{} withheld from {}: {:?}{detail}", tool.name, tool.agent, tool.reason)
}

fn offered(tools: &[agent_contract::OfferedTool], held_back: &[Withheld]) -> Vec<String> {
    let mut agents: Vec<&str> = tools.iter().map(|tool| tool.agent.as_str()).collect();
    agents.dedup();
    let mut lines: Vec<String> = agents
        .into_iter()
        .map(|agent| {
            let names: Vec<_> =
                tools.iter().filter(|t| t.agent == agent).map(|t| t.name.as_str()).collect();
            format!("{agent} is offered {}: {}", names.len(), names.join(", "))
        })
        .collect();
    lines.extend(tools.iter().filter_map(|tool| {
        let why = tool.not_strict.as_deref()?;
        Some(format!("{} is no more than advice to {}'s model: {why}", tool.name, tool.agent))
    }));
    lines.extend(held_back.iter().map(withheld));
    lines
}

fn short(id: &str) -> &str {
    id.get(..12).unwrap_or(id)
}
