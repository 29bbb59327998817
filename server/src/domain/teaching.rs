//! Who teaches what this year.

use agent_contract::ToolResult;
use sqlx::FromRow;

use super::School;
use crate::db::{DbError, Frame, Locked, statements::people, values};

/// One subject that one person teaches in one class.
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct TeachingRow {
    /// Id of the assignment.
    pub id: String,
    /// Id of the class.
    pub class_id: String,
    /// Display name of the class.
    pub class_name: String,
    /// Campus of the class.
    pub campus_id: String,
    /// Display name of that campus.
    pub campus_name: String,
    /// Id of the subject.
    pub subject_id: String,
    /// Display name of the subject.
    pub subject_name: String,
    /// Name of the teacher.
    pub teacher: String,
}

impl<F: Frame> School<F> {
    /// What a member of staff teaches this year, for the teaching map of a turn.
    pub async fn teaching_map(&self, profile_id: &str) -> ToolResult<Vec<TeachingRow>> {
        Ok(of(&mut self.frame.session().lock().await, profile_id).await?)
    }
}

pub(super) async fn of(db: &mut Locked<'_>, profile_id: &str) -> Result<Vec<TeachingRow>, DbError> {
    db.all(people::TEACHING_OF, values![profile_id]).await
}
