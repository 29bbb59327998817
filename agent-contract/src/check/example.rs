//! Checks of the examples that an author shows: each value stands for an argument that takes it, and no argument is
//! missing that must be given.

use super::message::Message;
use super::{position, same};
use crate::args::{ArgField, ToolArg};
use crate::example::{ArgShape, ExampleValue};

/// What an object of an example may hold.
#[derive(Clone, Copy, Debug)]
pub struct Members {
    /// Empty for an object without one.
    tag: &'static str,
    fields: &'static [ArgField],
    /// Nothing is known of them, because the type was refused.
    refused: bool,
}

impl Members {
    const fn of(tag: &'static str, fields: &'static [ArgField]) -> Self {
        Self { tag, fields, refused: false }
    }

    const REFUSED: Self = Self { tag: "", fields: &[], refused: true };
}

/// The arguments themselves.
pub const fn example_root<A: ToolArg>() -> Members {
    match A::SHAPE {
        ArgShape::Object(fields) => Members::of("", fields),
        _ => Members::REFUSED,
    }
}

/// Fails for a tool that takes arguments and shows no example.
#[track_caller]
pub const fn example_given(fields: &[ArgField], tool: &str) {
    if fields.is_empty() {
        return;
    }
    let mut message = Message::new()
        .text("tool `")
        .text(tool)
        .text("` takes arguments and shows none; write an example that runs on the demo school: `examples = [{ ");
    let (mut i, mut shown) = (0, false);
    while i < fields.len() {
        if fields[i].required {
            if shown {
                message = message.text(", ");
            }
            message = message.text(fields[i].name).text(": ").text(blank(fields[i].shape));
            shown = true;
        }
        i += 1;
    }
    panic!("{}", message.text(if shown { " }]`" } else { "}]`" }).get());
}

/// What a member of this name looks like; fails if there is none.
#[track_caller]
pub const fn example_member(members: Members, name: &str) -> &'static ArgShape {
    if members.refused {
        return &ArgShape::Unusable;
    }
    if !members.tag.is_empty() && same(members.tag, name) {
        return &ArgShape::Text;
    }
    let mut i = 0;
    while i < members.fields.len() {
        if same(members.fields[i].name, name) {
            return members.fields[i].shape;
        }
        i += 1;
    }
    let message = Message::new().text("`").text(name).text("` is no argument of this tool; ");
    assert!(
        !members.fields.is_empty(),
        "{}",
        message.text("it has none, so leave the examples out").get()
    );
    panic!("{}", names(message.text("its arguments are: "), members.fields).get());
}

/// Fails for an argument that must be given and is not.
#[track_caller]
pub const fn example_complete(members: Members, given: &[&str]) {
    let mut i = 0;
    while i < members.fields.len() {
        let field = members.fields[i];
        if field.required && position(given, field.name).is_none() {
            let message = Message::new().text("this example lacks `").text(field.name);
            let message = message.text("`, which must be given; write `").text(field.name);
            panic!("{}", message.text(": ").text(blank(field.shape)).text("`").get());
        }
        i += 1;
    }
}

/// Fails for a text where something else is taken, for a word that is none of several, and for a day that is none.
#[track_caller]
pub const fn example_text(name: &str, shape: &ArgShape, text: &str) {
    let fits = match shape {
        ArgShape::Text | ArgShape::Unusable => true,
        ArgShape::Day => is_day(text.as_bytes()),
        ArgShape::Words(words) => position(words, text).is_some(),
        _ => false,
    };
    if !fits {
        refuse(name, shape);
    }
}

/// Fails for a whole number where something else is taken.
#[track_caller]
pub const fn example_whole(name: &str, shape: &ArgShape) {
    if !matches!(shape, ArgShape::Whole | ArgShape::Number | ArgShape::Unusable) {
        refuse(name, shape);
    }
}

/// Fails for a number with a fraction where something else is taken.
#[track_caller]
pub const fn example_number(name: &str, shape: &ArgShape) {
    if !matches!(shape, ArgShape::Number | ArgShape::Unusable) {
        refuse(name, shape);
    }
}

/// Fails for `true` or `false` where something else is taken.
#[track_caller]
pub const fn example_bool(name: &str, shape: &ArgShape) {
    if !matches!(shape, ArgShape::Bool | ArgShape::Unusable) {
        refuse(name, shape);
    }
}

/// What an item of the list looks like; fails where something else than a list is taken.
#[track_caller]
pub const fn example_list(name: &str, shape: &ArgShape) -> &'static ArgShape {
    match shape {
        ArgShape::List(item) => item,
        ArgShape::Unusable => &ArgShape::Unusable,
        _ => refuse(name, shape),
    }
}

/// What the object may hold; fails where something else than an object is taken.
#[track_caller]
pub const fn example_object(
    name: &str,
    shape: &ArgShape,
    entries: &[(&str, ExampleValue)],
) -> Members {
    let (tag, variants) = match shape {
        ArgShape::Object(fields) => return Members::of("", fields),
        ArgShape::Unusable => return Members::REFUSED,
        ArgShape::Tagged { tag, variants } => (*tag, *variants),
        _ => refuse(name, shape),
    };
    let mut i = 0;
    while i < entries.len() {
        if let (true, ExampleValue::Text(word)) = (same(entries[i].0, tag), entries[i].1) {
            let mut variant = 0;
            while variant < variants.len() {
                if same(variants[variant].0, word) {
                    return Members::of(tag, variants[variant].1);
                }
                variant += 1;
            }
        }
        i += 1;
    }
    refuse(name, shape)
}

#[track_caller]
const fn refuse(name: &str, shape: &ArgShape) -> ! {
    let message = Message::new().text("argument `").text(name).text("` takes ");
    let message = match shape {
        ArgShape::Text | ArgShape::Unusable => message.text("a text, e.g. `\"Mathematics\"`"),
        ArgShape::Day => message.text("a day of the calendar, e.g. `\"2026-02-28\"`"),
        ArgShape::Whole => message.text("a whole number, e.g. `3`"),
        ArgShape::Number => message.text("a number, e.g. `2.5`"),
        ArgShape::Bool => message.text("`true` or `false`"),
        ArgShape::Words(words) => message.text("one of: ").list(words),
        ArgShape::List(_) => message.text("a list, e.g. `[…]`"),
        ArgShape::Object(fields) => names(message.text("an object `{ … }` of: "), fields),
        ArgShape::Tagged { tag, variants } => {
            let mut message = message.text("an object whose `").text(tag).text("` is one of: ");
            let mut i = 0;
            while i < variants.len() {
                if i > 0 {
                    message = message.text(", ");
                }
                message = message.text(variants[i].0);
                i += 1;
            }
            message
        }
    };
    panic!("{}", message.get());
}

const fn names(mut message: Message, fields: &[ArgField]) -> Message {
    let mut i = 0;
    while i < fields.len() {
        if i > 0 {
            message = message.text(", ");
        }
        message = message.text(fields[i].name);
        i += 1;
    }
    message
}

/// What the author fills in.
const fn blank(shape: &ArgShape) -> &'static str {
    match shape {
        ArgShape::Text | ArgShape::Words(_) | ArgShape::Unusable => "\"…\"",
        ArgShape::Day => "\"2026-02-28\"",
        ArgShape::Whole => "1",
        ArgShape::Number => "1.5",
        ArgShape::Bool => "true",
        ArgShape::List(_) => "[…]",
        ArgShape::Object(_) | ArgShape::Tagged { .. } => "{ … }",
    }
}

/// Whether the text reads `YYYY-MM-DD` and names a day that a year can have.
const fn is_day(text: &[u8]) -> bool {
    if text.len() != 10 || text[4] != b'-' || text[7] != b'-' {
        return false;
    }
    let mut i = 0;
    while i < text.len() {
        if i != 4 && i != 7 && !text[i].is_ascii_digit() {
            return false;
        }
        i += 1;
    }
    let month = (text[5] - b'0') * 10 + (text[6] - b'0');
    let day = (text[8] - b'0') * 10 + (text[9] - b'0');
    let longest = match month {
        2 => 29,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    1 <= month && month <= 12 && 1 <= day && day <= longest
}
