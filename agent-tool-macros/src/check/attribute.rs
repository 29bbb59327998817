//! Rules of the attribute's keys and closed words.

use proc_macro2::{Ident, Span};
use syn::Error;

use crate::fault::Faults;
use crate::parse::{Attribute, PostureWord, Roles};
use crate::verb::{Effect, Verb};

/// The keys, in the order in which the documentation lists them.
pub(crate) const KEYS: &[&str] = &[
    "name",
    "event",
    "legacy_event",
    "scope",
    "posture",
    "roles",
    "label",
    "say",
    "examples",
    "effect",
    "approval",
];

const SCOPES: &[&str] = &["general", "campus", "school"];
const APPROVALS: &[&str] = &["always", "when_destructive", "never"];
const LABEL_LIMIT: usize = 80;

/// A key outside the vocabulary.
pub(crate) fn unknown_key(key: &Ident) -> Error {
    Error::new(key.span(), format!("unknown key `{key}`; expected one of: {}", KEYS.join(", ")))
}

/// A key given twice.
pub(crate) fn repeated_key(key: &Ident) -> Error {
    Error::new(key.span(), format!("key `{key}` is given twice; keep one of them"))
}

/// `local` is a word of its own, at the head of the list and once.
pub(crate) fn local_comes_first(attribute: &Attribute, word: &Ident, faults: &mut Faults) {
    if attribute.local.is_some() || !attribute.written.is_empty() {
        faults.at(word.span(), "write `local` once, before the keys: `#[agent_tool(local, …)]`");
    }
}

/// The run modes that are offered the tool, as the variant's name.
pub(crate) fn scope(attribute: &Attribute, tool: &Ident, faults: &mut Faults) -> &'static str {
    let Some(word) = &attribute.scope else {
        if attribute.local.is_none() && !attribute.has("scope") {
            faults.at(
                tool.span(),
                format!(
                    "tool `{tool}` says no scope; write `scope = general`, `campus` or `school`"
                ),
            );
        }
        return "General";
    };
    match word.to_string().as_str() {
        "general" => "General",
        "campus" => "Campus",
        "school" => "School",
        other => {
            faults.at(
                word.span(),
                format!("unknown scope `{other}`; expected one of: {}", SCOPES.join(", ")),
            );
            "General"
        }
    }
}

/// When staff are asked before the tool runs, as the variant's name.
pub(crate) fn approval(attribute: &Attribute, faults: &mut Faults) -> &'static str {
    let Some(word) = &attribute.approval else { return "WhenDestructive" };
    match word.to_string().as_str() {
        "always" => "Always",
        "when_destructive" => "WhenDestructive",
        "never" => "Never",
        other => {
            faults.at(
                word.span(),
                format!("unknown approval `{other}`; expected one of: {}", APPROVALS.join(", ")),
            );
            "WhenDestructive"
        }
    }
}

/// The agents that are offered the tool.
pub(crate) fn roles(attribute: &Attribute, tool: &Ident, faults: &mut Faults) {
    let Some(Roles { span, names }) = &attribute.roles else {
        if !attribute.has("roles") {
            faults.at(
                tool.span(),
                format!("tool `{tool}` names no roles, so no agent would be offered it; write `roles = [Rover]`"),
            );
        }
        return;
    };
    if names.is_empty() {
        faults.at(
            *span,
            "`roles` is empty, so no agent would be offered this tool; write `roles = [Rover]`",
        );
    }
    for (i, name) in names.iter().enumerate() {
        if names[..i].contains(name) {
            faults.at(name.span(), format!("role `{name}` is given twice; keep one of them"));
        }
    }
}

/// The Hub's activity line.
pub(crate) fn label(
    attribute: &Attribute,
    tool: &Ident,
    verb: Option<&Verb>,
    faults: &mut Faults,
) -> String {
    let Some(label) = &attribute.label else {
        if !attribute.has("label") {
            let ing = verb.map_or("Creating", |verb| verb.ing);
            let subject = tool.to_string().split_once('_').map_or_else(
                || "a department".to_owned(),
                |(_, subject)| subject.replace('_', " "),
            );
            faults.at(
                tool.span(),
                format!("tool `{tool}` has no label for the Hub's activity line; write `label = \"{ing} {subject}\"`"),
            );
        }
        return tool.to_string();
    };
    let text = label.value();
    if text.trim().is_empty() {
        faults.at(label.span(), "the label is empty; write what the Hub shows, e.g. `label = \"Creating a department\"`");
    } else if text.chars().count() > LABEL_LIMIT {
        faults.at(
            label.span(),
            format!(
                "the label is longer than {LABEL_LIMIT} characters; the Hub shows it on one line"
            ),
        );
    }
    text
}

/// A tool that the server runs needs a posture, and a `casl` posture its permission.
pub(crate) fn posture(attribute: &Attribute, tool: &Ident, faults: &mut Faults) {
    let Some(PostureWord { word, permission }) = &attribute.posture else {
        if attribute.local.is_none() && !attribute.has("posture") {
            faults.at(
                tool.span(),
                format!("tool `{tool}` says no posture; write `posture = casl(Action, Resource)` or `posture = relationship`"),
            );
        }
        return;
    };
    match word.to_string().as_str() {
        "casl" if permission.is_none() => faults.at(
            word.span(),
            "a `casl` tool must name the permission that gates it, e.g. `posture = casl(Create, Department)`",
        ),
        "casl" => {}
        "relationship" => {
            if permission.is_some() {
                faults.at(word.span(), "`relationship` names no permission; write `posture = relationship`");
            }
        }
        other => faults.at(
            word.span(),
            format!("unknown posture `{other}`; expected `casl(Action, Resource)` or `relationship`"),
        ),
    }
}

/// The permission must be one that the verb stands for.
pub(crate) fn permission_fits(action: &Ident, verb: &Verb, faults: &mut Faults) {
    const KNOWN: &[&str] = &["Create", "Read", "Update", "Delete"];
    let name = action.to_string();
    // An action that no verb stands for is the policy's to judge, and it has a message of its own.
    if verb.actions.is_empty()
        || !KNOWN.contains(&name.as_str())
        || verb.actions.contains(&name.as_str())
    {
        return;
    }
    let expected = verb.actions.iter().map(|action| format!("`{action}`")).collect::<Vec<_>>();
    faults.at(
        action.span(),
        format!(
            "the verb `{}` is gated by {}, not by `{name}`; change the permission or the verb",
            verb.word,
            expected.join(" or ")
        ),
    );
}

/// What the tool does: the verb decides, `effect` confirms it or, for a new verb, says it.
pub(crate) fn effect(
    attribute: &Attribute,
    verb: Option<&Verb>,
    word: &str,
    faults: &mut Faults,
) -> Effect {
    let by_verb = verb.map(|verb| verb.effect);
    let Some(given) = &attribute.effect else { return by_verb.unwrap_or(Effect::Read) };
    let stated = match given.to_string().as_str() {
        "read" => Effect::Read,
        "write" => Effect::Write,
        other => {
            faults.at(
                given.span(),
                format!("unknown effect `{other}`; expected one of: read, write"),
            );
            return by_verb.unwrap_or(Effect::Read);
        }
    };
    match (stated, by_verb) {
        (Effect::Read, Some(Effect::Write)) => faults.at(
            given.span(),
            format!("tool is declared `effect = read`, but the verb `{word}` writes; take the key out or change the verb"),
        ),
        (Effect::Write, Some(Effect::Read)) => faults.at(
            given.span(),
            format!("tool is declared `effect = write`, but the verb `{word}` only reads; take the key out or change the verb"),
        ),
        _ => {}
    }
    stated
}

/// A local tool runs in the worker: it has nothing that the server would need.
pub(crate) fn local_has_no_server_keys(attribute: &Attribute, faults: &mut Faults) {
    if attribute.local.is_none() {
        return;
    }
    let mut refuse = |span: Span, key: &str, why: &str| {
        faults.at(
            span,
            format!("a local tool has no `{key}`: {why}; take the key or the word `local` out"),
        );
    };
    for literal in [&attribute.event, &attribute.legacy_event].into_iter().flatten() {
        refuse(literal.span(), "event", "no message is sent for it");
    }
    if let Some(posture) = &attribute.posture {
        refuse(posture.word.span(), "posture", "it reaches no record of the school");
    }
}
