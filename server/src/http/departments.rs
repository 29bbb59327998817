//! Departments over REST: the service that the tools call, in frames of the same kind.

use agent_contract::{
    Action, AgentCallScope, CampusId, Deleted, ListQuery, Order, Page, PageSize, Resource,
    ToolError, ToolResult, holds_control,
};
use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;
use serde_json::{Value, json};
use tools::departments::{Department, DepartmentSort, Departments as _, EditDepartments as _};

use super::{
    App, Problem,
    body::Body,
    change::{Asker, Change, carry_out, smell},
    path::PathId,
};
use crate::chat::Person;
use crate::db::WriteFrame;
use crate::domain::School;

/// As many characters as a name has; the tool's schema says the same.
const LONGEST_NAME: usize = 80;

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct Filter {
    campus_id: Option<String>,
    sort: Option<DepartmentSort>,
    order: Option<Order>,
    limit: Option<PageSize>,
    cursor: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct NewDepartment {
    name: String,
    campus_id: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NewName {
    name: String,
}

/// `GET /api/departments`: one page.
pub(super) async fn list(
    State(app): State<App>,
    person: Person,
    filter: Result<Query<Filter>, QueryRejection>,
) -> Result<Json<Page<Department>>, Problem> {
    person.rights().demand(Action::Read, Resource::Department)?;
    let unfit = |detail: String| Problem::new(StatusCode::BAD_REQUEST, detail);
    let Query(filter) = filter.map_err(|fault| unfit(fault.body_text()))?;
    let query = ListQuery::new(filter.sort, filter.order, filter.limit, filter.cursor.as_deref())
        .map_err(|fault| unfit(fault.to_string()))?;
    let scope = filter.campus_id.map(campus).transpose()?;
    let listed = person.school().list(scope.as_ref(), query).await;
    if let Err(ToolError::NotFound { what: "campus", id }) = &listed {
        smell(&app, person.owner().account.as_str(), "list.departments", id.as_deref()).await;
    }
    Ok(Json(listed?))
}

/// `GET /api/departments/{id}`
pub(super) async fn one(person: Person, PathId(id): PathId) -> Result<Json<Department>, Problem> {
    person.rights().demand(Action::Read, Resource::Department)?;
    Ok(Json(person.school().department(&id).await?))
}

/// `POST /api/departments`
pub(super) async fn create(
    State(app): State<App>,
    asker: Asker,
    Body(new): Body<NewDepartment>,
) -> Result<Response, Problem> {
    let change = Create { name: named(new.name)?, campus: campus(new.campus_id)? };
    carry_out(&app, asker, change).await
}

/// `PATCH /api/departments/{id}`
pub(super) async fn rename(
    State(app): State<App>,
    asker: Asker,
    PathId(id): PathId,
    Body(new): Body<NewName>,
) -> Result<Response, Problem> {
    carry_out(&app, asker, Rename { id, name: named(new.name)? }).await
}

/// `DELETE /api/departments/{id}`: out of use, not out of the records.
pub(super) async fn archive(
    State(app): State<App>,
    asker: Asker,
    PathId(id): PathId,
) -> Result<Response, Problem> {
    carry_out(&app, asker, Archive { id }).await
}

struct Create {
    name: String,
    campus: CampusId,
}

impl Change for Create {
    const NEEDS: (Action, Resource) = (Action::Create, Resource::Department);
    const EVENT: &'static str = "create.department";
    const VIA: &'static str = "POST /api/departments";
    const STATUS: StatusCode = StatusCode::CREATED;
    type Made = Department;

    fn args(&self) -> Value {
        json!({ "name": self.name, "campusId": self.campus })
    }

    async fn make(self, school: &School<WriteFrame>) -> ToolResult<Department> {
        school.create(self.name, &self.campus).await
    }
}

struct Rename {
    id: String,
    name: String,
}

impl Change for Rename {
    const NEEDS: (Action, Resource) = (Action::Update, Resource::Department);
    const EVENT: &'static str = "rename.department";
    const VIA: &'static str = "PATCH /api/departments/{id}";
    const STATUS: StatusCode = StatusCode::OK;
    type Made = Department;

    fn args(&self) -> Value {
        json!({ "departmentId": self.id, "name": self.name })
    }

    async fn make(self, school: &School<WriteFrame>) -> ToolResult<Department> {
        school.rename(self.id, self.name, None).await
    }
}

struct Archive {
    id: String,
}

impl Change for Archive {
    const NEEDS: (Action, Resource) = (Action::Delete, Resource::Department);
    const EVENT: &'static str = "archive.department";
    const VIA: &'static str = "DELETE /api/departments/{id}";
    const STATUS: StatusCode = StatusCode::OK;
    type Made = Deleted<Department>;

    fn args(&self) -> Value {
        json!({ "departmentId": self.id })
    }

    async fn make(self, school: &School<WriteFrame>) -> ToolResult<Deleted<Department>> {
        school.archive(self.id, None).await
    }
}

fn named(name: String) -> Result<String, Problem> {
    match name.chars().count() {
        1..=LONGEST_NAME => Ok(name),
        _ => Err(ToolError::refused(format!("A name has 1 to {LONGEST_NAME} characters.")).into()),
    }
}

/// A campus id stands in a call scope, which is the only way to make one from text.
fn campus(id: String) -> Result<CampusId, Problem> {
    let missing = || Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "`campusId` names no campus");
    if id.is_empty() || holds_control(&id) {
        return Err(missing());
    }
    AgentCallScope::campus(id).campus_id().cloned().ok_or_else(missing)
}
