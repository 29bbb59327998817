//! The patterns that are served, made from the registry: listing a tool there is all it takes.

use std::collections::HashMap;

use agent_contract::{Dispatch, Pattern, Prepare, Route, ToolDefinition};

use crate::{
    db::{ReadFrame, WriteFrame},
    domain::{School, SchoolHost},
};

/// A tool that this server runs.
#[derive(Debug)]
pub(super) struct Served {
    pub(super) def: &'static ToolDefinition,
    pub(super) event: &'static str,
    /// Hash of what the wire must agree on.
    pub(super) contract: String,
    pub(super) run: Run,
}

/// The frame that a served tool needs. A local tool has none and is not served.
#[derive(Clone, Copy)]
pub(super) enum Run {
    Read(Prepare<School<ReadFrame>>),
    Write(Prepare<School<WriteFrame>>),
}

/// Every served tool by its pattern.
#[derive(Debug)]
pub(super) struct Routes(HashMap<&'static str, Served>);

impl Routes {
    pub(super) fn of(routes: Vec<Route<SchoolHost>>) -> Self {
        let served = routes.into_iter().filter_map(served);
        Self(served.map(|served| (served.event, served)).collect())
    }

    pub(super) fn get(&self, pattern: &Pattern) -> Option<&Served> {
        self.0.get(pattern.as_str())
    }
}

fn served(Route { def, run }: Route<SchoolHost>) -> Option<Served> {
    let run = match run {
        Dispatch::Read(prepare) => Run::Read(prepare),
        Dispatch::Write(prepare) => Run::Write(prepare),
        Dispatch::Local => return None,
    };
    Some(Served { def, event: def.event?, contract: def.wire_hash(), run })
}

impl std::fmt::Debug for Run {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Read(_) => "Read",
            Self::Write(_) => "Write",
        })
    }
}
