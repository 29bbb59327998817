//! Prints what a caller may see as SQL: places of the listing and bound values, never a value in
//! the text.
//!
//! What cannot be expressed matches nothing. The campus in use is one more condition that all rows
//! must meet.

use std::fmt::Write as _;

use agent_contract::CampusId;

use super::{
    statements::{Listing, Places},
    value::Value,
};
use crate::authz::authority::{Clause, Condition, Field};

/// SQL and the values of its parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Printed {
    pub(super) sql: String,
    pub(super) values: Vec<Value>,
}

/// The condition of a listing, with parameters that count on from the listing's own.
pub(super) fn print(rights: &Condition, pinned: Option<&CampusId>, listing: Listing) -> Printed {
    let mut out = Printed { sql: String::from("("), values: Vec::new() };
    let own = listing.parameters();
    match rights {
        Condition::Nothing => out.sql.push_str("FALSE"),
        Condition::Everything => out.sql.push_str("TRUE"),
        Condition::AnyOf(clauses) => {
            out.sql.push_str("FALSE");
            for Clause { field, values } in clauses {
                if let Some(place) = place(&listing.places, *field) {
                    out.sql.push_str(" OR ");
                    membership(&mut out, place, values.iter().map(String::as_str), own);
                }
            }
        }
    }
    out.sql.push(')');
    if let Some(campus) = pinned {
        out.sql.push_str(" AND ");
        membership(&mut out, listing.places.campus, std::iter::once(campus.as_str()), own);
    }
    out
}

fn place(places: &Places, field: Field) -> Option<&'static str> {
    match field {
        Field::Campus => Some(places.campus),
        Field::Class => places.class,
        Field::Assignment => places.assignment,
        Field::Id => Some(places.id),
    }
}

fn membership<'v>(
    out: &mut Printed,
    place: &str,
    values: impl Iterator<Item = &'v str>,
    own: usize,
) {
    let mut list = String::new();
    for value in values {
        out.values.push(Value::from(value));
        let comma = if list.is_empty() { "" } else { ", " };
        let _ = write!(list, "{comma}${}", own + out.values.len());
    }
    if list.is_empty() {
        out.sql.push_str("FALSE");
    } else {
        out.sql.push_str(&place.replace("{}", &list));
    }
}
