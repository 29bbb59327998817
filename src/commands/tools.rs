//! `rover tools`: the registry as a table, or one tool in full.

use agent_contract::{Effect, ToolScope};
use server::catalogue::ToolPage;
use server::demo::Results;
use tools::agent_tools::DEFS;

use super::{CommandError, docs, tool};
use crate::say::say;

/// One line a tool.
pub(crate) fn list() {
    say!("{:<24} {:<8} {:<6} {:<26} agents", "tool", "modes", "effect", "event");
    for def in DEFS {
        let modes = match def.scope {
            ToolScope::General => "every",
            ToolScope::Campus => "campus",
            ToolScope::School => "school",
        };
        let effect = match def.effect {
            Effect::Read => "read",
            Effect::Write => "write",
        };
        let agents: Vec<_> = def.roles.iter().map(|role| role.wire_id()).collect();
        let event = def.event.unwrap_or("(local)");
        say!("{:<24} {modes:<8} {effect:<6} {event:<26} {}", def.name, agents.join(", "));
    }
}

/// One tool in full.
pub(crate) fn show(name: &str) -> Result<(), CommandError> {
    let page = ToolPage::of(tool(name)?, &Results::documented());
    say!("{}", docs::section(&page));
    Ok(())
}
