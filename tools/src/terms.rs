//! The calendar: academic years of the school and the terms of a campus, which are opened and closed.
//!
//! What belongs to a closed term is not written any more.

use std::future::Future;

use agent_contract::{
    AuditSubject, CampusArg, CampusId, Date, ToolArgs, ToolCx, ToolResult, Version, agent_tool,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A term of the current academic year on one campus.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, AuditSubject)]
#[serde(rename_all = "camelCase")]
#[audit(kind = "term")]
pub struct SchoolTerm {
    /// Id of the term.
    #[audit(id)]
    pub id: String,
    /// Display name, e.g. "Term 1".
    pub name: String,
    /// Its place in the year, from 1.
    pub term_number: i64,
    /// First day.
    pub starts_on: Date,
    /// Last day.
    pub ends_on: Date,
    /// Whether today lies in it.
    pub is_current: bool,
    /// Whether it is closed: nothing of it is written any more.
    pub is_closed: bool,
    /// Display name of the campus.
    pub campus_name: String,
    /// Grows by one with every change; guards against lost updates.
    pub version: Version,
}

/// An academic year of the school.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, AuditSubject)]
#[serde(rename_all = "camelCase")]
#[audit(kind = "academic_year")]
pub struct SchoolYear {
    /// Id of the year.
    #[audit(id)]
    pub id: String,
    /// Display name, e.g. "Academic year 2026".
    pub name: String,
    /// Calendar year it is named after.
    pub year: i64,
    /// Whether it is the current one.
    pub is_current: bool,
}

/// What reading the calendar needs of the domain.
pub trait Terms: Send + Sync {
    /// The terms of the current year on one campus, by number.
    fn list(&self, campus: &CampusId) -> impl Future<Output = ToolResult<Vec<SchoolTerm>>> + Send;

    /// The term that today lies in; a sentence naming the next one if none does.
    fn current(&self, campus: &CampusId) -> impl Future<Output = ToolResult<SchoolTerm>> + Send;

    /// The school's academic years, newest first.
    fn years(&self) -> impl Future<Output = ToolResult<Vec<SchoolYear>>> + Send;
}

/// What changing the calendar needs of the domain.
pub trait EditTerms: Terms {
    /// Sets first and last day of a term; refuses an overlap with another term.
    fn set_dates(
        &self,
        campus: &CampusId,
        term_number: i64,
        starts_on: Date,
        ends_on: Date,
        seen: Option<Version>,
    ) -> impl Future<Output = ToolResult<SchoolTerm>> + Send;

    /// Adds a term to the current year of a campus, or opens a closed one again.
    fn open(
        &self,
        campus: &CampusId,
        term_number: i64,
        days: Option<(Date, Date)>,
    ) -> impl Future<Output = ToolResult<SchoolTerm>> + Send;

    /// Closes a term: nothing of it is written any more.
    fn close(
        &self,
        campus: &CampusId,
        term_number: i64,
        seen: Option<Version>,
    ) -> impl Future<Output = ToolResult<SchoolTerm>> + Send;

    /// Adds an academic year, in which every open campus takes part. It is not the current one yet.
    fn create_year(
        &self,
        year: i64,
        starts_on: Date,
        ends_on: Date,
    ) -> impl Future<Output = ToolResult<SchoolYear>> + Send;
}

/// What the model supplies to list terms.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct ListTerms {
    /// Campus whose terms to list; leave out for the campus in use.
    #[serde(default)]
    pub campus_id: CampusArg,
}

/// List the terms of the current academic year on the campus in use.
#[agent_tool(
    scope = campus,
    posture = casl(Read, Term),
    roles = [Rover, ClassTeacher, SubjectTeacher, DirectorOfStudies],
    label = "Listing terms",
    say = [
        "list [all] [the|our] terms",
        "(show|give) [me] [all] [the] terms",
        "(what|which) terms (are there|do we have)",
        "when do (the|our) terms start",
        "(what|which) terms are there this year",
        "when (do|does) (each|every|the) term (start|begin)",
    ],
    examples = [{}],
)]
pub async fn list_terms(cx: &ToolCx<impl Terms>, args: ListTerms) -> ToolResult<Vec<SchoolTerm>> {
    cx.services().list(args.campus_id.required()?).await
}

/// What the model supplies to get the current term.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct GetCurrentTerm {
    /// Campus to look at; leave out for the campus in use.
    #[serde(default)]
    pub campus_id: CampusArg,
}

/// Get the term that today lies in.
#[agent_tool(
    scope = campus,
    posture = casl(Read, Term),
    roles = [Rover, ClassTeacher, SubjectTeacher, DirectorOfStudies],
    label = "Looking up the current term",
    say = [
        "(what|which) term (is it|are we in)",
        "(what is|what's|when does) the current term [end]",
        "when does (this|the) term (end|finish)",
    ],
    examples = [{}],
)]
pub async fn get_current_term(
    cx: &ToolCx<impl Terms>,
    args: GetCurrentTerm,
) -> ToolResult<SchoolTerm> {
    cx.services().current(args.campus_id.required()?).await
}

/// What the model supplies to set a term's dates.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct SetTermDates {
    /// Number of the term, from 1.
    #[schemars(range(min = 1, max = 4))]
    pub term_number: i64,
    /// First day, e.g. "2026-02-02".
    pub starts_on: Date,
    /// Last day, e.g. "2026-05-01".
    pub ends_on: Date,
    /// Campus whose term it is; leave out for the campus in use.
    #[serde(default)]
    pub campus_id: CampusArg,
    /// Version that you saw; leave out to change it whatever it is by now.
    #[serde(default)]
    pub version: Option<Version>,
}

/// Set the first and last day of a term on the campus in use.
#[agent_tool(
    scope = campus,
    posture = casl(Update, Term),
    roles = [Rover, DirectorOfStudies],
    label = "Setting term dates",
    say = [
        "set [the] dates of term {term_number} to {starts_on} (until|to|through) {ends_on}",
        "term {term_number} (runs|is) from {starts_on} (until|to) {ends_on}",
        "move term {term_number} to {starts_on} (until|to|through) {ends_on}",
        "set term {term_number} to run from {starts_on} (until|to) {ends_on}",
        "set [the] dates of term {term_number} from {starts_on} (until|to) {ends_on}",
        "term {term_number} (starts|begins) on {starts_on} and ends on {ends_on}",
    ],
    examples = [{ term_number: 1, starts_on: "2026-02-02", ends_on: "2026-05-01" }],
)]
pub async fn set_term_dates(
    cx: &ToolCx<impl EditTerms>,
    args: SetTermDates,
) -> ToolResult<SchoolTerm> {
    let campus = args.campus_id.required()?;
    let (starts_on, ends_on) = (args.starts_on, args.ends_on);
    cx.services().set_dates(campus, args.term_number, starts_on, ends_on, args.version).await
}

/// Listing academic years takes no arguments.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct ListAcademicYears {}

/// List the academic years of the school, newest first.
#[agent_tool(
    scope = school,
    posture = casl(Read, Term),
    roles = [Rover, DirectorOfStudies],
    label = "Listing academic years",
    say = [
        "list [all] [the|our] academic years",
        "(show|give) [me] [all] [the] academic years",
        "(what|which) academic (year is it|years are there)",
        "(what|which) academic years do we have",
    ],
)]
pub async fn list_academic_years(
    cx: &ToolCx<impl Terms>,
    _args: ListAcademicYears,
) -> ToolResult<Vec<SchoolYear>> {
    cx.services().years().await
}

/// What the model supplies to open a term.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct OpenTerm {
    /// Number of the term, from 1.
    #[schemars(range(min = 1, max = 4))]
    pub term_number: i64,
    /// First day of a new term, e.g. "2026-09-14"; leave out to open a closed term again.
    #[serde(default)]
    pub starts_on: Option<Date>,
    /// Last day of a new term; leave out to open a closed term again.
    #[serde(default)]
    pub ends_on: Option<Date>,
    /// Campus whose term it is; leave out for the campus in use.
    #[serde(default)]
    pub campus_id: CampusArg,
}

/// Add a term to the current academic year of a campus, or open a closed term again.
#[agent_tool(
    scope = campus,
    posture = casl(Create, Term),
    roles = [Rover, DirectorOfStudies],
    label = "Opening a term",
    say = [
        "open term {term_number} [again]",
        "open term {term_number} from {starts_on} (until|to) {ends_on}",
        "add term {term_number} from {starts_on} (until|to) {ends_on}",
    ],
    examples = [{ term_number: 4, starts_on: "2036-01-07", ends_on: "2036-03-28" }],
)]
pub async fn open_term(cx: &ToolCx<impl EditTerms>, args: OpenTerm) -> ToolResult<SchoolTerm> {
    let days = args.starts_on.zip(args.ends_on);
    cx.services().open(args.campus_id.required()?, args.term_number, days).await
}

/// What the model supplies to close a term.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct CloseTerm {
    /// Number of the term, from 1.
    #[schemars(range(min = 1, max = 4))]
    pub term_number: i64,
    /// Campus whose term it is; leave out for the campus in use.
    #[serde(default)]
    pub campus_id: CampusArg,
    /// Version that you saw; leave out to close it whatever it is by now.
    #[serde(default)]
    pub version: Option<Version>,
}

/// Close a term: attendance and marks of it are not written any more, until it is opened again.
#[agent_tool(
    scope = campus,
    posture = casl(Update, Term),
    roles = [Rover, DirectorOfStudies],
    label = "Closing a term",
    approval = always,
    say = ["close term {term_number}"],
    examples = [{ term_number: 1 }],
)]
pub async fn close_term(cx: &ToolCx<impl EditTerms>, args: CloseTerm) -> ToolResult<SchoolTerm> {
    cx.services().close(args.campus_id.required()?, args.term_number, args.version).await
}

/// What the model supplies to create an academic year.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct CreateAcademicYear {
    /// Calendar year that it is named after, e.g. 2027.
    #[schemars(range(min = 2000, max = 2100))]
    pub year: i64,
    /// First day, e.g. "2027-02-01".
    pub starts_on: Date,
    /// Last day, e.g. "2027-12-03".
    pub ends_on: Date,
}

/// Create an academic year, in which every open campus takes part. The current year stays the current one.
#[agent_tool(
    scope = school,
    posture = casl(Create, Term),
    roles = [Rover, DirectorOfStudies],
    label = "Creating an academic year",
    say = ["create [the] academic year {year} from {starts_on} (until|to) {ends_on}"],
    examples = [{ year: 2037, starts_on: "2037-02-02", ends_on: "2037-12-04" }],
)]
pub async fn create_academic_year(
    cx: &ToolCx<impl EditTerms>,
    args: CreateAcademicYear,
) -> ToolResult<SchoolYear> {
    cx.services().create_year(args.year, args.starts_on, args.ends_on).await
}
