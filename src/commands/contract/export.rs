//! `rover contract export`: the registry for others to read.

use agent_contract::{Form, ToolText, script};
use serde_json::Value;
use tools::agent_tools::DEFS;

use crate::cli::Export;
use crate::commands::CommandError;
use crate::say::say;

/// Writes the registry in the one form that was asked for.
pub(crate) fn run(export: &Export) -> Result<(), CommandError> {
    match export {
        Export { provider: Some(form), .. } => provider((*form).into())?,
        Export { ts: true, .. } => say!("{}", script::types(DEFS).trim_end()),
        Export { zod: true, .. } => say!("{}", script::zod(DEFS).trim_end()),
        // The grammar demands one of the four.
        Export { .. } => say!("{:#}", script::json_schema(DEFS)),
    }
    Ok(())
}

/// Every tool of the registry as this form declares it in one request. What the provider would not take is named, and
/// so is what it takes only as advice.
fn provider(form: Form) -> Result<(), CommandError> {
    let schemas: Vec<Value> = DEFS.iter().map(|def| (def.args_schema)()).collect();
    let tools: Vec<ToolText<'_>> = DEFS
        .iter()
        .zip(&schemas)
        .map(|(def, schema)| ToolText { name: def.name, description: def.description, schema })
        .collect();
    let declared = form.declare(&tools)?;
    for fault in &declared.refused {
        eprintln!("left out: {fault}");
    }
    for fault in declared.tools.iter().filter_map(|tool| tool.downgrade.as_ref()) {
        eprintln!("not strict: {fault}");
    }
    let json: Value = declared.tools.into_iter().map(|tool| tool.json).collect();
    say!("{json:#}");
    Ok(())
}
