//! Campuses of the school.

use agent_contract::{CampusId, Resource, ToolResult};
use sqlx::FromRow;
use tools::campuses::{Campus, CampusFigures, Campuses};

use super::School;
use crate::db::{
    Found, Frame, Locked, Place, Record,
    statements::{Statement, school},
    values,
};

#[derive(Debug, FromRow)]
pub(super) struct CampusRow {
    pub(super) id: String,
    pub(super) name: String,
}

impl Record for CampusRow {
    const RESOURCE: Resource = Resource::Campus;
    const WHAT: &'static str = "campus";
    const FIND: Statement = school::FIND_CAMPUS;

    fn id(&self) -> &str {
        &self.id
    }

    fn places(&self) -> Vec<Place> {
        vec![Place { campus_id: Some(self.id.clone()), ..Place::default() }]
    }
}

#[derive(FromRow)]
struct FiguresRow {
    id: String,
    name: String,
    departments: i64,
    classes: i64,
    students: i64,
    staff: i64,
}

/// A campus that a list was asked for. One that the caller may not see is no empty list: it does
/// not exist.
pub(super) async fn known(
    db: &mut Locked<'_>,
    campus: Option<&CampusId>,
) -> ToolResult<Option<Found<CampusRow>>> {
    match campus {
        Some(campus) => db.find(campus.as_str()).await.map(Some),
        None => Ok(None),
    }
}

/// The id that a list is narrowed to.
pub(super) fn id_of(campus: Option<&Found<CampusRow>>) -> Option<&str> {
    campus.map(|campus| campus.id.as_str())
}

impl<F: Frame> School<F> {
    /// Whether the school has this campus, be it that the caller may not see it: for the security log, never for an
    /// answer.
    pub(crate) async fn has_campus(&self, id: &str) -> ToolResult<bool> {
        let mut db = self.frame.session().lock().await;
        let found: Option<CampusRow> = db.optional(school::FIND_CAMPUS, values![id]).await?;
        Ok(found.is_some())
    }
}

impl<F: Frame> Campuses for School<F> {
    async fn list(&self) -> ToolResult<Vec<Campus>> {
        let mut db = self.frame.session().lock().await;
        let visible = db.visible(school::CAMPUSES)?;
        let rows: Vec<CampusRow> = db.list(visible, values![]).await?;
        Ok(rows.into_iter().map(|row| Campus { id: row.id, name: row.name }).collect())
    }

    async fn compare(&self) -> ToolResult<Vec<CampusFigures>> {
        let mut db = self.frame.session().lock().await;
        let visible = db.visible(school::CAMPUS_FIGURES)?;
        let rows: Vec<FiguresRow> = db.list(visible, values![]).await?;
        Ok(rows
            .into_iter()
            .map(|row| CampusFigures {
                id: row.id,
                name: row.name,
                departments: row.departments,
                classes: row.classes,
                students: row.students,
                staff: row.staff,
            })
            .collect())
    }
}
