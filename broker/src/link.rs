//! One supervised connection, as those who use it see it.

use std::time::Duration;

use lapin::Connection;
use lapin::uri::AMQPUri;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use crate::supervise::Supervisor;
use crate::{AmqpError, Standing, standing};

/// How often each side says that it lives, in seconds. A peer that hangs is given up after two of these.
const HEARTBEAT: u16 = 10;

/// Where to connect to, and under which name the broker's own lists show it.
#[derive(Clone)]
pub struct Connect {
    pub(crate) uri: AMQPUri,
    pub(crate) name: String,
}

/// A connection that is kept up until this is dropped.
#[derive(Debug)]
pub struct Link {
    standing: watch::Receiver<Standing>,
    stop: CancellationToken,
}

impl Connect {
    /// The broker at `url`, for the side of this name.
    pub fn to(url: &str, side: &str) -> Result<Self, AmqpError> {
        let mut uri: AMQPUri = url.parse().map_err(AmqpError::Address)?;
        uri.query.heartbeat.get_or_insert(HEARTBEAT);
        Ok(Self { uri, name: side.to_owned() })
    }
}

impl Link {
    /// Starts it, and returns at once. Each time that the connection stands, `session` has it until it breaks, or until
    /// the token says that it should end; it says itself when it is up, and fails only with what the broker said to
    /// its beginning.
    pub fn start<S, F>(connect: &Connect, what: &'static str, session: S) -> Self
    where
        S: Fn(Connection, CancellationToken, watch::Sender<Standing>) -> F + Send + Sync + 'static,
        F: Future<Output = lapin::Result<()>> + Send + 'static,
    {
        let (sender, standing) = watch::channel(Standing::Beginning);
        let stop = CancellationToken::new();
        let supervisor =
            Supervisor { connect: connect.clone(), what, standing: sender, stop: stop.clone() };
        tokio::spawn(supervisor.run(session));
        Self { standing, stop }
    }

    /// How it does, now and from now on.
    pub fn standing(&self) -> watch::Receiver<Standing> {
        self.standing.clone()
    }

    /// Whether it stands.
    pub fn is_up(&self) -> bool {
        *self.standing.borrow() == Standing::Up
    }

    /// Waits until it stands, or is refused.
    pub async fn up(&self) -> Result<(), AmqpError> {
        standing::up(&self.standing).await
    }

    /// Waits until it was tried once; answers with the refusal, if that is what came.
    pub async fn tried(&self) -> Result<(), AmqpError> {
        standing::tried(&self.standing).await
    }

    /// Waits until it is refused, which an honest configuration never is.
    pub async fn refused(&self) -> AmqpError {
        standing::refused(&self.standing).await
    }

    /// Asks the session to end and waits until it has, for as long as `patience`.
    pub async fn drain(&self, patience: Duration) {
        self.stop.cancel();
        if tokio::time::timeout(patience, standing::over(&self.standing)).await.is_err() {
            tracing::warn!("a connection to the broker did not come to rest in time");
        }
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

impl std::fmt::Debug for Connect {
    /// Without the address: it holds a password.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Connect").field("name", &self.name).finish_non_exhaustive()
    }
}
