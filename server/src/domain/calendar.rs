//! The calendar: the school's years, and the terms of a campus in the current one.

use agent_contract::{Action, CampusId, Date, Resource, ToolError, ToolResult};
use sqlx::FromRow;
use tools::terms::{EditTerms, SchoolTerm, SchoolYear, Terms};

use super::{School, campuses::CampusRow, school::today};
use crate::db::{
    Frame, Locked, Permitted, Place, Record, WriteFrame,
    statements::{Statement, school},
    values,
};

/// An academic year.
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct YearRow {
    /// Its id.
    pub id: String,
    /// Display name.
    pub name: String,
    /// Calendar year it is named after.
    pub year: i64,
    /// Whether the school is in it.
    pub is_current: bool,
}

/// A term of the current year on one campus.
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct TermRow {
    /// Its id.
    pub id: String,
    /// Display name.
    pub name: String,
    /// Its place in the year, from 1.
    pub term_number: i64,
    /// First day, ISO 8601.
    pub starts_on: String,
    /// Last day, ISO 8601.
    pub ends_on: String,
    /// Whether its marks and results are settled.
    pub closed: bool,
    /// How the campus takes part in the year.
    pub campus_academic_year_id: String,
    /// The campus.
    pub campus_id: String,
    /// Its display name.
    pub campus_name: String,
}

impl Record for TermRow {
    const RESOURCE: Resource = Resource::Term;
    const WHAT: &'static str = "term";
    const FIND: Statement = school::FIND_TERM;

    fn id(&self) -> &str {
        &self.id
    }

    fn places(&self) -> Vec<Place> {
        vec![Place { campus_id: Some(self.campus_id.clone()), ..Place::default() }]
    }
}

impl TermRow {
    fn shown(self, today: Date) -> ToolResult<SchoolTerm> {
        let (starts_on, ends_on) = (day(&self.starts_on)?, day(&self.ends_on)?);
        Ok(SchoolTerm {
            id: self.id,
            name: self.name,
            term_number: self.term_number,
            starts_on,
            ends_on,
            is_current: starts_on <= today && today <= ends_on,
            campus_name: self.campus_name,
        })
    }
}

#[derive(FromRow)]
struct Id {
    id: String,
}

impl<F: Frame> School<F> {
    /// The year that the school is in, if one is set; for the context of a turn.
    pub async fn current_year(&self) -> ToolResult<Option<YearRow>> {
        current_year(&mut self.frame.session().lock().await).await
    }

    /// How a campus takes part in the current year; for the context of a turn.
    pub async fn campus_year_id(&self, campus_id: &str) -> ToolResult<Option<String>> {
        let mut db = self.frame.session().lock().await;
        let row: Option<Id> = db.optional(school::CAMPUS_YEAR, values![campus_id]).await?;
        Ok(row.map(|row| row.id))
    }

    /// The terms of the current year on one campus, by number; for the context of a turn.
    pub async fn terms_of(&self, campus_id: &str) -> ToolResult<Vec<TermRow>> {
        let mut db = self.frame.session().lock().await;
        Ok(db.all(school::TERMS_OF_CAMPUS, values![campus_id]).await?)
    }
}

impl<F: Frame> Terms for School<F> {
    async fn list(&self, campus: &CampusId) -> ToolResult<Vec<SchoolTerm>> {
        let mut db = self.frame.session().lock().await;
        let today = today(&mut db).await?;
        let rows = listed(&mut db, campus).await?;
        rows.into_iter().map(|row| row.shown(today)).collect()
    }

    async fn current(&self, campus: &CampusId) -> ToolResult<SchoolTerm> {
        let mut db = self.frame.session().lock().await;
        let today = today(&mut db).await?;
        let mut next = None;
        for row in listed(&mut db, campus).await? {
            let term = row.shown(today)?;
            if term.is_current {
                return Ok(term);
            }
            if next.is_none() && term.starts_on > today {
                next = Some(term);
            }
        }
        Err(ToolError::refused(match next {
            Some(term) => format!(
                "No term is running today; {} begins on {} on {}.",
                term.name, term.starts_on, term.campus_name
            ),
            None => "No term is running today, and no later one is set for this academic year."
                .to_owned(),
        }))
    }

    async fn years(&self) -> ToolResult<Vec<SchoolYear>> {
        let mut db = self.frame.session().lock().await;
        let visible = db.visible(school::YEARS)?;
        let rows: Vec<YearRow> = db.list(visible, values![]).await?;
        Ok(rows
            .into_iter()
            .map(|row| SchoolYear {
                id: row.id,
                name: row.name,
                year: row.year,
                is_current: row.is_current,
            })
            .collect())
    }
}

impl EditTerms for School<WriteFrame> {
    async fn set_dates(
        &self,
        campus: &CampusId,
        term_number: i64,
        starts_on: Date,
        ends_on: Date,
    ) -> ToolResult<SchoolTerm> {
        let mut db = self.frame.session().lock().await;
        let terms = listed(&mut db, campus).await?;
        let Some(wanted) = terms.iter().find(|term| term.term_number == term_number) else {
            return Err(ToolError::refused(format!(
                "There is no term {term_number} in the current academic year."
            )));
        };
        let found = db.find::<TermRow>(&wanted.id).await?;
        let term = db.authorize(Action::Update, found)?;
        if starts_on >= ends_on {
            return Err(ToolError::refused("A term must end after it begins."));
        }
        for other in terms.iter().filter(|other| other.id != term.id) {
            let (first, last) = (day(&other.starts_on)?, day(&other.ends_on)?);
            if starts_on <= last && first <= ends_on {
                return Err(ToolError::conflict(format!(
                    "These dates overlap {}, which runs from {first} to {last}.",
                    other.name
                )));
            }
        }
        set_dates(&mut db, &term, starts_on, ends_on).await?;
        let today = today(&mut db).await?;
        let row: Option<TermRow> = db.optional(school::FIND_TERM, values![&term.id]).await?;
        row.ok_or_else(|| ToolError::not_found("term"))?.shown(today)
    }
}

pub(super) async fn current_year(db: &mut Locked<'_>) -> ToolResult<Option<YearRow>> {
    Ok(db.optional(school::CURRENT_YEAR, values![]).await?)
}

async fn listed(db: &mut Locked<'_>, campus: &CampusId) -> ToolResult<Vec<TermRow>> {
    let campus = db.find::<CampusRow>(campus.as_str()).await?;
    let visible = db.visible(school::TERMS)?;
    db.list(visible, values![&campus.id]).await
}

async fn set_dates(
    db: &mut Locked<'_>,
    term: &Permitted<TermRow>,
    starts_on: Date,
    ends_on: Date,
) -> ToolResult<()> {
    let values = values![db.school(), &term.id, starts_on.to_string(), ends_on.to_string()];
    db.execute(school::SET_TERM_DATES, values).await?;
    Ok(())
}

/// A stored day.
pub(super) fn day(stored: &str) -> ToolResult<Date> {
    stored.parse().map_err(|error| {
        tracing::error!(%error, "a stored date does not parse");
        ToolError::Internal
    })
}
