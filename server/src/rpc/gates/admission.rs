//! Gate 3: the signed run mode offers the tool, and both sides know the same version of it.

use agent_contract::{Gate, Outcome, ToolError};
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
    let Identified { call, run, served_contract, contract, args } = identified;
    let (tool, mode) = (call.def.name, call.scope.mode());
    if !call.def.scope.admits(mode) {
        let sentence = format!("the tool {tool} is not there in {mode} mode");
        return Err(Refusal::saying(GATE, Outcome::Denied, sentence).smelling(Smell::NotOffered));
    }
    let detail = match contract {
        None => format!("{mode} mode; the worker names no version, so it is unchecked"),
        Some(contract) if contract == served_contract => format!("{mode} mode, version {contract}"),
        Some(worker) => {
            let mismatch =
                ToolError::Mismatch { tool: tool.to_owned(), worker, server: served_contract };
            return Err(Refusal::new(GATE, &mismatch));
        }
    };
    trail.passed(GATE, detail);
    Ok(Admitted { call, args, run })
}
