//! The macros that turn one annotated function into one agent tool.
//!
//! The road of an attribute is `parse` (tokens to fields) → `model` (fields to a tool) → `check` (every rule and
//! every message) → `expand` (tool to code). Three rules hold everywhere: all faults of one item are reported
//! together; the author's item is always emitted again, with an implementation that stands in for the faulty one,
//! so that one mistake gives one error; types are recognised by trait, never by spelling.

mod args;
mod audit;
mod case;
mod check;
mod docs;
mod example;
mod expand;
mod fault;
mod model;
mod parse;
mod policy;
mod registry;
mod say;
mod verb;

#[cfg(test)]
mod tests;

use proc_macro::TokenStream;

/// Declares an agent tool.
///
/// Keys: `scope`, `posture`, `roles` and `label` are required; `name`, `event`, `legacy_event`, `say`, `examples`,
/// `effect` and `approval` are optional; a tool of the server that takes arguments shows at least one example. The leading word `local` declares a tool that runs in the worker: it has no event and
/// no posture, and its scope is `general` unless given. The doc comment is what the model reads.
///
/// The function is `async`, takes `cx: &ToolCx<impl Ports>` and one argument struct, and returns `ToolResult<T>`.
#[proc_macro_attribute]
pub fn agent_tool(attribute: TokenStream, item: TokenStream) -> TokenStream {
    expand::agent_tool(attribute.into(), &item.into()).into()
}

/// Proves that a type may stand in a tool's arguments: documented, closed, free of identity, campus pinned.
///
/// `#[arg(lookup = find_students)]` on an id field names the tool that finds such ids.
#[proc_macro_derive(ToolArgs, attributes(arg))]
pub fn tool_args(item: TokenStream) -> TokenStream {
    args::derive(item.into()).into()
}

/// Says which record a result names, for the audit trail: `#[audit(kind = "department")]` on the struct and
/// `#[audit(id)]` on the field that identifies it.
#[proc_macro_derive(AuditSubject, attributes(audit))]
pub fn audit_subject(item: TokenStream) -> TokenStream {
    audit::derive(item.into()).into()
}

/// Lists the tools of a crate, one path a line: `registry! { pub mod agent_tools = [departments::create_department]; }`.
///
/// The list is the only registration. The module holds `DEFS`, `ToolName`, `ToolEvent`, `routes` and `proxies`.
#[proc_macro]
pub fn registry(input: TokenStream) -> TokenStream {
    registry::expand(input.into()).into()
}

/// Reads a file of `grant("role", "resource:action", "reach");` facts, named relative to the crate, and makes the
/// vocabulary of it: `Action`, `Resource`, `StaffRole`, `Reach`, `GRANTS` and `FACTS`.
#[proc_macro]
pub fn policy_vocabulary(input: TokenStream) -> TokenStream {
    policy::expand(input.into()).into()
}

/// The verb table as constants, so that the compiler and the running program read the same one.
#[proc_macro]
pub fn verb_table(_input: TokenStream) -> TokenStream {
    verb::table().into()
}
