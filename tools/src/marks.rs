//! Marks: the teacher of a subject in a class records and corrects them; those who may see the class read them.
//!
//! Whoever writes proves first that they teach the subject of the assessment in its class. Recording never replaces a
//! mark that is there: a correction is a change of one mark, and names the version that it corrects.

use std::future::Future;

use agent_contract::{
    AuditSubject, Hundredths, Owned, Proof, ProveRelation, Relation, Subject, ToolArgs, ToolCx,
    ToolResult, Version, agent_tool,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::assessments::AssessmentState;

/// What one student got in one assessment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Mark {
    /// Id of the assessment.
    pub assessment_id: String,
    /// Id of the student.
    pub student_id: String,
    /// Full name of the student.
    pub student: String,
    /// The mark; none for a student who was absent or is not marked yet. That is not a zero.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<Hundredths>,
    /// The mark as a percentage of the maximum.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub percent: Option<Hundredths>,
    /// Whether there is a mark, and if not, why.
    pub standing: MarkStanding,
    /// Counts its changes, say it again to correct the mark; none for a student who is not marked yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<Version>,
}

impl AuditSubject for Mark {
    fn subjects(&self) -> Vec<Subject> {
        vec![Subject::new("mark", format!("{}/{}", self.assessment_id, self.student_id))]
    }
}

/// Whether a student has a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MarkStanding {
    /// Has a mark.
    Marked,
    /// Did not sit it.
    Absent,
    /// Nothing is recorded yet.
    Missing,
}

/// The marks of one assessment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MarkList {
    /// Display name of the assessment.
    pub assessment: String,
    /// Display name of the class.
    pub class_name: String,
    /// Display name of the subject.
    pub subject: String,
    /// Display name of the term.
    pub term: String,
    /// The mark for a flawless paper.
    pub maximum: Hundredths,
    /// How far the assessment has come.
    pub state: AssessmentState,
    /// The average of those who have a mark, as a percentage.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub average: Option<Hundredths>,
    /// One line a student of the class, by name.
    pub marks: Vec<Mark>,
}

/// What came of recording marks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, AuditSubject)]
#[serde(rename_all = "camelCase")]
#[audit(kind = "assessment")]
pub struct MarksRecorded {
    /// Id of the assessment.
    #[audit(id)]
    pub assessment_id: String,
    /// Display name of the assessment.
    pub assessment: String,
    /// Display name of the class.
    pub class_name: String,
    /// Display name of the subject.
    pub subject: String,
    /// Students who got a mark, or were recorded as absent, by this call.
    pub recorded: i64,
    /// Students who had exactly this already.
    pub unchanged: i64,
    /// Names of the students of the class who still have neither.
    pub missing: Vec<String>,
}

/// All assessments of one subject in one class and term, with every student's average so far.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MarkSheet {
    /// Display name of the class.
    pub class_name: String,
    /// Display name of the subject.
    pub subject: String,
    /// Display name of the term.
    pub term: String,
    /// Names of the assessments, in the order of their days; the scores of a line follow it.
    pub assessments: Vec<String>,
    /// One line a student of the class, by name.
    pub lines: Vec<MarkSheetLine>,
}

/// One student's line of a mark sheet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MarkSheetLine {
    /// Id of the student.
    pub student_id: String,
    /// Full name of the student.
    pub student: String,
    /// The score in each assessment, e.g. "31.5 of 40", "absent", or "-" where nothing is recorded.
    pub scores: Vec<String>,
    /// Weighted average of what has a mark, open assessments included, as a percentage.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub average: Option<Hundredths>,
    /// The grade of that average.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grade: Option<String>,
}

/// What is to be recorded for one student.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct NewMark {
    /// Id of the student.
    #[arg(lookup = find_students)]
    pub student_id: String,
    /// The mark; leave out for a student who was absent.
    #[serde(default)]
    pub score: Option<Hundredths>,
}

/// What reading marks needs of the domain.
pub trait Marks: Send + Sync {
    /// The marks of an assessment that the caller may see, a line for each student of its class.
    fn marks(&self, assessment_id: String) -> impl Future<Output = ToolResult<MarkList>> + Send;
}

/// What reading the mark sheet of one's own subject needs of the domain.
pub trait OwnMarkSheet: ProveRelation {
    /// The sheet of the class and subject that the proof names; of the current term if none is given.
    fn mark_sheet(
        &self,
        proof: &Proof,
        term_number: Option<i64>,
    ) -> impl Future<Output = ToolResult<MarkSheet>> + Send;
}

/// What recording marks needs of the domain.
pub trait RecordOwnMarks: ProveRelation {
    /// Records marks in the assessment that the proof names, all or none; a mark that is there and
    /// differs is refused, and never replaced.
    fn record_marks(
        &self,
        proof: &Proof,
        marks: Vec<NewMark>,
    ) -> impl Future<Output = ToolResult<MarksRecorded>> + Send;

    /// Adds one mark in the assessment that the proof names.
    fn add_mark(
        &self,
        proof: &Proof,
        mark: NewMark,
    ) -> impl Future<Output = ToolResult<Mark>> + Send;

    /// Corrects one mark in the assessment that the proof names, if it is still at this version.
    fn update_mark(
        &self,
        proof: &Proof,
        mark: NewMark,
        version: Version,
    ) -> impl Future<Output = ToolResult<Mark>> + Send;
}

/// What the model supplies to record marks.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct RecordMarks {
    /// Id of the assessment.
    #[arg(lookup = find_assessments)]
    pub assessment_id: String,
    /// One entry a student; leave out students who are to be marked later.
    #[schemars(length(min = 1, max = 200))]
    pub marks: Vec<NewMark>,
}

/// Record the marks of an assessment, as many students at once as are known. Only who teaches the subject can.
#[agent_tool(
    scope = general,
    posture = relationship,
    roles = [SubjectTeacher],
    label = "Recording marks",
    say = ["record [the] marks (of|for|in) [the] [assessment] {assessment_id}"],
    examples = [
        {
            assessment_id: "naalya-assessment-s1-east-eng-unit-2",
            marks: [
                { student_id: "naalya-student-001", score: 67.5 },
                { student_id: "naalya-student-002", score: 81 },
                { student_id: "naalya-student-003" },
            ],
        },
    ],
)]
pub async fn record_marks(
    cx: &ToolCx<impl RecordOwnMarks>,
    args: RecordMarks,
) -> ToolResult<Owned<MarksRecorded>> {
    let proof = cx.prove(Relation::Assesses { assessment_id: args.assessment_id }).await?;
    let recorded = cx.services().record_marks(&proof, args.marks).await?;
    Ok(Owned::new(proof, recorded))
}

/// What the model supplies to add one mark.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct AddMark {
    /// Id of the assessment.
    #[arg(lookup = find_assessments)]
    pub assessment_id: String,
    /// Id of the student.
    #[arg(lookup = find_students)]
    pub student_id: String,
    /// The mark.
    pub score: Hundredths,
}

/// Add the mark of one student in an assessment. Only who teaches the subject can.
#[agent_tool(
    scope = general,
    posture = relationship,
    roles = [SubjectTeacher],
    label = "Adding a mark",
    say = [
        "(give|record) {student_id} [a] {score} in [the] [assessment] {assessment_id}",
        "add [a|the] mark [of] {score} for {student_id} in [the] [assessment] {assessment_id}",
        "{student_id} (got|scored|has) {score} in [the] [assessment] {assessment_id}",
    ],
    examples = [
        {
            assessment_id: "naalya-assessment-s1-east-eng-unit-2",
            student_id: "naalya-student-004",
            score: 58,
        },
    ],
)]
pub async fn add_mark(cx: &ToolCx<impl RecordOwnMarks>, args: AddMark) -> ToolResult<Owned<Mark>> {
    let AddMark { assessment_id, student_id, score } = args;
    let proof = cx.prove(Relation::Assesses { assessment_id }).await?;
    let mark = NewMark { student_id, score: Some(score) };
    let added = cx.services().add_mark(&proof, mark).await?;
    Ok(Owned::new(proof, added))
}

/// What the model supplies to correct a mark.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct UpdateMark {
    /// Id of the assessment.
    #[arg(lookup = find_assessments)]
    pub assessment_id: String,
    /// Id of the student.
    #[arg(lookup = find_students)]
    pub student_id: String,
    /// Version of the mark as it was read; the correction is refused if somebody else changed it since.
    pub version: Version,
    /// The right mark; leave out for a student who was absent.
    #[serde(default)]
    pub score: Option<Hundredths>,
}

/// Correct one mark of an assessment that is not closed. List the marks first to know its version.
#[agent_tool(
    scope = general,
    posture = relationship,
    roles = [SubjectTeacher],
    label = "Updating a mark",
    say = [
        "(correct|change) [the] mark of {student_id} in [the] [assessment] {assessment_id} from version {version} to {score}",
    ],
    examples = [
        {
            assessment_id: "naalya-assessment-s1-east-eng-mid-2",
            student_id: "naalya-student-001",
            version: 1,
            score: 71.5,
        },
    ],
)]
pub async fn update_mark(
    cx: &ToolCx<impl RecordOwnMarks>,
    args: UpdateMark,
) -> ToolResult<Owned<Mark>> {
    let UpdateMark { assessment_id, student_id, version, score } = args;
    let proof = cx.prove(Relation::Assesses { assessment_id }).await?;
    let updated = cx.services().update_mark(&proof, NewMark { student_id, score }, version).await?;
    Ok(Owned::new(proof, updated))
}

/// What the model supplies to list marks.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct ListMarks {
    /// Id of the assessment.
    #[arg(lookup = find_assessments)]
    pub assessment_id: String,
}

/// List the marks of an assessment, a line for each student of the class, marked or not.
#[agent_tool(
    scope = general,
    posture = casl(Read, Mark),
    roles = [Rover, SubjectTeacher, ClassTeacher, DirectorOfStudies],
    label = "Listing marks",
    say = [
        "list [all] [the] marks (of|for|in) [the] [assessment] {assessment_id}",
        "(show|give) me [all] [the] marks (of|for|in) [the] {assessment_id}",
    ],
    examples = [{ assessment_id: "naalya-assessment-s1-east-eng-mid-2" }],
)]
pub async fn list_marks(cx: &ToolCx<impl Marks>, args: ListMarks) -> ToolResult<MarkList> {
    cx.services().marks(args.assessment_id).await
}

/// What the model supplies to get a mark sheet.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct GetMarkSheet {
    /// Id of the class.
    #[arg(lookup = find_classes)]
    pub class_id: String,
    /// Id of the subject.
    #[arg(lookup = find_subjects)]
    pub subject_id: String,
    /// Number of the term in the current year; leave out for the current term.
    #[serde(default)]
    #[schemars(range(min = 1, max = 4))]
    pub term_number: Option<i64>,
}

/// Get the mark sheet of a subject that the person teaches in a class: all its assessments and averages so far.
#[agent_tool(
    scope = general,
    posture = relationship,
    roles = [SubjectTeacher],
    label = "Getting a mark sheet",
    say = [
        "(show|give) [me] [the|my] mark sheet (of|for) {subject_id} in [class] {class_id}",
        "(show|give) [me] [the|my] {subject_id} mark sheet (of|for) [class] {class_id}",
    ],
    examples = [{ class_id: "naalya-class-s1-east", subject_id: "naalya-subject-eng" }],
)]
pub async fn get_mark_sheet(
    cx: &ToolCx<impl OwnMarkSheet>,
    args: GetMarkSheet,
) -> ToolResult<Owned<MarkSheet>> {
    let GetMarkSheet { class_id, subject_id, term_number } = args;
    let proof = cx.prove(Relation::TeachesSubject { class_id, subject_id }).await?;
    let sheet = cx.services().mark_sheet(&proof, term_number).await?;
    Ok(Owned::new(proof, sheet))
}
