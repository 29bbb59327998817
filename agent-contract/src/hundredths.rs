//! Marks and percentages: numbers with two decimals, kept as whole hundredths so that no sum and no comparison is off.
//!
//! On the wire it is a JSON number, `67.5`. More decimals than two are rounded to the nearest hundredth when the number
//! is read; afterwards nothing is a float any more.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A number from 0 to 10,000 with two decimals.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hundredths(i64);

/// A number that is negative or above the greatest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a number from 0 to {}", Hundredths::MAX.get() / 100)]
pub struct HundredthsError;

impl Hundredths {
    /// Nothing.
    pub const ZERO: Self = Self(0);
    /// The greatest.
    pub const MAX: Self = Self(1_000_000);

    /// So many hundredths.
    pub const fn new(hundredths: i64) -> Result<Self, HundredthsError> {
        if hundredths < 0 || hundredths > Self::MAX.0 {
            return Err(HundredthsError);
        }
        Ok(Self(hundredths))
    }

    /// As hundredths.
    pub const fn get(self) -> i64 {
        self.0
    }

    /// The nearest to a float, which is read as the decimal text that it is written as.
    fn nearest(number: f64) -> Result<Self, HundredthsError> {
        if !(0.0..10_000.005).contains(&number) {
            return Err(HundredthsError);
        }
        let digits: String = format!("{:.2}", number.abs()).split('.').collect();
        digits.parse().map_err(|_| HundredthsError).and_then(Self::new)
    }
}

impl fmt::Display for Hundredths {
    /// As people write it: `67`, `67.5`, `66.67`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, rest) = (self.0 / 100, self.0 % 100);
        match (rest, rest % 10) {
            (0, _) => write!(f, "{whole}"),
            (_, 0) => write!(f, "{whole}.{}", rest / 10),
            _ => write!(f, "{whole}.{rest:02}"),
        }
    }
}

impl fmt::Debug for Hundredths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for Hundredths {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0 % 100 == 0 {
            return serializer.serialize_i64(self.0 / 100);
        }
        // The float nearest to the decimal text is written as that text again.
        let number: f64 = self.to_string().parse().map_err(serde::ser::Error::custom)?;
        serializer.serialize_f64(number)
    }
}

impl<'de> Deserialize<'de> for Hundredths {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_f64(Number)
    }
}

struct Number;

impl Visitor<'_> for Number {
    type Value = Hundredths;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a number from 0 to {}", Hundredths::MAX)
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<Hundredths, E> {
        number.checked_mul(100).ok_or(HundredthsError).and_then(Hundredths::new).map_err(E::custom)
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<Hundredths, E> {
        i64::try_from(number).map_err(E::custom).and_then(|number| self.visit_i64(number))
    }

    fn visit_f64<E: de::Error>(self, number: f64) -> Result<Hundredths, E> {
        Hundredths::nearest(number).map_err(E::custom)
    }
}

impl JsonSchema for Hundredths {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Hundredths".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "number", "minimum": 0, "maximum": 10000 })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Hundredths;

    #[test]
    fn a_number_is_read_to_the_nearest_hundredth_and_written_as_people_do() {
        for (json, hundredths, written) in [
            ("0", 0, "0"),
            ("67", 6_700, "67"),
            ("67.0", 6_700, "67"),
            ("67.5", 6_750, "67.5"),
            ("66.67", 6_667, "66.67"),
            ("66.666666", 6_667, "66.67"),
            ("1.005", 100, "1"), // the float nearest to 1.005 lies below it
            ("0.05", 5, "0.05"),
            ("-0.0", 0, "0"),
            ("10000", 1_000_000, "10000"),
        ] {
            let read: Hundredths = serde_json::from_str(json).unwrap();
            assert_eq!(read.get(), hundredths, "{json}");
            assert_eq!(serde_json::to_string(&read).unwrap(), written, "{json}");
            assert_eq!(read.to_string(), written, "{json}");
        }
        for json in ["-1", "-0.01", "10000.01", "1e300", "\"67\"", "null", "92233720368547758"] {
            assert!(serde_json::from_str::<Hundredths>(json).is_err(), "{json}");
        }
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_as_the_same(hundredths in 0..=Hundredths::MAX.get()) {
            let number = Hundredths::new(hundredths).unwrap();
            let json = serde_json::to_string(&number).unwrap();
            prop_assert_eq!(serde_json::from_str::<Hundredths>(&json).unwrap(), number, "{}", json);
        }
    }
}
