//! The registry: one list a crate, made by `registry!`, and `join!` for several crates.

pub use agent_tool_macros::registry;

/// Joins the registries of several crates into one list and checks names, events and sentences across all of them:
/// `join! { pub mod all_tools = [tools::agent_tools, more_tools::agent_tools]; }`.
#[macro_export]
macro_rules! join {
    ($(#[$meta:meta])* $visibility:vis mod $name:ident = [$($registry:path),+ $(,)?];) => {
        $(#[$meta])*
        $visibility mod $name {
            #[allow(unused_imports, clippy::wildcard_imports)]
            use super::*;

            /// Every definition of the joined registries.
            pub const DEFS: &[&$crate::ToolDefinition] = {
                const PARTS: &[&[&$crate::ToolDefinition]] = &[$({
                    use $registry as part;
                    part::DEFS
                }),+];
                const ALL: [&$crate::ToolDefinition; $crate::check::count(PARTS)] =
                    $crate::check::concat(PARTS);
                &ALL
            };

            #[allow(long_running_const_eval)]
            const CLAIMS: &$crate::check::Claims<'_> = {
                const NAMES: [$crate::check::Claim; DEFS.len()] = $crate::check::names(DEFS);
                const EVENTS: [$crate::check::Claim; DEFS.len()] = $crate::check::events(DEFS);
                const SENTENCES: [$crate::check::Claim; $crate::check::count_sentences(DEFS)] =
                    $crate::check::sentences(DEFS);
                &$crate::check::Claims { names: &NAMES, events: &EVENTS, sentences: &SENTENCES }
            };

            const _: () = $crate::check::all_unique(DEFS, CLAIMS);
        }
    };
}
