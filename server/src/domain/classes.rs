//! Classes of the current year, and the assignment of teachers to them.

use agent_contract::{CampusId, Proof, Resource, ToolError, ToolResult};
use sqlx::FromRow;
use tools::classes::{Class, Classes, EditClasses, OwnTeaching, TeachingAssignment};

use super::{
    School, TeachingRow,
    calendar::current_year,
    campuses::{CampusRow, id_of, known},
    fresh_id,
    name::{named, tidy},
    parts, relations,
    resemblance::{Spelling, ranked},
    staff::StaffRow,
    streams,
};
use crate::db::{
    DbError, Draft, Frame, Locked, Place, Record, WriteFrame,
    statements::{Statement, classes},
    values,
};

/// Roles whose holders stand in front of a class. The policy says what they may do; this says what
/// they are.
const TEACHING_ROLES: [&str; 4] =
    ["teacher", "class_teacher", "director_of_studies", "head_teacher"];

#[derive(Debug, FromRow)]
pub(super) struct ClassRow {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) stream: Option<String>,
    pub(super) capacity: Option<i64>,
    pub(super) version: i64,
    pub(super) campus_id: String,
    pub(super) campus_name: String,
    pub(super) class_teacher_id: Option<String>,
    pub(super) class_teacher: Option<String>,
    pub(super) students: i64,
    assignment_ids: String,
}

impl Record for ClassRow {
    const RESOURCE: Resource = Resource::Class;
    const WHAT: &'static str = "class";
    const FIND: Statement = classes::FIND_CLASS;

    fn id(&self) -> &str {
        &self.id
    }

    fn places(&self) -> Vec<Place> {
        vec![self.place()]
    }
}

impl ClassRow {
    /// Where what belongs to this class hangs.
    pub(super) fn place(&self) -> Place {
        Place {
            campus_id: Some(self.campus_id.clone()),
            class_id: Some(self.id.clone()),
            assignment_ids: parts(&self.assignment_ids),
        }
    }
}

impl From<ClassRow> for Class {
    fn from(row: ClassRow) -> Self {
        Self {
            id: row.id,
            name: row.name,
            campus_id: row.campus_id,
            campus_name: row.campus_name,
            class_teacher: row.class_teacher,
            students: row.students,
        }
    }
}

impl Record for TeachingRow {
    const RESOURCE: Resource = Resource::Assignment;
    const WHAT: &'static str = "teaching assignment";
    const FIND: Statement = classes::FIND_ASSIGNMENT;

    fn id(&self) -> &str {
        &self.id
    }

    fn places(&self) -> Vec<Place> {
        vec![Place {
            campus_id: Some(self.campus_id.clone()),
            class_id: Some(self.class_id.clone()),
            assignment_ids: vec![self.id.clone()],
        }]
    }
}

impl From<TeachingRow> for TeachingAssignment {
    fn from(row: TeachingRow) -> Self {
        Self {
            id: row.id,
            class_id: row.class_id,
            class_name: row.class_name,
            subject_id: row.subject_id,
            subject: row.subject_name,
            teacher: row.teacher,
            campus_name: row.campus_name,
        }
    }
}

#[derive(FromRow)]
struct SubjectRow {
    id: String,
    name: String,
    code: String,
}

impl<F: Frame> Classes for School<F> {
    async fn list(&self, campus: Option<&CampusId>) -> ToolResult<Vec<Class>> {
        let mut db = self.frame.session().lock().await;
        Ok(listed(&mut db, campus).await?.into_iter().map(Class::from).collect())
    }

    async fn find(&self, name: String, campus: Option<&CampusId>) -> ToolResult<Vec<Class>> {
        let mut db = self.frame.session().lock().await;
        let rows = listed(&mut db, campus).await?;
        let found = ranked(rows, &tidy(&name), Spelling::Exact, |row| &row.name);
        Ok(found.into_iter().map(Class::from).collect())
    }
}

impl<F: Frame> OwnTeaching for School<F> {
    async fn assignments(&self, proof: &Proof) -> ToolResult<Vec<TeachingAssignment>> {
        let session = self.frame.session();
        let own = relations::own_profile(session, proof)?;
        Ok(own
            .teaching
            .iter()
            .filter(|row| relations::within(session, &row.campus_id))
            .cloned()
            .map(TeachingAssignment::from)
            .collect())
    }
}

impl EditClasses for School<WriteFrame> {
    async fn create(&self, name: String, campus: &CampusId) -> ToolResult<Class> {
        let mut db = self.frame.session().lock().await;
        let campus = db.find::<CampusRow>(campus.as_str()).await?;
        let draft = db.authorize_new::<ClassRow>(campus.places().remove(0))?;
        let name = named("A class", &name)?;
        let Some(year) = current_year(&mut db).await? else {
            return Err(ToolError::refused(
                "No academic year is set as current, so there is none to open a class in.",
            ));
        };
        let id = insert(&mut db, &draft, &year.id, &name).await.map_err(|error| match error {
            DbError::Duplicate(_) => ToolError::conflict(format!(
                "{} already has a class called \"{name}\" this year.",
                campus.name
            )),
            other => other.into(),
        })?;
        let row: Option<ClassRow> = db.optional(classes::FIND_CLASS, values![id]).await?;
        row.map(Class::from).ok_or_else(|| ToolError::not_found("class"))
    }

    async fn assign_teacher(
        &self,
        teacher_id: String,
        class_id: String,
        subject: String,
    ) -> ToolResult<TeachingAssignment> {
        let mut db = self.frame.session().lock().await;
        let class = db.find::<ClassRow>(&class_id).await?;
        let teacher = db.find::<StaffRow>(&teacher_id).await?;
        let draft = db.authorize_new::<TeachingRow>(class.place())?;
        let subject = subject_named(&mut db, &subject).await?;
        must_teach(&teacher)?;
        let id =
            assign(&mut db, &draft, &teacher.id, &subject.id).await.map_err(
                |error| match error {
                    DbError::Duplicate(_) => ToolError::conflict(format!(
                        "{} already teaches {} in {}.",
                        teacher.name, subject.name, class.name
                    )),
                    other => other.into(),
                },
            )?;
        let row: Option<TeachingRow> = db.optional(classes::FIND_ASSIGNMENT, values![id]).await?;
        row.map(TeachingAssignment::from).ok_or_else(|| ToolError::not_found("teaching assignment"))
    }
}

/// Refuses somebody who stands in front of no class.
pub(super) fn must_teach(person: &StaffRow) -> ToolResult<()> {
    if parts(&person.roles).iter().any(|role| TEACHING_ROLES.contains(&role.as_str())) {
        return Ok(());
    }
    Err(ToolError::refused(format!("{} is not a teacher.", person.name)))
}

pub(super) async fn listed(
    db: &mut Locked<'_>,
    campus: Option<&CampusId>,
) -> ToolResult<Vec<ClassRow>> {
    let campus = known(db, campus).await?;
    let visible = db.visible(classes::CLASSES)?;
    db.list(visible, values![id_of(campus.as_ref())]).await
}

async fn insert(
    db: &mut Locked<'_>,
    draft: &Draft<ClassRow>,
    year_id: &str,
    name: &str,
) -> Result<String, DbError> {
    let id = fresh_id();
    let stream = streams::stream_of(name);
    let campus = draft.place().campus_id.clone();
    let values = values![db.school(), &id, campus, year_id, name, stream, None::<String>];
    db.execute(classes::ADD_CLASS, values).await?;
    Ok(id)
}

async fn assign(
    db: &mut Locked<'_>,
    draft: &Draft<TeachingRow>,
    staff_id: &str,
    subject_id: &str,
) -> Result<String, DbError> {
    let id = fresh_id();
    let values = values![db.school(), &id, staff_id, draft.place().class_id.clone(), subject_id];
    db.execute(classes::ADD_ASSIGNMENT, values).await?;
    Ok(id)
}

/// A subject by its name or its code. Subjects are the school's own words and hide nothing.
async fn subject_named(db: &mut Locked<'_>, wanted: &str) -> ToolResult<SubjectRow> {
    let wanted = tidy(wanted).to_lowercase();
    let taught: Vec<SubjectRow> = db.all(classes::SUBJECTS, values![]).await?;
    let names = taught.iter().map(|row| row.name.as_str()).collect::<Vec<_>>().join(", ");
    taught
        .into_iter()
        .find(|row| row.name.to_lowercase() == wanted || row.code.to_lowercase() == wanted)
        .ok_or_else(|| {
            ToolError::refused(format!(
                "There is no subject \"{wanted}\" here; there are: {names}."
            ))
        })
}
