//! Days and instants as they cross the wire: RFC 3339 text outside, `jiff` values inside.
//!
//! The wrappers exist because a tool's schema must say `format: date`, and because `jiff` reads
//! more forms than RFC 3339 has; what the schema would refuse is refused here too.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use jiff::civil;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

/// The beginning of the year 0.
const FIRST: jiff::Timestamp = jiff::Timestamp::constant(-62_167_219_200, 0);

/// Text that is no date, or no instant, in RFC 3339 form.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected {expected}, got \"{got}\"")]
pub struct DateError {
    expected: &'static str,
    got: String,
}

/// A day without a time or a zone, `2026-02-01` on the wire.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Date(civil::Date);

/// An instant, `2026-02-01T08:30:00Z` on the wire; of the years that RFC 3339 can write.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Timestamp(jiff::Timestamp);

impl Date {
    /// The day with these numbers, if the calendar has it and RFC 3339 can write it.
    pub fn new(year: i16, month: i8, day: i8) -> Option<Self> {
        civil::Date::new(year, month, day).ok().filter(|date| date.year() >= 0).map(Self)
    }

    /// The present day by universal time.
    pub fn today() -> Self {
        Self(jiff::tz::TimeZone::UTC.to_datetime(jiff::Timestamp::now()).date())
    }

    /// The day as a `jiff` value, for reckoning.
    pub fn civil(self) -> civil::Date {
        self.0
    }
}

impl Timestamp {
    /// The present instant.
    pub fn now() -> Self {
        Self(jiff::Timestamp::now())
    }

    /// The instant so many milliseconds after 1970, as JavaScript counts.
    pub fn from_millisecond(milliseconds: i64) -> Result<Self, DateError> {
        let instant = jiff::Timestamp::from_millisecond(milliseconds).ok();
        instant.and_then(Self::writable).ok_or_else(|| DateError {
            expected: "milliseconds since 1970 within the years 0 to 9999",
            got: milliseconds.to_string(),
        })
    }

    /// The instant, unless it lies before the year 0.
    fn writable(instant: jiff::Timestamp) -> Option<Self> {
        (instant >= FIRST).then_some(Self(instant))
    }

    /// Milliseconds since 1970.
    pub fn as_millisecond(self) -> i64 {
        self.0.as_millisecond()
    }

    /// Whole seconds since 1970.
    pub fn as_second(self) -> i64 {
        self.0.as_second()
    }

    /// The instant `duration` later; the last instant there is, if that is later still.
    #[must_use]
    pub fn after(self, duration: std::time::Duration) -> Self {
        self.0.checked_add(duration).map_or(Self(jiff::Timestamp::MAX), Self)
    }

    /// The instant `duration` earlier; the first instant there is, if that is earlier still.
    #[must_use]
    pub fn before(self, duration: std::time::Duration) -> Self {
        self.0.checked_sub(duration).map_or(Self(jiff::Timestamp::MIN), Self)
    }

    /// How long it is from now until this instant; nothing if it has passed.
    pub fn remaining(self) -> std::time::Duration {
        let left = self.0.duration_since(jiff::Timestamp::now());
        std::time::Duration::try_from(left).unwrap_or_default()
    }

    /// The instant as a `jiff` value, for reckoning.
    pub fn instant(self) -> jiff::Timestamp {
        self.0
    }
}

impl FromStr for Date {
    type Err = DateError;

    fn from_str(text: &str) -> Result<Self, DateError> {
        let date = if is_full_date(text.as_bytes()) { text.parse().ok() } else { None };
        date.map(Self).ok_or_else(|| DateError {
            expected: "a date such as 2026-02-01",
            got: text.to_owned(),
        })
    }
}

impl FromStr for Timestamp {
    type Err = DateError;

    fn from_str(text: &str) -> Result<Self, DateError> {
        let instant =
            if is_date_time(text.as_bytes()) { in_nanoseconds(text).parse().ok() } else { None };
        instant.and_then(Self::writable).ok_or_else(|| DateError {
            expected: "an instant such as 2026-02-01T08:30:00Z",
            got: text.to_owned(),
        })
    }
}

/// `full-date` of RFC 3339, by shape.
fn is_full_date(text: &[u8]) -> bool {
    has_shape(text, b"0000-00-00")
}

/// `date-time` of RFC 3339, by shape: a zone is always given, and nothing follows it.
fn is_date_time(text: &[u8]) -> bool {
    let Some((head, tail)) = text.split_at_checked(19) else { return false };
    let digits = match tail.strip_prefix(b".") {
        Some(fraction) => fraction.iter().take_while(|byte| byte.is_ascii_digit()).count() + 1,
        None => 0,
    };
    let zone = &tail[digits..];
    has_shape(head, b"0000-00-00T00:00:00")
        && digits != 1
        && (has_shape(zone, b"Z") || has_shape(zone, b"+00:00") || has_shape(zone, b"-00:00"))
}

/// The text without digits of a second beyond the ninth, which RFC 3339 allows and no clock gives.
fn in_nanoseconds(text: &str) -> Cow<'_, str> {
    const KEPT: usize = "2026-02-01T08:30:00.123456789".len();
    let zone = text.rfind(['Z', 'z', '+', '-']).unwrap_or(text.len());
    if zone <= KEPT { text.into() } else { format!("{}{}", &text[..KEPT], &text[zone..]).into() }
}

/// Whether `text` has a digit where `shape` has `0`, and the same byte elsewhere; the letters may
/// be small, as RFC 3339 allows.
fn has_shape(text: &[u8], shape: &[u8]) -> bool {
    text.len() == shape.len()
        && text.iter().zip(shape).all(|(byte, form)| match form {
            b'0' => byte.is_ascii_digit(),
            other => byte.eq_ignore_ascii_case(other),
        })
}

macro_rules! wire_text {
    ($name:ident, $format:literal) => {
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&self.0, f)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&self.0, f)
            }
        }

        impl TryFrom<String> for $name {
            type Error = DateError;

            fn try_from(text: String) -> Result<Self, DateError> {
                text.parse()
            }
        }

        impl From<$name> for String {
            fn from(value: $name) -> Self {
                value.to_string()
            }
        }

        impl JsonSchema for $name {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!({ "type": "string", "format": $format })
            }
        }
    };
}

wire_text!(Date, "date");
wire_text!(Timestamp, "date-time");

impl TryFrom<jiff::Timestamp> for Timestamp {
    type Error = DateError;

    fn try_from(instant: jiff::Timestamp) -> Result<Self, DateError> {
        Self::writable(instant).ok_or_else(|| DateError {
            expected: "a year from 0 to 9999",
            got: instant.to_string(),
        })
    }
}

impl TryFrom<civil::Date> for Date {
    type Error = DateError;

    fn try_from(date: civil::Date) -> Result<Self, DateError> {
        Self::new(date.year(), date.month(), date.day())
            .ok_or_else(|| DateError { expected: "a year from 0 to 9999", got: date.to_string() })
    }
}
