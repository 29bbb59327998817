//! The patterns that are served, made from the registry: listing a tool there is all it takes.

use std::collections::HashMap;
use std::sync::Arc;

use agent_contract::lock::{Lock, LockedTool};
use agent_contract::{
    Dispatch, Pattern, Prepare, RegistryAnswer, RegistryHello, Route, ToolDefinition,
};
use uuid::Uuid;

use crate::{
    db::{ReadFrame, WriteFrame},
    domain::{School, SchoolHost},
};

/// A tool that this server runs.
#[derive(Debug)]
pub(super) struct Served {
    pub(super) def: &'static ToolDefinition,
    pub(super) event: &'static str,
    /// The version that is served, and the older ones that the lock knows.
    pub(super) contract: Arc<LockedTool>,
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
pub(super) struct Routes {
    /// Which server this is, among those on one queue.
    server: String,
    served: HashMap<&'static str, Served>,
}

impl Routes {
    pub(super) fn of(routes: Vec<Route<SchoolHost>>, lock: &Lock) -> Self {
        let served = routes.into_iter().filter_map(|route| served(route, lock));
        Self {
            server: Uuid::new_v4().simple().to_string(),
            served: served.map(|served| (served.event, served)).collect(),
        }
    }

    pub(super) fn get(&self, pattern: &Pattern) -> Option<&Served> {
        self.served.get(pattern.as_str())
    }

    /// What this server makes of the tools that a worker holds.
    pub(super) fn answer(&self, hello: &RegistryHello) -> RegistryAnswer {
        RegistryAnswer::new(self.server.clone(), hello, |name, held| {
            let by_name = || self.served.values().find(|served| served.def.name == name);
            let served = self.served.get(held.event.as_str()).or_else(by_name)?;
            Some(served.contract.as_ref())
        })
    }
}

fn served(Route { def, run }: Route<SchoolHost>, lock: &Lock) -> Option<Served> {
    let run = match run {
        Dispatch::Read(prepare) => Run::Read(prepare),
        Dispatch::Write(prepare) => Run::Write(prepare),
        Dispatch::Local => return None,
    };
    Some(Served { def, event: def.event?, contract: Arc::new(contract(def, lock)), run })
}

/// The tool as this build has it. A lock of another version says nothing of what this one accepts.
fn contract(def: &ToolDefinition, lock: &Lock) -> LockedTool {
    let built = LockedTool::of(def);
    match lock.tool(def.name) {
        Some(locked) if locked.hashes.wire == built.hashes.wire => locked.clone(),
        _ => {
            tracing::warn!(
                tool = def.name,
                "not in the contract lock, so no older version is served"
            );
            built
        }
    }
}

impl std::fmt::Debug for Run {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Read(_) => "Read",
            Self::Write(_) => "Write",
        })
    }
}
