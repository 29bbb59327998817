//! Students: enrolled in one class a year, moved with leave at both ends, withdrawn but never
//! deleted.

use agent_contract::{
    Action, CampusId, Date, ListQuery, Page, Resource, ToolError, ToolResult, Version,
};
use sqlx::FromRow;
use tools::students::{
    EditStudents, Enrolment, Gender, Student, StudentChange, StudentFilter, StudentRecord,
    StudentSort, StudentStatus, Students,
};

use super::{
    School,
    calendar::{current_year, day},
    campuses::{id_of, known},
    classes::ClassRow,
    fresh_id,
    name::named,
    parts,
    resemblance::{Spelling, ranked},
    school, streams,
    version::{stored, unchanged, written},
};
use crate::db::{
    DbError, Draft, Frame, Locked, Permitted, Place, Record, WriteFrame,
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
struct OnRecord {
    gender: Option<String>,
    date_of_birth: Option<String>,
    version: i64,
}

#[derive(FromRow)]
struct EnrolmentRow {
    class_id: String,
    class_name: String,
    academic_year: String,
    started_on: String,
    ended_on: Option<String>,
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

    async fn record(&self, student_id: String) -> ToolResult<StudentRecord> {
        let mut db = self.frame.session().lock().await;
        let student = db.find::<StudentRow>(&student_id).await?;
        record(&mut db, student.into_inner()).await
    }

    async fn find(&self, name: String, campus: Option<&CampusId>) -> ToolResult<Vec<Student>> {
        let mut db = self.frame.session().lock().await;
        let campus = known(&mut db, campus).await?;
        let visible = db.visible(students::STUDENTS_TO_FIND)?;
        let rows = db.named(visible, values![id_of(campus.as_ref())]).await?;
        let found = ranked(rows, &name, Spelling::Forgiving, |row: &StudentRow| &row.name);
        Ok(found.into_iter().map(Student::from).collect())
    }
}

impl EditStudents for School<WriteFrame> {
    async fn enrol(&self, name: String, class_id: String) -> ToolResult<Student> {
        let mut db = self.frame.session().lock().await;
        let class = db.find::<ClassRow>(&class_id).await?;
        let draft = db.authorize_new::<StudentRow>(class.place())?;
        let name = named("A student", &name)?;
        streams::take_place(&mut db, &class.id).await?;
        let id = insert(&mut db, &draft, &name).await?;
        reread(&mut db, &id).await
    }

    async fn update(
        &self,
        student_id: String,
        change: StudentChange,
        seen: Option<Version>,
    ) -> ToolResult<StudentRecord> {
        let mut db = self.frame.session().lock().await;
        let found = db.find::<StudentRow>(&student_id).await?;
        let student = db.authorize(Action::Update, found)?;
        let now = on_record(&mut db, &student.id).await?;
        unchanged("student", &student.name, now.version, seen)?;
        if change.date_of_birth.is_some_and(|born| born > Date::today()) {
            return Err(ToolError::refused("A date of birth cannot lie ahead."));
        }
        let rows = update(&mut db, &student, now, change).await?;
        written(rows, "student", &student.name)?;
        let row: Option<StudentRow> =
            db.optional(students::FIND_STUDENT, values![student_id]).await?;
        record(&mut db, row.ok_or_else(|| ToolError::not_found("student"))?).await
    }

    async fn move_to(&self, student_id: String, class_id: String) -> ToolResult<Student> {
        let mut db = self.frame.session().lock().await;
        let found = db.find::<StudentRow>(&student_id).await?;
        let student = db.authorize(Action::Update, found)?;
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
                streams::take_place(&mut db, &class.id).await?;
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

/// Adds the student and the enrolment.
async fn insert(db: &mut Locked<'_>, draft: &Draft<StudentRow>, name: &str) -> ToolResult<String> {
    let Some(year) = current_year(db).await? else {
        return Err(ToolError::refused(
            "No academic year is set as current, so nobody can be enrolled.",
        ));
    };
    let number = next_number(db, year.year).await?;
    let (id, place) = (fresh_id(), draft.place().clone());
    let values =
        values![db.school(), &id, place.campus_id, &number, name, None::<String>, None::<String>,];
    db.execute(students::ADD_STUDENT, values).await?;
    let today = school::today(db).await?.to_string();
    db.execute(students::ENROL, values![db.school(), &id, place.class_id, today]).await?;
    Ok(id)
}

/// The admission number after the last: students are counted, and a number that somebody has is passed over.
async fn next_number(db: &mut Locked<'_>, year: i64) -> ToolResult<String> {
    let before: Option<Count> = db.optional(students::COUNT_STUDENTS, values![]).await?;
    let mut number = before.map_or(0, |count| count.n);
    loop {
        number += 1;
        let text = format!("{year}/{number:04}");
        let taken: Option<Count> = db.optional(students::COUNT_NUMBERED, values![&text]).await?;
        if taken.is_none_or(|count| count.n == 0) {
            return Ok(text);
        }
    }
}

pub(super) async fn move_enrolment(
    db: &mut Locked<'_>,
    student: &Permitted<StudentRow>,
    current_class: &str,
    target: &Draft<StudentRow>,
) -> ToolResult<()> {
    let place = target.place().clone();
    let today = school::today(db).await?.to_string();
    let values = values![db.school(), fresh_id(), &student.id, &today];
    db.execute(students::KEEP_ENROLMENT, values).await?;
    let values = values![db.school(), &student.id, place.class_id, current_class, &today];
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

async fn on_record(db: &mut Locked<'_>, id: &str) -> ToolResult<OnRecord> {
    let row: Option<OnRecord> = db.optional(students::STUDENT_RECORD, values![id]).await?;
    row.ok_or_else(|| ToolError::not_found("student"))
}

async fn update(
    db: &mut Locked<'_>,
    student: &Permitted<StudentRow>,
    now: OnRecord,
    change: StudentChange,
) -> ToolResult<u64> {
    let name = match change.name {
        Some(name) => named("A student", &name)?,
        None => student.name.clone(),
    };
    let gender = change.gender.map(|gender| word(gender).to_owned()).or(now.gender);
    let born = change.date_of_birth.map(|date| date.to_string()).or(now.date_of_birth);
    let values = values![db.school(), &student.id, now.version, name, gender, born];
    Ok(db.execute(students::UPDATE_STUDENT, values).await?)
}

/// A student with all that is on record.
async fn record(db: &mut Locked<'_>, row: StudentRow) -> ToolResult<StudentRecord> {
    let now = on_record(db, &row.id).await?;
    let rows: Vec<EnrolmentRow> = db.all(students::ENROLMENTS_OF, values![&row.id]).await?;
    let enrolments = rows.into_iter().map(|row| {
        Ok(Enrolment {
            from: day(&row.started_on)?,
            until: row.ended_on.as_deref().map(day).transpose()?,
            class_id: row.class_id,
            class_name: row.class_name,
            academic_year: row.academic_year,
        })
    });
    let shown = Student::from(row);
    Ok(StudentRecord {
        enrolments: enrolments.collect::<ToolResult<_>>()?,
        gender: now.gender.as_deref().map(gender).transpose()?,
        date_of_birth: now.date_of_birth.as_deref().map(day).transpose()?,
        version: stored(now.version)?,
        id: shown.id,
        name: shown.name,
        admission_number: shown.admission_number,
        campus_name: shown.campus_name,
        status: shown.status,
    })
}

fn word(gender: Gender) -> &'static str {
    match gender {
        Gender::Female => "female",
        Gender::Male => "male",
    }
}

fn gender(stored: &str) -> ToolResult<Gender> {
    [Gender::Female, Gender::Male]
        .into_iter()
        .find(|gender| word(*gender) == stored)
        .ok_or_else(|| DbError::Stored("a gender that the register does not know").into())
}

/// The student as they are now. What was just written is shown to whoever wrote it.
pub(super) async fn reread(db: &mut Locked<'_>, id: &str) -> ToolResult<Student> {
    let row: Option<StudentRow> = db.optional(students::FIND_STUDENT, values![id]).await?;
    row.map(Student::from).ok_or_else(|| ToolError::not_found("student"))
}
