//! The services over real rows on both databases, for callers of different rights.
//!
//! The authority here is a condition that the test states; what the policy makes of roles is tested
//! with it.

mod adding_a_tool;
mod attendance;
mod calendar;
mod caller;
mod demo;
mod departments;
mod lists;
mod marking;
mod office;
mod paging;
mod people;
mod streams;
mod students;
mod subjects;
mod visibility;

use std::sync::Arc;

use agent_contract::{
    Action, AgentCallScope, AgentIdentity, CampusId, Resource, SchoolId, ToolCx, UserType,
};

use super::School;
use crate::{
    authz::authority::{Authority, Clause, Condition, Field, RecordRef, Verdict},
    db::{Database, Frame as _, ReadFrame, TenantScope, WriteFrame},
};

pub(super) const MAIN: &str = "naalya-campus-main";
pub(super) const LAKESIDE: &str = "naalya-campus-lakeside";
pub(super) const S1_EAST: &str = "naalya-class-s1-east";

/// What a test lets its caller do. Reading and changing may reach differently far.
pub(super) struct Rights {
    read: Condition,
    change: Condition,
    broken: bool,
}

impl Rights {
    pub(super) fn of(read: Condition, change: Condition) -> Self {
        Self { read, change, broken: false }
    }

    /// Everything, as a head teacher.
    pub(super) fn all() -> Self {
        Self::of(Condition::Everything, Condition::Everything)
    }

    /// The records of one campus.
    pub(super) fn campus(id: &str) -> Self {
        Self::of(any(Field::Campus, &[id]), any(Field::Campus, &[id]))
    }

    /// Everything to read, nothing to change.
    pub(super) fn reader() -> Self {
        Self::of(Condition::Everything, Condition::Nothing)
    }

    /// A policy that cannot be evaluated.
    pub(super) fn broken() -> Self {
        Self { broken: true, ..Self::all() }
    }
}

pub(super) fn any(field: Field, values: &[&str]) -> Condition {
    let values = values.iter().map(|value| (*value).to_owned()).collect();
    Condition::AnyOf(vec![Clause { field, values }])
}

impl Authority for Rights {
    fn decide(&self, action: Action, record: &RecordRef) -> Verdict {
        if self.broken {
            return Verdict::Broken("no such attribute".to_owned());
        }
        let meets = |clause: &Clause| match clause.field {
            Field::Campus => record.campus_id.as_ref().is_some_and(|id| clause.values.contains(id)),
            Field::Class => record.class_id.as_ref().is_some_and(|id| clause.values.contains(id)),
            Field::Assignment => record.assignment_ids.iter().any(|id| clause.values.contains(id)),
            Field::Id => clause.values.contains(&record.id),
        };
        let allowed = match self.condition(action, record.resource) {
            Condition::Nothing => false,
            Condition::Everything => true,
            Condition::AnyOf(clauses) => clauses.iter().any(meets),
        };
        if allowed { Verdict::Allow } else { Verdict::Deny }
    }

    fn condition(&self, action: Action, _: Resource) -> Condition {
        match action {
            Action::Read => self.read.clone(),
            _ => self.change.clone(),
        }
    }
}

/// A scope of the first school, pinned to a campus or not.
pub(super) fn scope(pinned: Option<&str>) -> TenantScope {
    TenantScope::new(SchoolId::new("naalya").expect("an id"), pinned.map(campus))
}

pub(super) fn campus(id: &str) -> CampusId {
    AgentCallScope::campus(id).campus_id().cloned().expect("a pinned campus")
}

pub(super) async fn reading(
    database: &Database,
    pinned: Option<&str>,
    rights: Rights,
) -> School<ReadFrame> {
    let mut frame = database.read(&scope(pinned)).await.expect("a read frame");
    frame.bind(Arc::new(rights));
    School::new(frame)
}

pub(super) async fn writing(database: &Database, rights: Rights) -> School<WriteFrame> {
    let mut frame = database.write(&scope(None)).await.expect("a write frame");
    frame.bind(Arc::new(rights));
    School::new(frame)
}

/// The identity of somebody at the demo school.
pub(super) fn identity(handle: &str) -> AgentIdentity {
    AgentIdentity {
        sub: format!("naalya-user-{handle}"),
        email: format!("{handle}@naalya.example"),
        user_type: UserType::Staff,
        profile_id: format!("naalya-staff-{handle}"),
        school_id: Some("naalya".to_owned()),
        campus_id: None,
    }
}

/// A tool's context for this person, found live, over a frame that may write.
pub(super) async fn acting(
    database: &Database,
    handle: &str,
    pinned: Option<&str>,
) -> ToolCx<School<WriteFrame>> {
    let frame = database.write(&scope(pinned)).await.expect("a write frame");
    let identity = identity(handle);
    frame.caller(&identity).await.expect("asked").expect("a live caller");
    ToolCx::new(School::new(frame), identity, AgentCallScope::School)
}
