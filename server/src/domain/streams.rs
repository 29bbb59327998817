//! Streams: a year group on a campus is divided into them, and each is a class.
//!
//! "S1 East" is the East stream of S1: the last word of a class's name is its stream, and what stands before it its year
//! group. A class of one word is a year group that is not divided.

use agent_contract::{Action, CampusId, ToolError, ToolResult};
use tools::streams::{ClassChange, ClassDetails, EditStreams, Stream, Streams, TaughtSubject};
use tools::students::Student;

use super::{
    School,
    classes::{ClassRow, listed, must_teach},
    name::{named, tidy},
    parts,
    staff::StaffRow,
    students::{StudentRow, move_enrolment, reread as student},
    subjects::taken_by,
    version::{stored, unchanged, written},
};
use crate::db::{
    DbError, Frame, Locked, Permitted, WriteFrame,
    statements::{classes, students},
    values,
};

impl<F: Frame> Streams for School<F> {
    async fn class_details(&self, class_id: String) -> ToolResult<ClassDetails> {
        let mut db = self.frame.session().lock().await;
        let class = db.find::<ClassRow>(&class_id).await?;
        details(&mut db, &class).await
    }

    async fn streams(
        &self,
        year_group: Option<String>,
        campus: Option<&CampusId>,
    ) -> ToolResult<Vec<Stream>> {
        let mut db = self.frame.session().lock().await;
        let rows = listed(&mut db, campus).await?;
        let wanted = year_group.map(|group| tidy(&group).to_lowercase());
        let is_wanted = |row: &ClassRow| {
            wanted.as_ref().is_none_or(|wanted| year_group_of(row).to_lowercase() == *wanted)
        };
        let streams = rows.into_iter().filter(is_wanted).map(|row| Stream {
            year_group: year_group_of(&row).to_owned(),
            id: row.id,
            name: row.name,
            campus_name: row.campus_name,
            class_teacher: row.class_teacher,
            students: row.students,
            capacity: row.capacity,
        });
        Ok(streams.collect())
    }
}

impl EditStreams for School<WriteFrame> {
    async fn update_class(
        &self,
        class_id: String,
        change: ClassChange,
    ) -> ToolResult<ClassDetails> {
        let mut db = self.frame.session().lock().await;
        let found = db.find::<ClassRow>(&class_id).await?;
        let class = db.authorize(Action::Update, found)?;
        unchanged("class", &class.name, class.version, change.version)?;
        let name = match &change.name {
            Some(name) => named("A class", name)?,
            None => class.name.clone(),
        };
        let class_teacher_id = match &change.class_teacher_id {
            Some(id) => {
                let teacher = db.find::<StaffRow>(id).await?;
                must_teach(&teacher)?;
                Some(teacher.id.clone())
            }
            None => class.class_teacher_id.clone(),
        };
        if let Some(capacity) = change.capacity
            && capacity < class.students
        {
            return Err(ToolError::refused(format!(
                "{} has {} students, so its capacity cannot be {capacity}.",
                class.name, class.students
            )));
        }
        let capacity = change.capacity.or(class.capacity);
        let rows =
            update(&mut db, &class, &name, class_teacher_id, capacity).await.map_err(|error| {
                match error {
                    DbError::Duplicate(_) => ToolError::conflict(format!(
                        "{} already has a class called \"{name}\" this year.",
                        class.campus_name
                    )),
                    other => other.into(),
                }
            })?;
        written(rows, "class", &class.name)?;
        let row: Option<ClassRow> = db.optional(classes::FIND_CLASS, values![class_id]).await?;
        details(&mut db, &row.ok_or_else(|| ToolError::not_found("class"))?).await
    }

    async fn move_to_stream(&self, student_id: String, stream: String) -> ToolResult<Student> {
        let mut db = self.frame.session().lock().await;
        let found = db.find::<StudentRow>(&student_id).await?;
        let moving = db.authorize(Action::Update, found)?;
        let Some(class_id) = moving.class_id.clone() else {
            return Err(ToolError::refused(format!(
                "{} is not enrolled in a class this year.",
                moving.name
            )));
        };
        let current = db.find::<ClassRow>(&class_id).await?;
        let siblings = siblings(&mut db, &current).await?;
        let wanted = tidy(&stream).to_lowercase();
        let Some(class) = siblings.iter().find(|class| is_called(class, &wanted)) else {
            let names: Vec<&str> =
                siblings.iter().filter_map(|class| class.stream.as_deref()).collect();
            return Err(ToolError::refused(format!(
                "{} has no stream \"{}\" at {}; there are: {}.",
                year_group_of(&current),
                tidy(&stream),
                current.campus_name,
                names.join(", ")
            )));
        };
        if class.id == current.id {
            return Err(ToolError::conflict(format!(
                "{} is already in {}.",
                moving.name, current.name
            )));
        }
        let target = db.authorize_move(&moving, class.place())?;
        take_place(&mut db, &class.id).await?;
        move_enrolment(&mut db, &moving, &current.id, &target).await?;
        student(&mut db, &student_id).await
    }
}

/// The stream that the name of a class tells, if it tells one.
pub(super) fn stream_of(name: &str) -> Option<&str> {
    name.rsplit_once(' ').map(|(_, stream)| stream)
}

/// Keeps a place in a class for one more student, or refuses if it is full.
///
/// Places are counted, and so are the school's students for their numbers: who takes a place waits for whoever takes one
/// at the moment, and counts then.
pub(super) async fn take_place(db: &mut Locked<'_>, class_id: &str) -> ToolResult<()> {
    db.execute(students::ENROL_ALONE, values![db.school()]).await?;
    let class = db.find::<ClassRow>(class_id).await?;
    match class.capacity {
        Some(capacity) if class.students >= capacity => Err(ToolError::refused(format!(
            "{} is full: it has room for {capacity} and {} are enrolled.",
            class.name, class.students
        ))),
        _ => Ok(()),
    }
}

/// "S1" of "S1 East".
fn year_group_of(class: &ClassRow) -> &str {
    let without = class.stream.as_deref().and_then(|stream| class.name.strip_suffix(stream));
    without.map_or(class.name.as_str(), str::trim_end)
}

fn is_called(class: &ClassRow, wanted: &str) -> bool {
    class.name.to_lowercase() == wanted
        || class.stream.as_ref().is_some_and(|stream| stream.to_lowercase() == wanted)
}

/// The classes that the caller may see of the same year group and campus, itself included.
async fn siblings(db: &mut Locked<'_>, class: &ClassRow) -> ToolResult<Vec<ClassRow>> {
    let group = year_group_of(class).to_lowercase();
    let mut rows = listed(db, None).await?;
    rows.retain(|row| {
        row.campus_id == class.campus_id && year_group_of(row).to_lowercase() == group
    });
    Ok(rows)
}

async fn details(db: &mut Locked<'_>, class: &ClassRow) -> ToolResult<ClassDetails> {
    let subjects = taken_by(db, &class.id).await?.into_iter().map(|row| TaughtSubject {
        subject_id: row.subject_id,
        subject: row.subject,
        teachers: parts(&row.teachers),
    });
    Ok(ClassDetails {
        id: class.id.clone(),
        name: class.name.clone(),
        year_group: year_group_of(class).to_owned(),
        stream: class.stream.clone(),
        campus_name: class.campus_name.clone(),
        class_teacher: class.class_teacher.clone(),
        students: class.students,
        capacity: class.capacity,
        subjects: subjects.collect(),
        version: stored(class.version)?,
    })
}

async fn update(
    db: &mut Locked<'_>,
    class: &Permitted<ClassRow>,
    name: &str,
    class_teacher_id: Option<String>,
    capacity: Option<i64>,
) -> Result<u64, DbError> {
    let values = values![
        db.school(),
        &class.id,
        class.version,
        name,
        stream_of(name),
        class_teacher_id,
        capacity,
    ];
    db.execute(classes::UPDATE_CLASS, values).await
}
