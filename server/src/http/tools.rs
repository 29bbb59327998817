//! The registry for people who are signed in: what the Hub's list of tools is drawn from.

use axum::Json;

use crate::catalogue::Catalogue;
use crate::chat::Person;

/// `GET /api/tools`
pub(super) async fn list(_reader: Person) -> Json<Catalogue> {
    Json(Catalogue::documented())
}
