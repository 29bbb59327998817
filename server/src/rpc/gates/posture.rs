//! Gate 8: the caller may do this kind of thing at all. Whether to this very record, the frame decides when it is found.

use agent_contract::{Gate, Posture, ToolError};

use super::claim::Unrepeated;
use crate::rpc::{refusal::{Refusal, at}, trail::Trail};

const GATE: Gate = Gate::Posture;

/// A call that the policy lets into the handler.
#[derive(Debug)]
pub(in crate::rpc) struct Permitted<F, T>(pub(super) Unrepeated<F, T>);

pub(in crate::rpc) fn pass<F, T>(
    unrepeated: Unrepeated<F, T>,
    trail: &mut Trail<'_>,
) -> Result<Permitted<F, T>, Refusal> {
    let framed = &unrepeated.framed;
    let detail = match framed.call.def.posture {
        Some(Posture::Casl { action, resource }) => {
            framed.rights.demand(action, resource).map_err(at(GATE))?;
            format!("{action} {resource} is granted")
        }
        Some(Posture::Relationship) => "by proof, which the handler has to bring".to_owned(),
        // The compiler gives every tool with an event a posture.
        None => return Err(Refusal::new(GATE, &ToolError::Internal).noting("the tool has no posture")),
    };
    trail.passed(GATE, detail);
    Ok(Permitted(unrepeated))
}
