//! The calendar: the school's years, and the terms of a campus in the current one.
//!
//! A closed term keeps its dates, and what belongs to it refuses to be written: [`not_closed`].

use agent_contract::{Action, CampusId, Date, Resource, ToolError, ToolResult, Version};
use sqlx::FromRow;
use tools::terms::{EditTerms, SchoolTerm, SchoolYear, Terms};

use super::{
    School,
    campuses::CampusRow,
    fresh_id,
    school::today,
    version::{stored, unchanged, written},
};
use crate::db::{
    DbError, Draft, Frame, Locked, Permitted, Place, Record, WriteFrame,
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
    /// Whether nothing of it is written any more.
    pub closed: bool,
    /// How the campus takes part in the year.
    pub campus_academic_year_id: String,
    /// The campus.
    pub campus_id: String,
    /// Its display name.
    pub campus_name: String,
    /// How often it was changed, from 1.
    pub version: i64,
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
            is_closed: self.closed,
            campus_name: self.campus_name,
            version: stored(self.version)?,
        })
    }
}

#[derive(FromRow)]
struct Id {
    id: String,
}

#[derive(FromRow)]
struct Name {
    name: String,
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
        seen: Option<Version>,
    ) -> ToolResult<SchoolTerm> {
        let mut db = self.frame.session().lock().await;
        let terms = listed(&mut db, campus).await?;
        let term = changeable(&mut db, &terms, term_number, seen).await?;
        apart(&terms, Some(&term.id), starts_on, ends_on)?;
        if term.closed {
            return Err(ToolError::refused(format!(
                "{} is closed; open it again first.",
                term.name
            )));
        }
        set_dates(&mut db, &term, starts_on, ends_on).await?;
        reread(&mut db, &term.id).await
    }

    async fn open(
        &self,
        campus: &CampusId,
        term_number: i64,
        days: Option<(Date, Date)>,
    ) -> ToolResult<SchoolTerm> {
        let mut db = self.frame.session().lock().await;
        let terms = listed(&mut db, campus).await?;
        let campus = db.find::<CampusRow>(campus.as_str()).await?;
        let draft = db.authorize_new::<TermRow>(campus.places().remove(0))?;
        if terms.iter().any(|term| term.term_number == term_number) {
            let term = changeable(&mut db, &terms, term_number, None).await?;
            if !term.closed || days.is_some() {
                return Err(ToolError::conflict(format!(
                    "{} is there already; set its dates if they are to change.",
                    term.name
                )));
            }
            set_closed(&mut db, &term, None).await?;
            return reread(&mut db, &term.id).await;
        }
        let Some((starts_on, ends_on)) = days else {
            return Err(ToolError::refused(format!(
                "There is no term {term_number} yet; a new one needs its first and last day."
            )));
        };
        apart(&terms, None, starts_on, ends_on)?;
        let id = insert(&mut db, &draft, term_number, starts_on, ends_on).await?;
        reread(&mut db, &id).await
    }

    async fn close(
        &self,
        campus: &CampusId,
        term_number: i64,
        seen: Option<Version>,
    ) -> ToolResult<SchoolTerm> {
        let mut db = self.frame.session().lock().await;
        let terms = listed(&mut db, campus).await?;
        let term = changeable(&mut db, &terms, term_number, seen).await?;
        if term.closed {
            return Err(ToolError::conflict(format!("{} is closed already.", term.name)));
        }
        set_closed(&mut db, &term, Some(jiff::Timestamp::now().as_microsecond())).await?;
        reread(&mut db, &term.id).await
    }

    async fn create_year(
        &self,
        year: i64,
        starts_on: Date,
        ends_on: Date,
    ) -> ToolResult<SchoolYear> {
        let mut db = self.frame.session().lock().await;
        // A year is the whole school's, so leave for one campus is not enough.
        let draft = db.authorize_new::<TermRow>(Place::default())?;
        if starts_on >= ends_on {
            return Err(ToolError::refused("An academic year must end after it begins."));
        }
        insert_year(&mut db, &draft, year, starts_on, ends_on).await.map_err(|error| match error {
            DbError::Duplicate(_) => {
                ToolError::conflict(format!("The academic year {year} is there already."))
            }
            other => other.into(),
        })
    }
}

/// Refuses to write what belongs to a day of a closed term.
pub(super) async fn not_closed(db: &mut Locked<'_>, campus_id: &str, day: Date) -> ToolResult<()> {
    let closed: Option<Name> =
        db.optional(school::CLOSED_TERM_ON, values![campus_id, day.to_string()]).await?;
    match closed {
        None => Ok(()),
        Some(term) => Err(ToolError::refused(format!(
            "{} is closed, and {day} lies in it; nothing of it can be written until it is opened again.",
            term.name
        ))),
    }
}

/// A term that the caller may change, at the version that was seen.
async fn changeable(
    db: &mut Locked<'_>,
    terms: &[TermRow],
    number: i64,
    seen: Option<Version>,
) -> ToolResult<Permitted<TermRow>> {
    let Some(wanted) = terms.iter().find(|term| term.term_number == number) else {
        return Err(ToolError::refused(format!(
            "There is no term {number} in the current academic year."
        )));
    };
    let found = db.find::<TermRow>(&wanted.id).await?;
    let term = db.authorize(Action::Update, found)?;
    unchanged(TermRow::WHAT, &term.name, term.version, seen)?;
    Ok(term)
}

/// Refuses days that are no term, or that another term has.
fn apart(terms: &[TermRow], own: Option<&str>, starts_on: Date, ends_on: Date) -> ToolResult<()> {
    if starts_on >= ends_on {
        return Err(ToolError::refused("A term must end after it begins."));
    }
    for other in terms.iter().filter(|other| Some(other.id.as_str()) != own) {
        let (first, last) = (day(&other.starts_on)?, day(&other.ends_on)?);
        if starts_on <= last && first <= ends_on {
            return Err(ToolError::conflict(format!(
                "These dates overlap {}, which runs from {first} to {last}.",
                other.name
            )));
        }
    }
    Ok(())
}

async fn insert(
    db: &mut Locked<'_>,
    draft: &Draft<TermRow>,
    number: i64,
    starts_on: Date,
    ends_on: Date,
) -> ToolResult<String> {
    let campus = draft.place().campus_id.clone();
    let year: Option<Id> = db.optional(school::CAMPUS_YEAR, values![campus]).await?;
    let Some(year) = year else {
        return Err(ToolError::refused(
            "This campus takes part in no current academic year, so it can have no term.",
        ));
    };
    let id = fresh_id();
    let values = values![
        db.school(),
        &id,
        year.id,
        format!("Term {number}"),
        number,
        starts_on.to_string(),
        ends_on.to_string(),
    ];
    db.execute(school::ADD_TERM, values).await?;
    Ok(id)
}

async fn insert_year(
    db: &mut Locked<'_>,
    _draft: &Draft<TermRow>,
    year: i64,
    starts_on: Date,
    ends_on: Date,
) -> Result<SchoolYear, DbError> {
    let (id, name) = (fresh_id(), format!("Academic year {year}"));
    let days = (starts_on.to_string(), ends_on.to_string());
    let values = values![db.school(), &id, &name, year, days.0, days.1, false];
    db.execute(school::ADD_YEAR, values).await?;
    db.execute(school::CAMPUSES_TAKE_PART, values![db.school(), &id]).await?;
    Ok(SchoolYear { id, name, year, is_current: false })
}

async fn set_closed(
    db: &mut Locked<'_>,
    term: &Permitted<TermRow>,
    since: Option<i64>,
) -> ToolResult<()> {
    let values = values![db.school(), &term.id, term.version, since];
    let rows = db.execute(school::SET_TERM_CLOSED, values).await?;
    written(rows, TermRow::WHAT, &term.name)
}

/// The term as it is now.
async fn reread(db: &mut Locked<'_>, id: &str) -> ToolResult<SchoolTerm> {
    let today = today(db).await?;
    let row: Option<TermRow> = db.optional(school::FIND_TERM, values![id]).await?;
    row.ok_or_else(|| ToolError::not_found("term"))?.shown(today)
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
    let days = (starts_on.to_string(), ends_on.to_string());
    let values = values![db.school(), &term.id, term.version, days.0, days.1];
    let rows = db.execute(school::SET_TERM_DATES, values).await?;
    written(rows, TermRow::WHAT, &term.name)
}

/// A stored day.
pub(super) fn day(stored: &str) -> ToolResult<Date> {
    stored.parse().map_err(|error| {
        tracing::error!(%error, "a stored date does not parse");
        ToolError::Internal
    })
}
