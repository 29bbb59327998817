//! Checks on the arguments of one tool: campus fields, and the sentences that name arguments.

use super::message::Message;
use super::same;
use crate::args::{ArgField, CampusUse, FieldKind};

/// The kind of a field: text that is named like an id is one.
pub const fn kind(kind: FieldKind, is_id: bool) -> FieldKind {
    match kind {
        FieldKind::Text if is_id => FieldKind::Id,
        kind => kind,
    }
}

/// Fails for a campus that would escape the pinning.
#[track_caller]
pub const fn campus(campus: CampusUse, field: &str, named_campus: bool, has_default: bool) {
    match campus {
        CampusUse::Pinned if has_default => return,
        CampusUse::Target => return,
        CampusUse::None if !named_campus => return,
        _ => {}
    }
    let message = Message::new().text("field `").text(field);
    match campus {
        CampusUse::Target => {}
        CampusUse::Pinned => panic!(
            "{}",
            message
                .text("` is a `CampusArg`, which may be left out; write `#[serde(default)]` above it")
                .get()
        ),
        CampusUse::Wrapped => panic!(
            "{}",
            message
                .text("` wraps a `CampusArg`, which then is not pinned when it is left out; write `#[serde(default)] ")
                .text(field)
                .text(": CampusArg`")
                .get()
        ),
        CampusUse::None => panic!(
            "{}",
            message
                .text("` must be a `CampusArg`, so that it is pinned by the call scope before the handler sees it (or a `CampusTarget`, if something is sent there)")
                .get()
        ),
    }
}

/// Fails for a slot that is no argument.
#[track_caller]
pub const fn slot(fields: &[ArgField], slot: &str) {
    let mut i = 0;
    while i < fields.len() {
        if same(fields[i].name, slot) {
            return;
        }
        i += 1;
    }
    let message = Message::new().text("sentence slot `{").text(slot);
    assert!(
        !fields.is_empty(),
        "{}",
        message.text("}` is no argument of this tool; it has none").get()
    );
    let mut message = message.text("}` is no argument of this tool; its arguments are: ");
    let mut i = 0;
    while i < fields.len() {
        if i > 0 {
            message = message.text(", ");
        }
        message = message.text(fields[i].name);
        i += 1;
    }
    panic!("{}", message.get());
}

/// Fails for a required argument that no sentence can give. Lists and objects are asked for instead.
#[track_caller]
pub const fn covers(fields: &[ArgField], sentences: &[&[&str]]) {
    let mut i = 0;
    while i < fields.len() {
        let field = fields[i];
        if field.required && field.kind.is_speakable() && !is_said(field.name, sentences) {
            let message = Message::new().text("required argument `").text(field.name);
            let message = message.text("` is in no sentence; write a `{").text(field.name);
            panic!("{}", message.text("}` slot into one").get());
        }
        i += 1;
    }
}

const fn is_said(name: &str, sentences: &[&[&str]]) -> bool {
    let mut i = 0;
    while i < sentences.len() {
        let mut j = 0;
        while j < sentences[i].len() {
            if same(sentences[i][j], name) {
                return true;
            }
            j += 1;
        }
        i += 1;
    }
    false
}
