//! An argument type with every kind of field there is.

use agent_contract::{CampusArg, CampusTarget, Date, Timestamp, ToolArgs};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Everything that arguments can hold.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct Everything {
    /// A name, e.g. "Mathematics".
    #[schemars(length(min = 1, max = 80))]
    pub(crate) name: String,
    /// Seats in the room.
    #[schemars(range(min = 1, max = 500))]
    pub(crate) capacity: u32,
    /// A large number.
    pub(crate) big: Option<i64>,
    /// A larger one.
    pub(crate) bigger: Option<u64>,
    /// A small number.
    pub(crate) small: Option<i8>,
    /// A little more.
    pub(crate) short: Option<i16>,
    /// A usual one.
    pub(crate) usual: Option<i32>,
    /// A share.
    pub(crate) share: Option<f64>,
    /// Whether it is urgent.
    #[serde(default)]
    pub(crate) urgent: bool,
    /// How many times to try.
    #[serde(default = "three")]
    pub(crate) tries: u8,
    /// The day.
    pub(crate) day: Option<Date>,
    /// The instant.
    pub(crate) at: Option<Timestamp>,
    /// What kind it is.
    pub(crate) kind: Kind,
    /// What else it could be.
    pub(crate) other_kind: Option<Kind>,
    /// Campus it belongs to; leave out for the campus in use.
    #[serde(default)]
    pub(crate) campus_id: CampusArg,
    /// Campus it moves to.
    pub(crate) to_campus: Option<CampusTarget>,
    /// Labels.
    #[serde(default)]
    pub(crate) labels: Vec<String>,
    /// The person to tell.
    pub(crate) contact: Option<Contact>,
    /// More people to tell.
    #[serde(default)]
    pub(crate) contacts: Vec<Contact>,
    /// When to do it.
    pub(crate) when: Option<When>,
}

fn three() -> u8 {
    3
}

/// A kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema, ToolArgs)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Kind {
    /// Lessons are given.
    Academic,
    /// Anything else.
    NonAcademic,
}

/// A person to tell.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct Contact {
    /// Where to write to.
    #[schemars(email)]
    pub(crate) email: String,
    /// How often at most.
    pub(crate) per_day: Option<u16>,
}

/// A time.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(
    deny_unknown_fields,
    tag = "by",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
pub(crate) enum When {
    /// Any time.
    Whenever,
    /// On one day.
    Day {
        /// The day.
        on_day: Date,
    },
    /// In a week.
    Week {
        /// Its number.
        number: u8,
        /// Only on these days.
        #[serde(default)]
        weekdays: Vec<Weekday>,
    },
}

/// A day of the week.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Weekday {
    Monday,
    Friday,
}

/// The least that `Everything` takes.
pub(crate) fn least() -> serde_json::Value {
    serde_json::json!({ "name": "Physics", "capacity": 40, "kind": "academic" })
}
