//! Ownership, proved from the live caller of the frame and never from what the call says about
//! itself.

use agent_contract::{AgentIdentity, Proof, ProveRelation, Relation, ToolError, ToolResult};

use super::{CallerRow, School, marking::AssessmentRow};
use crate::db::{Frame, Session, statements::marks, values};

impl<F: Frame> ProveRelation for School<F> {
    async fn holds(&self, caller: &AgentIdentity, relation: &Relation) -> ToolResult<bool> {
        let session = self.frame.session();
        let live = session.live_caller()?;
        if live.user_id != caller.sub {
            return Ok(false);
        }
        Ok(match relation {
            Relation::OwnProfile => true,
            Relation::TeachesSubject { class_id, subject_id } => {
                teaches(session, live, class_id, subject_id)
            }
            Relation::Assesses { assessment_id } => {
                let mut db = session.lock().await;
                let row: Option<AssessmentRow> =
                    db.optional(marks::FIND_ASSESSMENT, values![assessment_id]).await?;
                row.is_some_and(|row| teaches(session, live, &row.class_id, &row.subject_id))
            }
            Relation::ClassTeacherOf { class_id } => live
                .class_teacher_of
                .iter()
                .any(|own| own.id == *class_id && within(session, &own.campus_id)),
            Relation::Teaches { class_id } => live
                .teaching
                .iter()
                .any(|own| own.class_id == *class_id && within(session, &own.campus_id)),
        })
    }
}

/// Whether a campus is in use: the pinned one, or any when none is pinned.
pub(super) fn within(session: &Session, campus_id: &str) -> bool {
    session.scope().campus().is_none_or(|pinned| pinned.as_str() == campus_id)
}

/// The caller whose own profile was proved.
pub(super) fn own_profile<'s>(session: &'s Session, proof: &Proof) -> ToolResult<&'s CallerRow> {
    match proof.relation() {
        Relation::OwnProfile => session.live_caller(),
        _ => Err(wrong_proof()),
    }
}

/// The class whose class teacher the caller was proved to be.
pub(super) fn own_class(proof: &Proof) -> ToolResult<&str> {
    match proof.relation() {
        Relation::ClassTeacherOf { class_id } => Ok(class_id),
        _ => Err(wrong_proof()),
    }
}

fn teaches(session: &Session, live: &CallerRow, class_id: &str, subject_id: &str) -> bool {
    live.teaching.iter().any(|own| {
        own.class_id == class_id && own.subject_id == subject_id && within(session, &own.campus_id)
    })
}

/// A port was given the proof of another relation than it asks for: a fault of ours.
pub(super) fn wrong_proof() -> ToolError {
    tracing::error!("a relationship tool proved one relation and asked for another");
    ToolError::Internal
}
