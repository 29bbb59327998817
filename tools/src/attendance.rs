//! Attendance: a class teacher records and reads the class they own; leaders read a summary.
//!
//! The two relationship tools prove first that the caller is class teacher of the class, and the
//! ports read the class from that proof, so a proof of one class can never cover another.

use std::future::Future;

use agent_contract::{
    AuditSubject, CampusArg, CampusId, Date, ListQuery, Order, Owned, Page, PageSize, Proof,
    ProveRelation, Relation, ToolArgs, ToolCx, ToolResult, agent_tool, sort_keys,
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

/// One student's attendance over some days.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StudentAttendance {
    /// Id of the student.
    pub student_id: String,
    /// Full name of the student.
    pub student: String,
    /// First day that was looked at.
    pub from: Date,
    /// Last day that was looked at.
    pub until: Date,
    /// Days present.
    pub present: i64,
    /// Days absent.
    pub absent: i64,
    /// Days on which they came late.
    pub late: i64,
    /// The days on which they were not simply present, the latest first; at most 100.
    pub missed: Vec<MissedDay>,
}

/// A day on which a student was absent or late.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MissedDay {
    /// The day.
    pub date: Date,
    /// Absent or late.
    pub status: AttendanceStatus,
}

/// A class on a day, in numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AttendanceDay {
    /// Id of the class and the day, for telling lines apart.
    pub id: String,
    /// The day.
    pub date: Date,
    /// Id of the class.
    pub class_id: String,
    /// Display name of the class.
    pub class_name: String,
    /// Students present.
    pub present: i64,
    /// Students absent.
    pub absent: i64,
    /// Students who came late.
    pub late: i64,
}

sort_keys! {
    /// What recorded days can be sorted by.
    pub enum AttendanceDaySort {
        /// By day.
        Date = "date",
        /// By class, then by day.
        Class = "class",
    }
}

/// Which recorded days to list.
#[derive(Clone, Debug, Default)]
pub struct AttendanceFilter {
    /// The first day.
    pub from: Option<Date>,
    /// The last day.
    pub until: Option<Date>,
    /// Those of this class only.
    pub class_id: Option<String>,
    /// Those of this campus only.
    pub campus: Option<CampusId>,
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
    /// One student over some days; without days, the last thirty.
    fn student_days(
        &self,
        student_id: String,
        from: Option<Date>,
        until: Option<Date>,
    ) -> impl Future<Output = ToolResult<StudentAttendance>> + Send;

    /// A page of the days that were recorded, a line for each class.
    fn days(
        &self,
        filter: AttendanceFilter,
        query: ListQuery<AttendanceDaySort>,
    ) -> impl Future<Output = ToolResult<Page<AttendanceDay>>> + Send;

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

/// What the model supplies to get a student's attendance.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct GetStudentAttendance {
    /// Id of the student.
    #[arg(lookup = find_students)]
    pub student_id: String,
    /// First day; leave out for thirty days before the last.
    #[serde(default)]
    pub from: Option<Date>,
    /// Last day; leave out for today.
    #[serde(default)]
    pub until: Option<Date>,
}

/// Get how one student attended over some days: how often, and which days they missed.
#[agent_tool(
    scope = general,
    posture = casl(Read, Attendance),
    roles = [Rover, ClassTeacher, DirectorOfStudies],
    label = "Reading a student's attendance",
    say = [
        "(show|give|get) [me] the attendance of [student] {student_id} from {from} (until|to) {until}",
        "how often (was|has) {student_id} (absent|been absent|late)",
        "which days did {student_id} miss",
    ],
    examples = [{ student_id: "naalya-student-001", from: "2026-09-14", until: "2026-09-14" }],
)]
pub async fn get_student_attendance(
    cx: &ToolCx<impl Attendance>,
    args: GetStudentAttendance,
) -> ToolResult<StudentAttendance> {
    cx.services().student_days(args.student_id, args.from, args.until).await
}

/// What the model supplies to list recorded days.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct ListAttendanceDays {
    /// First day; leave out for the first that was recorded.
    #[serde(default)]
    pub from: Option<Date>,
    /// Last day; leave out for the last that was recorded.
    #[serde(default)]
    pub until: Option<Date>,
    /// Id of the class; leave out for every class in scope.
    #[serde(default)]
    #[arg(lookup = find_classes)]
    pub class_id: Option<String>,
    /// Campus to look at; leave out for every campus in scope.
    #[serde(default)]
    pub campus_id: CampusArg,
    /// What to sort by; leave out for the day.
    #[serde(default)]
    pub sort: Option<AttendanceDaySort>,
    /// Which end comes first; leave out for the latest first.
    #[serde(default)]
    pub order: Option<Order>,
    /// How many to return, 1 to 100; leave out for 50.
    #[serde(default)]
    pub limit: Option<PageSize>,
    /// `nextCursor` of the page before; leave out for the first page.
    #[serde(default)]
    pub cursor: Option<String>,
}

/// List the days on which registers were kept, a line for each class and day, with how many were present.
#[agent_tool(
    scope = general,
    posture = casl(Read, Attendance),
    roles = [Rover, ClassTeacher, DirectorOfStudies],
    label = "Listing recorded days",
    say = [
        "list [the] attendance of [class] {class_id} from {from} (until|to) {until}",
        "list [the] attendance from {from} (until|to) {until}",
        "which days (are|were) recorded in [class] {class_id}",
    ],
    examples = [
        { from: "2026-09-14", until: "2026-09-14" },
        { class_id: "naalya-class-s1-east", from: "2026-09-14", until: "2026-09-14" },
    ],
)]
pub async fn list_attendance_days(
    cx: &ToolCx<impl Attendance>,
    args: ListAttendanceDays,
) -> ToolResult<Page<AttendanceDay>> {
    let order = args.order.unwrap_or(Order::Descending);
    let query = ListQuery::new(args.sort, Some(order), args.limit, args.cursor.as_deref())?;
    let filter = AttendanceFilter {
        from: args.from,
        until: args.until,
        class_id: args.class_id,
        campus: args.campus_id.filter().cloned(),
    };
    cx.services().days(filter, query).await
}
