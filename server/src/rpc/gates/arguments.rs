//! Gate 4: the arguments fit the tool, and its campus is pinned.
//!
//! Repair, validation and pinning are the contract's and run here, where the handler runs. What is still wrong after
//! them is answered with a line for each fault, never with a default.

use std::io;

use agent_contract::{ArgumentFault, Gate, Prepare, Prepared, ToolError, TurnEventKind};
use serde_json::Value;

use super::{Call, admission::Admitted};
use crate::rpc::{
    limits,
    refusal::{Refusal, at},
    trail::Trail,
};

const GATE: Gate = Gate::Arguments;

/// A call that is ready to run.
#[derive(Debug)]
pub(in crate::rpc) struct Argued<S> {
    pub(super) call: Call,
    pub(super) prepared: Prepared<S>,
}

pub(in crate::rpc) fn pass<S>(
    admitted: Admitted,
    prepare: Prepare<S>,
    trail: &mut Trail<'_>,
) -> Result<Argued<S>, Refusal> {
    let Admitted { call, args, .. } = admitted;
    within_limits(&args).map_err(|fault| ToolError::Invalid(vec![fault])).map_err(at(GATE))?;
    let prepared = prepare(args, &call.scope).map_err(at(GATE))?;
    if !prepared.repairs.is_empty() {
        let repairs = prepared.repairs.iter().map(ToString::to_string).collect();
        trail.hold(TurnEventKind::ToolRepaired { call_id: call.id.clone(), repairs });
    }
    let detail = match prepared.scope.campus_id() {
        Some(campus) if prepared.requested_other_campus.is_some() => {
            format!("pinned to campus {campus} against the one that was asked for")
        }
        Some(campus) => format!("campus {campus}"),
        None => "no campus".to_owned(),
    };
    trail.passed(GATE, detail);
    Ok(Argued { call, prepared })
}

fn within_limits(args: &Value) -> Result<(), ArgumentFault> {
    let depth = depth(args);
    if depth > limits::DEPTH {
        let expected = format!("at most {} levels of nesting", limits::DEPTH);
        return Err(ArgumentFault::new("args", expected, format!("{depth}")));
    }
    let mut size = Counted(0);
    // Counting does not fail.
    let _ = serde_json::to_writer(&mut size, args);
    if size.0 > limits::ARGUMENTS {
        let expected = format!("at most {} KiB", limits::ARGUMENTS / 1024);
        return Err(ArgumentFault::new("args", expected, format!("{} KiB", size.0 / 1024)));
    }
    Ok(())
}

/// The parser stops at 128 levels, which bounds this recursion.
fn depth(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(depth).max().unwrap_or(0),
        Value::Object(map) => 1 + map.values().map(depth).max().unwrap_or(0),
        _ => 0,
    }
}

/// Takes bytes and keeps their number.
struct Counted(usize);

impl io::Write for Counted {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
