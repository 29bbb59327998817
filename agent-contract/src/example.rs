//! Examples of a tool's arguments: what the author showed, as data, and what an argument of each type looks like.
//!
//! The compiler holds each example against the arguments; that it also runs is for a test over the registry.

use serde_json::{Map, Value, json};

use crate::args::ArgField;

/// One example, as the author wrote it: arguments by their Rust names.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Example(#[doc(hidden)] pub &'static [(&'static str, ExampleValue)]);

/// A value in an example.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ExampleValue {
    /// A text; a day, an instant, an id and one word of several are texts too.
    Text(&'static str),
    /// A number without a fraction.
    Whole(i64),
    /// A number with one.
    Number(f64),
    /// Yes or no.
    Bool(bool),
    /// Several values.
    List(&'static [Self]),
    /// A value with fields of its own, by their Rust names.
    Object(&'static [(&'static str, Self)]),
}

/// What an example of a type must look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArgShape {
    /// A text.
    Text,
    /// A day, e.g. `2026-02-28`.
    Day,
    /// A number without a fraction.
    Whole,
    /// A number.
    Number,
    /// Yes or no.
    Bool,
    /// One of these words.
    Words(&'static [&'static str]),
    /// Several of these.
    List(&'static Self),
    /// An object with these fields.
    Object(&'static [ArgField]),
    /// One of several objects, which the tag's value tells apart.
    Tagged {
        /// Name of the tag.
        tag: &'static str,
        /// The tag's value and the fields that go with it.
        variants: &'static [(&'static str, &'static [ArgField])],
    },
    /// Anything: the type was refused, and that is the fault to report.
    #[doc(hidden)]
    Unusable,
}

impl Example {
    /// The arguments as JSON, by their names on the wire.
    pub fn to_json(self, fields: &[ArgField]) -> Value {
        object(self.0, None, fields)
    }

    /// Whether the example gives this argument.
    pub fn gives(self, field: &ArgField) -> bool {
        self.0.iter().any(|(name, _)| *name == field.name)
    }
}

fn object(
    entries: &[(&'static str, ExampleValue)],
    tag: Option<&str>,
    fields: &[ArgField],
) -> Value {
    let mut members = Map::new();
    for (name, value) in entries {
        let field = fields.iter().find(|field| field.name == *name);
        let (wire, shape) = match field {
            Some(field) => (field.wire, field.shape),
            None if tag == Some(*name) => (*name, &ArgShape::Text),
            // The compiler has refused such an example.
            None => continue,
        };
        members.insert(wire.to_owned(), json_of(value, shape));
    }
    Value::Object(members)
}

fn json_of(value: &ExampleValue, shape: &ArgShape) -> Value {
    match (value, shape) {
        (ExampleValue::Text(text), _) => json!(text),
        (ExampleValue::Whole(number), _) => json!(number),
        (ExampleValue::Number(number), _) => json!(number),
        (ExampleValue::Bool(word), _) => json!(word),
        (ExampleValue::List(items), ArgShape::List(of)) => {
            items.iter().map(|item| json_of(item, of)).collect()
        }
        (ExampleValue::Object(entries), ArgShape::Object(fields)) => object(entries, None, fields),
        (ExampleValue::Object(entries), ArgShape::Tagged { tag, variants }) => {
            let word = entries.iter().find_map(|(name, value)| match value {
                ExampleValue::Text(word) if name == tag => Some(*word),
                _ => None,
            });
            let chosen = variants.iter().find(|(name, _)| Some(*name) == word);
            object(entries, Some(tag), chosen.map_or(&[], |(_, fields)| fields))
        }
        // The compiler has refused any other pair.
        (ExampleValue::List(_) | ExampleValue::Object(_), _) => Value::Null,
    }
}
