//! Results of a term: averages, grades and positions, computed from what was published, and the reports on them.
//!
//! How they are computed is said at [`ClassResults`]; computing again gives the same.

use std::future::Future;

use agent_contract::{
    AuditSubject, Hundredths, Timestamp, ToolArgs, ToolCx, ToolResult, agent_tool,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What came of computing the results of a class in a term.
///
/// Each score becomes a percentage of its maximum. The average of a subject is the weighted average of the student's
/// percentages in its published and closed assessments, the average of the student that of their subjects; each of the
/// three is rounded to the nearest hundredth, a half upwards. A missing mark and an absence count nowhere and are no
/// zero. Students with the same average share a position, and the positions that they fill are skipped: 1, 2, 2, 4.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, AuditSubject)]
#[serde(rename_all = "camelCase")]
#[audit(kind = "class_results")]
pub struct ClassResults {
    /// Id of the class.
    #[audit(id)]
    pub class_id: String,
    /// Display name of the class.
    pub class_name: String,
    /// Display name of the term.
    pub term: String,
    /// Assessments that count.
    pub assessments: i64,
    /// Assessments that do not count because they are still open.
    pub still_open: i64,
    /// Students who have a position.
    pub ranked: i64,
    /// Names of the students of the class without any mark that counts.
    pub without_marks: Vec<String>,
}

/// A class in a term.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ClassReport {
    /// Id of the class.
    pub class_id: String,
    /// Display name of the class.
    pub class_name: String,
    /// Display name of the term.
    pub term: String,
    /// Students enrolled now.
    pub students: i64,
    /// When the results were computed.
    pub computed_at: Timestamp,
    /// Whether a mark or an assessment changed since; recompute the results before anybody relies on them.
    pub out_of_date: bool,
    /// Average of all students who have a position.
    pub average: Hundredths,
    /// One line a subject, by name.
    pub subjects: Vec<SubjectFigures>,
    /// The students by position.
    pub ranking: Vec<RankedStudent>,
    /// Attendance of the class in the term.
    pub attendance: AttendanceFigures,
}

/// One subject of a class in a term.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SubjectFigures {
    /// Display name of the subject.
    pub subject: String,
    /// Students who have a result in it.
    pub students: i64,
    /// Their average.
    pub average: Hundredths,
    /// The best average.
    pub best: Hundredths,
    /// Who has it; several names if it is shared.
    pub best_students: Vec<String>,
}

/// A student's place in a class.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RankedStudent {
    /// The position; shared by students of the same average.
    pub position: i64,
    /// Id of the student.
    pub student_id: String,
    /// Full name of the student.
    pub student: String,
    /// Average of the student's subjects.
    pub average: Hundredths,
    /// The grade of that average.
    pub grade: String,
    /// Subjects in which the student has a result.
    pub subjects: i64,
}

/// Days of attendance, added up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AttendanceFigures {
    /// Times present.
    pub present: i64,
    /// Times absent.
    pub absent: i64,
    /// Times late.
    pub late: i64,
}

/// A student in a term: what a report card says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StudentReport {
    /// Id of the student.
    pub student_id: String,
    /// Full name of the student.
    pub student: String,
    /// The school's own number for the student.
    pub admission_number: String,
    /// Display name of the class.
    pub class_name: String,
    /// Display name of the term.
    pub term: String,
    /// Average of the student's subjects.
    pub average: Hundredths,
    /// The grade of that average.
    pub grade: String,
    /// Position in the class.
    pub position: i64,
    /// Students who have a position in the class.
    pub ranked: i64,
    /// Position in the year group of the campus, as far as the results of its streams are computed.
    pub year_group_position: i64,
    /// Students who have a position in the year group.
    pub year_group_ranked: i64,
    /// One line a subject, by name.
    pub subjects: Vec<StudentSubject>,
    /// Attendance of the student in the term.
    pub attendance: AttendanceFigures,
    /// When the results were computed.
    pub computed_at: Timestamp,
    /// Whether a mark or an assessment changed since; recompute the results before anybody relies on them.
    pub out_of_date: bool,
}

/// One subject on a report card.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StudentSubject {
    /// Display name of the subject.
    pub subject: String,
    /// The student's average in it.
    pub average: Hundredths,
    /// The grade of that average.
    pub grade: String,
    /// Position in the class in this subject.
    pub position: i64,
    /// Average of the class in it.
    pub class_average: Hundredths,
}

/// A class in one of the terms that are compared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TermFigures {
    /// Display name of the term.
    pub term: String,
    /// Students who have a position.
    pub ranked: i64,
    /// Their average.
    pub average: Hundredths,
    /// How the average differs from that of the term before, e.g. "+2.15"; none for the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub change: Option<String>,
    /// One line a subject, by name.
    pub subjects: Vec<SubjectFigures>,
}

/// What reading results needs of the domain.
pub trait Results: Send + Sync {
    /// The report of a class; of the current term if none is given.
    fn class_report(
        &self,
        class_id: String,
        term_number: Option<i64>,
    ) -> impl Future<Output = ToolResult<ClassReport>> + Send;

    /// The report of one student; of the current term if none is given.
    fn student_report(
        &self,
        student_id: String,
        term_number: Option<i64>,
    ) -> impl Future<Output = ToolResult<StudentReport>> + Send;

    /// A class in each term of the year whose results are computed, in order.
    fn compare_terms(
        &self,
        class_id: String,
    ) -> impl Future<Output = ToolResult<Vec<TermFigures>>> + Send;
}

/// What computing results needs of the domain.
pub trait EditResults: Results {
    /// Computes the results of a class anew and keeps them in place of the earlier ones.
    fn recompute(
        &self,
        class_id: String,
        term_number: Option<i64>,
    ) -> impl Future<Output = ToolResult<ClassResults>> + Send;
}

/// What the model supplies to recompute results.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct RecomputeClassResults {
    /// Id of the class.
    #[arg(lookup = find_classes)]
    pub class_id: String,
    /// Number of the term in the current year; leave out for the current term.
    #[serde(default)]
    #[schemars(range(min = 1, max = 4))]
    pub term_number: Option<i64>,
}

/// Compute the averages, grades and positions of a class in a term anew, from the assessments that are published.
#[agent_tool(
    scope = general,
    posture = casl(Update, Result),
    roles = [Rover, ClassTeacher, DirectorOfStudies],
    label = "Recomputing results",
    say = [
        "recompute [the] results of [class] {class_id}",
        "recompute [the] results of [class] {class_id} (for|in) term {term_number}",
        "(calculate|compute) [the] results of [class] {class_id}",
    ],
    examples = [
        { class_id: "naalya-class-s1-east" },
        { class_id: "naalya-class-s1-east", term_number: 1 },
    ],
)]
pub async fn recompute_class_results(
    cx: &ToolCx<impl EditResults>,
    args: RecomputeClassResults,
) -> ToolResult<ClassResults> {
    cx.services().recompute(args.class_id, args.term_number).await
}

/// What the model supplies to get a class report.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct GetClassReport {
    /// Id of the class.
    #[arg(lookup = find_classes)]
    pub class_id: String,
    /// Number of the term in the current year; leave out for the current term.
    #[serde(default)]
    #[schemars(range(min = 1, max = 4))]
    pub term_number: Option<i64>,
}

/// Get the report of a class in a term: averages and best students by subject, the ranking, and attendance.
#[agent_tool(
    scope = general,
    posture = casl(Read, Result),
    roles = [Rover, ClassTeacher, DirectorOfStudies],
    label = "Getting a class report",
    say = [
        "(show|give|get) [me] [the] (class report|results) of [class] {class_id}",
        "(show|give) [me] [the] (class report|results) of {class_id} (for|in) term {term_number}",
        "how did [class] {class_id} do [this term]",
        "who is (first|best) in [class] {class_id}",
    ],
    examples = [{ class_id: "naalya-class-s1-east" }],
)]
pub async fn get_class_report(
    cx: &ToolCx<impl Results>,
    args: GetClassReport,
) -> ToolResult<ClassReport> {
    cx.services().class_report(args.class_id, args.term_number).await
}

/// What the model supplies to get a student report.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct GetStudentReport {
    /// Id of the student.
    #[arg(lookup = find_students)]
    pub student_id: String,
    /// Number of the term in the current year; leave out for the current term.
    #[serde(default)]
    #[schemars(range(min = 1, max = 4))]
    pub term_number: Option<i64>,
}

/// Get the report card of a student in a term: averages, grades and positions by subject, and attendance.
#[agent_tool(
    scope = general,
    posture = casl(Read, Result),
    roles = [Rover, ClassTeacher, DirectorOfStudies],
    label = "Getting a student report",
    say = [
        "(show|give) [me] [the] (report|report card|results) of [the] student {student_id}",
        "(show|give|get) [me] [the] report card of {student_id}",
        "(show|give|get) [me] [the] report card of {student_id} (for|in) term {term_number}",
        "how did [the] student {student_id} do [this term]",
    ],
    examples = [
        { student_id: "naalya-student-001" },
        { student_id: "naalya-student-001", term_number: 1 },
    ],
)]
pub async fn get_student_report(
    cx: &ToolCx<impl Results>,
    args: GetStudentReport,
) -> ToolResult<StudentReport> {
    cx.services().student_report(args.student_id, args.term_number).await
}

/// What the model supplies to compare terms.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct CompareTerms {
    /// Id of the class.
    #[arg(lookup = find_classes)]
    pub class_id: String,
}

/// Compare the results of a class in the terms of this year, subject by subject.
#[agent_tool(
    scope = general,
    posture = casl(Read, Result),
    roles = [Rover, ClassTeacher, DirectorOfStudies],
    label = "Comparing terms",
    say = [
        "compare [the] terms of [class] {class_id}",
        "how has [class] {class_id} (developed|changed) [this year]",
    ],
    examples = [{ class_id: "naalya-class-s1-east" }],
)]
pub async fn compare_terms(
    cx: &ToolCx<impl Results>,
    args: CompareTerms,
) -> ToolResult<Vec<TermFigures>> {
    cx.services().compare_terms(args.class_id).await
}
