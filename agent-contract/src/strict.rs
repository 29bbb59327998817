//! JSON text to one value, read strictly: nothing before or after it, and no object that names a field twice. Serde keeps
//! the last of two and JavaScript does the same, so a call that says two things would silently do one of them.

use std::cell::RefCell;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

use crate::error::ArgumentFault;
use crate::plain::clean;

/// Why text is not the arguments of a call.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TextFault {
    /// It ends before its JSON does.
    #[error("the arguments end in the middle of their JSON")]
    CutOff,
    /// An object names a field twice.
    #[error("the arguments name the field \"{0}\" twice")]
    Twice(String),
    /// Another value follows the first. Which of them is meant is not for us to say.
    #[error("the arguments are several JSON values, one after the other")]
    Several,
    /// A backslash stands before a letter that it cannot stand before.
    #[error("the arguments hold a backslash that JSON does not know")]
    Escape,
    /// It is no JSON.
    #[error("the arguments are no JSON")]
    NotJson,
}

impl TextFault {
    /// The line that the model reads.
    pub fn explained(&self) -> ArgumentFault {
        let (expected, got) = match self {
            Self::CutOff => {
                ("a whole JSON object", "text that ends in the middle of one".to_owned())
            }
            Self::Twice(field) => ("each field once", format!("the field \"{field}\" twice")),
            Self::Several => (
                "one JSON object",
                "several values, one after the other; make one call for each".to_owned(),
            ),
            Self::Escape => (
                "a JSON object",
                "text with a backslash that JSON does not know; write it as \\\\".to_owned(),
            ),
            Self::NotJson => ("a JSON object", "text that is none".to_owned()),
        };
        ArgumentFault::new("args", expected, got)
    }
}

/// The one value that the text is.
pub(crate) fn parse(text: &str) -> Result<Value, TextFault> {
    let twice = RefCell::default();
    let mut reader = serde_json::Deserializer::from_str(text);
    match Seed(&twice).deserialize(&mut reader) {
        Ok(value) if reader.end().is_ok() => Ok(value),
        Ok(_) if is_followed(text) => Err(TextFault::Several),
        Ok(_) => Err(TextFault::NotJson),
        Err(error) => Err(match twice.take() {
            Some(field) => TextFault::Twice(field),
            None if error.is_eof() && begins(text) => TextFault::CutOff,
            None if error.to_string().starts_with("invalid escape") => TextFault::Escape,
            None => TextFault::NotJson,
        }),
    }
}

/// Whether the text begins like an object or a list, so that its end can be missed.
fn begins(text: &str) -> bool {
    text.trim_start().starts_with(['{', '[', '"'])
}

/// Whether what follows the first value is meant to be a value as well.
fn is_followed(text: &str) -> bool {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<IgnoredAny>();
    let first = values.next();
    first.is_some_and(|first| first.is_ok()) && begins(&text[values.byte_offset()..])
}

/// Reads a value and keeps the name of the field that stopped it.
#[derive(Clone, Copy)]
struct Seed<'a>(&'a RefCell<Option<String>>);

impl<'de> DeserializeSeed<'de> for Seed<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Seed<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Number::from_f64(value).map(Value::Number).ok_or_else(|| E::custom("not finite"))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(self)? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(name) = fields.next_key::<String>()? {
            if object.contains_key(&name) {
                self.0.replace(Some(clean(&name)));
                return Err(A::Error::custom("a field twice"));
            }
            let value = fields.next_value_seed(self)?;
            object.insert(name, value);
        }
        Ok(Value::Object(object))
    }
}
