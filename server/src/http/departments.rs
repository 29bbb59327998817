//! One department, for whoever has its id. All else of departments is in [`super::rest`].

use agent_contract::{Action, Resource};
use axum::http::{HeaderMap, Uri};
use axum::response::Response;

use super::{Problem, path::PathId, rest};
use crate::chat::Person;
use crate::db::DbError;

/// `GET /api/departments/{departmentId}`
pub(super) async fn one(
    person: Person,
    PathId(id): PathId,
    asked: HeaderMap,
    address: Uri,
) -> Result<Response, Problem> {
    person.rights().demand(Action::Read, Resource::Department)?;
    let department = person.school().department(&id).await?;
    let data = serde_json::to_value(department)
        .map_err(|_| DbError::Stored("a department could not be written as JSON"))?;
    Ok(rest::answer::of_read(&data, &asked, &address))
}
