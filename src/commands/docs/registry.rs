//! `tools/REGISTRY.md`: the catalogue for people.

use std::fmt::Write as _;

use agent_contract::{Effect, ToolScope};
use serde_json::Value;
use server::catalogue::{Argument, Catalogue, Gate, Shown, ToolPage};

use super::BLESS;

/// The whole page.
pub(super) fn page(catalogue: &Catalogue) -> String {
    let mut page = format!(
        "# Tools\n\nWritten by `{BLESS}` from the registry; do not edit. {} tools. The same as data: \
         [tools.json](tools.json), whose shape [docs/tool-registry.md](../docs/tool-registry.md) explains.\n\n\
         Every command below runs as it stands on the demo school (`cargo run` plants it; `alias rover='cargo run -q --'` \
         in this repository makes `rover` known to the shell). What stands in angle brackets differs from day to day.\n\n\
         | tool | does | offered in | effect |\n| --- | --- | --- | --- |\n",
        catalogue.tools.len()
    );
    for tool in &catalogue.tools {
        let _ = writeln!(
            page,
            "| [`{name}`](#{name}) | {does} | {scope} | {effect} |",
            name = tool.name,
            does = first_sentence(tool.description),
            scope = offered_in(tool.scope),
            effect = effect(tool.effect),
        );
    }
    for tool in &catalogue.tools {
        page.push('\n');
        page.push_str(&section(tool));
    }
    page
}

/// One tool's section.
pub(crate) fn section(tool: &ToolPage) -> String {
    let mut text = format!("## {}\n\n{}\n\n", tool.name, tool.description);
    let mut row = |what: &str, value: &str| {
        let _ = writeln!(text, "- {what}: {value}");
    };
    let event = tool.event.map_or("none, it runs in the worker".to_owned(), |e| format!("`{e}`"));
    row("event", &event);
    row("offered in", offered_in(tool.scope));
    row("agents", &tool.agents.join(", "));
    row("may be run by", &may_run(&tool.gate));
    row("effect", effect(tool.effect));
    row("asks first", if tool.asks_first { "yes" } else { "no" });
    row("activity line", &format!("{}…", tool.label));
    row("declared at", &tool.declared_at);
    text.push_str("\nArguments:\n\n");
    if tool.arguments.is_empty() {
        text.push_str("none\n");
    } else {
        text.push_str("| name | required | meaning | example |\n| --- | --- | --- | --- |\n");
        tool.arguments.iter().for_each(|argument| text.push_str(&argument_row(argument)));
    }
    for example in &tool.examples {
        text.push_str(&shown(example));
    }
    if !tool.sentences.is_empty() {
        text.push_str("\nSentences the offline planner knows:\n\n");
        for sentence in &tool.sentences {
            let _ = writeln!(text, "- {sentence}");
        }
    }
    for (what, schema) in [("Argument", &tool.arguments_schema), ("Result", &tool.result_schema)] {
        let _ = write!(
            text,
            "\n<details><summary>{what} schema</summary>\n\n```json\n{}\n```\n\n</details>\n",
            pretty(schema)
        );
    }
    text
}

fn argument_row(argument: &Argument) -> String {
    let required = if argument.required { "yes" } else { "no" };
    let lookup = argument
        .looked_up_with
        .map(|tool| format!(" Found with [`{tool}`](#{tool})."))
        .unwrap_or_default();
    let example = argument.example.as_ref().map(|value| format!("`{value}`")).unwrap_or_default();
    format!("| `{}` | {required} | {}{lookup} | {example} |\n", argument.name, argument.meaning)
}

fn shown(example: &Shown) -> String {
    let mut text = match &example.command {
        Some(command) => format!("\nExample:\n\n```sh\n{command}\n```\n"),
        None => format!("\nExample, asked for in a chat:\n\n```json\n{}\n```\n", example.arguments),
    };
    if let Some(result) = &example.result {
        let _ = write!(text, "\nanswers\n\n```json\n{}\n```\n", pretty(result));
    }
    text
}

fn pretty(schema: &Value) -> String {
    serde_json::to_string_pretty(schema).unwrap_or_default()
}

fn first_sentence(text: &str) -> &str {
    text.split_inclusive(". ").next().unwrap_or(text).trim_end()
}

fn offered_in(scope: ToolScope) -> &'static str {
    match scope {
        ToolScope::General => "every mode",
        ToolScope::Campus => "campus mode",
        ToolScope::School => "school mode",
    }
}

fn effect(effect: Effect) -> &'static str {
    match effect {
        Effect::Read => "reads",
        Effect::Write => "writes",
    }
}

fn may_run(gate: &Gate) -> String {
    match gate {
        Gate::Offer => "whoever it is offered to".to_owned(),
        Gate::Ownership => "whoever owns the record; the domain proves it on every call".to_owned(),
        Gate::Right { roles, .. } => {
            let roles: Vec<String> = roles
                .iter()
                .map(|granted| format!("{} ({})", granted.role, granted.reach))
                .collect();
            roles.join(", ")
        }
    }
}
