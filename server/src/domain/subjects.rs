//! Subjects: the whole school's, looked after by at most one department on each campus, taken by classes.

use agent_contract::{Action, Deleted, ListQuery, Page, Resource, ToolError, ToolResult, Version};
use jiff::Timestamp;
use sqlx::FromRow;
use tools::subjects::{ClassSubject, EditSubjects, Subject, SubjectSort, Subjects};

use super::{
    School,
    classes::ClassRow,
    departments::DepartmentRow,
    fresh_id,
    name::{named, tidy},
    parts,
    resemblance::{Spelling, ranked},
    version::{stored, unchanged, written},
};
use crate::db::{
    DbError, Draft, Frame, Locked, Permitted, Place, Record, WriteFrame,
    statements::{Statement, subjects},
    values,
};

#[derive(Debug, FromRow)]
pub(super) struct SubjectRow {
    pub(super) id: String,
    pub(super) name: String,
    code: String,
    version: i64,
    campus_ids: String,
    /// A line each: campus, tab, what it is called.
    departments: String,
}

impl Record for SubjectRow {
    const RESOURCE: Resource = Resource::Subject;
    const WHAT: &'static str = "subject";
    const FIND: Statement = subjects::FIND_SUBJECT;

    fn id(&self) -> &str {
        &self.id
    }

    fn places(&self) -> Vec<Place> {
        let campuses = parts(&self.campus_ids).into_iter();
        campuses.map(|id| Place { campus_id: Some(id), ..Place::default() }).collect()
    }
}

impl SubjectRow {
    /// The subject, with its departments on the campus in use.
    fn shown(self, db: &Locked<'_>) -> ToolResult<Subject> {
        let here =
            |campus: &str| db.scope().campus().is_none_or(|pinned| pinned.as_str() == campus);
        Ok(Subject {
            version: stored(self.version)?,
            departments: parts(&self.departments)
                .iter()
                .filter_map(|line| line.split_once('\t'))
                .filter(|(campus, _)| here(campus))
                .map(|(_, department)| department.to_owned())
                .collect(),
            id: self.id,
            name: self.name,
            code: self.code,
        })
    }
}

/// A subject that a class takes, and who teaches it there.
#[derive(Debug, FromRow)]
pub(super) struct TakenRow {
    pub(super) subject_id: String,
    pub(super) subject: String,
    pub(super) teachers: String,
}

#[derive(FromRow)]
struct Name {
    name: String,
}

impl<F: Frame> School<F> {
    /// One subject, for a controller that is given its id.
    pub async fn subject(&self, id: &str) -> ToolResult<Subject> {
        let mut db = self.frame.session().lock().await;
        let found = db.find::<SubjectRow>(id).await?;
        found.into_inner().shown(&db)
    }
}

impl<F: Frame> Subjects for School<F> {
    async fn subjects(
        &self,
        department_id: Option<String>,
        class_id: Option<String>,
        query: ListQuery<SubjectSort>,
    ) -> ToolResult<Page<Subject>> {
        let mut db = self.frame.session().lock().await;
        if let Some(id) = &department_id {
            db.find::<DepartmentRow>(id).await?;
        }
        if let Some(id) = &class_id {
            db.find::<ClassRow>(id).await?;
        }
        let values = values![department_id, class_id];
        let page: Page<SubjectRow> = db.page(subjects::SUBJECTS, values, &query).await?;
        page.try_map(|row| row.shown(&db))
    }

    async fn find_subjects(&self, name: String) -> ToolResult<Vec<Subject>> {
        let mut db = self.frame.session().lock().await;
        let visible = db.visible(subjects::SUBJECTS_TO_FIND)?;
        let rows: Vec<SubjectRow> = db.named(visible, values![]).await?;
        let wanted = tidy(&name);
        let by_code = rows.iter().position(|row| row.code.eq_ignore_ascii_case(&wanted));
        let found = match by_code {
            Some(at) => rows.into_iter().skip(at).take(1).collect(),
            None => ranked(rows, &wanted, Spelling::Forgiving, |row| &row.name),
        };
        found.into_iter().map(|row| row.shown(&db)).collect()
    }
}

impl EditSubjects for School<WriteFrame> {
    async fn create_subject(
        &self,
        name: String,
        code: String,
        department_id: Option<String>,
    ) -> ToolResult<Subject> {
        let mut db = self.frame.session().lock().await;
        // The whole school's: whoever adds one may do so on every campus, or on none.
        let draft = db.authorize_new::<SubjectRow>(Place::default())?;
        let department = match &department_id {
            Some(id) => Some(db.find::<DepartmentRow>(id).await?),
            None => None,
        };
        let (name, code) = (named("A subject", &name)?, named("The code of a subject", &code)?);
        let id = insert(&mut db, &draft, &name, &code)
            .await
            .map_err(|error| taken(error, &name, &code))?;
        if let Some(department) = department {
            let values = values![db.school(), &department.id, &id];
            db.execute(subjects::ENTER_DEPARTMENT, values).await?;
        }
        reread(&mut db, &id).await
    }

    async fn rename_subject(
        &self,
        subject_id: String,
        name: String,
        version: Option<Version>,
    ) -> ToolResult<Subject> {
        let mut db = self.frame.session().lock().await;
        let found = db.find::<SubjectRow>(&subject_id).await?;
        let subject = db.authorize(Action::Update, found)?;
        unchanged("subject", &subject.name, subject.version, version)?;
        let name = named("A subject", &name)?;
        let rows = rename(&mut db, &subject, &name)
            .await
            .map_err(|error| taken(error, &name, &subject.code))?;
        written(rows, "subject", &subject.name)?;
        reread(&mut db, &subject_id).await
    }

    async fn move_subject(&self, subject_id: String, department_id: String) -> ToolResult<Subject> {
        let mut db = self.frame.session().lock().await;
        let found = db.find::<SubjectRow>(&subject_id).await?;
        let subject = db.authorize(Action::Update, found)?;
        let department = db.find::<DepartmentRow>(&department_id).await?;
        enter(&mut db, &subject, &department).await?;
        reread(&mut db, &subject_id).await
    }

    async fn archive_subject(&self, subject_id: String) -> ToolResult<Deleted<Subject>> {
        let mut db = self.frame.session().lock().await;
        let found = db.find::<SubjectRow>(&subject_id).await?;
        let subject = db.authorize(Action::Delete, found)?;
        let taught: Vec<Name> = db.all(subjects::TAUGHT_IN, values![&subject.id]).await?;
        if !taught.is_empty() {
            let classes: Vec<&str> = taught.iter().map(|class| class.name.as_str()).collect();
            return Err(ToolError::refused(format!(
                "{} is taught in {}; unassign its teachers first.",
                subject.name,
                classes.join(", ")
            )));
        }
        let rows = archive(&mut db, &subject).await?;
        written(rows, "subject", &subject.name)?;
        Ok(Deleted::new(subject.into_inner().shown(&db)?))
    }

    async fn add_class_subject(
        &self,
        class_id: String,
        subject_id: String,
    ) -> ToolResult<ClassSubject> {
        let mut db = self.frame.session().lock().await;
        let found = db.find::<ClassRow>(&class_id).await?;
        let class = db.authorize(Action::Update, found)?;
        let subject = db.find::<SubjectRow>(&subject_id).await?;
        if is_taken_by(&mut db, &class.id, &subject.id).await? {
            return Err(ToolError::conflict(format!(
                "{} takes {} already.",
                class.name, subject.name
            )));
        }
        let values = values![db.school(), &class.id, &subject.id];
        db.execute(subjects::OFFER, values).await?;
        Ok(pair(&class, &subject))
    }

    async fn remove_class_subject(
        &self,
        class_id: String,
        subject_id: String,
    ) -> ToolResult<Deleted<ClassSubject>> {
        let mut db = self.frame.session().lock().await;
        let found = db.find::<ClassRow>(&class_id).await?;
        let class = db.authorize(Action::Update, found)?;
        let subject = db.find::<SubjectRow>(&subject_id).await?;
        let taken = taken_by(&mut db, &class.id).await?;
        let Some(row) = taken.into_iter().find(|row| row.subject_id == subject.id) else {
            return Err(ToolError::conflict(format!(
                "{} does not take {}.",
                class.name, subject.name
            )));
        };
        let teachers = parts(&row.teachers);
        if !teachers.is_empty() {
            return Err(ToolError::refused(format!(
                "{} is taught in {} by {}; end that first.",
                subject.name,
                class.name,
                teachers.join(" and ")
            )));
        }
        let values = values![db.school(), &class.id, &subject.id];
        db.execute(subjects::END_OFFER, values).await?;
        Ok(Deleted::new(pair(&class, &subject)))
    }
}

/// What a class takes: what it is offered, and what somebody teaches there.
pub(super) async fn taken_by(db: &mut Locked<'_>, class_id: &str) -> ToolResult<Vec<TakenRow>> {
    Ok(db.all(subjects::SUBJECTS_OF_CLASS, values![class_id]).await?)
}

/// Whether a class takes a subject.
pub(super) async fn is_taken_by(
    db: &mut Locked<'_>,
    class_id: &str,
    subject_id: &str,
) -> ToolResult<bool> {
    let taken = taken_by(db, class_id).await?;
    Ok(taken.iter().any(|row| row.subject_id == subject_id))
}

fn pair(class: &ClassRow, subject: &SubjectRow) -> ClassSubject {
    ClassSubject {
        class_id: class.id.clone(),
        class_name: class.name.clone(),
        subject_id: subject.id.clone(),
        subject: subject.name.clone(),
    }
}

async fn insert(
    db: &mut Locked<'_>,
    _leave: &Draft<SubjectRow>,
    name: &str,
    code: &str,
) -> Result<String, DbError> {
    let id = fresh_id();
    db.execute(subjects::ADD_SUBJECT, values![db.school(), &id, name, code]).await?;
    Ok(id)
}

async fn rename(
    db: &mut Locked<'_>,
    subject: &Permitted<SubjectRow>,
    name: &str,
) -> Result<u64, DbError> {
    let values = values![db.school(), &subject.id, subject.version, name];
    db.execute(subjects::RENAME_SUBJECT, values).await
}

async fn archive(db: &mut Locked<'_>, subject: &Permitted<SubjectRow>) -> Result<u64, DbError> {
    let now = Timestamp::now().as_microsecond();
    let values = values![db.school(), &subject.id, subject.version, now];
    db.execute(subjects::ARCHIVE_SUBJECT, values).await
}

async fn enter(
    db: &mut Locked<'_>,
    subject: &Permitted<SubjectRow>,
    department: &DepartmentRow,
) -> Result<(), DbError> {
    let values = values![db.school(), &subject.id, &department.campus_id];
    db.execute(subjects::LEAVE_DEPARTMENTS, values).await?;
    let values = values![db.school(), &department.id, &subject.id];
    db.execute(subjects::ENTER_DEPARTMENT, values).await?;
    Ok(())
}

/// The subject as it is now. What was just written is shown to whoever wrote it.
async fn reread(db: &mut Locked<'_>, id: &str) -> ToolResult<Subject> {
    let row: Option<SubjectRow> = db.optional(subjects::FIND_SUBJECT, values![id]).await?;
    row.ok_or_else(|| ToolError::not_found("subject"))?.shown(db)
}

fn taken(error: DbError, name: &str, code: &str) -> ToolError {
    match error {
        DbError::Duplicate(_) => ToolError::conflict(format!(
            "The school already has a subject called \"{name}\", or one with the code \"{code}\"; an archived one keeps \
             its code."
        )),
        other => other.into(),
    }
}
