//! The school's calendar, so that "this term" needs no lookup.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::ContextError;
use crate::date::Date;

/// The current academic year.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AcademicYear {
    /// Its display name, e.g. "Academic year 2026".
    pub name: String,
    /// The calendar year it is named after.
    pub year: i32,
    /// The pinned campus's own year, if it keeps one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub campus_academic_year_id: Option<String>,
}

/// A term as it crosses the wire.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TermInput {
    /// Id of the term.
    pub id: String,
    /// Its display name.
    pub name: String,
    /// Its place in the year, from 1.
    pub term_number: u32,
    /// First day, as text.
    pub starts_on: String,
    /// Last day, as text.
    pub ends_on: String,
    /// Whether it is the one going on.
    #[serde(default)]
    pub is_current: bool,
}

/// A term of the current year.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Term {
    /// Id of the term.
    pub id: String,
    /// Its display name.
    pub name: String,
    /// Its place in the year, from 1.
    pub term_number: u32,
    /// First day.
    pub starts_on: Date,
    /// Last day.
    pub ends_on: Date,
    /// Whether it is the one going on.
    pub is_current: bool,
}

/// The terms parsed and put in the order of their numbers.
pub(super) fn in_order(terms: Vec<TermInput>) -> Result<Vec<Term>, ContextError> {
    let mut terms = terms.into_iter().map(Term::try_from).collect::<Result<Vec<_>, _>>()?;
    terms.sort_by_key(|term| term.term_number);
    Ok(terms)
}

impl TryFrom<TermInput> for Term {
    type Error = ContextError;

    fn try_from(input: TermInput) -> Result<Self, ContextError> {
        let day = |field, text: &str| {
            text.parse::<Date>().map_err(|fault| ContextError::Date { field, fault })
        };
        Ok(Self {
            starts_on: day("terms.startsOn", &input.starts_on)?,
            ends_on: day("terms.endsOn", &input.ends_on)?,
            id: input.id,
            name: input.name,
            term_number: input.term_number,
            is_current: input.is_current,
        })
    }
}

impl From<Term> for TermInput {
    fn from(term: Term) -> Self {
        Self {
            id: term.id,
            name: term.name,
            term_number: term.term_number,
            starts_on: term.starts_on.to_string(),
            ends_on: term.ends_on.to_string(),
            is_current: term.is_current,
        }
    }
}
