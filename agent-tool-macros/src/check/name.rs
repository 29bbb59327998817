//! Rules of names, events and verbs: the shape, what every provider accepts, one verb on both sides.

use proc_macro2::Span;

use crate::fault::Faults;
use crate::verb::{self, Place, Verb};

/// The longest name that every provider accepts.
pub(crate) const NAME_LIMIT: usize = 63;
/// The longest description that every provider accepts.
pub(crate) const DESCRIPTION_LIMIT: usize = 1024;

/// The tool's name. Answers whether it has a verb that can be looked up.
pub(crate) fn name(name: &str, span: Span, faults: &mut Faults) -> bool {
    if name.len() > NAME_LIMIT {
        faults.at(
            span,
            format!(
                "tool name is {} characters long; LLM providers accept at most {NAME_LIMIT}, so shorten it",
                name.len()
            ),
        );
        return false;
    }
    if let Some(odd) = name.chars().find(|letter| !is_name_letter(*letter)) {
        faults.at(
            span,
            format!("tool name `{name}` contains `{odd}`; write it in snake_case ASCII, which every LLM provider accepts"),
        );
        return false;
    }
    if verb::RESERVED.contains(&name) {
        faults.at(
            span,
            format!("tool name `{name}` belongs to a built-in tool of the graph; choose another"),
        );
        return false;
    }
    match name.split_once('_') {
        Some((verb, subject))
            if verb.starts_with(|c: char| c.is_ascii_lowercase()) && !subject.is_empty() =>
        {
            true
        }
        _ => {
            faults.at(
                span,
                format!("tool name `{name}` must read `verb_subject`, e.g. `create_department`"),
            );
            false
        }
    }
}

/// An event given by the author, beside a well-formed name.
pub(crate) fn event(event: &str, name: &str, span: Span, faults: &mut Faults) {
    let derived = name.replacen('_', ".", 1);
    let Some((verb, _)) = shaped(event, &derived, span, faults) else { return };
    if name.split('_').next() != Some(verb) {
        faults.at(
            span,
            format!("event `{event}` and name `{name}` use different verbs; write `{derived}`, or `legacy_event` if the event is older than the name"),
        );
    }
}

/// An event that is older than the name: another verb, but the same effect.
pub(crate) fn legacy_event(
    event: &str,
    name: &str,
    verb: Option<&Verb>,
    span: Span,
    faults: &mut Faults,
) {
    let derived = name.replacen('_', ".", 1);
    let Some((word, _)) = shaped(event, &derived, span, faults) else { return };
    let Some(old) = verb::lookup(word) else {
        let hint = verb::nearest(word, Place::Legacy).map_or_else(
            || "so its effect is unknown; use a verb of the table".to_owned(),
            |near| format!("did you mean `{near}`?"),
        );
        faults.at(span, format!("unknown verb `{word}` in event `{event}`; {hint}"));
        return;
    };
    let Some(verb) = verb else { return };
    if old.effect != verb.effect {
        let (does, did) = match verb.effect {
            verb::Effect::Read => ("reads", "writes"),
            verb::Effect::Write => ("writes", "reads"),
        };
        faults.at(
            span,
            format!(
                "event `{event}` {did}, but the tool's verb `{}` {does}; both must have the same effect",
                verb.word
            ),
        );
    }
}

/// The verb of a well-formed name.
pub(crate) fn verb(
    name: &str,
    local: bool,
    effect_given: bool,
    span: Span,
    faults: &mut Faults,
) -> Option<&'static Verb> {
    let word = name.split('_').next().unwrap_or_default();
    match verb::lookup(word) {
        Some(verb) if verb.place == Place::Tools || (local && verb.place == Place::Local) => {
            Some(verb)
        }
        Some(verb) if verb.place == Place::Local => {
            faults.at(
                span,
                format!("the verb `{word}` is for local tools; write `#[agent_tool(local, …)]` or choose another verb"),
            );
            None
        }
        Some(_) => {
            faults.at(span, format!("the verb `{word}` is kept for legacy events only; name the tool with a verb of the table"));
            None
        }
        None if effect_given => None,
        None => {
            let place = if local { Place::Local } else { Place::Tools };
            let hint = verb::nearest(word, place).map_or_else(
                || "a new verb must say what it does: `effect = read` or `effect = write`".to_owned(),
                |near| format!("did you mean `{near}`? (a new verb must say `effect = read` or `effect = write`)"),
            );
            faults.at(span, format!("unknown verb `{word}` in tool name `{name}`; {hint}"));
            None
        }
    }
}

/// The doc comment of a tool.
pub(crate) fn description(text: &str, tool: &str, span: Span, faults: &mut Faults) {
    if text.is_empty() {
        faults.at(
            span,
            format!("agent tool `{tool}` has no doc comment; write one, the model reads it as the tool's description"),
        );
        return;
    }
    let length = text.chars().count();
    if length > DESCRIPTION_LIMIT {
        faults.at(
            span,
            format!("the doc comment of `{tool}` is {length} characters long; LLM providers accept at most {DESCRIPTION_LIMIT}"),
        );
    }
}

fn shaped<'a>(
    event: &'a str,
    derived: &str,
    span: Span,
    faults: &mut Faults,
) -> Option<(&'a str, &'a str)> {
    let parts = event.split_once('.').filter(|(verb, subject)| {
        [verb, subject].iter().all(|part| !part.is_empty() && part.chars().all(is_name_letter))
    });
    if parts.is_none() || event.len() > NAME_LIMIT {
        faults.at(
            span,
            format!("event `{event}` must read `verb.subject` in at most {NAME_LIMIT} characters, e.g. `{derived}`"),
        );
        return None;
    }
    parts
}

fn is_name_letter(letter: char) -> bool {
    letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '_'
}
