//! Which letters text from outside may hold.
//!
//! A NUL cannot be kept by every database, and the other control characters say one thing to a screen and another to
//! a reader. Line breaks and tabs are how people write, so only an id is refused for them.

use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// Longer texts are cut in a message.
const SHOWN: usize = 60;

/// Whether a text holds a control character that no person types.
pub fn holds_control(text: &str) -> bool {
    text.chars().any(|letter| letter.is_control() && !matches!(letter, '\n' | '\r' | '\t'))
}

/// The first text inside a value, or the first name of a field, that holds a control character: where it stands
/// below `root`, and the text. A name is told by the object that has it.
pub fn first_control<'v>(root: &str, value: &'v Value) -> Option<(String, &'v str)> {
    match value {
        Value::String(text) => holds_control(text).then(|| (root.to_owned(), text.as_str())),
        Value::Array(items) => items
            .iter()
            .enumerate()
            .find_map(|(index, item)| first_control(&format!("{root}[{index}]"), item)),
        Value::Object(fields) => fields.iter().find_map(|(name, field)| {
            if holds_control(name) {
                return Some((root.to_owned(), name.as_str()));
            }
            first_control(&format!("{root}.{name}"), field)
        }),
        Value::Null | Value::Bool(_) | Value::Number(_) => None,
    }
}

/// Text of the model's in a line of ours: on that line, without control characters, and not too long.
pub(crate) fn clean(text: &str) -> String {
    let mut cleaned = String::new();
    let mut letters = text.chars();
    for letter in letters.by_ref().take(SHOWN) {
        if letter.is_control() {
            cleaned.extend(letter.escape_unicode());
        } else {
            cleaned.push(letter);
        }
    }
    if letters.next().is_some() {
        cleaned.push('…');
    }
    cleaned
}

/// Reads a text that is an id or an address: without any control character.
pub(crate) fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    plain::<D::Error>(String::deserialize(deserializer)?)
}

/// The same for one that may be absent.
pub(crate) fn optional<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<String>, D::Error> {
    Option::<String>::deserialize(deserializer)?.map(plain::<D::Error>).transpose()
}

fn plain<E: serde::de::Error>(text: String) -> Result<String, E> {
    if text.chars().any(char::is_control) {
        return Err(E::custom("a control character where none belongs"));
    }
    Ok(text)
}
