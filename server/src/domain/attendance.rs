//! Attendance: the class teacher keeps the register of the class they own; leaders read the
//! numbers.
//!
//! The class comes from the proof and never from an argument, so no register of another class can
//! be touched.

use std::collections::BTreeSet;

use agent_contract::{CampusId, Date, ListQuery, Page, Proof, Resource, ToolError, ToolResult};
use jiff::{Timestamp, ToSpan as _};
use sqlx::FromRow;
use tools::attendance::{
    Attendance, AttendanceDay, AttendanceDaySort, AttendanceFilter, AttendanceMark,
    AttendanceStatus, ClassAttendance, MissedDay, OwnClassAttendance, RecordOwnClassAttendance,
    StudentAttendance,
};

use super::{
    School,
    calendar::{self, not_closed},
    campuses::{id_of, known},
    classes::ClassRow,
    relations,
    school::today,
    students::StudentRow,
};
use crate::db::{
    DbError, Frame, Locked, Place, Record, WriteFrame,
    statements::{Statement, attendance, classes, students},
    values,
};

/// How far back a student's attendance is told unless somebody asks for more.
const USUAL_DAYS: i64 = 30;
/// As many missed days as are told one by one.
const MISSED: usize = 100;

#[derive(FromRow)]
struct MarkRow {
    student_id: String,
    student: String,
    status: String,
}

#[derive(FromRow)]
struct Id {
    id: String,
}

#[derive(FromRow)]
struct DayRow {
    id: String,
    on_date: String,
    class_id: String,
    class_name: String,
    present: i64,
    absent: i64,
    late: i64,
}

#[derive(FromRow)]
struct OwnMarkRow {
    on_date: String,
    status: String,
}

/// A student as whoever reads attendance sees them: that right reaches where it reaches, whoever may see the record.
#[derive(Debug, FromRow)]
struct AttendingRow {
    #[sqlx(flatten)]
    student: StudentRow,
}

impl Record for AttendingRow {
    const RESOURCE: Resource = Resource::Attendance;
    const WHAT: &'static str = StudentRow::WHAT;
    const FIND: Statement = students::FIND_STUDENT;

    fn id(&self) -> &str {
        &self.student.id
    }

    fn places(&self) -> Vec<Place> {
        self.student.places()
    }
}

#[derive(FromRow)]
struct SummaryRow {
    class_id: String,
    class_name: String,
    present: i64,
    absent: i64,
    late: i64,
}

impl<F: Frame> OwnClassAttendance for School<F> {
    async fn marks(&self, proof: &Proof, date: Option<Date>) -> ToolResult<Vec<AttendanceMark>> {
        let class_id = relations::own_class(proof)?;
        let mut db = self.frame.session().lock().await;
        let date = day(&mut db, date).await?;
        let rows: Vec<MarkRow> =
            db.all(attendance::MARKS, values![class_id, date.to_string()]).await?;
        if rows.is_empty() {
            return Err(ToolError::refused(format!(
                "No attendance is recorded for this class on {date}."
            )));
        }
        rows.into_iter()
            .map(|row| {
                Ok(AttendanceMark {
                    student_id: row.student_id,
                    student: row.student,
                    status: status(&row.status)?,
                })
            })
            .collect()
    }
}

impl RecordOwnClassAttendance for School<WriteFrame> {
    async fn record(
        &self,
        proof: &Proof,
        date: Option<Date>,
        absent: Vec<String>,
        late: Vec<String>,
    ) -> ToolResult<ClassAttendance> {
        let class_id = relations::own_class(proof)?;
        let mut db = self.frame.session().lock().await;
        let today = today(&mut db).await?;
        let date = date.unwrap_or(today);
        if date > today {
            return Err(ToolError::refused(format!(
                "{date} has not come yet, so nobody can have attended."
            )));
        }
        let class: ClassRow = db
            .optional(classes::FIND_CLASS, values![class_id])
            .await?
            .ok_or_else(|| ToolError::not_found("class"))?;
        not_closed(&mut db, &class.campus_id, date).await?;
        let roll: Vec<Id> = db.all(attendance::ROLL, values![class_id]).await?;
        let roll: BTreeSet<String> = roll.into_iter().map(|row| row.id).collect();
        if roll.is_empty() {
            return Err(ToolError::refused(format!("Nobody is enrolled in {}.", class.name)));
        }
        let (absent, late) = (of_class(absent, &roll)?, of_class(late, &roll)?);
        if !absent.is_disjoint(&late) {
            return Err(ToolError::refused("A student cannot be absent and late on one day."));
        }
        for student in &roll {
            let status = if absent.contains(student) {
                "absent"
            } else if late.contains(student) {
                "late"
            } else {
                "present"
            };
            record(&mut db, proof, student, date, status).await?;
        }
        Ok(ClassAttendance {
            class_id: class.id,
            class_name: class.name,
            date,
            present: count(roll.len() - absent.len() - late.len()),
            absent: count(absent.len()),
            late: count(late.len()),
        })
    }
}

impl<F: Frame> Attendance for School<F> {
    async fn student_days(
        &self,
        student_id: String,
        from: Option<Date>,
        until: Option<Date>,
    ) -> ToolResult<StudentAttendance> {
        let mut db = self.frame.session().lock().await;
        let found = db.find::<AttendingRow>(&student_id).await?.into_inner().student;
        let until = day(&mut db, until).await?;
        let from = match from {
            Some(from) => from,
            None => before(until, USUAL_DAYS)?,
        };
        if from > until {
            return Err(ToolError::refused(format!("{from} comes after {until}.")));
        }
        let values = values![&student_id, from.to_string(), until.to_string()];
        let rows: Vec<OwnMarkRow> = db.all(attendance::MARKS_OF_STUDENT, values).await?;
        let mut told = StudentAttendance {
            student_id,
            student: found.name,
            from,
            until,
            present: 0,
            absent: 0,
            late: 0,
            missed: Vec::new(),
        };
        for row in rows {
            let status = status(&row.status)?;
            match status {
                AttendanceStatus::Present => told.present += 1,
                AttendanceStatus::Absent => told.absent += 1,
                AttendanceStatus::Late => told.late += 1,
            }
            if status != AttendanceStatus::Present && told.missed.len() < MISSED {
                told.missed.push(MissedDay { date: calendar::day(&row.on_date)?, status });
            }
        }
        Ok(told)
    }

    async fn days(
        &self,
        filter: AttendanceFilter,
        query: ListQuery<AttendanceDaySort>,
    ) -> ToolResult<Page<AttendanceDay>> {
        let mut db = self.frame.session().lock().await;
        if let Some(class_id) = &filter.class_id {
            db.find::<ClassRow>(class_id).await?;
        }
        let campus = known(&mut db, filter.campus.as_ref()).await?;
        let values = values![
            filter.from.map(|date| date.to_string()),
            filter.until.map(|date| date.to_string()),
            filter.class_id,
            id_of(campus.as_ref()),
        ];
        let page: Page<DayRow> = db.page(attendance::ATTENDANCE_DAYS, values, &query).await?;
        page.try_map(|row| {
            Ok(AttendanceDay {
                date: calendar::day(&row.on_date)?,
                id: row.id,
                class_id: row.class_id,
                class_name: row.class_name,
                present: row.present,
                absent: row.absent,
                late: row.late,
            })
        })
    }

    async fn summary(
        &self,
        date: Option<Date>,
        campus: Option<&CampusId>,
    ) -> ToolResult<Vec<ClassAttendance>> {
        let mut db = self.frame.session().lock().await;
        let date = day(&mut db, date).await?;
        let campus = known(&mut db, campus).await?;
        let visible = db.visible(attendance::ATTENDANCE_SUMMARY)?;
        let values = values![date.to_string(), id_of(campus.as_ref())];
        let rows: Vec<SummaryRow> = db.list(visible, values).await?;
        Ok(rows
            .into_iter()
            .map(|row| ClassAttendance {
                class_id: row.class_id,
                class_name: row.class_name,
                date,
                present: row.present,
                absent: row.absent,
                late: row.late,
            })
            .collect())
    }
}

/// One mark in the class that the proof names, by the person that it names.
async fn record(
    db: &mut Locked<'_>,
    proof: &Proof,
    student_id: &str,
    date: Date,
    status: &str,
) -> ToolResult<()> {
    let class_id = relations::own_class(proof)?;
    let recorder = db.live_caller()?.profile_id.clone();
    let values = values![
        db.school(),
        student_id,
        class_id,
        date.to_string(),
        status,
        recorder,
        Timestamp::now().as_microsecond(),
    ];
    db.execute(attendance::RECORD_MARK, values).await?;
    Ok(())
}

/// The students named, each of whom must be in the class.
fn of_class(named: Vec<String>, roll: &BTreeSet<String>) -> ToolResult<BTreeSet<String>> {
    match named.iter().find(|id| !roll.contains(*id)) {
        Some(id) => {
            Err(ToolError::NotFound { what: "student of this class", id: Some(id.clone()) })
        }
        None => Ok(named.into_iter().collect()),
    }
}

fn before(date: Date, days: i64) -> ToolResult<Date> {
    Date::try_from(date.civil().saturating_sub(days.days())).map_err(|_| ToolError::Internal)
}

async fn day(db: &mut Locked<'_>, date: Option<Date>) -> ToolResult<Date> {
    match date {
        Some(date) => Ok(date),
        None => today(db).await,
    }
}

fn status(stored: &str) -> ToolResult<AttendanceStatus> {
    match stored {
        "present" => Ok(AttendanceStatus::Present),
        "absent" => Ok(AttendanceStatus::Absent),
        "late" => Ok(AttendanceStatus::Late),
        _ => Err(DbError::Stored("an attendance of an unknown kind").into()),
    }
}

fn count(students: usize) -> i64 {
    i64::try_from(students).unwrap_or(i64::MAX)
}
