//! Turns that nobody ends: their worker died, or their server started anew. Each ends here, with its reason.

use std::time::Duration;

use agent_contract::{EndReason, Timestamp, TurnId};

use super::{Ended, Relay, is_workers};
use crate::chat::threads::TurnState;
use crate::db::DbError;

/// A worker that has said nothing for so long is taken for dead: it says every ten seconds that it lives.
const QUIET: Duration = Duration::from_secs(30);

impl Relay {
    /// Ends every turn whose time has run out by `now`, or whose worker fell silent; answers which, so that their
    /// workers can be told. Lets go, too, of runs that another server ended.
    pub(crate) async fn sweep(&self, now: Timestamp) -> Result<Vec<TurnId>, DbError> {
        let mut ended = Vec::new();
        for turn in self.threads.overdue(now).await? {
            let reason = self.why_overdue(&turn.id, now).await?;
            if self.end(&turn.id, reason, None).await? == Ended::Now {
                tracing::warn!(turn = %turn.id, ?reason, "a turn was ended because its time ran out");
                ended.push(turn.id);
            }
        }
        for turn in self.live.ids() {
            match self.threads.turn(&turn).await?.map(|turn| turn.state) {
                Some(TurnState::Open) if self.live.is_lost(&turn, QUIET, now) => {
                    let stopping = self.live.is_stopping(&turn);
                    let reason = if stopping { EndReason::Stopped } else { EndReason::WorkerLost };
                    if self.end(&turn, reason, None).await? == Ended::Now {
                        tracing::warn!(%turn, "a turn was ended because its worker fell silent");
                        ended.push(turn);
                    }
                }
                Some(TurnState::Open | TurnState::Waiting) => {}
                Some(TurnState::Closed(reason)) => {
                    self.live.finish(super::finished(&turn, reason, None, now));
                }
                None => {
                    self.live.close(&turn);
                }
            }
        }
        Ok(ended)
    }

    /// Ends every turn that runs, at a start: the workers are in this process, so none of them runs any more.
    pub(crate) async fn end_orphans(&self) -> Result<usize, DbError> {
        let open = self.threads.open().await?;
        for turn in &open {
            let _ = self.end(&turn.id, EndReason::WorkerLost, None).await?;
        }
        Ok(open.len())
    }

    /// Notes that the person asked a turn to stop, so that it ends as stopped even if its worker is gone.
    pub(crate) fn stopping(&self, turn: &TurnId) {
        self.live.stopping(turn);
    }

    async fn why_overdue(&self, turn: &TurnId, now: Timestamp) -> Result<EndReason, DbError> {
        if self.live.is_stopping(turn) {
            return Ok(EndReason::Stopped);
        }
        let events = self.log.events(turn).await?;
        let last = events.iter().filter(|event| is_workers(event)).map(|event| event.at).max();
        let alive = last.is_some_and(|last| last.after(QUIET) > now);
        Ok(if alive { EndReason::Deadline } else { EndReason::WorkerLost })
    }
}
