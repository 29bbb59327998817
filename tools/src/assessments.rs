//! Assessments: what a class is marked on in a subject and a term. Open ones take marks, published ones count, closed
//! ones are settled.

use std::future::Future;

use agent_contract::{
    AuditSubject, CampusArg, CampusId, Date, Hundredths, ListQuery, Order, Owned, Page, PageSize,
    Proof, ProveRelation, Relation, ToolArgs, ToolCx, ToolResult, Version, agent_tool, sort_keys,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A test or an exam of one class in one subject.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, AuditSubject)]
#[serde(rename_all = "camelCase")]
#[audit(kind = "assessment")]
pub struct Assessment {
    /// Id of the assessment.
    #[audit(id)]
    pub id: String,
    /// Display name, e.g. "Mid-term exam".
    pub name: String,
    /// Id of the class.
    pub class_id: String,
    /// Display name of the class.
    pub class_name: String,
    /// Id of the subject.
    pub subject_id: String,
    /// Display name of the subject.
    pub subject: String,
    /// Display name of the term.
    pub term: String,
    /// The day on which it is held.
    pub date: Date,
    /// The mark for a flawless paper.
    pub maximum: Hundredths,
    /// How much it counts among the assessments of its subject and term.
    pub weight: i64,
    /// How far it has come.
    pub state: AssessmentState,
    /// Students who have a mark or are recorded as absent.
    pub marked: i64,
    /// Counts its changes; say it again to change the assessment.
    pub version: Version,
}

/// How far an assessment has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, ToolArgs)]
#[serde(rename_all = "snake_case")]
pub enum AssessmentState {
    /// Takes marks and does not count yet.
    Open,
    /// Counts; a mark may still be corrected.
    Published,
    /// Counts, and nothing about it changes any more.
    Closed,
}

/// An assessment that is to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewAssessment {
    /// The class.
    pub class_id: String,
    /// The subject.
    pub subject_id: String,
    /// Its name.
    pub name: String,
    /// How much it counts.
    pub weight: i64,
    /// The mark for a flawless paper; 100 if left out.
    pub maximum: Option<Hundredths>,
    /// The day; today if left out.
    pub date: Option<Date>,
}

/// What is to change about an assessment; what is left out stays.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AssessmentChange {
    /// Another name.
    pub name: Option<String>,
    /// Another weight.
    pub weight: Option<i64>,
    /// Another maximum.
    pub maximum: Option<Hundredths>,
    /// Another day.
    pub date: Option<Date>,
    /// The version that the change was made for.
    pub version: Option<Version>,
}

/// Which assessments are asked for; what is left out does not narrow, but for the term.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AssessmentFilter {
    /// Of one class.
    pub class_id: Option<String>,
    /// In one subject.
    pub subject_id: Option<String>,
    /// Of one term of the current year; every term if left out.
    pub term_number: Option<i64>,
    /// In one state.
    pub state: Option<AssessmentState>,
}

sort_keys! {
    /// What assessments can be sorted by.
    pub enum AssessmentSort {
        /// By day, then by class.
        Date = "date",
        /// By class, then by day.
        Class = "class",
        /// By name, then by class.
        Name = "name",
    }
}

/// What reading assessments needs of the domain.
pub trait Assessments: Send + Sync {
    /// A page of the assessments of this year that the caller may see.
    fn assessments(
        &self,
        filter: AssessmentFilter,
        campus: Option<&CampusId>,
        query: ListQuery<AssessmentSort>,
    ) -> impl Future<Output = ToolResult<Page<Assessment>>> + Send;

    /// The assessments whose name resembles `name`, best match first.
    fn find_assessments(
        &self,
        name: String,
        campus: Option<&CampusId>,
    ) -> impl Future<Output = ToolResult<Vec<Assessment>>> + Send;
}

/// What changing assessments needs of the domain.
pub trait EditAssessments: Assessments {
    /// Adds an assessment; refuses a day outside the terms, a closed term, and a name that is there.
    fn create_assessment(
        &self,
        new: NewAssessment,
    ) -> impl Future<Output = ToolResult<Assessment>> + Send;

    /// Changes an assessment that is not closed; refuses a maximum below a mark that was given.
    fn update_assessment(
        &self,
        assessment_id: String,
        change: AssessmentChange,
    ) -> impl Future<Output = ToolResult<Assessment>> + Send;

    /// Settles an assessment: nothing about it changes any more.
    fn close_assessment(
        &self,
        assessment_id: String,
    ) -> impl Future<Output = ToolResult<Assessment>> + Send;
}

/// What publishing one's own assessment needs of the domain.
pub trait PublishOwnAssessment: ProveRelation {
    /// Lets the assessment that the proof names count; refuses one without any mark.
    fn publish_assessment(
        &self,
        proof: &Proof,
    ) -> impl Future<Output = ToolResult<Assessment>> + Send;
}

/// What the model supplies to create an assessment.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct CreateAssessment {
    /// Id of the class.
    #[arg(lookup = find_classes)]
    pub class_id: String,
    /// Id of the subject.
    #[arg(lookup = find_subjects)]
    pub subject_id: String,
    /// Name of the assessment, e.g. "Mid-term exam".
    #[schemars(length(min = 1, max = 80))]
    pub name: String,
    /// How much it counts among the assessments of its subject and term, e.g. 30 beside 70 for the exam at the end.
    #[schemars(range(min = 1, max = 100))]
    pub weight: i64,
    /// The mark for a flawless paper; leave out for 100.
    #[serde(default)]
    pub maximum: Option<Hundredths>,
    /// The day on which it is held; leave out for today. It decides the term.
    #[serde(default)]
    pub date: Option<Date>,
}

/// Create a test or an exam of a class in a subject, to record marks for.
#[agent_tool(
    scope = general,
    posture = casl(Create, Assessment),
    roles = [Rover, SubjectTeacher, DirectorOfStudies],
    label = "Creating an assessment",
    say = [
        "create [an|a|the] [new] (assessment|test|exam) [called] {name} in {subject_id} for {class_id} with weight {weight}",
        "add [an|a|the] [new] (assessment|test|exam) [called] {name} in {subject_id} for {class_id} with weight {weight}",
        "create [an|a] (assessment|test|exam) [called] {name} in {subject_id} for {class_id} on {date} with weight {weight}",
        "create [an|a] (assessment|test|exam) [called] {name} in {subject_id} for {class_id} out of {maximum} with weight {weight}",
    ],
    examples = [
        {
            class_id: "naalya-class-s1-east",
            subject_id: "naalya-subject-eng",
            name: "Composition",
            weight: 10,
            maximum: 20,
        },
    ],
)]
pub async fn create_assessment(
    cx: &ToolCx<impl EditAssessments>,
    args: CreateAssessment,
) -> ToolResult<Assessment> {
    let CreateAssessment { class_id, subject_id, name, weight, maximum, date } = args;
    let new = NewAssessment { class_id, subject_id, name, weight, maximum, date };
    cx.services().create_assessment(new).await
}

/// What the model supplies to update an assessment.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct UpdateAssessment {
    /// Id of the assessment.
    #[arg(lookup = find_assessments)]
    pub assessment_id: String,
    /// Another name.
    #[serde(default)]
    #[schemars(length(min = 1, max = 80))]
    pub name: Option<String>,
    /// Another weight.
    #[serde(default)]
    #[schemars(range(min = 1, max = 100))]
    pub weight: Option<i64>,
    /// Another mark for a flawless paper, not below a mark that was given.
    #[serde(default)]
    pub maximum: Option<Hundredths>,
    /// Another day, in the same term.
    #[serde(default)]
    pub date: Option<Date>,
    /// Version of the assessment as it was read; the change is refused if somebody else changed it since.
    #[serde(default)]
    pub version: Option<Version>,
}

/// Change the name, day, maximum or weight of an assessment that is not closed.
#[agent_tool(
    scope = general,
    posture = casl(Update, Assessment),
    roles = [SubjectTeacher, DirectorOfStudies],
    label = "Updating an assessment",
    say = [
        "rename [the] assessment {assessment_id} to {name}",
        "move [the] assessment {assessment_id} to {date}",
        "set the weight of [the] assessment {assessment_id} to {weight}",
    ],
    examples = [{ assessment_id: "naalya-assessment-s1-east-eng-unit-2", weight: 60 }],
)]
pub async fn update_assessment(
    cx: &ToolCx<impl EditAssessments>,
    args: UpdateAssessment,
) -> ToolResult<Assessment> {
    let UpdateAssessment { assessment_id, name, weight, maximum, date, version } = args;
    let change = AssessmentChange { name, weight, maximum, date, version };
    cx.services().update_assessment(assessment_id, change).await
}

/// What the model supplies to list assessments.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct ListAssessments {
    /// Id of the class; leave out for every class in scope.
    #[serde(default)]
    #[arg(lookup = find_classes)]
    pub class_id: Option<String>,
    /// Id of the subject; leave out for all.
    #[serde(default)]
    #[arg(lookup = find_subjects)]
    pub subject_id: Option<String>,
    /// Number of the term in the current year; leave out for all.
    #[serde(default)]
    #[schemars(range(min = 1, max = 4))]
    pub term_number: Option<i64>,
    /// Only assessments in this state.
    #[serde(default)]
    pub state: Option<AssessmentState>,
    /// Campus to list; leave out for every campus in scope.
    #[serde(default)]
    pub campus_id: CampusArg,
    /// What to sort by; leave out for the day.
    #[serde(default)]
    pub sort: Option<AssessmentSort>,
    /// Which end comes first; leave out for ascending.
    #[serde(default)]
    pub order: Option<Order>,
    /// How many to return, 1 to 100; leave out for 50.
    #[serde(default)]
    pub limit: Option<PageSize>,
    /// `nextCursor` of the page before; leave out for the first page.
    #[serde(default)]
    pub cursor: Option<String>,
}

/// List the assessments of this year that the caller may see: what is open, what counts, what is closed.
#[agent_tool(
    scope = general,
    posture = casl(Read, Assessment),
    roles = [Rover, SubjectTeacher, ClassTeacher, DirectorOfStudies],
    label = "Listing assessments",
    say = [
        "list [all] [the] assessments",
        "list [all] [the] assessments (of|for) [class] {class_id}",
        "list [all] [the] {state} assessments",
        "(what|which) assessments does [class] {class_id} have",
    ],
    examples = [
        { class_id: "naalya-class-s1-east", state: "open" },
        { subject_id: "naalya-subject-kis", campus_id: "naalya-campus-lakeside" },
    ],
)]
pub async fn list_assessments(
    cx: &ToolCx<impl Assessments>,
    args: ListAssessments,
) -> ToolResult<Page<Assessment>> {
    let query = ListQuery::new(args.sort, args.order, args.limit, args.cursor.as_deref())?;
    let ListAssessments { class_id, subject_id, term_number, state, campus_id, .. } = args;
    let filter = AssessmentFilter { class_id, subject_id, term_number, state };
    cx.services().assessments(filter, campus_id.filter(), query).await
}

/// What the model supplies to find assessments.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct FindAssessments {
    /// Name or part of a name, e.g. "Mid-term".
    #[schemars(length(min = 1, max = 80))]
    pub name: String,
    /// Campus to look on; leave out for every campus in scope.
    #[serde(default)]
    pub campus_id: CampusArg,
}

/// Find assessments by name. Use it to turn an assessment's name into its id.
#[agent_tool(
    scope = general,
    posture = casl(Read, Assessment),
    roles = [Rover, SubjectTeacher, ClassTeacher, DirectorOfStudies],
    label = "Looking up an assessment",
    say = ["(find|look up|search for) [the] assessment [called|named] {name}"],
    examples = [{ name: "Mid-term" }],
)]
pub async fn find_assessments(
    cx: &ToolCx<impl Assessments>,
    args: FindAssessments,
) -> ToolResult<Vec<Assessment>> {
    cx.services().find_assessments(args.name, args.campus_id.filter()).await
}

/// What the model supplies to publish an assessment.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct PublishAssessment {
    /// Id of the assessment.
    #[arg(lookup = find_assessments)]
    pub assessment_id: String,
}

/// Publish an assessment, so that it counts in results. Only who teaches the subject can.
#[agent_tool(
    scope = general,
    posture = relationship,
    roles = [SubjectTeacher],
    label = "Publishing an assessment",
    say = ["publish [the] [marks of] [the] [assessment] {assessment_id}"],
    examples = [{ assessment_id: "naalya-assessment-s1-east-eng-mid-2" }],
)]
pub async fn publish_assessment(
    cx: &ToolCx<impl PublishOwnAssessment>,
    args: PublishAssessment,
) -> ToolResult<Owned<Assessment>> {
    let proof = cx.prove(Relation::Assesses { assessment_id: args.assessment_id }).await?;
    let published = cx.services().publish_assessment(&proof).await?;
    Ok(Owned::new(proof, published))
}

/// What the model supplies to close an assessment.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct CloseAssessment {
    /// Id of the assessment.
    #[arg(lookup = find_assessments)]
    pub assessment_id: String,
}

/// Close an assessment: its marks are settled and cannot be changed any more.
#[agent_tool(
    scope = general,
    posture = casl(Update, Assessment),
    approval = always,
    roles = [SubjectTeacher, DirectorOfStudies],
    label = "Closing an assessment",
    say = ["close [the] assessment {assessment_id}"],
    examples = [{ assessment_id: "naalya-assessment-s1-east-eng-begin-2" }],
)]
pub async fn close_assessment(
    cx: &ToolCx<impl EditAssessments>,
    args: CloseAssessment,
) -> ToolResult<Assessment> {
    cx.services().close_assessment(args.assessment_id).await
}
