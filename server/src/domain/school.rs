//! The school itself: its name, and the time zone in which its day begins.

use agent_contract::{Date, ToolError, ToolResult};
use jiff::{Timestamp, tz::TimeZone};
use sqlx::FromRow;

use super::School;
use crate::db::{Database, DbError, Frame, Locked, statements, values};

/// A school.
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct SchoolRow {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// IANA name of its time zone, if it is configured.
    pub time_zone: Option<String>,
}

/// Every school, by id: for work that goes through all of them.
pub async fn schools(database: &Database) -> Result<Vec<SchoolRow>, DbError> {
    database.system_read().await?.all(statements::audit::SCHOOLS, values![]).await
}

impl<F: Frame> School<F> {
    /// The school in the frame.
    pub async fn school(&self) -> ToolResult<SchoolRow> {
        row(&mut self.frame.session().lock().await).await
    }
}

pub(super) async fn row(db: &mut Locked<'_>) -> ToolResult<SchoolRow> {
    let found = db.optional(statements::school::SCHOOL, values![]).await?;
    found.ok_or(ToolError::NotFound { what: "school", id: None })
}

/// Today where the school is. Without a zone it is the day in UTC.
pub(super) async fn today(db: &mut Locked<'_>) -> ToolResult<Date> {
    let school = row(db).await?;
    let zone = match school.time_zone.as_deref().map(TimeZone::get) {
        None => TimeZone::UTC,
        Some(Ok(zone)) => zone,
        Some(Err(error)) => {
            tracing::error!(%error, school = school.id, "the school's time zone is not known");
            return Err(ToolError::Internal);
        }
    };
    Date::try_from(Timestamp::now().to_zoned_datetime(zone).date()).map_err(|_| ToolError::Internal)
}
