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
            const SPOKEN: [$crate::check::Spoken; $crate::check::count_spoken(DEFS)] =
                $crate::check::spoken(DEFS);

            const _: () = $crate::check::all_unique(DEFS, &SPOKEN);
        }
    };
}
