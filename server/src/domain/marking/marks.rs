//! Marks of one assessment. The assessment comes from the proof and never from an argument, so no mark of a subject that
//! somebody else teaches can be touched.

use std::collections::{BTreeMap, BTreeSet};

use agent_contract::{Hundredths, Proof, Relation, ToolError, ToolResult, Version};
use sqlx::FromRow;
use tools::marks::{
    Mark, MarkList, MarkSheet, MarkSheetLine, MarkStanding, Marks, MarksRecorded, NewMark,
    OwnMarkSheet, RecordOwnMarks,
};

use super::super::{School, calendar::day, classes::ClassRow, relations, school::today, version};
use super::assessments::{AssessmentRow, must_be_open, now, number, own, term_numbered, term_of};
use super::reckoning::{average, grade, percent, weighted};
use super::scale::bands;
use crate::db::{
    DbError, Frame, Locked, WriteFrame,
    statements::{classes, marks},
    values,
};

/// A student of an assessment's class, with their mark if there is one.
#[derive(Debug, Clone, FromRow)]
struct MarkRow {
    student_id: String,
    student: String,
    score: Option<i64>,
    recorded: bool,
    version: i64,
}

impl MarkRow {
    fn score(&self) -> ToolResult<Option<Hundredths>> {
        self.score.map(number).transpose()
    }

    fn shown(&self, assessment: &AssessmentRow) -> ToolResult<Mark> {
        let score = self.score()?;
        let maximum = assessment.maximum()?;
        Ok(Mark {
            assessment_id: assessment.id.clone(),
            student_id: self.student_id.clone(),
            student: self.student.clone(),
            score,
            percent: score.map(|score| percent(score, maximum)),
            standing: match (self.recorded, score) {
                (false, _) => MarkStanding::Missing,
                (true, None) => MarkStanding::Absent,
                (true, Some(_)) => MarkStanding::Marked,
            },
            version: if self.recorded { Some(version::stored(self.version)?) } else { None },
        })
    }
}

impl<F: Frame> Marks for School<F> {
    async fn marks(&self, assessment_id: String) -> ToolResult<MarkList> {
        let mut db = self.frame.session().lock().await;
        let assessment = db.find::<AssessmentRow>(&assessment_id).await?;
        let visible = db.visible(marks::MARKS)?;
        let rows: Vec<MarkRow> = db.list(visible, values![&assessment.id]).await?;
        let marks: Vec<Mark> =
            rows.iter().map(|row| row.shown(&assessment)).collect::<ToolResult<_>>()?;
        Ok(MarkList {
            assessment: assessment.name.clone(),
            class_name: assessment.class_name.clone(),
            subject: assessment.subject.clone(),
            term: assessment.term.clone(),
            maximum: assessment.maximum()?,
            state: assessment.state()?,
            average: average(marks.iter().filter_map(|mark| mark.percent)),
            marks,
        })
    }
}

impl<F: Frame> OwnMarkSheet for School<F> {
    async fn mark_sheet(&self, proof: &Proof, term_number: Option<i64>) -> ToolResult<MarkSheet> {
        let Relation::TeachesSubject { class_id, subject_id } = proof.relation() else {
            return Err(relations::wrong_proof());
        };
        let mut db = self.frame.session().lock().await;
        let class: Option<ClassRow> = db.optional(classes::FIND_CLASS, values![class_id]).await?;
        let class = class.ok_or_else(|| ToolError::not_found("class"))?;
        let term = term_numbered(&mut db, &class.campus_id, term_number).await?;
        let values = values![class_id, subject_id, &term.id];
        let assessments: Vec<AssessmentRow> = db.all(marks::ASSESSMENTS_OF, values).await?;
        let Some(first) = assessments.first() else {
            return Err(ToolError::refused(format!(
                "{} has no assessment in this subject in {}.",
                class.name, term.name
            )));
        };
        let mut lines = Lines::default();
        for (column, assessment) in assessments.iter().enumerate() {
            let rows: Vec<MarkRow> = db.all(marks::MARKS_OF, values![&assessment.id]).await?;
            lines.add(column, assessment, &rows)?;
        }
        let bands = bands(&mut db).await?;
        Ok(MarkSheet {
            class_name: class.name.clone(),
            subject: first.subject.clone(),
            term: term.name,
            assessments: assessments.iter().map(|assessment| assessment.name.clone()).collect(),
            lines: lines.into_lines(assessments.len(), |average| grade(average, &bands)),
        })
    }
}

impl RecordOwnMarks for School<WriteFrame> {
    async fn record_marks(&self, proof: &Proof, marks: Vec<NewMark>) -> ToolResult<MarksRecorded> {
        let mut db = self.frame.session().lock().await;
        let (assessment, roll) = to_mark(&mut db, proof).await?;
        let (mut fresh, mut seen) = (Vec::new(), BTreeSet::new());
        for mark in &marks {
            let row = of_roll(&roll, mark)?;
            if !seen.insert(&mark.student_id) {
                return Err(ToolError::refused(format!("{} is named twice.", row.student)));
            }
            fits(&assessment, mark.score)?;
            if !row.recorded {
                fresh.push(mark);
            } else if row.score()? != mark.score {
                return Err(marked_already(&assessment, row)?);
            }
        }
        for mark in &fresh {
            add(&mut db, proof, &assessment, mark).await?;
        }
        Ok(MarksRecorded {
            missing: roll
                .values()
                .filter(|row| !row.recorded && !seen.contains(&row.student_id))
                .map(|row| row.student.clone())
                .collect(),
            assessment_id: assessment.id,
            assessment: assessment.name,
            class_name: assessment.class_name,
            subject: assessment.subject,
            recorded: count(fresh.len()),
            unchanged: count(marks.len() - fresh.len()),
        })
    }

    async fn add_mark(&self, proof: &Proof, mark: NewMark) -> ToolResult<Mark> {
        let mut db = self.frame.session().lock().await;
        let (assessment, roll) = to_mark(&mut db, proof).await?;
        let row = of_roll(&roll, &mark)?;
        fits(&assessment, mark.score)?;
        if row.recorded {
            return Err(marked_already(&assessment, row)?);
        }
        add(&mut db, proof, &assessment, &mark).await?;
        reread(&mut db, &assessment, &mark).await
    }

    async fn update_mark(
        &self,
        proof: &Proof,
        mark: NewMark,
        version: Version,
    ) -> ToolResult<Mark> {
        let mut db = self.frame.session().lock().await;
        let (assessment, roll) = to_mark(&mut db, proof).await?;
        let row = of_roll(&roll, &mark)?;
        fits(&assessment, mark.score)?;
        if !row.recorded {
            return Err(ToolError::refused(format!(
                "{} has no mark in {} yet, so there is none to correct.",
                row.student, assessment.name
            )));
        }
        let what = format!("{} in {}", row.student, assessment.name);
        version::unchanged("mark of", &what, row.version, Some(version))?;
        let rows = correct(&mut db, proof, &assessment, &mark, version).await?;
        version::written(rows, "mark of", &what)?;
        reread(&mut db, &assessment, &mark).await
    }
}

fn count(students: usize) -> i64 {
    i64::try_from(students).unwrap_or(i64::MAX)
}

/// The assessment that the proof names, held so that nobody closes it meanwhile, and the students of its class.
async fn to_mark(
    db: &mut Locked<'_>,
    proof: &Proof,
) -> ToolResult<(AssessmentRow, BTreeMap<String, MarkRow>)> {
    let assessment = own(db, proof).await?;
    assessment.still_changes()?;
    term_of(db, &assessment).await.and_then(|term| must_be_open(&term))?;
    let held_on = day(&assessment.on_date)?;
    if held_on > today(db).await? {
        return Err(ToolError::refused(format!(
            "{} is held on {held_on}, so there is nothing to mark yet.",
            assessment.name
        )));
    }
    if db.execute(marks::HOLD_ASSESSMENT, values![db.school(), &assessment.id, now()]).await? != 1 {
        return Err(ToolError::stale(format!(
            "Somebody closed {} at the same moment.",
            assessment.name
        )));
    }
    let rows: Vec<MarkRow> = db.all(marks::MARKS_OF, values![&assessment.id]).await?;
    let roll = rows.into_iter().map(|row| (row.student_id.clone(), row)).collect();
    Ok((assessment, roll))
}

fn of_roll<'r>(roll: &'r BTreeMap<String, MarkRow>, mark: &NewMark) -> ToolResult<&'r MarkRow> {
    roll.get(&mark.student_id).ok_or_else(|| ToolError::NotFound {
        what: "student of this class",
        id: Some(mark.student_id.clone()),
    })
}

fn fits(assessment: &AssessmentRow, score: Option<Hundredths>) -> ToolResult<()> {
    let maximum = assessment.maximum()?;
    match score {
        Some(score) if score > maximum => Err(ToolError::refused(format!(
            "{} is marked out of {maximum}, so nobody can have {score}.",
            assessment.name
        ))),
        _ => Ok(()),
    }
}

/// What refuses to replace a mark. It is the error itself, unless the stored mark cannot be read.
fn marked_already(assessment: &AssessmentRow, row: &MarkRow) -> ToolResult<ToolError> {
    let there = match row.score()? {
        Some(score) => format!("already has {score} in {}", assessment.name),
        None => format!("is recorded as absent from {}", assessment.name),
    };
    Ok(ToolError::conflict(format!(
        "{} {there}; nothing was recorded. Correct that mark on its own, with its version {}.",
        row.student, row.version
    )))
}

async fn add(
    db: &mut Locked<'_>,
    proof: &Proof,
    assessment: &AssessmentRow,
    mark: &NewMark,
) -> ToolResult<()> {
    let recorder = marker(db, proof)?;
    let score = mark.score.map(Hundredths::get);
    let values = values![db.school(), &assessment.id, &mark.student_id, score, recorder, now()];
    db.execute(marks::ADD_MARK, values).await.map_err(|error| match error {
        DbError::Duplicate(_) => ToolError::stale(
            "Somebody else marked the same student at the same moment; look again first.",
        ),
        other => other.into(),
    })?;
    Ok(())
}

async fn correct(
    db: &mut Locked<'_>,
    proof: &Proof,
    assessment: &AssessmentRow,
    mark: &NewMark,
    version: Version,
) -> ToolResult<u64> {
    let recorder = marker(db, proof)?;
    let score = mark.score.map(Hundredths::get);
    let values = values![
        db.school(),
        &assessment.id,
        &mark.student_id,
        version.number(),
        score,
        recorder,
        now(),
    ];
    Ok(db.execute(marks::UPDATE_MARK, values).await?)
}

/// Whoever was proved to teach the subject.
fn marker(db: &Locked<'_>, proof: &Proof) -> ToolResult<String> {
    match proof.relation() {
        Relation::Assesses { .. } => Ok(db.live_caller()?.profile_id.clone()),
        _ => Err(relations::wrong_proof()),
    }
}

async fn reread(
    db: &mut Locked<'_>,
    assessment: &AssessmentRow,
    mark: &NewMark,
) -> ToolResult<Mark> {
    let rows: Vec<MarkRow> = db.all(marks::MARKS_OF, values![&assessment.id]).await?;
    let row = rows.into_iter().find(|row| row.student_id == mark.student_id);
    row.ok_or_else(|| ToolError::not_found("mark"))?.shown(assessment)
}

/// The lines of a mark sheet, filled column by column.
#[derive(Default)]
struct Lines(BTreeMap<(String, String), Line>);

#[derive(Default)]
struct Line {
    scores: BTreeMap<usize, String>,
    parts: Vec<(Hundredths, i64)>,
}

impl Lines {
    fn add(
        &mut self,
        column: usize,
        assessment: &AssessmentRow,
        rows: &[MarkRow],
    ) -> ToolResult<()> {
        let maximum = assessment.maximum()?;
        for row in rows {
            let line = self.0.entry((row.student.clone(), row.student_id.clone())).or_default();
            match row.score()? {
                Some(score) => {
                    line.scores.insert(column, format!("{score} of {maximum}"));
                    line.parts.push((percent(score, maximum), assessment.weight));
                }
                None if row.recorded => {
                    line.scores.insert(column, "absent".to_owned());
                }
                None => {}
            }
        }
        Ok(())
    }

    fn into_lines(
        self,
        columns: usize,
        grade: impl Fn(Hundredths) -> String,
    ) -> Vec<MarkSheetLine> {
        self.0
            .into_iter()
            .map(|((student, student_id), Line { mut scores, parts })| {
                let average = weighted(parts);
                MarkSheetLine {
                    student_id,
                    student,
                    scores: (0..columns)
                        .map(|column| scores.remove(&column).unwrap_or_else(|| "-".to_owned()))
                        .collect(),
                    average,
                    grade: average.map(&grade),
                }
            })
            .collect()
    }
}
