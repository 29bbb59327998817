//! Lists in pages: what may be asked of a list, and what it answers.
//!
//! A page says how many records there are in all and whether more follow, so that nobody takes a page for the whole. A
//! cursor is the place behind the last record of a page: records that come or go meanwhile make no other record appear
//! twice or not at all. It holds nothing that its page did not show, and it fits only the order that it was made in.
//! Tools and REST ask with the same type.

use std::borrow::Cow;
use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

use crate::args::{FieldKind, Pins, ToolArg};
use crate::error::{ArgumentFault, ToolError};
use crate::example::ArgShape;
use crate::plain::holds_control;

/// How many records a page has at most; 1 to 100.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub struct PageSize(u8);

impl PageSize {
    /// The most that one page holds.
    pub const MOST: u8 = 100;

    /// So many, if a page can have them.
    pub fn new(records: u8) -> Result<Self, PageFault> {
        if (1..=Self::MOST).contains(&records) { Ok(Self(records)) } else { Err(PageFault::Size) }
    }
}

impl Default for PageSize {
    fn default() -> Self {
        Self(50)
    }
}

impl TryFrom<u8> for PageSize {
    type Error = PageFault;

    fn try_from(records: u8) -> Result<Self, PageFault> {
        Self::new(records)
    }
}

impl From<PageSize> for u8 {
    fn from(size: PageSize) -> Self {
        size.0
    }
}

impl JsonSchema for PageSize {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "PageSize".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "integer", "minimum": 1, "maximum": Self::MOST })
    }
}

#[diagnostic::do_not_recommend]
impl ToolArg for PageSize {
    const KIND: FieldKind = FieldKind::Number;
    const SHAPE: ArgShape = ArgShape::Whole;

    fn pin(&mut self, _pins: &mut Pins<'_>) -> Result<(), ToolError> {
        Ok(())
    }
}

/// Which end of a list comes first.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, crate::ToolArgs,
)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Order {
    /// The smallest first: A before B, earlier before later.
    #[default]
    Ascending,
    /// The greatest first: B before A, later before earlier.
    Descending,
}

/// What a list can be sorted by: the closed set of keys that its records have. [`crate::sort_keys!`] declares one.
pub trait SortKey: Copy + Default + fmt::Debug + Send + Sync + 'static {
    /// Every key.
    const ALL: &'static [Self];

    /// The key as it is written.
    fn word(self) -> &'static str;
}

/// Declares what a list can be sorted by; the first is what it is sorted by unless asked otherwise.
///
/// ```
/// agent_contract::sort_keys! {
///     /// What departments can be sorted by.
///     pub enum DepartmentSort {
///         /// By name.
///         Name = "name",
///         /// By campus, then by name.
///         Campus = "campus",
///     }
/// }
/// ```
#[macro_export]
macro_rules! sort_keys {
    (
        $(#[$about:meta])* pub enum $name:ident {
            $(#[$first_about:meta])* $first:ident = $first_word:literal,
            $($(#[$key_about:meta])* $key:ident = $word:literal,)*
        }
    ) => {
        $(#[$about])*
        #[derive(
            Clone,
            Copy,
            Debug,
            Default,
            PartialEq,
            Eq,
            ::serde::Serialize,
            ::serde::Deserialize,
            ::schemars::JsonSchema,
            $crate::ToolArgs,
        )]
        #[serde(deny_unknown_fields)]
        pub enum $name {
            $(#[$first_about])*
            #[default]
            #[serde(rename = $first_word)]
            $first,
            $($(#[$key_about])* #[serde(rename = $word)] $key,)*
        }

        impl $crate::SortKey for $name {
            const ALL: &'static [Self] = &[Self::$first, $(Self::$key),*];

            fn word(self) -> &'static str {
                match self {
                    Self::$first => $first_word,
                    $(Self::$key => $word,)*
                }
            }
        }
    };
}

/// Why a page cannot be given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PageFault {
    /// A page of no record, or of too many.
    #[error("a page has 1 to {} records", PageSize::MOST)]
    Size,
    /// A cursor that no page has given.
    #[error("the cursor must be the `nextCursor` of a page, unchanged")]
    Cursor,
    /// A cursor of a list in another order.
    #[error(
        "the cursor belongs to this list in another order; ask for that order again, or leave the cursor out"
    )]
    OtherOrder,
}

impl From<PageFault> for ToolError {
    fn from(fault: PageFault) -> Self {
        let (path, expected, got) = match fault {
            PageFault::Size => ("args.limit", "1 to 100 records", "another number"),
            PageFault::Cursor => ("args.cursor", "the `nextCursor` of a page", "another text"),
            PageFault::OtherOrder => (
                "args.cursor",
                "a cursor of this list in this order, or none",
                "one of another order",
            ),
        };
        Self::Invalid(vec![ArgumentFault::new(path, expected, got)])
    }
}

/// One page of a list, as it is asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListQuery<S> {
    sort: S,
    order: Order,
    size: PageSize,
    after: Option<Behind>,
}

/// The place behind one record of a sorted list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Behind {
    /// What the record is sorted by.
    pub key: String,
    /// Its id, which tells it from others of that key.
    pub id: String,
}

impl<S: SortKey> ListQuery<S> {
    /// What was asked for; what was left out is as usual. A cursor decides nothing but the place.
    pub fn new(
        sort: Option<S>,
        order: Option<Order>,
        size: Option<PageSize>,
        cursor: Option<&str>,
    ) -> Result<Self, PageFault> {
        let (sort, order) = (sort.unwrap_or_default(), order.unwrap_or_default());
        let after = cursor.map(|cursor| Self::behind(sort, order, cursor)).transpose()?;
        Ok(Self { sort, order, size: size.unwrap_or_default(), after })
    }

    /// What the list is sorted by.
    pub fn sort(&self) -> S {
        self.sort
    }

    /// Which end comes first.
    pub fn order(&self) -> Order {
        self.order
    }

    /// How many records the page has at most.
    pub fn size(&self) -> PageSize {
        self.size
    }

    /// The place that the page begins behind; none for the first.
    pub fn after(&self) -> Option<&Behind> {
        self.after.as_ref()
    }

    /// The cursor of the place behind a record.
    pub fn cursor(&self, last: &Behind) -> String {
        let written = CursorText {
            sort: self.sort.word().into(),
            order: self.order,
            key: last.key.clone(),
            id: last.id.clone(),
        };
        URL_SAFE_NO_PAD.encode(serde_json::to_vec(&written).unwrap_or_default())
    }

    fn behind(sort: S, order: Order, cursor: &str) -> Result<Behind, PageFault> {
        let bytes = URL_SAFE_NO_PAD.decode(cursor).map_err(|_| PageFault::Cursor)?;
        let written: CursorText = serde_json::from_slice(&bytes).map_err(|_| PageFault::Cursor)?;
        if holds_control(&written.key) || holds_control(&written.id) {
            return Err(PageFault::Cursor);
        }
        if written.sort != sort.word() || written.order != order {
            return Err(PageFault::OtherOrder);
        }
        Ok(Behind { key: written.key, id: written.id })
    }
}

/// What a cursor says, before it is made opaque.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CursorText {
    #[serde(rename = "s")]
    sort: Cow<'static, str>,
    #[serde(rename = "o")]
    order: Order,
    #[serde(rename = "k")]
    key: String,
    #[serde(rename = "i")]
    id: String,
}

/// Some records of a list, and how many there are in all.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Page<T> {
    /// The records of this page, in order.
    items: Vec<T>,
    /// How many records the whole list has, on this page and on all others.
    total: i64,
    /// Whether records follow that are not on this page.
    has_more: bool,
    /// What to give as `cursor` for the next page, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
}

impl<T> Page<T> {
    /// Records of a list that has `total` of them; `next` is the cursor of what follows.
    pub fn new(items: Vec<T>, total: i64, next: Option<String>) -> Self {
        Self { items, total, has_more: next.is_some(), next_cursor: next }
    }

    /// A whole list in one page.
    pub fn whole(items: Vec<T>) -> Self {
        let total = i64::try_from(items.len()).unwrap_or(i64::MAX);
        Self::new(items, total, None)
    }

    /// The records of this page.
    pub fn items(&self) -> &[T] {
        &self.items
    }

    /// How many records there are in all.
    pub fn total(&self) -> i64 {
        self.total
    }

    /// The cursor of the next page, if there is one.
    pub fn next_cursor(&self) -> Option<&str> {
        self.next_cursor.as_deref()
    }

    /// The same page of other records.
    pub fn map<U>(self, change: impl FnMut(T) -> U) -> Page<U> {
        Page {
            items: self.items.into_iter().map(change).collect(),
            total: self.total,
            has_more: self.has_more,
            next_cursor: self.next_cursor,
        }
    }

    /// The same, unless one of them cannot be made.
    pub fn try_map<U, E>(self, change: impl FnMut(T) -> Result<U, E>) -> Result<Page<U>, E> {
        Ok(Page {
            items: self.items.into_iter().map(change).collect::<Result<_, E>>()?,
            total: self.total,
            has_more: self.has_more,
            next_cursor: self.next_cursor,
        })
    }
}
