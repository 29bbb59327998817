//! Attendance: a class teacher records and reads the class they own; leaders read a summary.
//!
//! The two relationship tools prove first that the caller is class teacher of the class, and the
//! ports read the class from that proof, so a proof of one class can never cover another.

use std::future::Future;

use agent_contract::{
    AuditSubject, CampusArg, CampusId, Date, Owned, Proof, ProveRelation, Relation, ToolArgs,
    ToolCx, ToolResult, agent_tool,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Attendance of one class on one day, in numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, AuditSubject)]
#[serde(rename_all = "camelCase")]
#[audit(kind = "attendance")]
pub struct ClassAttendance {
    /// Id of the class.
    #[audit(id)]
    pub class_id: String,
    /// Display name of the class.
    pub class_name: String,
    /// The day.
    pub date: Date,
    /// Students present.
    pub present: i64,
    /// Students absent.
    pub absent: i64,
    /// Students who came late.
    pub late: i64,
}

/// One student's attendance on one day.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AttendanceMark {
    /// Id of the student.
    pub student_id: String,
    /// Full name of the student.
    pub student: String,
    /// How they attended.
    pub status: AttendanceStatus,
}

/// How a student attended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AttendanceStatus {
    /// There all day.
    Present,
    /// Not there.
    Absent,
    /// Came late.
    Late,
}

/// What a class teacher's attendance reading needs of the domain.
pub trait OwnClassAttendance: ProveRelation {
    /// The marks of the class that the proof names, by student.
    fn marks(
        &self,
        proof: &Proof,
        date: Option<Date>,
    ) -> impl Future<Output = ToolResult<Vec<AttendanceMark>>> + Send;
}

/// What recording attendance needs of the domain.
pub trait RecordOwnClassAttendance: OwnClassAttendance {
    /// Records a day for the class that the proof names: listed students are absent or late,
    /// everyone else is present. A day that was recorded before is replaced.
    fn record(
        &self,
        proof: &Proof,
        date: Option<Date>,
        absent: Vec<String>,
        late: Vec<String>,
    ) -> impl Future<Output = ToolResult<ClassAttendance>> + Send;
}

/// What reading attendance across classes needs of the domain.
pub trait Attendance: Send + Sync {
    /// One line a class that the caller may see, for one day.
    fn summary(
        &self,
        date: Option<Date>,
        campus: Option<&CampusId>,
    ) -> impl Future<Output = ToolResult<Vec<ClassAttendance>>> + Send;
}

/// What the model supplies to record attendance.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct RecordAttendance {
    /// Id of the class.
    #[arg(lookup = find_classes)]
    pub class_id: String,
    /// The day; leave out for today.
    #[serde(default)]
    pub date: Option<Date>,
    /// Ids of the students who were absent; everyone not listed was present.
    #[arg(lookup = find_students)]
    #[serde(default)]
    pub absent_student_ids: Vec<String>,
    /// Ids of the students who came late.
    #[arg(lookup = find_students)]
    #[serde(default)]
    pub late_student_ids: Vec<String>,
}

/// Record one day's attendance of a class. Only its class teacher can.
#[agent_tool(
    scope = general,
    posture = relationship,
    roles = [ClassTeacher],
    label = "Recording attendance",
    say = [
        "(record|mark) everyone [as] present in [class] {class_id}",
        "(record|mark) everyone [as] present in [class] {class_id} (on|for) {date}",
        "record full attendance (in|for) [class] {class_id}",
        "everyone is present in [class] {class_id}",
        "(record|take) [the] attendance (in|for|of) [class] {class_id}",
        "everyone in [class] {class_id} (is|was) present",
        "(take|mark) [the] register (of|for|in) [class] {class_id}",
    ],
    examples = [
        { class_id: "naalya-class-s1-east", absent_student_ids: ["naalya-student-003"] },
        {
            class_id: "naalya-class-s1-east",
            date: "2026-09-14",
            late_student_ids: ["naalya-student-001", "naalya-student-002"],
        },
    ],
)]
pub async fn record_attendance(
    cx: &ToolCx<impl RecordOwnClassAttendance>,
    args: RecordAttendance,
) -> ToolResult<Owned<ClassAttendance>> {
    let proof = cx.prove(Relation::ClassTeacherOf { class_id: args.class_id }).await?;
    let recorded = cx
        .services()
        .record(&proof, args.date, args.absent_student_ids, args.late_student_ids)
        .await?;
    Ok(Owned::new(proof, recorded))
}

/// What the model supplies to list a class's attendance.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct ListClassAttendance {
    /// Id of the class.
    #[arg(lookup = find_classes)]
    pub class_id: String,
    /// The day; leave out for today.
    #[serde(default)]
    pub date: Option<Date>,
}

/// List how each student of a class attended on a day. Only its class teacher can.
#[agent_tool(
    scope = general,
    posture = relationship,
    roles = [ClassTeacher],
    label = "Reading the class register",
    say = [
        "(show|give) [me] the register (of|for) [class] {class_id}",
        "(show|give) [me] the register (of|for) [class] {class_id} (on|for) {date}",
        "who (is|was) absent in [class] {class_id}",
        "who (is|was) absent in [class] {class_id} on {date}",
        "(show|give) [me] the attendance (of|for|in) [class] {class_id}",
    ],
    examples = [{ class_id: "naalya-class-s1-east", date: "2026-09-14" }],
)]
pub async fn list_class_attendance(
    cx: &ToolCx<impl OwnClassAttendance>,
    args: ListClassAttendance,
) -> ToolResult<Owned<Vec<AttendanceMark>>> {
    let proof = cx.prove(Relation::ClassTeacherOf { class_id: args.class_id }).await?;
    let marks = cx.services().marks(&proof, args.date).await?;
    Ok(Owned::new(proof, marks))
}

/// What the model supplies to get an attendance summary.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct GetAttendanceSummary {
    /// The day; leave out for today.
    #[serde(default)]
    pub date: Option<Date>,
    /// Campus to look at; leave out for every campus in scope.
    #[serde(default)]
    pub campus_id: CampusArg,
}

/// Get attendance of every class on one day, in numbers.
#[agent_tool(
    scope = general,
    posture = casl(Read, Attendance),
    roles = [Rover, DirectorOfStudies],
    label = "Summing up attendance",
    say = [
        "(show|give) [me] the attendance summary",
        "(show|give) [me] the attendance summary (on|for) {date}",
        "(what is|what's|how is) the attendance [today]",
        "how was [the] attendance on {date}",
        "attendance summary",
        "(summarise|summarize|sum up) [the] attendance",
        "how (is|was) [the] attendance",
    ],
    examples = [{ date: "2026-09-14", campus_id: "naalya-campus-main" }],
)]
pub async fn get_attendance_summary(
    cx: &ToolCx<impl Attendance>,
    args: GetAttendanceSummary,
) -> ToolResult<Vec<ClassAttendance>> {
    cx.services().summary(args.date, args.campus_id.filter()).await
}
