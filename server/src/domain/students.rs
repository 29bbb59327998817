//! Students: enrolled in one class a year, moved with leave at both ends, withdrawn but never
//! deleted.

use agent_contract::{Action, CampusId, ListQuery, Page, Resource, ToolError, ToolResult};
use sqlx::FromRow;
use tools::students::{EditStudents, Student, StudentFilter, StudentSort, StudentStatus, Students};

use super::{
    School,
    calendar::{YearRow, current_year},
    campuses::{id_of, known},
    classes::ClassRow,
    fresh_id,
    name::named,
    parts,
    resemblance::{Spelling, ranked},
    school, streams,
};
use crate::db::{
    Draft, Frame, Locked, Permitted, Place, Record, WriteFrame,
    statements::{Statement, students},
    values,
};

#[derive(Debug, FromRow)]
pub(super) struct StudentRow {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) admission_number: String,
    pub(super) class_id: Option<String>,
    class_name: Option<String>,
    campus_id: String,
    campus_name: String,
    withdrawn: bool,
    assignment_ids: String,
}

impl Record for StudentRow {
    const RESOURCE: Resource = Resource::Student;
    const WHAT: &'static str = "student";
    const FIND: Statement = students::FIND_STUDENT;

    fn id(&self) -> &str {
        &self.id
    }

    fn places(&self) -> Vec<Place> {
        vec![Place {
            campus_id: Some(self.campus_id.clone()),
            class_id: self.class_id.clone(),
            assignment_ids: parts(&self.assignment_ids),
        }]
    }
}

impl From<StudentRow> for Student {
    fn from(row: StudentRow) -> Self {
        Self {
            id: row.id,
            name: row.name,
            admission_number: row.admission_number,
            class_id: row.class_id,
            class_name: row.class_name,
            campus_name: row.campus_name,
            status: if row.withdrawn { StudentStatus::Withdrawn } else { StudentStatus::Enrolled },
        }
    }
}

#[derive(FromRow)]
struct Count {
    n: i64,
}

impl<F: Frame> Students for School<F> {
    async fn list(
        &self,
        filter: StudentFilter,
        query: ListQuery<StudentSort>,
    ) -> ToolResult<Page<Student>> {
        let mut db = self.frame.session().lock().await;
        if let Some(class_id) = &filter.class_id {
            db.find::<ClassRow>(class_id).await?;
        }
        let campus = known(&mut db, filter.campus.as_ref()).await?;
        let left = filter.status == StudentStatus::Withdrawn;
        let values = values![filter.class_id, id_of(campus.as_ref()), left];
        let page: Page<StudentRow> = db.page(students::STUDENTS, values, &query).await?;
        Ok(page.map(Student::from))
    }

    async fn find(&self, name: String, campus: Option<&CampusId>) -> ToolResult<Vec<Student>> {
        let mut db = self.frame.session().lock().await;
        let campus = known(&mut db, campus).await?;
        let visible = db.visible(students::STUDENTS_TO_FIND)?;
        let rows = db.list(visible, values![id_of(campus.as_ref())]).await?;
        let found = ranked(rows, &name, Spelling::Forgiving, |row: &StudentRow| &row.name);
        Ok(found.into_iter().map(Student::from).collect())
    }
}

impl EditStudents for School<WriteFrame> {
    async fn enrol(&self, name: String, class_id: String) -> ToolResult<Student> {
        let name = named("A student", &name)?;
        let mut db = self.frame.session().lock().await;
        queue(&mut db).await?;
        let class = db.find::<ClassRow>(&class_id).await?;
        let draft = db.authorize_new::<StudentRow>(class.place())?;
        streams::must_have_room(&class)?;
        let id = insert(&mut db, &draft, &name).await?;
        reread(&mut db, &id).await
    }

    async fn move_to(&self, student_id: String, class_id: String) -> ToolResult<Student> {
        let mut db = self.frame.session().lock().await;
        let found = db.find::<StudentRow>(&student_id).await?;
        let student = db.authorize(Action::Update, found)?;
        queue(&mut db).await?;
        let class = db.find::<ClassRow>(&class_id).await?;
        let target = db.authorize_move(&student, class.place())?;
        match student.class_id.as_deref() {
            None => {
                return Err(ToolError::refused(format!(
                    "{} is not enrolled in a class this year.",
                    student.name
                )));
            }
            Some(current) if current == class.id => {
                return Err(ToolError::conflict(format!(
                    "{} is already in {}.",
                    student.name, class.name
                )));
            }
            Some(current) => {
                streams::must_have_room(&class)?;
                move_enrolment(&mut db, &student, current, &target).await?;
            }
        }
        reread(&mut db, &student_id).await
    }

    async fn withdraw(&self, student_id: String) -> ToolResult<Student> {
        let mut db = self.frame.session().lock().await;
        let found = db.find::<StudentRow>(&student_id).await?;
        let student = db.authorize(Action::Update, found)?;
        if student.withdrawn {
            return Err(ToolError::conflict(format!("{} has left already.", student.name)));
        }
        withdraw(&mut db, &student).await?;
        reread(&mut db, &student_id).await
    }
}

/// Adds the student and the enrolment. The admission number is the next one of the school.
async fn insert(db: &mut Locked<'_>, draft: &Draft<StudentRow>, name: &str) -> ToolResult<String> {
    let Some(year) = current_year(db).await? else {
        return Err(ToolError::refused(
            "No academic year is set as current, so nobody can be enrolled.",
        ));
    };
    let number = next_number(db, &year).await?;
    let (id, place) = (fresh_id(), draft.place().clone());
    let values =
        values![db.school(), &id, place.campus_id, &number, name, None::<String>, None::<String>,];
    db.execute(students::ADD_STUDENT, values).await?;
    db.execute(students::ENROL, values![db.school(), &id, place.class_id]).await?;
    Ok(id)
}

/// One change of who sits where after the other: places and numbers are counted, so whoever counts must be alone.
async fn queue(db: &mut Locked<'_>) -> ToolResult<()> {
    db.execute(students::QUEUE_TO_ENROL, values![db.school()]).await?;
    Ok(())
}

/// The number after the last. One that is in use, of a school that brought its own or deleted a student, is passed over.
async fn next_number(db: &mut Locked<'_>, year: &YearRow) -> ToolResult<String> {
    let before: Option<Count> = db.optional(students::COUNT_STUDENTS, values![]).await?;
    let mut next = before.map_or(0, |count| count.n) + 1;
    loop {
        let number = format!("{}/{next:04}", year.year);
        let used: Option<Count> = db.optional(students::COUNT_NUMBER, values![&number]).await?;
        if used.is_none_or(|count| count.n == 0) {
            return Ok(number);
        }
        next += 1;
    }
}

pub(super) async fn move_enrolment(
    db: &mut Locked<'_>,
    student: &Permitted<StudentRow>,
    current_class: &str,
    target: &Draft<StudentRow>,
) -> ToolResult<()> {
    let place = target.place().clone();
    let values = values![db.school(), &student.id, place.class_id, current_class];
    if db.execute(students::MOVE_ENROLMENT, values).await? != 1 {
        return Err(ToolError::conflict(format!(
            "Somebody else moved {} at the same moment; look again first.",
            student.name
        )));
    }
    db.execute(students::MOVE_STUDENT, values![db.school(), &student.id, place.campus_id]).await?;
    Ok(())
}

async fn withdraw(db: &mut Locked<'_>, student: &Permitted<StudentRow>) -> ToolResult<()> {
    let today = school::today(db).await?.to_string();
    db.execute(students::WITHDRAW_STUDENT, values![db.school(), &student.id, &today]).await?;
    db.execute(students::END_ENROLMENT, values![db.school(), &student.id, &today]).await?;
    Ok(())
}

/// The student as they are now. What was just written is shown to whoever wrote it.
pub(super) async fn reread(db: &mut Locked<'_>, id: &str) -> ToolResult<Student> {
    let row: Option<StudentRow> = db.optional(students::FIND_STUDENT, values![id]).await?;
    row.map(Student::from).ok_or_else(|| ToolError::not_found("student"))
}
