//! Campuses of the school.

use agent_contract::{Action, CampusId, Date, Resource, ToolError, ToolResult, Version};
use sqlx::FromRow;
use tools::campuses::{Campus, CampusFigures, Campuses, EditCampuses};

use super::{
    School,
    calendar::day,
    name::named,
    school::today,
    version::{stored, unchanged, written},
};
use crate::db::{
    DbError, Found, Frame, Locked, Permitted, Place, Record, WriteFrame,
    statements::{Statement, school},
    values,
};

#[derive(Debug, FromRow)]
pub(super) struct CampusRow {
    pub(super) id: String,
    pub(super) name: String,
    closed_on: Option<String>,
    version: i64,
}

impl CampusRow {
    fn shown(self) -> ToolResult<Campus> {
        Ok(Campus {
            version: stored(self.version)?,
            closes_on: self.closed_on.as_deref().map(day).transpose()?,
            id: self.id,
            name: self.name,
        })
    }
}

#[derive(FromRow)]
struct Count {
    n: i64,
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
        let found: Option<CampusRow> = db.optional(school::FIND_ANY_CAMPUS, values![id]).await?;
        Ok(found.is_some())
    }
}

impl<F: Frame> Campuses for School<F> {
    async fn list(&self) -> ToolResult<Vec<Campus>> {
        let mut db = self.frame.session().lock().await;
        let visible = db.visible(school::CAMPUSES)?;
        let rows: Vec<CampusRow> = db.list(visible, values![]).await?;
        rows.into_iter().map(CampusRow::shown).collect()
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

impl EditCampuses for School<WriteFrame> {
    async fn rename(
        &self,
        campus: &CampusId,
        name: String,
        seen: Option<Version>,
    ) -> ToolResult<Campus> {
        let mut db = self.frame.session().lock().await;
        let campus = changeable(&mut db, campus, seen).await?;
        let name = named("A campus", &name)?;
        let rows = rename(&mut db, &campus, &name).await.map_err(|error| match error {
            DbError::Duplicate(_) => {
                ToolError::conflict(format!("There is a campus called \"{name}\" already."))
            }
            other => other.into(),
        })?;
        written(rows, CampusRow::WHAT, &campus.name)?;
        reread(&mut db, &campus.id).await
    }

    async fn close(
        &self,
        campus: &CampusId,
        closes_on: Date,
        seen: Option<Version>,
    ) -> ToolResult<Campus> {
        let mut db = self.frame.session().lock().await;
        let campus = changeable(&mut db, campus, seen).await?;
        let there: Option<Count> = db.optional(school::STUDENTS_ON, values![&campus.id]).await?;
        let there = there.map_or(0, |count| count.n);
        if there > 0 && closes_on <= today(&mut db).await? {
            return Err(ToolError::refused(format!(
                "{there} students attend on {}; move or withdraw them first.",
                campus.name
            )));
        }
        let rows = close(&mut db, &campus, closes_on).await?;
        written(rows, CampusRow::WHAT, &campus.name)?;
        reread(&mut db, &campus.id).await
    }
}

/// A campus that the caller may change, at the version that was seen.
async fn changeable(
    db: &mut Locked<'_>,
    campus: &CampusId,
    seen: Option<Version>,
) -> ToolResult<Permitted<CampusRow>> {
    let found = db.find::<CampusRow>(campus.as_str()).await?;
    let campus = db.authorize(Action::Update, found)?;
    unchanged(CampusRow::WHAT, &campus.name, campus.version, seen)?;
    Ok(campus)
}

async fn rename(
    db: &mut Locked<'_>,
    campus: &Permitted<CampusRow>,
    name: &str,
) -> Result<u64, DbError> {
    let values = values![db.school(), &campus.id, campus.version, name];
    db.execute(school::RENAME_CAMPUS, values).await
}

async fn close(
    db: &mut Locked<'_>,
    campus: &Permitted<CampusRow>,
    closes_on: Date,
) -> ToolResult<u64> {
    let values = values![db.school(), &campus.id, campus.version, closes_on.to_string()];
    Ok(db.execute(school::CLOSE_CAMPUS, values).await?)
}

/// The campus as it is now. What was just closed is shown once more to whoever closed it.
async fn reread(db: &mut Locked<'_>, id: &str) -> ToolResult<Campus> {
    let row: Option<CampusRow> = db.optional(school::FIND_ANY_CAMPUS, values![id]).await?;
    row.ok_or_else(|| ToolError::not_found(CampusRow::WHAT))?.shown()
}
