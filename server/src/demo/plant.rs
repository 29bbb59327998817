//! Planting a school from its plan, once.

use agent_contract::{AgentCallScope, CallId, SchoolId, Subject};
use serde_json::json;

use super::{naalya, plan::SchoolPlan, planting::Planting, riverbend};
use crate::{
    audit::{AuditBody, Call, ClaimError, Claimed, StoredOutcome},
    db::{Database, DbError, Frame as _, TenantScope, statements::school, values},
    domain::{SignInError, schools},
};

/// Why the demo could not be planted.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlantError {
    /// The database failed.
    #[error(transparent)]
    Database(#[from] DbError),
    /// The planting could not be claimed.
    #[error(transparent)]
    Claim(#[from] ClaimError),
    /// The password could not be hashed.
    #[error("the demo password could not be hashed")]
    Password(#[source] SignInError),
    /// A plan is not a school; the demo itself is wrong.
    #[error("the demo plan is wrong: {0}")]
    Plan(&'static str),
}

/// Plants both schools, each in one transaction, into a database without any school. Answers
/// whether anything was planted: beside a school, a real one or the demo's own, nothing is, because
/// the password of the demo accounts is known to everybody.
pub async fn plant(database: &Database) -> Result<bool, PlantError> {
    if !schools(database).await?.is_empty() {
        return Ok(false);
    }
    let mut planted = false;
    for plan in [&naalya::SCHOOL, &riverbend::SCHOOL] {
        planted |= plant_school(database, plan).await?;
    }
    Ok(planted)
}

/// Whether the demo school is in this database.
pub async fn is_planted(database: &Database) -> Result<bool, DbError> {
    Ok(schools(database).await?.iter().any(|school| school.id == naalya::SCHOOL.id))
}

async fn plant_school(database: &Database, plan: &'static SchoolPlan) -> Result<bool, PlantError> {
    let id = SchoolId::new(plan.id).map_err(|_| PlantError::Plan("a school without an id"))?;
    let frame = database.write(&TenantScope::new(id, None)).await?;

    let mut db = frame.session().lock().await;
    // The claim below refers to the school, so the school comes first.
    let school = values![plan.id, plan.name, plan.time_zone];
    if db.execute(school::ADD_SCHOOL, school).await? == 0 {
        return Ok(false);
    }
    drop(db);

    let call = Call {
        id: CallId::new(format!("demo-{}", plan.id))
            .map_err(|_| PlantError::Plan("a call without an id"))?,
        actor: "rover".to_owned(),
        event: "plant.demo".to_owned(),
        args_hash: String::new(),
    };
    let ticket = match frame.claim(call).await? {
        Claimed::New(ticket) => ticket,
        Claimed::Replay(_) => return Ok(false),
    };
    Planting::new(frame.session().lock().await, plan)?.run().await?;

    let entry = ticket.entry(&AuditBody {
        subjects: vec![Subject::new("school", plan.id)],
        args: json!({ "name": plan.name }),
        scope: AgentCallScope::School,
        via: "rover dev".to_owned(),
        turn_id: None,
    })?;
    frame.commit(entry, StoredOutcome::of(&json!({ "data": plan.name }))?).await?;
    Ok(true)
}
