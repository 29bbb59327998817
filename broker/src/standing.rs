//! How a connection to the broker does, for those who wait for it.

use lapin::ErrorKind;
use lapin::protocol::{AMQPErrorKind, AMQPHardError, AMQPSoftError};
use tokio::sync::watch;

use crate::AmqpError;

/// How a connection does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Standing {
    /// It is tried for the first time.
    Beginning,
    /// It is not there, and is tried again.
    Away,
    /// It is there.
    Up,
    /// It never was there, because the broker will not have it. Trying again helps only if somebody changes the broker.
    Refused(Refusal),
}

/// Why the broker will not have a connection, in its own words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// This user, this password, this vhost.
    Access(String),
    /// A queue or an exchange that is there already, and declared otherwise.
    Declared(String),
}

impl Refusal {
    /// The refusal in an error of the broker; none in one that may pass by itself.
    pub(crate) fn of(error: &lapin::Error) -> Option<Self> {
        let ErrorKind::ProtocolError(fault) = error.kind() else { return None };
        let words = fault.get_message().to_string();
        match fault.kind() {
            AMQPErrorKind::Soft(AMQPSoftError::ACCESSREFUSED)
            | AMQPErrorKind::Hard(AMQPHardError::NOTALLOWED) => Some(Self::Access(words)),
            AMQPErrorKind::Soft(AMQPSoftError::PRECONDITIONFAILED) => Some(Self::Declared(words)),
            _ => None,
        }
    }
}

impl From<Refusal> for AmqpError {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Access(words) => Self::Refused(words),
            Refusal::Declared(words) => Self::Declared(words),
        }
    }
}

/// Waits until it has been tried once; answers with the refusal, if that is what came.
pub(crate) async fn tried(standing: &watch::Receiver<Standing>) -> Result<(), AmqpError> {
    match seen(standing, |standing| *standing != Standing::Beginning).await {
        Standing::Refused(refusal) => Err(refusal.into()),
        Standing::Beginning | Standing::Away | Standing::Up => Ok(()),
    }
}

/// Waits until it stands, or is refused.
pub(crate) async fn up(standing: &watch::Receiver<Standing>) -> Result<(), AmqpError> {
    let settled = |standing: &Standing| matches!(standing, Standing::Up | Standing::Refused(_));
    match seen(standing, settled).await {
        Standing::Refused(refusal) => Err(refusal.into()),
        Standing::Beginning | Standing::Away | Standing::Up => Ok(()),
    }
}

/// Waits until it is refused, which an honest configuration never is.
pub(crate) async fn refused(standing: &watch::Receiver<Standing>) -> AmqpError {
    loop {
        let settled = |standing: &Standing| matches!(standing, Standing::Refused(_));
        if let Standing::Refused(refusal) = seen(standing, settled).await {
            return refusal.into();
        }
    }
}

/// Waits until nobody keeps it up any more.
pub(crate) async fn over(standing: &watch::Receiver<Standing>) {
    let mut standing = standing.clone();
    while standing.changed().await.is_ok() {}
}

async fn seen(
    standing: &watch::Receiver<Standing>,
    wished: impl FnMut(&Standing) -> bool,
) -> Standing {
    let mut standing = standing.clone();
    match standing.wait_for(wished).await {
        Ok(seen) => seen.clone(),
        // The sender lives as long as the supervisor does; without it nothing will ever change.
        Err(_) => std::future::pending().await,
    }
}
