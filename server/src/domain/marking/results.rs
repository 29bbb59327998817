//! Computing the results of a class in a term. The rule stands at [`ClassResults`] and in [`super::reckoning`].

use std::collections::BTreeMap;

use agent_contract::{Action, Hundredths, Resource, ToolError, ToolResult};
use sqlx::FromRow;
use tools::results::{ClassResults, EditResults};

use super::super::{School, TermRow, parts};
use super::assessments::{must_be_open, now, number, term_numbered};
use super::reckoning::{average, grade, percent, positions, weighted};
use super::scale::bands;
use crate::db::{
    Frame as _, Locked, Permitted, Place, Record, WriteFrame,
    statements::{Statement, classes, results},
    values,
};

/// A class as the bearer of results, which other people may see and compute than the class itself.
#[derive(Debug, FromRow)]
pub(super) struct ResultsOf {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) campus_id: String,
    pub(super) students: i64,
    assignment_ids: String,
}

impl Record for ResultsOf {
    const RESOURCE: Resource = Resource::Result;
    const WHAT: &'static str = "class";
    const FIND: Statement = classes::FIND_CLASS;

    fn id(&self) -> &str {
        &self.id
    }

    fn places(&self) -> Vec<Place> {
        vec![Place {
            campus_id: Some(self.campus_id.clone()),
            class_id: Some(self.id.clone()),
            assignment_ids: parts(&self.assignment_ids),
        }]
    }
}

#[derive(FromRow)]
struct CountedMark {
    student_id: String,
    subject_id: String,
    score: i64,
    maximum: i64,
    weight: i64,
}

#[derive(FromRow)]
struct Student {
    id: String,
    name: String,
}

#[derive(FromRow)]
struct Assessed {
    counting: i64,
    still_open: i64,
}

/// What was computed, before it is written down.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Computed {
    /// By student.
    pub(super) students: Vec<StudentResult>,
    /// By student and subject.
    pub(super) subjects: Vec<SubjectResult>,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct StudentResult {
    pub(super) student_id: String,
    pub(super) average: Hundredths,
    pub(super) grade: String,
    pub(super) position: i64,
    pub(super) subjects: i64,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct SubjectResult {
    pub(super) student_id: String,
    pub(super) subject_id: String,
    pub(super) average: Hundredths,
    pub(super) grade: String,
    pub(super) position: i64,
}

impl EditResults for School<WriteFrame> {
    async fn recompute(
        &self,
        class_id: String,
        term_number: Option<i64>,
    ) -> ToolResult<ClassResults> {
        let mut db = self.frame.session().lock().await;
        let found = db.find::<ResultsOf>(&class_id).await?;
        let class = db.authorize(Action::Update, found)?;
        let term = term_numbered(&mut db, &class.campus_id, term_number).await?;
        must_be_open(&term)?;
        recomputed(&mut db, &class, &term).await
    }
}

async fn recomputed(
    db: &mut Locked<'_>,
    class: &Permitted<ResultsOf>,
    term: &TermRow,
) -> ToolResult<ClassResults> {
    let computed = compute(db, &class.id, &term.id, term.term_number).await?;
    if computed.students.is_empty() {
        return Err(ToolError::refused(format!(
            "{} has no published marks in {}, so there is nothing to compute.",
            class.name, term.name
        )));
    }
    let students: Vec<Student> = db.all(results::STUDENTS_OF_CLASS, values![&class.id]).await?;
    let has = |id: &str| computed.students.iter().any(|result| result.student_id == id);
    let assessed: Option<Assessed> =
        db.optional(results::ASSESSMENTS_IN_TERM, values![&class.id, &term.id]).await?;
    let (assessments, still_open) = assessed.map_or((0, 0), |row| (row.counting, row.still_open));
    Ok(ClassResults {
        class_id: class.id.clone(),
        class_name: class.name.clone(),
        term: term.name.clone(),
        assessments,
        still_open,
        ranked: i64::try_from(computed.students.len()).unwrap_or(i64::MAX),
        without_marks: students
            .into_iter()
            .filter(|student| !has(&student.id))
            .map(|student| student.name)
            .collect(),
    })
}

/// Computes the results of a class in a term and keeps them in place of the earlier ones. Whether the caller may is
/// settled before.
pub(crate) async fn compute(
    db: &mut Locked<'_>,
    class_id: &str,
    term_id: &str,
    term_number: i64,
) -> ToolResult<Computed> {
    // Of two computations at once, the second waits here and then reads what the first wrote.
    let held = values![db.school(), class_id, term_id, now()];
    db.execute(results::HOLD_RESULTS, held).await?;
    let marks: Vec<CountedMark> =
        db.all(results::MARKS_THAT_COUNT, values![class_id, term_number]).await?;
    let bands = bands(db).await?;
    let computed = from_marks(&marks, |average| grade(average, &bands))?;
    let of = |db: &Locked<'_>| values![db.school(), class_id, term_id];
    db.execute(results::CLEAR_SUBJECT_RESULTS, of(db)).await?;
    db.execute(results::CLEAR_STUDENT_RESULTS, of(db)).await?;
    for result in &computed.students {
        let mut row = of(db);
        row.extend(values![
            &result.student_id,
            result.average.get(),
            &result.grade,
            result.position,
            result.subjects,
        ]);
        db.execute(results::ADD_STUDENT_RESULT, row).await?;
    }
    for result in &computed.subjects {
        let mut row = of(db);
        row.extend(values![
            &result.student_id,
            &result.subject_id,
            result.average.get(),
            &result.grade,
            result.position,
        ]);
        db.execute(results::ADD_SUBJECT_RESULT, row).await?;
    }
    Ok(computed)
}

fn from_marks(marks: &[CountedMark], grade: impl Fn(Hundredths) -> String) -> ToolResult<Computed> {
    // By subject and student, the percentages with their weights.
    let mut parts: BTreeMap<&str, BTreeMap<&str, Vec<(Hundredths, i64)>>> = BTreeMap::new();
    for mark in marks {
        let part = percent(number(mark.score)?, number(mark.maximum)?);
        let of_subject = parts.entry(&mark.subject_id).or_default();
        of_subject.entry(&mark.student_id).or_default().push((part, mark.weight));
    }
    let mut computed = Computed::default();
    let mut by_student: BTreeMap<&str, Vec<Hundredths>> = BTreeMap::new();
    for (subject_id, students) in parts {
        let averages: Vec<(&str, Hundredths)> = students
            .into_iter()
            .filter_map(|(student_id, parts)| Some((student_id, weighted(parts)?)))
            .collect();
        let positions = positions(&averages);
        for (student_id, average) in averages {
            by_student.entry(student_id).or_default().push(average);
            computed.subjects.push(SubjectResult {
                student_id: student_id.to_owned(),
                subject_id: subject_id.to_owned(),
                average,
                grade: grade(average),
                position: positions[student_id],
            });
        }
    }
    let averages: Vec<(&str, Hundredths)> = by_student
        .iter()
        .filter_map(|(student_id, averages)| {
            Some((*student_id, average(averages.iter().copied())?))
        })
        .collect();
    let positions = positions(&averages);
    computed.students = averages
        .into_iter()
        .map(|(student_id, average)| StudentResult {
            student_id: student_id.to_owned(),
            average,
            grade: grade(average),
            position: positions[student_id],
            subjects: i64::try_from(by_student[student_id].len()).unwrap_or(i64::MAX),
        })
        .collect();
    Ok(computed)
}
