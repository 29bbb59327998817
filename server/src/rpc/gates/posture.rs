//! Gate 8: the caller may do this kind of thing at all, and on this campus if one is in use.
//!
//! Whether to this very record, the frame decides when it is found. It comes after the claim, so that what was done is
//! still answered for when the rights to do it are gone.

use agent_contract::{Gate, Posture, ToolError};

use super::{
    claim::Unrepeated,
    frame::{Campus, Framed},
};
use crate::rpc::{
    refusal::{Refusal, at},
    trail::Trail,
};
use crate::turn_log::Smell;

const GATE: Gate = Gate::Posture;

/// A call that the policy lets into the handler.
#[derive(Debug)]
pub(in crate::rpc) struct Permitted<F, T> {
    pub(super) unrepeated: Unrepeated<F, T>,
    /// Name of the campus in use.
    pub(super) campus: Option<String>,
}

pub(in crate::rpc) fn pass<F, T>(
    unrepeated: Unrepeated<F, T>,
    trail: &mut Trail<'_>,
) -> Result<Permitted<F, T>, Refusal> {
    let framed = &unrepeated.framed;
    let campus = campus(framed)?;
    let detail = match framed.call.def.posture {
        Some(Posture::Casl { action, resource }) => {
            framed.rights.demand(action, resource).map_err(at(GATE))?;
            format!("{action} {resource} is granted")
        }
        Some(Posture::Relationship) => "by proof, which the handler has to bring".to_owned(),
        // The compiler gives every tool with an event a posture.
        None => {
            return Err(Refusal::new(GATE, &ToolError::Internal).noting("the tool has no posture"));
        }
    };
    trail.passed(GATE, detail);
    Ok(Permitted { unrepeated, campus })
}

fn campus<F>(framed: &Framed<F>) -> Result<Option<String>, Refusal> {
    match &framed.campus {
        Campus::None => Ok(None),
        Campus::Named(name) => Ok(Some(name.clone())),
        Campus::Unknown(id) => {
            let unknown = ToolError::NotFound { what: "campus", id: Some(id.clone()) };
            Err(Refusal::new(GATE, &unknown).smelling(Smell::ForeignCampus))
        }
    }
}
