//! Tool calls: a packet in, an envelope out, and everything between in one order.
//!
//! [`Executor`] is the endpoint that every transport hands messages to. A call runs in a task of its own, which is
//! never dropped, so a caller that goes away cuts no transaction short. What comes out is what a Nest server would
//! answer, or nothing where it would not answer; nothing is ever thrown at the broker.

mod execute;
mod gates;
mod limits;
mod questions;
mod refusal;
mod reply;
mod routes;
mod trail;

#[cfg(test)]
#[path = "tests/mod.rs"]
mod tests_on_postgres;
#[cfg(test)]
#[path = "tests/mod.rs"]
mod tests_on_sqlite;

use std::sync::Arc;

use agent_contract::lock::Lock;
use agent_contract::{ToolEndpoint, WireMessage, WireReply};
use futures_util::future::BoxFuture;
use tokio_util::task::TaskTracker;
use tools::agent_tools;

use self::routes::Routes;
use crate::{
    authz::Policy,
    chat::Relay,
    db::Database,
    domain::SchoolHost,
    files::Files,
    identity::{ContextTokens, Enrolment, Runs},
    turn_log::TurnLog,
};

/// Takes tool calls and runs them through the gates.
#[derive(Debug, Clone)]
pub struct Executor {
    shared: Arc<Shared>,
    calls: TaskTracker,
}

/// What came of a message.
#[derive(Debug, Default)]
pub(crate) struct Taken {
    /// The answer; none where a Nest server would not answer.
    pub(crate) reply: Option<WireReply>,
    /// It was begun too often, and belongs where an operator can look at it.
    pub(crate) given_up: bool,
    /// It was refused: nothing is kept of it, so if it came again it might run.
    pub(crate) refused: bool,
}

/// What every call uses and none changes.
#[derive(Debug)]
struct Shared {
    database: Database,
    policy: Arc<Policy>,
    tokens: Arc<ContextTokens>,
    enrolment: Arc<Enrolment>,
    runs: Runs,
    log: TurnLog,
    relay: Relay,
    files: Files,
    routes: Routes,
}

impl Executor {
    /// An executor of every tool of the registry. A mode that asks for less than a proof says in the log what it gives up.
    pub fn new(
        database: Database,
        policy: Arc<Policy>,
        tokens: Arc<ContextTokens>,
        enrolment: Arc<Enrolment>,
        log: TurnLog,
        (relay, files): (Relay, Files),
        lock: &Lock,
    ) -> Self {
        enrolment.mode().announce();
        let routes = Routes::of(agent_tools::routes::<SchoolHost>(), lock);
        let runs = Runs::new(database.clone());
        Self::over(Shared { database, policy, tokens, enrolment, runs, log, relay, files, routes })
    }

    fn over(shared: Shared) -> Self {
        Self { shared: Arc::new(shared), calls: TaskTracker::new() }
    }

    /// How many calls are running.
    pub fn running(&self) -> usize {
        self.calls.len()
    }

    /// Waits until no call is running. Whoever drains stops bringing new ones first.
    pub async fn idle(&self) {
        self.calls.close();
        self.calls.wait().await;
        self.calls.reopen();
    }
}

impl Taken {
    fn answered(reply: WireReply) -> Self {
        Self { reply: Some(reply), ..Self::default() }
    }
}

impl Executor {
    /// Takes a message to its end, in a task of its own.
    pub(crate) fn take(&self, message: WireMessage) -> BoxFuture<'static, Taken> {
        let shared = Arc::clone(&self.shared);
        let speaks_rover = reply::speaks_rover(&message);
        let call = self.calls.spawn(async move { execute::execute(&shared, message).await });
        Box::pin(async move {
            call.await.unwrap_or_else(|stopped| {
                tracing::error!(%stopped, "a call stopped outside of its handler");
                Taken { refused: true, ..Taken::answered(reply::internal(speaks_rover)) }
            })
        })
    }
}

impl ToolEndpoint for Executor {
    fn handle(&self, message: WireMessage) -> BoxFuture<'_, Option<WireReply>> {
        let taken = self.take(message);
        Box::pin(async move { taken.await.reply })
    }
}
