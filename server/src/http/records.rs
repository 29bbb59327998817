//! Records over REST by the declarations of their tools: one table says which address is which tool.
//!
//! An address takes what its tool takes: each argument in the path, in the query or in the body, once. The tool's schema
//! judges it and the tool's handler asks the service, so that nothing is checked twice and nothing only here. What is
//! repaired for a model is repaired here too: in an address everything is text. A record's version is its `ETag`; who
//! changes one may say in `If-Match` which version they saw, and must where the tool asks for it.

use std::collections::HashMap;
use std::sync::LazyLock;

use agent_contract::{
    AgentCallScope, ArgField, Dispatch, Prepared, Route, ToolCx, ToolDefinition, ToolError,
};
use axum::Router;
use axum::body::HttpBody as _;
use axum::extract::{FromRequest as _, FromRequestParts as _, Path, Query, Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header, request::Parts};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{MethodFilter, on};
use serde_json::{Map, Value};
use tools::agent_tools::{ToolName, routes as tool_routes};

use super::{
    App, Problem,
    body::Body,
    change::{Asker, carry_out_tool, smell},
};
use crate::chat::Person;
use crate::db::ReadFrame;
use crate::domain::{School, SchoolHost};

/// One address and the tool behind it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Endpoint {
    pub(super) method: Verb,
    pub(super) path: &'static str,
    pub(super) tool: ToolName,
}

/// What may be done at an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verb {
    Get,
    /// Makes something new.
    Post,
    /// Sets what the address names.
    Put,
    Patch,
    Delete,
}

/// Every address of this kind.
#[rustfmt::skip]
pub(super) const ENDPOINTS: &[Endpoint] = &[
    at(Verb::Get, "/api/departments", ToolName::ListDepartments),
    at(Verb::Post, "/api/departments", ToolName::CreateDepartment),
    at(Verb::Get, "/api/departments/matches", ToolName::FindDepartments),
    at(Verb::Patch, "/api/departments/{departmentId}", ToolName::RenameDepartment),
    at(Verb::Delete, "/api/departments/{departmentId}", ToolName::ArchiveDepartment),
    at(Verb::Get, "/api/campuses", ToolName::ListCampuses),
    at(Verb::Get, "/api/campuses/figures", ToolName::CompareCampuses),
    at(Verb::Patch, "/api/campuses/{campusId}", ToolName::RenameCampus),
    at(Verb::Put, "/api/campuses/{campusId}/closure", ToolName::CloseCampus),
    at(Verb::Get, "/api/classes", ToolName::ListClasses),
    at(Verb::Get, "/api/classes/matches", ToolName::FindClasses),
    at(Verb::Post, "/api/classes", ToolName::CreateClass),
    at(Verb::Post, "/api/classes/{classId}/teachers", ToolName::AssignTeacher),
    at(Verb::Get, "/api/me/classes", ToolName::ListMyClasses),
    at(Verb::Get, "/api/students", ToolName::ListStudents),
    at(Verb::Get, "/api/students/matches", ToolName::FindStudents),
    at(Verb::Post, "/api/students", ToolName::EnrolStudent),
    at(Verb::Get, "/api/students/{studentId}", ToolName::GetStudent),
    at(Verb::Patch, "/api/students/{studentId}", ToolName::UpdateStudent),
    at(Verb::Put, "/api/students/{studentId}/class", ToolName::MoveStudent),
    at(Verb::Put, "/api/students/{studentId}/withdrawal", ToolName::WithdrawStudent),
    at(Verb::Get, "/api/guardians/matches", ToolName::FindGuardians),
    at(Verb::Patch, "/api/guardians/{guardianId}", ToolName::UpdateGuardian),
    at(Verb::Get, "/api/students/{studentId}/guardians", ToolName::ListGuardians),
    at(Verb::Post, "/api/students/{studentId}/guardians", ToolName::CreateGuardian),
    at(Verb::Put, "/api/students/{studentId}/guardians/{guardianId}", ToolName::AssignGuardian),
    at(Verb::Delete, "/api/students/{studentId}/guardians/{guardianId}", ToolName::UnassignGuardian),
    at(Verb::Get, "/api/staff", ToolName::ListStaff),
    at(Verb::Get, "/api/staff/matches", ToolName::FindStaff),
    at(Verb::Post, "/api/staff", ToolName::AddStaff),
    at(Verb::Patch, "/api/staff/{memberId}", ToolName::UpdateStaff),
    at(Verb::Put, "/api/staff/{memberId}/roles", ToolName::SetStaffRoles),
    at(Verb::Put, "/api/staff/{memberId}/active", ToolName::SetStaffActive),
    at(Verb::Get, "/api/me/profile", ToolName::GetMyProfile),
    at(Verb::Get, "/api/years", ToolName::ListAcademicYears),
    at(Verb::Post, "/api/years", ToolName::CreateAcademicYear),
    at(Verb::Get, "/api/campuses/{campusId}/terms", ToolName::ListTerms),
    at(Verb::Get, "/api/campuses/{campusId}/terms/current", ToolName::GetCurrentTerm),
    at(Verb::Patch, "/api/campuses/{campusId}/terms/{termNumber}", ToolName::SetTermDates),
    at(Verb::Put, "/api/campuses/{campusId}/terms/{termNumber}/opening", ToolName::OpenTerm),
    at(Verb::Put, "/api/campuses/{campusId}/terms/{termNumber}/closure", ToolName::CloseTerm),
    at(Verb::Get, "/api/attendance", ToolName::GetAttendanceSummary),
    at(Verb::Get, "/api/attendance/days", ToolName::ListAttendanceDays),
    at(Verb::Get, "/api/classes/{classId}/attendance", ToolName::ListClassAttendance),
    at(Verb::Put, "/api/classes/{classId}/attendance", ToolName::RecordAttendance),
    at(Verb::Get, "/api/students/{studentId}/attendance", ToolName::GetStudentAttendance),
    at(Verb::Get, "/api/announcements", ToolName::ListAnnouncements),
    at(Verb::Post, "/api/announcements", ToolName::CreateAnnouncement),
    at(Verb::Put, "/api/announcements/{announcementId}/publication", ToolName::PublishAnnouncement),
    at(Verb::Put, "/api/announcements/{announcementId}/withdrawal", ToolName::WithdrawAnnouncement),
    at(Verb::Get, "/api/subjects", ToolName::ListSubjects),
    at(Verb::Post, "/api/subjects", ToolName::CreateSubject),
    at(Verb::Get, "/api/subjects/matches", ToolName::FindSubjects),
    at(Verb::Patch, "/api/subjects/{subjectId}", ToolName::RenameSubject),
    at(Verb::Delete, "/api/subjects/{subjectId}", ToolName::ArchiveSubject),
    at(Verb::Put, "/api/subjects/{subjectId}/department", ToolName::MoveSubject),
    at(Verb::Get, "/api/streams", ToolName::ListStreams),
    at(Verb::Get, "/api/classes/{classId}", ToolName::GetClass),
    at(Verb::Patch, "/api/classes/{classId}", ToolName::UpdateClass),
    at(Verb::Put, "/api/classes/{classId}/subjects/{subjectId}", ToolName::AddClassSubject),
    at(Verb::Delete, "/api/classes/{classId}/subjects/{subjectId}", ToolName::RemoveClassSubject),
    at(Verb::Get, "/api/classes/{classId}/subjects/{subjectId}/mark-sheet", ToolName::GetMarkSheet),
    at(Verb::Put, "/api/students/{studentId}/stream", ToolName::MoveStudentToStream),
    at(Verb::Get, "/api/teaching-assignments", ToolName::ListTeachingAssignments),
    at(Verb::Delete, "/api/classes/{classId}/subjects/{subjectId}/teachers/{teacherId}", ToolName::UnassignTeacher),
    at(Verb::Get, "/api/assessments", ToolName::ListAssessments),
    at(Verb::Post, "/api/assessments", ToolName::CreateAssessment),
    at(Verb::Get, "/api/assessments/matches", ToolName::FindAssessments),
    at(Verb::Patch, "/api/assessments/{assessmentId}", ToolName::UpdateAssessment),
    at(Verb::Put, "/api/assessments/{assessmentId}/publication", ToolName::PublishAssessment),
    at(Verb::Put, "/api/assessments/{assessmentId}/closure", ToolName::CloseAssessment),
    at(Verb::Get, "/api/assessments/{assessmentId}/marks", ToolName::ListMarks),
    at(Verb::Post, "/api/assessments/{assessmentId}/marks", ToolName::RecordMarks),
    at(Verb::Post, "/api/assessments/{assessmentId}/marks/{studentId}", ToolName::AddMark),
    at(Verb::Put, "/api/assessments/{assessmentId}/marks/{studentId}", ToolName::UpdateMark),
    at(Verb::Get, "/api/grading-scale", ToolName::GetGradingScale),
    at(Verb::Put, "/api/grading-scale", ToolName::SetGradingScale),
    at(Verb::Put, "/api/classes/{classId}/results", ToolName::RecomputeClassResults),
    at(Verb::Get, "/api/classes/{classId}/report", ToolName::GetClassReport),
    at(Verb::Get, "/api/classes/{classId}/terms", ToolName::CompareTerms),
    at(Verb::Get, "/api/students/{studentId}/report", ToolName::GetStudentReport),
];

const fn at(method: Verb, path: &'static str, tool: ToolName) -> Endpoint {
    Endpoint { method, path, tool }
}

impl Endpoint {
    pub(super) fn def(&self) -> &'static ToolDefinition {
        self.tool.definition()
    }

    /// Names of the arguments that stand in the address.
    pub(super) fn in_path(&self) -> impl Iterator<Item = &'static str> {
        self.path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'))
    }

    /// The arguments that a request brings otherwise: in the query of a read, in the body of a change.
    pub(super) fn brought(&self) -> impl Iterator<Item = &'static ArgField> {
        let guarded = self.is_guarded();
        self.def().fields.iter().filter(move |field| {
            let in_header = guarded && field.wire == VERSION;
            !in_header && self.in_path().all(|name| name != field.wire)
        })
    }

    /// Whether a change may bring the version that was seen.
    pub(super) fn is_guarded(&self) -> bool {
        self.method != Verb::Get && self.def().fields.iter().any(|field| field.wire == VERSION)
    }

    /// What a success is answered with.
    pub(super) fn status(&self) -> StatusCode {
        if self.method == Verb::Post { StatusCode::CREATED } else { StatusCode::OK }
    }
}

/// The argument that `If-Match` gives.
pub(super) const VERSION: &str = "version";

static HANDLERS: LazyLock<HashMap<&'static str, Route<SchoolHost>>> = LazyLock::new(|| {
    tool_routes::<SchoolHost>().into_iter().map(|route| (route.def.name, route)).collect()
});

/// The addresses of the table.
pub(super) fn routes() -> Router<App> {
    ENDPOINTS.iter().fold(Router::new(), |router, endpoint| {
        let handler = move |State(app): State<App>, request: Request| async move {
            answer(&app, endpoint, request).await
        };
        router.route(endpoint.path, on(endpoint.method.filter(), handler))
    })
}

impl Verb {
    fn filter(self) -> MethodFilter {
        match self {
            Self::Get => MethodFilter::GET,
            Self::Post => MethodFilter::POST,
            Self::Put => MethodFilter::PUT,
            Self::Patch => MethodFilter::PATCH,
            Self::Delete => MethodFilter::DELETE,
        }
    }

    pub(super) fn method(self) -> Method {
        match self {
            Self::Get => Method::GET,
            Self::Post => Method::POST,
            Self::Put => Method::PUT,
            Self::Patch => Method::PATCH,
            Self::Delete => Method::DELETE,
        }
    }

    /// Whether the arguments may stand in a body.
    fn takes_a_body(self) -> bool {
        matches!(self, Self::Post | Self::Put | Self::Patch)
    }
}

async fn answer(app: &App, endpoint: &Endpoint, request: Request) -> Result<Response, Problem> {
    let (mut parts, body) = request.into_parts();
    let (address, known) = (parts.uri.clone(), parts.headers.get(header::IF_NONE_MATCH).cloned());
    // Whoever is not signed in learns nothing of what an address takes.
    let asker = Asker::from_request_parts(&mut parts, app).await?;
    let route = HANDLERS.get(endpoint.tool.as_str()).ok_or(ToolError::Internal)?;
    let mut arguments = addressed(&mut parts, app).await?;
    let version = seen(&parts.headers, route.def)?;
    let has_body = endpoint.method.takes_a_body() && !body.is_end_stream();
    if has_body {
        let request = Request::from_parts(parts, body);
        let Body(given) = Body::<Map<String, Value>>::from_request(request, app).await?;
        add(&mut arguments, given)?;
    }
    let asks = |field: &ArgField| field.wire == VERSION && field.required;
    match version {
        None if route.def.fields.iter().any(asks) && !arguments.contains_key(VERSION) => {
            return Err(Problem::new(
                StatusCode::PRECONDITION_REQUIRED,
                "say in `If-Match` which version of the record you saw: it is the `ETag` of the record",
            ));
        }
        None => {}
        Some(version) => {
            add(&mut arguments, Map::from_iter([(VERSION.to_owned(), Value::from(version))]))?;
        }
    }
    match &route.run {
        Dispatch::Read(prepare) => {
            let prepared = prepare(Value::Object(arguments), &AgentCallScope::School)?;
            let response = read(app, asker.person, &address, route.def, prepared).await?;
            Ok(unless_known(response, known.as_ref()))
        }
        Dispatch::Write(prepare) => {
            let prepared = prepare(Value::Object(arguments), &AgentCallScope::School)?;
            let via = format!("{} {}", endpoint.method.method(), endpoint.path);
            let outcome = carry_out_tool(app, asker, route.def, prepared, via).await?;
            Ok(written(endpoint.status(), outcome.as_json()))
        }
        Dispatch::Local => Err(ToolError::Internal.into()),
    }
}

async fn read(
    app: &App,
    person: Person,
    address: &Uri,
    def: &'static ToolDefinition,
    prepared: Prepared<School<ReadFrame>>,
) -> Result<Response, Problem> {
    person.rights().admit(def.posture)?;
    let account = person.owner().account.clone();
    let identity = person.identity().clone();
    let cx = ToolCx::new(person.into_school(), identity, AgentCallScope::School);
    match prepared.call(&cx).await {
        Ok(reply) => {
            let mut response = written(StatusCode::OK, &reply.data.to_string());
            let next = reply.data["nextCursor"].as_str();
            if let Some(link) = next.and_then(|cursor| link(address, cursor)) {
                response.headers_mut().insert(header::LINK, link);
            }
            Ok(response)
        }
        Err(error) => {
            if let ToolError::NotFound { what: "campus", id } = &error {
                let event = def.event.unwrap_or(def.name);
                smell(app, account.as_str(), event, id.as_deref()).await;
            }
            Err(error.into())
        }
    }
}

/// Where the next page is (RFC 8288). A cursor is made of letters that a query may hold as they are.
fn link(address: &Uri, cursor: &str) -> Option<HeaderValue> {
    let query = address.query().unwrap_or_default();
    let kept = query.split('&').filter(|pair| !pair.is_empty() && !pair.starts_with("cursor="));
    let cursor = format!("cursor={cursor}");
    let query = kept.chain([cursor.as_str()]).collect::<Vec<_>>().join("&");
    HeaderValue::from_str(&format!("<{}?{query}>; rel=\"next\"", address.path())).ok()
}

/// Nothing but the tag for a client that has this version already (RFC 9110, 13.1.2).
fn unless_known(response: Response, known: Option<&HeaderValue>) -> Response {
    let (Some(tag), Some(known)) = (response.headers().get(header::ETAG), known) else {
        return response;
    };
    let same = |one: &str| Some(one.trim().trim_start_matches("W/")) == tag.to_str().ok();
    if known.to_str().is_ok_and(|known| known.trim() == "*" || known.split(',').any(same)) {
        return (StatusCode::NOT_MODIFIED, [(header::ETAG, tag.clone())]).into_response();
    }
    response
}

/// The arguments that the address gives.
async fn addressed(parts: &mut Parts, app: &App) -> Result<Map<String, Value>, Problem> {
    let unfit = |detail: &str| Problem::new(StatusCode::BAD_REQUEST, detail);
    let path = Path::<HashMap<String, String>>::from_request_parts(parts, app).await;
    let Path(path) = path.map_err(|_| unfit("the address is not valid UTF-8"))?;
    let query = Query::<Vec<(String, String)>>::from_request_parts(parts, app).await;
    let Query(query) = query.map_err(|_| unfit("the query is not valid UTF-8"))?;
    let mut arguments = Map::new();
    for (name, value) in path.into_iter().chain(query) {
        add(&mut arguments, Map::from_iter([(name, Value::String(value))]))?;
    }
    Ok(arguments)
}

/// Adds arguments, none of which was given before.
fn add(arguments: &mut Map<String, Value>, more: Map<String, Value>) -> Result<(), Problem> {
    for (name, value) in more {
        if arguments.insert(name.clone(), value).is_some() {
            let detail = format!("`{name}` is given twice");
            return Err(Problem::new(StatusCode::BAD_REQUEST, detail));
        }
    }
    Ok(())
}

/// The version that the caller says they saw.
fn seen(headers: &HeaderMap, def: &ToolDefinition) -> Result<Option<i64>, Problem> {
    let field = def.fields.iter().find(|field| field.wire == VERSION);
    let (Some(field), Some(given)) = (field, headers.get(header::IF_MATCH)) else {
        return Ok(None);
    };
    let text = given.to_str().unwrap_or_default().trim();
    if text == "*" && !field.required {
        return Ok(None);
    }
    let quoted = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
    match quoted.and_then(|version| version.parse().ok()) {
        Some(version) => Ok(Some(version)),
        None => Err(Problem::new(
            StatusCode::PRECONDITION_FAILED,
            "`If-Match` must be the `ETag` of the record, in quotation marks and unchanged",
        )),
    }
}

/// An answer with its version, if it has one.
pub(super) fn written(status: StatusCode, json: &str) -> Response {
    let mut response =
        (status, [(header::CONTENT_TYPE, "application/json")], json.to_owned()).into_response();
    if let Some(tag) = tag(json) {
        response.headers_mut().insert(header::ETAG, tag);
    }
    response
}

/// The version of a record as an `ETag`; a list has none.
fn tag(json: &str) -> Option<header::HeaderValue> {
    let value: Value = serde_json::from_str(json).ok()?;
    let version = value.get(VERSION)?.as_i64()?;
    format!("\"{version}\"").parse().ok()
}
