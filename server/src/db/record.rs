//! Witnesses: a record in hand says what was checked about it.
//!
//! [`Found`] comes from a lookup that the caller may read; [`Permitted`] only from
//! [`Locked::authorize`] and [`Draft`] only from [`Locked::authorize_new`], so a repository that
//! takes them cannot be reached around the policy. A record that the policy hides is not found: the
//! answer is that of an id that does not exist.

use std::marker::PhantomData;

use agent_contract::{Action, Behind, ListQuery, Page, Resource, SortKey, ToolError, ToolResult};
use sqlx::FromRow;

use super::{
    Row, condition,
    frame::Locked,
    statements::{Listing, Paged, Statement},
    value::{Value, values},
};
use crate::authz::authority::{RecordRef, Verdict};

/// As many names as a search looks through. A misspelt name is near its own in every place of the alphabet, so a search
/// reads the names of all whom the caller may see; this is more than any school of one town has, and read in a moment.
const MOST_NAMES: usize = 10_000;

/// A row type that policy can speak about.
pub(crate) trait Record: Row {
    /// Its kind.
    const RESOURCE: Resource;
    /// What staff call it, e.g. "department".
    const WHAT: &'static str;
    /// Finds one by `$1`, its id.
    const FIND: Statement;

    /// Its id.
    fn id(&self) -> &str;

    /// Where it hangs in the school, which is at least one place: a person who works on two campuses hangs in both,
    /// one who works on none in the school alone.
    fn places(&self) -> Vec<Place>;
}

/// Where a record hangs in its school.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) campus_id: Option<String>,
    pub(crate) class_id: Option<String>,
    pub(crate) assignment_ids: Vec<String>,
}

/// A record that exists in this frame and that the caller may read.
#[derive(Debug)]
pub(crate) struct Found<T>(T);

/// A record that the caller may change in the way that was asked.
#[derive(Debug)]
pub(crate) struct Permitted<T>(T);

/// Leave to add a `T` in one place, and nowhere else.
#[derive(Debug)]
pub(crate) struct Draft<T> {
    place: Place,
    of: PhantomData<T>,
}

/// Leave to list: the condition that the caller's rights and the campus in use make together.
#[derive(Debug)]
pub(crate) struct Visible {
    listing: Listing,
    printed: condition::Printed,
}

#[derive(FromRow)]
struct Total {
    total: i64,
}

/// A row, and its place in the list.
#[derive(FromRow)]
struct OnPage<T> {
    #[sqlx(flatten)]
    record: T,
    page_key: String,
    page_id: String,
}

impl<T> std::ops::Deref for Found<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> std::ops::Deref for Permitted<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> Found<T> {
    /// The record itself, to be shown.
    pub(crate) fn into_inner(self) -> T {
        self.0
    }
}

impl<T> Permitted<T> {
    /// The record itself, when the change is done.
    pub(crate) fn into_inner(self) -> T {
        self.0
    }
}

impl<T> Draft<T> {
    pub(crate) fn place(&self) -> &Place {
        &self.place
    }
}

impl Locked<'_> {
    /// Looks one record up. Hidden, foreign, outside the campus in use and missing are one answer.
    pub(crate) async fn find<T: Record>(&mut self, id: &str) -> ToolResult<Found<T>> {
        let absent = || ToolError::NotFound { what: T::WHAT, id: Some(id.to_owned()) };
        let record: T = self.optional(T::FIND, values![id]).await?.ok_or_else(absent)?;
        let here = self.scope().campus().is_none_or(|pinned| {
            record.places().iter().any(|place| place.campus_id.as_deref() == Some(pinned.as_str()))
        });
        if here && self.may(Action::Read, &record)? { Ok(Found(record)) } else { Err(absent()) }
    }

    /// Turns a found record into one that may be changed, if the policy says so for this very
    /// record.
    pub(crate) fn authorize<T: Record>(
        &self,
        action: Action,
        found: Found<T>,
    ) -> ToolResult<Permitted<T>> {
        if self.may(action, &found.0)? {
            return Ok(Permitted(found.0));
        }
        Err(ToolError::denied(format!("you may not {} this {}", verb(action), T::WHAT)))
    }

    /// Leave to add a record at a place.
    pub(crate) fn authorize_new<T: Record>(&self, place: Place) -> ToolResult<Draft<T>> {
        let reference = self.reference(T::RESOURCE, "", &place);
        if self.decide(Action::Create, &reference)? {
            return Ok(Draft { place, of: PhantomData });
        }
        Err(ToolError::denied(format!(
            "you may not {} {} there",
            verb(Action::Create),
            one(T::WHAT)
        )))
    }

    /// Leave to read records of a kind that hang in one of these places, none of which need be there.
    pub(crate) fn authorize_reading<T: Record>(&self, places: &[Place]) -> ToolResult<()> {
        for place in places {
            if self.decide(Action::Read, &self.reference(T::RESOURCE, "", place))? {
                return Ok(());
            }
        }
        Err(ToolError::denied(format!("you may not {} {} there", verb(Action::Read), one(T::WHAT))))
    }

    /// Leave to put a record that may be changed somewhere else: the policy must allow it at both
    /// ends.
    pub(crate) fn authorize_move<T: Record>(
        &self,
        record: &Permitted<T>,
        place: Place,
    ) -> ToolResult<Draft<T>> {
        if self.decide(Action::Update, &self.reference(T::RESOURCE, record.id(), &place))? {
            return Ok(Draft { place, of: PhantomData });
        }
        Err(ToolError::denied(format!("you may not move this {} there", T::WHAT)))
    }

    /// Leave to run a listing: nothing that the caller may not read, nothing outside the campus in
    /// use.
    pub(crate) fn visible(&self, listing: Listing) -> ToolResult<Visible> {
        let rights = self.authority()?.condition(Action::Read, listing.resource);
        let pinned = self.scope().campus();
        Ok(Visible { listing, printed: condition::print(&rights, pinned, listing) })
    }

    /// The rows of a listing. `values` are its own parameters; those of the condition follow.
    pub(crate) async fn list<T: Row>(
        &mut self,
        visible: Visible,
        mut values: Vec<Value>,
    ) -> ToolResult<Vec<T>> {
        let Visible { listing, printed } = visible;
        values.extend(printed.values);
        Ok(self.all(listing.filled(&printed.sql), values).await?)
    }

    /// The rows of a listing in which one is looked for by name.
    pub(crate) async fn named<T: Record>(
        &mut self,
        visible: Visible,
        mut values: Vec<Value>,
    ) -> ToolResult<Vec<T>> {
        let Visible { listing, printed } = visible;
        values.extend(printed.values);
        let text = listing.filled_up_to(&printed.sql, MOST_NAMES + 1);
        let rows: Vec<T> = self.all(text, values).await?;
        if rows.len() > MOST_NAMES {
            return Err(ToolError::refused(format!(
                "There are more than {MOST_NAMES} to look through, so no {} can be found by name alone; name a campus \
                 too, or go through the list.",
                T::WHAT
            )));
        }
        Ok(rows)
    }

    /// One page of a listing: of what the caller may read, with how many records that is in all. `values` are the
    /// listing's own parameters.
    pub(crate) async fn page<T: Row, S: SortKey>(
        &mut self,
        paged: Paged<S>,
        mut values: Vec<Value>,
        query: &ListQuery<S>,
    ) -> ToolResult<Page<T>> {
        let Visible { printed, .. } = self.visible(paged.listing)?;
        values.extend(printed.values);
        let counted: Option<Total> =
            self.optional(paged.total(&printed.sql), values.clone()).await?;

        let size = usize::from(u8::from(query.size()));
        let text = paged.page(&printed.sql, query, values.len() + 1);
        if let Some(Behind { key, id }) = query.after() {
            values.extend(values![key, id]);
        }
        // One more than the page has says whether any follows.
        values.push(Value::Int(i64::try_from(size + 1).ok()));
        let mut rows: Vec<OnPage<T>> = self.all(text, values).await?;
        let more = rows.len() > size;
        rows.truncate(size);
        let next = rows.last().filter(|_| more).map(|last| {
            query.cursor(&Behind { key: last.page_key.clone(), id: last.page_id.clone() })
        });
        let total = counted.map_or(0, |count| count.total);
        Ok(Page::new(rows.into_iter().map(|row| row.record).collect(), total, next))
    }

    fn may<T: Record>(&self, action: Action, record: &T) -> ToolResult<bool> {
        for place in record.places() {
            if self.decide(action, &self.reference(T::RESOURCE, record.id(), &place))? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn decide(&self, action: Action, reference: &RecordRef) -> ToolResult<bool> {
        Ok(match self.authority()?.decide(action, reference) {
            Verdict::Allow => true,
            Verdict::Deny => false,
            Verdict::Broken(reason) => {
                tracing::error!(?action, ?reference, reason, "the policy is broken; denied");
                false
            }
        })
    }

    fn reference(&self, resource: Resource, id: &str, place: &Place) -> RecordRef {
        RecordRef {
            resource,
            school_id: self.school().to_owned(),
            id: id.to_owned(),
            campus_id: place.campus_id.clone(),
            class_id: place.class_id.clone(),
            assignment_ids: place.assignment_ids.clone(),
        }
    }
}

/// The action in a sentence. `Delete` is what archiving asks for, so it is said as people say it.
fn verb(action: Action) -> &'static str {
    match action {
        Action::Create => "add",
        Action::Read => "see",
        Action::Update => "change",
        Action::Delete => "remove",
    }
}

/// With its article: "a student", "an assessment".
fn one(what: &str) -> String {
    let article = if what.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    format!("{article} {what}")
}

#[cfg(test)]
mod tests {
    use super::one;

    #[test]
    fn a_kind_of_record_is_said_with_its_article() {
        for (what, said) in [("student", "a student"), ("assessment", "an assessment")] {
            assert_eq!(one(what), said);
        }
    }
}
