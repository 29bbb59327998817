//! Frames: one transaction that sees one school, for one caller.
//!
//! A [`ReadFrame`] has no commit. A [`WriteFrame`] has one, and it takes the audit entry, so a
//! change without its audit row cannot be written down. A frame without an authority answers
//! nothing about records.

use std::{
    future::Future,
    sync::{Arc, OnceLock},
};

use agent_contract::{AgentIdentity, ToolError};
use tokio::sync::{Mutex, MutexGuard};

use super::{DbError, Row, TenantScope, statements::Text, tx::Tx, value::Value};
use crate::{
    audit::{AuditEntry, StoredOutcome, append},
    authz::authority::Authority,
    domain::{self, CallerRow},
};

/// A frame that only reads; the database refuses everything else. Dropping it ends it.
#[derive(Debug)]
pub struct ReadFrame {
    session: Session,
}

/// A frame that may write. Dropping it rolls back.
#[derive(Debug)]
pub struct WriteFrame {
    session: Session,
}

/// What services ask of either frame.
pub trait Frame: Send + Sync + 'static {
    /// The transaction, its scope and its caller.
    fn session(&self) -> &Session;

    /// The same, to bind an authority to it.
    fn session_mut(&mut self) -> &mut Session;

    /// Whose rows are in the frame.
    fn scope(&self) -> &TenantScope {
        self.session().scope()
    }

    /// Reads the caller anew from live rows. `None`: unknown, disabled, gone, of another school, or
    /// not as the identity says; which one, nobody is told.
    fn caller(
        &self,
        identity: &AgentIdentity,
    ) -> impl Future<Output = Result<Option<CallerRow>, DbError>> + Send
    where
        Self: Sized,
    {
        domain::caller(self.session(), identity)
    }

    /// Lets an authority answer for the caller from now on.
    fn bind(&mut self, authority: Arc<dyn Authority>) {
        self.session_mut().authority = Some(authority);
    }
}

impl Frame for ReadFrame {
    fn session(&self) -> &Session {
        &self.session
    }

    fn session_mut(&mut self) -> &mut Session {
        &mut self.session
    }
}

impl Frame for WriteFrame {
    fn session(&self) -> &Session {
        &self.session
    }

    fn session_mut(&mut self) -> &mut Session {
        &mut self.session
    }
}

impl ReadFrame {
    pub(super) fn new(tx: Tx, scope: TenantScope) -> Self {
        Self { session: Session::new(tx, scope) }
    }
}

impl WriteFrame {
    pub(super) fn new(tx: Tx, scope: TenantScope) -> Self {
        Self { session: Session::new(tx, scope) }
    }

    /// Writes the audit row, keeps the outcome for replays and commits. There is no other commit.
    pub async fn commit(self, entry: AuditEntry, outcome: StoredOutcome) -> Result<(), DbError> {
        let mut tx = self.session.tx.into_inner();
        append(&mut tx, &self.session.scope, entry, outcome).await?;
        tx.commit().await
    }
}

/// One transaction with the scope, the authority and the live caller that go with it.
pub struct Session {
    tx: Mutex<Tx>,
    scope: TenantScope,
    authority: Option<Arc<dyn Authority>>,
    caller: OnceLock<CallerRow>,
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session")
            .field("scope", &self.scope)
            .field("bound", &self.authority.is_some())
            .finish_non_exhaustive()
    }
}

impl Session {
    fn new(tx: Tx, scope: TenantScope) -> Self {
        Self { tx: Mutex::new(tx), scope, authority: None, caller: OnceLock::new() }
    }

    /// Whose rows are in the frame.
    pub fn scope(&self) -> &TenantScope {
        &self.scope
    }

    /// The caller that was found in live rows; an unbound frame has none.
    pub(crate) fn live_caller(&self) -> Result<&CallerRow, ToolError> {
        self.caller.get().ok_or_else(|| {
            tracing::error!("a frame was asked for its caller before one was found");
            ToolError::Internal
        })
    }

    /// Remembers who was found. The first answer stays: one frame serves one caller.
    pub(crate) fn remember(&self, caller: &CallerRow) {
        let _ = self.caller.set(caller.clone());
    }

    /// The transaction, for one method of one service. A method locks once and calls no other port.
    pub(crate) async fn lock(&self) -> Locked<'_> {
        Locked { tx: self.tx.lock().await, session: self }
    }
}

/// The transaction of a frame, held for the length of one service method.
pub(crate) struct Locked<'a> {
    tx: MutexGuard<'a, Tx>,
    session: &'a Session,
}

impl Locked<'_> {
    pub(crate) fn scope(&self) -> &TenantScope {
        &self.session.scope
    }

    /// The school's id, the first value of every write.
    pub(crate) fn school(&self) -> &str {
        self.session.scope.school().as_str()
    }

    pub(super) fn authority(&self) -> Result<&dyn Authority, ToolError> {
        self.session.authority.as_deref().ok_or_else(|| {
            tracing::error!("a frame without an authority was asked about records");
            ToolError::Internal
        })
    }

    pub(crate) fn live_caller(&self) -> Result<&CallerRow, ToolError> {
        self.session.live_caller()
    }

    pub(crate) async fn all<T: Row>(
        &mut self,
        text: impl Text,
        values: Vec<Value>,
    ) -> Result<Vec<T>, DbError> {
        self.tx.all(text, values).await
    }

    pub(crate) async fn optional<T: Row>(
        &mut self,
        text: impl Text,
        values: Vec<Value>,
    ) -> Result<Option<T>, DbError> {
        self.tx.optional(text, values).await
    }

    pub(crate) async fn execute(
        &mut self,
        text: impl Text,
        values: Vec<Value>,
    ) -> Result<u64, DbError> {
        self.tx.execute(text, values).await
    }
}
