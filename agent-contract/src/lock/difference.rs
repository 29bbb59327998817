//! Where two versions of a tool differ first, for a person who must find out why they do not understand each other.

use std::collections::BTreeSet;
use std::fmt;

use serde_json::Value;

use super::shape::Shape;

/// The longest value that is printed whole.
const SHOWN: usize = 60;

/// One place where two versions differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// JSON pointer into the shape, e.g. `/args/properties/capacity/maximum`.
    pub pointer: String,
    /// What is different there.
    pub change: Change,
}

/// What is different in one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// Only the newer version has it.
    Added(Value),
    /// Only the older version has it.
    Removed(Value),
    /// Both have it, and not the same.
    Altered {
        /// What the older version says.
        old: Value,
        /// What the newer version says.
        new: Value,
    },
}

/// The first difference between two versions of a tool: the event, then the arguments, then the result, each in the
/// order of its keys. None if they are the same on the wire.
pub fn first_difference(old: &Shape, new: &Shape) -> Option<Difference> {
    let mut path = Path::default();
    let event = |shape: &Shape| shape.event.as_deref().map(Value::from);
    path.inside("event", |path| optional(event(old).as_ref(), event(new).as_ref(), path))
        .or_else(|| path.inside("args", |path| values(&old.args, &new.args, path)))
        .or_else(|| path.inside("result", |path| values(&old.result, &new.result, path)))
}

/// The first difference between two values below a pointer.
pub(super) fn difference(old: &Value, new: &Value, below: &str) -> Option<Difference> {
    values(old, new, &mut Path(below.to_owned()))
}

fn values(old: &Value, new: &Value, path: &mut Path) -> Option<Difference> {
    match (old, new) {
        (Value::Object(olds), Value::Object(news)) => {
            let keys: BTreeSet<&String> = olds.keys().chain(news.keys()).collect();
            keys.into_iter().find_map(|key| {
                path.inside(key, |path| optional(olds.get(key), news.get(key), path))
            })
        }
        (Value::Array(olds), Value::Array(news)) => {
            (0..olds.len().max(news.len())).find_map(|index| {
                path.inside(&index.to_string(), |path| {
                    optional(olds.get(index), news.get(index), path)
                })
            })
        }
        _ if old == new => None,
        _ => Some(path.here(Change::Altered { old: old.clone(), new: new.clone() })),
    }
}

fn optional(old: Option<&Value>, new: Option<&Value>, path: &mut Path) -> Option<Difference> {
    match (old, new) {
        (None, None) => None,
        (Some(old), Some(new)) => values(old, new, path),
        (None, Some(new)) => Some(path.here(Change::Added(new.clone()))),
        (Some(old), None) => Some(path.here(Change::Removed(old.clone()))),
    }
}

/// A JSON pointer (RFC 6901) that grows and shrinks with the walk.
#[derive(Default)]
struct Path(String);

impl Path {
    fn inside<R>(&mut self, key: &str, walk: impl FnOnce(&mut Self) -> R) -> R {
        let length = self.0.len();
        self.0.push('/');
        self.0.push_str(&key.replace('~', "~0").replace('/', "~1"));
        let found = walk(self);
        self.0.truncate(length);
        found
    }

    fn here(&self, change: Change) -> Difference {
        Difference { pointer: self.0.clone(), change }
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { pointer, change } = self;
        let pointer = if pointer.is_empty() { "the whole" } else { pointer };
        match change {
            Change::Added(new) => write!(f, "{pointer} is new: {}", shown(new)),
            Change::Removed(old) => write!(f, "{pointer} is gone: it was {}", shown(old)),
            Change::Altered { old, new } => {
                write!(f, "{pointer} was {} and is {}", shown(old), shown(new))
            }
        }
    }
}

fn shown(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(SHOWN) {
        None => text,
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}
