//! Reports on the results that were computed. A report computes nothing but averages of averages, and says when what it
//! rests on is out of date.

use agent_contract::{Hundredths, Timestamp, ToolError, ToolResult};
use sqlx::FromRow;
use tools::results::{
    AttendanceFigures, ClassReport, RankedStudent, Results, StudentReport, StudentSubject,
    SubjectFigures, TermFigures,
};

use super::super::{School, students::StudentRow};
use super::assessments::{number, term_numbered};
use super::reckoning::average;
use super::results::ResultsOf;
use crate::db::{
    DbError, Frame, Locked,
    statements::{Statement, results},
    values,
};

#[derive(FromRow)]
struct Standing {
    computed_at_us: i64,
    out_of_date: bool,
}

#[derive(FromRow)]
struct RankedRow {
    student_id: String,
    student: String,
    average: i64,
    grade: String,
    rank: i64,
    subjects: i64,
}

#[derive(Clone, FromRow)]
struct SubjectRow {
    subject_id: String,
    subject: String,
    student_id: String,
    student: String,
    average: i64,
    grade: String,
    rank: i64,
}

#[derive(FromRow)]
struct Average {
    average: i64,
}

#[derive(FromRow)]
struct Term {
    id: String,
    name: String,
}

#[derive(FromRow)]
struct ResultRow {
    class_id: String,
    term_id: String,
    class_name: String,
    term: String,
    starts_on: String,
    ends_on: String,
}

#[derive(FromRow)]
struct AttendanceRow {
    present: i64,
    absent: i64,
    late: i64,
}

impl<F: Frame> Results for School<F> {
    async fn class_report(
        &self,
        class_id: String,
        term_number: Option<i64>,
    ) -> ToolResult<ClassReport> {
        let mut db = self.frame.session().lock().await;
        let class = db.find::<ResultsOf>(&class_id).await?;
        let term = term_numbered(&mut db, &class.campus_id, term_number).await?;
        let standing = standing(&mut db, &class.id, &term.id).await?;
        let (Some(standing), ranking) = (standing, ranking(&mut db, &class.id, &term.id).await?)
        else {
            return Err(not_computed(&class.name, &term.name));
        };
        let Some(average) = average(ranking.iter().map(|student| student.average)) else {
            return Err(not_computed(&class.name, &term.name));
        };
        let days = values![&class.id, &term.starts_on, &term.ends_on];
        Ok(ClassReport {
            class_id: class.id.clone(),
            class_name: class.name.clone(),
            students: class.students,
            computed_at: moment(standing.computed_at_us)?,
            out_of_date: standing.out_of_date,
            average,
            subjects: figures(&by_subject(&mut db, &class.id, &term.id).await?)?,
            ranking,
            attendance: attendance(&mut db, results::ATTENDANCE_OF_CLASS, days).await?,
            term: term.name,
        })
    }

    async fn student_report(
        &self,
        student_id: String,
        term_number: Option<i64>,
    ) -> ToolResult<StudentReport> {
        let mut db = self.frame.session().lock().await;
        let student = db.find::<StudentRow>(&student_id).await?;
        // Whoever may see the results of the class that the student is in now sees those of earlier terms too.
        let class = match student.class_id.as_deref() {
            Some(class_id) => db.find::<ResultsOf>(class_id).await?,
            None => {
                return Err(ToolError::refused(format!(
                    "{} is not enrolled in a class this year.",
                    student.name
                )));
            }
        };
        let term = term_numbered(&mut db, &class.campus_id, term_number).await?;
        let values = values![&student.id, term.term_number];
        let result: Option<ResultRow> = db.optional(results::RESULT_OF_STUDENT, values).await?;
        let result = result.ok_or_else(|| not_computed(&student.name, &term.name))?;
        let ranking = ranking(&mut db, &result.class_id, &result.term_id).await?;
        let own = ranking.iter().find(|line| line.student_id == student.id);
        let own = own.ok_or_else(|| not_computed(&student.name, &term.name))?;
        let standing = standing(&mut db, &result.class_id, &result.term_id).await?;
        let standing = standing.ok_or_else(|| not_computed(&student.name, &term.name))?;
        let group: Vec<Average> = db
            .all(results::YEAR_GROUP_AVERAGES, values![&result.class_id, &result.term_id])
            .await?;
        let higher = group.iter().filter(|other| other.average > own.average.get()).count();
        let rows = by_subject(&mut db, &result.class_id, &result.term_id).await?;
        let days = values![&student.id, &result.starts_on, &result.ends_on];
        Ok(StudentReport {
            student_id: student.id.clone(),
            student: student.name.clone(),
            admission_number: student.admission_number.clone(),
            average: own.average,
            grade: own.grade.clone(),
            position: own.position,
            ranked: count(ranking.len()),
            year_group_position: count(higher) + 1,
            year_group_ranked: count(group.len()),
            subjects: card(&rows, &student.id)?,
            attendance: attendance(&mut db, results::ATTENDANCE_OF_STUDENT, days).await?,
            computed_at: moment(standing.computed_at_us)?,
            out_of_date: standing.out_of_date,
            class_name: result.class_name,
            term: result.term,
        })
    }

    async fn compare_terms(&self, class_id: String) -> ToolResult<Vec<TermFigures>> {
        let mut db = self.frame.session().lock().await;
        let class = db.find::<ResultsOf>(&class_id).await?;
        let terms: Vec<Term> = db.all(results::TERMS_WITH_RESULTS, values![&class.id]).await?;
        let mut compared: Vec<TermFigures> = Vec::new();
        for term in terms {
            let ranking = ranking(&mut db, &class.id, &term.id).await?;
            let Some(average) = average(ranking.iter().map(|line| line.average)) else { continue };
            let before = compared.last().map(|term| term.average);
            compared.push(TermFigures {
                term: term.name,
                ranked: count(ranking.len()),
                average,
                change: before.map(|before| difference(before, average)),
                subjects: figures(&by_subject(&mut db, &class.id, &term.id).await?)?,
            });
        }
        if compared.is_empty() {
            return Err(ToolError::refused(format!(
                "No results of {} are computed this year.",
                class.name
            )));
        }
        Ok(compared)
    }
}

async fn standing(
    db: &mut Locked<'_>,
    class_id: &str,
    term_id: &str,
) -> ToolResult<Option<Standing>> {
    Ok(db.optional(results::RESULTS_STANDING, values![class_id, term_id]).await?)
}

async fn ranking(
    db: &mut Locked<'_>,
    class_id: &str,
    term_id: &str,
) -> ToolResult<Vec<RankedStudent>> {
    let rows: Vec<RankedRow> = db.all(results::RANKING, values![class_id, term_id]).await?;
    rows.into_iter()
        .map(|row| {
            Ok(RankedStudent {
                position: row.rank,
                student_id: row.student_id,
                student: row.student,
                average: number(row.average)?,
                grade: row.grade,
                subjects: row.subjects,
            })
        })
        .collect()
}

async fn by_subject(
    db: &mut Locked<'_>,
    class_id: &str,
    term_id: &str,
) -> ToolResult<Vec<SubjectRow>> {
    Ok(db.all(results::RESULTS_BY_SUBJECT, values![class_id, term_id]).await?)
}

async fn attendance(
    db: &mut Locked<'_>,
    statement: Statement,
    days: Vec<crate::db::Value>,
) -> ToolResult<AttendanceFigures> {
    let row: Option<AttendanceRow> = db.optional(statement, days).await?;
    Ok(row.map_or_else(AttendanceFigures::default, |row| AttendanceFigures {
        present: row.present,
        absent: row.absent,
        late: row.late,
    }))
}

/// The rows of one subject after the other, as the database sorted them.
fn subjects(rows: &[SubjectRow]) -> impl Iterator<Item = &[SubjectRow]> {
    rows.chunk_by(|one, next| one.subject_id == next.subject_id)
}

fn average_of(rows: &[SubjectRow]) -> ToolResult<Hundredths> {
    let averages: Vec<Hundredths> =
        rows.iter().map(|row| number(row.average)).collect::<ToolResult<_>>()?;
    Ok(average(averages).unwrap_or(Hundredths::ZERO))
}

fn figures(rows: &[SubjectRow]) -> ToolResult<Vec<SubjectFigures>> {
    let mut lines = Vec::new();
    for rows in subjects(rows) {
        let Some(best) = rows.first() else { continue };
        lines.push(SubjectFigures {
            subject: best.subject.clone(),
            students: count(rows.len()),
            average: average_of(rows)?,
            best: number(best.average)?,
            best_students: rows
                .iter()
                .take_while(|row| row.rank == best.rank)
                .map(|row| row.student.clone())
                .collect(),
        });
    }
    Ok(lines)
}

fn card(rows: &[SubjectRow], student_id: &str) -> ToolResult<Vec<StudentSubject>> {
    let mut lines = Vec::new();
    for rows in subjects(rows) {
        let Some(own) = rows.iter().find(|row| row.student_id == student_id) else { continue };
        lines.push(StudentSubject {
            subject: own.subject.clone(),
            average: number(own.average)?,
            grade: own.grade.clone(),
            position: own.rank,
            class_average: average_of(rows)?,
        });
    }
    Ok(lines)
}

/// By how much an average rose or fell: "+2.15", "-0.5", "0".
fn difference(before: Hundredths, now: Hundredths) -> String {
    let apart = Hundredths::new((now.get() - before.get()).abs()).unwrap_or(Hundredths::ZERO);
    match now.cmp(&before) {
        std::cmp::Ordering::Greater => format!("+{apart}"),
        std::cmp::Ordering::Less => format!("-{apart}"),
        std::cmp::Ordering::Equal => "0".to_owned(),
    }
}

fn not_computed(whose: &str, term: &str) -> ToolError {
    ToolError::refused(format!(
        "No results of {whose} are computed for {term}; recompute the results of the class first."
    ))
}

fn moment(microseconds: i64) -> ToolResult<Timestamp> {
    let at = jiff::Timestamp::from_microsecond(microseconds).ok();
    at.and_then(|at| Timestamp::try_from(at).ok())
        .ok_or_else(|| DbError::Stored("a moment that no clock shows").into())
}

fn count(of: usize) -> i64 {
    i64::try_from(of).unwrap_or(i64::MAX)
}
