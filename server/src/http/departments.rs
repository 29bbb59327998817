//! One department, for whoever has its id. All else of departments is in [`super::records`].

use agent_contract::{Action, Resource};
use axum::http::StatusCode;
use axum::response::Response;

use super::{Problem, path::PathId, records::written};
use crate::chat::Person;
use crate::db::DbError;

/// `GET /api/departments/{departmentId}`
pub(super) async fn one(person: Person, PathId(id): PathId) -> Result<Response, Problem> {
    person.rights().demand(Action::Read, Resource::Department)?;
    let department = person.school().department(&id).await?;
    let json = serde_json::to_string(&department)
        .map_err(|_| DbError::Stored("a department could not be written as JSON"))?;
    Ok(written(StatusCode::OK, &json))
}
