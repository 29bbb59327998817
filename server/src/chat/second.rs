//! A message that comes while Rover still works on the one before it.
//!
//! One conversation has one running turn, and the database is the judge of that, whichever servers two posts come to.
//! What becomes of the second is the operator's choice. Messages that wait on one server keep their order; of two that wait
//! on two servers either may be first.

use std::collections::HashMap;
use std::str::FromStr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use agent_contract::{ThreadId, Timestamp};
use tokio::sync::OwnedMutexGuard;

use super::threads::Owner;

/// How long a message waits for its turn before it is refused after all. Proxies seldom wait longer for an answer.
pub(crate) const PATIENCE: Duration = Duration::from_secs(50);
/// How often it is looked whether the conversation is free.
pub(super) const LOOKING: Duration = Duration::from_millis(100);

/// What becomes of a message while a turn runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SecondMessage {
    /// It waits until the turn has ended, and is answered then: nothing that a person wrote is lost.
    #[default]
    Queue,
    /// The running turn is stopped, and the message answered in its place.
    Replace,
    /// It is refused; the person may send it again.
    Refuse,
}

/// A word that says none of these.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is none of `queue`, `replace` and `refuse`")]
pub struct UnknownSecondMessage(String);

impl FromStr for SecondMessage {
    type Err = UnknownSecondMessage;

    fn from_str(word: &str) -> Result<Self, UnknownSecondMessage> {
        match word {
            "queue" => Ok(Self::Queue),
            "replace" => Ok(Self::Replace),
            "refuse" => Ok(Self::Refuse),
            other => Err(UnknownSecondMessage(other.to_owned())),
        }
    }
}

/// Who waits for which conversation on this server, in order.
#[derive(Clone, Debug, Default)]
pub(super) struct Lines {
    lines: Arc<Mutex<HashMap<Place, Line>>>,
}

/// A school, and one of its conversations.
type Place = (String, ThreadId);
/// It lets one through after the other, in the order in which they came.
type Line = Arc<tokio::sync::Mutex<()>>;

impl Lines {
    /// Waits in line for a conversation; none if that takes longer than until `deadline`.
    pub(super) async fn enter(
        &self,
        owner: &Owner,
        thread: &ThreadId,
        deadline: Timestamp,
    ) -> Option<OwnedMutexGuard<()>> {
        let line = {
            let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
            lines.retain(|_, line| Arc::strong_count(line) > 1);
            let key = (owner.school.as_str().to_owned(), thread.clone());
            Arc::clone(lines.entry(key).or_default())
        };
        tokio::time::timeout(deadline.remaining(), line.lock_owned()).await.ok()
    }
}
