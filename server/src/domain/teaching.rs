//! Who teaches what this year.

use agent_contract::{Action, CampusId, Deleted, ListQuery, Page, ToolError, ToolResult};
use sqlx::FromRow;
use tools::classes::TeachingAssignment;
use tools::teaching::{EditTeaching, Teaching, TeachingFilter, TeachingSort};

use super::{
    School,
    campuses::{id_of, known},
    classes::ClassRow,
    staff::StaffRow,
    subjects::SubjectRow,
};
use crate::db::{
    DbError, Frame, Locked, Permitted, WriteFrame,
    statements::{people, teaching as statements},
    values,
};

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

impl<F: Frame> Teaching for School<F> {
    async fn teaching(
        &self,
        filter: TeachingFilter,
        campus: Option<&CampusId>,
        query: ListQuery<TeachingSort>,
    ) -> ToolResult<Page<TeachingAssignment>> {
        let mut db = self.frame.session().lock().await;
        if let Some(id) = &filter.teacher_id {
            db.find::<StaffRow>(id).await?;
        }
        if let Some(id) = &filter.class_id {
            db.find::<ClassRow>(id).await?;
        }
        if let Some(id) = &filter.subject_id {
            db.find::<SubjectRow>(id).await?;
        }
        let campus = known(&mut db, campus).await?;
        let TeachingFilter { teacher_id, class_id, subject_id } = filter;
        let values = values![teacher_id, class_id, subject_id, id_of(campus.as_ref())];
        let page: Page<TeachingRow> = db.page(statements::ASSIGNMENTS, values, &query).await?;
        Ok(page.map(TeachingAssignment::from))
    }
}

impl EditTeaching for School<WriteFrame> {
    async fn unassign_teacher(
        &self,
        teacher_id: String,
        class_id: String,
        subject_id: String,
    ) -> ToolResult<Deleted<TeachingAssignment>> {
        let mut db = self.frame.session().lock().await;
        let teacher = db.find::<StaffRow>(&teacher_id).await?;
        let class = db.find::<ClassRow>(&class_id).await?;
        let subject = db.find::<SubjectRow>(&subject_id).await?;
        let values = values![&teacher.id, &class.id, &subject.id];
        let row: Option<TeachingRow> = db.optional(statements::ASSIGNMENT_OF, values).await?;
        let Some(row) = row else {
            return Err(ToolError::conflict(format!(
                "{} does not teach {} in {}.",
                teacher.name, subject.name, class.name
            )));
        };
        let found = db.find::<TeachingRow>(&row.id).await?;
        let assignment = db.authorize(Action::Update, found)?;
        end(&mut db, &assignment).await?;
        Ok(Deleted::new(TeachingAssignment::from(assignment.into_inner())))
    }
}

async fn end(db: &mut Locked<'_>, assignment: &Permitted<TeachingRow>) -> ToolResult<()> {
    let rows = db.execute(statements::END_ASSIGNMENT, values![db.school(), &assignment.id]).await?;
    if rows == 1 {
        return Ok(());
    }
    Err(ToolError::stale("Somebody else ended this assignment at the same moment."))
}
