//! `tools/REGISTRY.md`, written from the registry and from nothing else.
//!
//! A test compares the file with what this module writes, so the page cannot go stale.

use std::fmt::Write as _;
use std::path::Path;

use agent_contract::{Effect, GRANTS, Posture, ToolDefinition, ToolScope};
use tools::agent_tools::DEFS;

/// Where the page lies, seen from the workspace's root.
pub(crate) const REGISTRY_PAGE: &str = "tools/REGISTRY.md";

/// The command that renews the page.
pub(crate) const BLESS: &str = "cargo run -- docs";

/// Why the page could not be written or is not right.
#[derive(Debug, thiserror::Error)]
pub(crate) enum DocsError {
    /// The file cannot be read or written.
    #[error("{REGISTRY_PAGE}: {0}; run this in the workspace's root")]
    File(#[from] std::io::Error),
    /// The file differs from the registry.
    #[error("{REGISTRY_PAGE} is stale; run `{BLESS}`")]
    Stale,
}

/// Writes the page, or only compares it.
pub(crate) fn run(root: &Path, check: bool) -> Result<(), DocsError> {
    let path = root.join(REGISTRY_PAGE);
    let page = registry_page();
    if !check {
        std::fs::write(path, page)?;
        return Ok(());
    }
    if std::fs::read_to_string(path)? == page { Ok(()) } else { Err(DocsError::Stale) }
}

/// The whole page.
pub(crate) fn registry_page() -> String {
    let mut page = format!(
        "# Tools\n\nWritten by `{BLESS}` from the registry; do not edit. {} tools.\n\n\
         | tool | does | offered in | effect |\n| --- | --- | --- | --- |\n",
        DEFS.len()
    );
    for def in DEFS {
        let _ = writeln!(
            page,
            "| [`{name}`](#{name}) | {does} | {scope} | {effect} |",
            name = def.name,
            does = first_sentence(def.description),
            scope = offered_in(def),
            effect = effect(def),
        );
    }
    for def in DEFS {
        page.push('\n');
        page.push_str(&section(def));
    }
    page
}

/// One tool's section.
pub(crate) fn section(def: &ToolDefinition) -> String {
    let mut text = format!("## {}\n\n{}\n\n", def.name, def.description);
    let mut row = |what: &str, value: String| {
        let _ = writeln!(text, "- {what}: {value}");
    };
    row("event", def.event.map_or("none, it runs in the worker".to_owned(), |e| format!("`{e}`")));
    row("offered in", offered_in(def));
    row("agents", def.roles.iter().map(|role| role.wire_id()).collect::<Vec<_>>().join(", "));
    row("may be run by", may_run(def));
    row("effect", effect(def));
    row("asks first", if def.asks_first() { "yes" } else { "no" }.to_owned());
    row("activity line", format!("{}…", def.label));
    row("declared at", format!("{}:{}", def.file, def.line));
    text.push_str("\nArguments:\n\n");
    if def.fields.is_empty() {
        text.push_str("none\n");
    } else {
        text.push_str("| name | required | meaning |\n| --- | --- | --- |\n");
        for field in def.fields {
            let required = if field.required { "yes" } else { "no" };
            let _ = writeln!(text, "| `{}` | {required} | {} |", field.wire, field.description);
        }
    }
    if !def.say.is_empty() {
        text.push_str("\nSentences the offline planner knows:\n\n");
        for sentence in def.say {
            let _ = writeln!(text, "- {}", sentence.template);
        }
    }
    let _ = write!(
        text,
        "\nArgument schema:\n\n```json\n{}\n```\n\nResult schema:\n\n```json\n{}\n```\n",
        pretty(&(def.args_schema)()),
        pretty(&(def.output_schema)()),
    );
    text
}

fn pretty(schema: &serde_json::Value) -> String {
    serde_json::to_string_pretty(schema).unwrap_or_default()
}

fn first_sentence(text: &str) -> &str {
    text.split_inclusive(". ").next().unwrap_or(text).trim_end()
}

fn offered_in(def: &ToolDefinition) -> String {
    match def.scope {
        ToolScope::General => "every mode",
        ToolScope::Campus => "campus mode",
        ToolScope::School => "school mode",
    }
    .to_owned()
}

fn effect(def: &ToolDefinition) -> String {
    match def.effect {
        Effect::Read => "reads",
        Effect::Write => "writes",
    }
    .to_owned()
}

fn may_run(def: &ToolDefinition) -> String {
    match def.posture {
        None => "whoever it is offered to".to_owned(),
        Some(Posture::Relationship) => {
            "whoever owns the record; the domain proves it on every call".to_owned()
        }
        Some(Posture::Casl { action, resource }) => GRANTS
            .iter()
            .filter(|grant| grant.action == action && grant.resource == resource)
            .map(|grant| format!("{} ({})", grant.role, grant.reach))
            .collect::<Vec<_>>()
            .join(", "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_registry_page_is_fresh() {
        run(Path::new(env!("CARGO_MANIFEST_DIR")), true).unwrap();
    }
}
