//! The skill folders, carried inside the binary so that a worker needs no file beside it.
//!
//! A source is a folder of skills: `general` for every agent, then one named after the agent's wire
//! id. Later sources win by skill name. A skill never widens what an agent is offered.

use include_dir::{Dir, include_dir};

/// `tools/skills/<source>/<skill>/SKILL.md` and the files beside it.
pub static SKILLS: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/skills");

/// The sources an agent reads, in order, by its wire id.
pub fn skill_sources_for_wire_id(wire_id: &str) -> Vec<&'static Dir<'static>> {
    ["general", wire_id].iter().filter_map(|source| SKILLS.get_dir(source)).collect()
}
