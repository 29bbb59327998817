//! Gate 6: the frame is open, and the caller in it is who live rows say, with the rights that the policy gives now.
//!
//! Whatever the token says about a person was true when it was signed. Here it is asked again, and every kind of
//! "no" is one answer.

use std::sync::Arc;

use agent_contract::{Gate, Outcome, Prepared, ToolResult};
use tools::campuses::Campuses as _;

use super::{Call, delivery::Counted, tenant::Tenanted};
use crate::authz::{Caller, Rights};
use crate::db::{DbError, Frame, ReadFrame, WriteFrame};
use crate::domain::School;
use crate::rpc::{
    Shared,
    refusal::{Refusal, at},
    trail::Trail,
};
use crate::turn_log::Smell;

const GATE: Gate = Gate::Frame;

/// A call inside its frame, by a live caller.
#[derive(Debug)]
pub(in crate::rpc) struct Framed<F> {
    pub(super) call: Call,
    pub(super) prepared: Prepared<School<F>>,
    pub(super) school: School<F>,
    pub(super) rights: Arc<Rights>,
    /// The campus that the frame is narrowed to.
    pub(super) campus: Campus,
}

/// The campus of a frame, as the caller may see it.
#[derive(Debug)]
pub(in crate::rpc) enum Campus {
    /// The frame spans the school.
    None,
    /// Its name.
    Named(String),
    /// Missing, of another school, or not for this caller: one answer, which the posture gives.
    Unknown(String),
}

pub(in crate::rpc) async fn read(
    shared: &Shared,
    Counted(tenanted): Counted<School<ReadFrame>>,
    trail: &mut Trail<'_>,
) -> Result<Framed<ReadFrame>, Refusal> {
    let frame = shared.database.read(&tenanted.tenant).await;
    enter(shared, tenanted, frame, trail).await
}

pub(in crate::rpc) async fn write(
    shared: &Shared,
    Counted(tenanted): Counted<School<WriteFrame>>,
    trail: &mut Trail<'_>,
) -> Result<Framed<WriteFrame>, Refusal> {
    let frame = shared.database.write(&tenanted.tenant).await;
    enter(shared, tenanted, frame, trail).await
}

async fn enter<F: Frame>(
    shared: &Shared,
    tenanted: Tenanted<School<F>>,
    frame: Result<F, DbError>,
    trail: &mut Trail<'_>,
) -> Result<Framed<F>, Refusal> {
    let Tenanted { call, prepared, .. } = tenanted;
    let fail = |error: DbError| Refusal::new(GATE, &error.into());
    let mut frame = frame.map_err(fail)?;
    let row = frame.caller(call.vouched.identity()).await.map_err(fail)?;
    let row = row.ok_or_else(nobody)?;
    let rights = Arc::new(Rights::new(Arc::clone(&shared.policy), Caller::from(&row)));
    frame.bind(Arc::clone(&rights) as _);
    let school = School::new(frame);
    let campus = campus(&school).await.map_err(at(GATE))?;
    if let Some(other) = &prepared.requested_other_campus
        && !school.has_campus(other).await.map_err(at(GATE))?
    {
        let note = format!(
            "asked for campus {other}, which is none of this school; the pinned one was used"
        );
        trail.smells(Smell::ForeignCampus, GATE, &note);
    }
    trail.passed(GATE, Some(format!("{}: {}", row.name, row.roles.join(", "))));
    Ok(Framed { call, prepared, school, rights, campus })
}

async fn campus<F: Frame>(school: &School<F>) -> ToolResult<Campus> {
    let Some(id) = school.frame().scope().campus().cloned() else { return Ok(Campus::None) };
    let visible = school.list().await?;
    let found = visible.into_iter().find(|campus| campus.id == id.as_str());
    Ok(found.map_or_else(|| Campus::Unknown(id.to_string()), |campus| Campus::Named(campus.name)))
}

fn nobody() -> Refusal {
    let sentence = "Permission denied: this account cannot use this school";
    Refusal::saying(GATE, Outcome::Denied, sentence)
        .noting("no enabled account with this identity in this school")
        .smelling(Smell::NoCaller)
}
