//! Gate 3: the signed run mode admits the tool, the turn was offered it, and both sides know the same version of it.

use agent_contract::lock::{LockedTool, Standing, first_difference};
use agent_contract::{AgentCallScope, Gate, Outcome, ToolError};
use serde_json::Value;

use super::{Call, identity::Identified};
use crate::rpc::{refusal::Refusal, routes::Run, trail::Trail};
use crate::turn_log::Smell;

const GATE: Gate = Gate::Admission;

/// A call of a tool that this turn may be offered.
#[derive(Debug)]
pub(in crate::rpc) struct Admitted {
    pub(super) call: Call,
    pub(super) args: Value,
    run: Run,
}

impl Admitted {
    pub(in crate::rpc) fn run(&self) -> Run {
        self.run
    }
}

pub(in crate::rpc) fn pass(
    identified: Identified,
    trail: &mut Trail<'_>,
) -> Result<Admitted, Refusal> {
    let Identified { call, run, locked, contract, offer, args } = identified;
    let (tool, mode) = (call.def.name, call.scope.mode());
    if !call.def.scope.admits(mode) {
        let sentence = format!("the tool {tool} is not there in {mode} mode");
        return Err(Refusal::saying(GATE, Outcome::Denied, sentence).smelling(Smell::NotOffered));
    }
    if offer.is_some_and(|offer| !offer.admits(call.event)) {
        let sentence = format!("the tool {tool} was not offered in this turn");
        return Err(Refusal::saying(GATE, Outcome::Denied, sentence).smelling(Smell::NotOffered));
    }
    let here = &locked.hashes.wire;
    let detail = match &contract {
        None => format!("{mode} mode; the worker names no version, so it is unchecked"),
        Some(worker) => match locked.standing(worker) {
            Standing::Same => format!("{mode} mode, version {here}"),
            Standing::Accepted => {
                format!("{mode} mode, version {worker} of the worker, which version {here} accepts")
            }
            Standing::Superseded(_) | Standing::Unknown => {
                let differs = differs(&locked, worker, || unfit(run, &args, &call.scope));
                let (tool, worker, server) = (tool.to_owned(), worker.clone(), here.to_string());
                let mismatch = ToolError::Mismatch { tool, worker, server, differs };
                return Err(Refusal::new(GATE, &mismatch));
            }
        },
    };
    trail.passed(GATE, detail);
    Ok(Admitted { call, args, run })
}

/// Where the worker's version differs: from the lock's memory of it, or else from the arguments that came.
fn differs(
    locked: &LockedTool,
    worker: &str,
    unfit: impl FnOnce() -> Option<ToolError>,
) -> Option<String> {
    if let Standing::Superseded(version) = locked.standing(worker) {
        let difference = first_difference(&version.shape, &locked.shape)?;
        return Some(format!("the first difference: {difference}"));
    }
    match unfit()? {
        ToolError::Invalid(faults) => {
            faults.first().map(|fault| format!("in the server's version, {fault}"))
        }
        _ => None,
    }
}

/// Why the arguments do not fit the version that is served; nothing is run for the answer.
fn unfit(run: Run, args: &Value, scope: &AgentCallScope) -> Option<ToolError> {
    match run {
        Run::Read(prepare) => prepare(args.clone(), scope).err(),
        Run::Write(prepare) => prepare(args.clone(), scope).err(),
    }
}
