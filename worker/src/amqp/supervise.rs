//! One connection, kept up: connect, run a session until it ends, wait a little, again.
//!
//! lapin's own recovery stays off: it hides from those who wait that their answer is lost, and it
//! does not bring a dead channel back.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use lapin::{Connection, ConnectionProperties};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::AmqpSettings;
use super::standing::{Refusal, Standing};

const SHORTEST: Duration = Duration::from_millis(100);
const LONGEST: Duration = Duration::from_secs(10);
/// lapin waits for ever when the other end accepts and says nothing.
const CONNECTING: Duration = Duration::from_secs(10);

pub(super) struct Supervisor {
    pub(super) name: &'static str,
    pub(super) settings: Arc<AmqpSettings>,
    pub(super) standing: watch::Sender<Standing>,
    pub(super) stop: CancellationToken,
}

/// Why a connection did not come to stand.
#[derive(Debug, thiserror::Error)]
enum Fault {
    #[error("the broker does not answer")]
    Silent,
    #[error(transparent)]
    Broker(#[from] lapin::Error),
}

impl Supervisor {
    /// Runs until it is stopped. A session says through `standing` when it is up; here that is taken back. One that
    /// could not open its channels answers with why.
    pub(super) async fn run<S, F>(self, session: S)
    where
        S: Fn(Connection, CancellationToken, watch::Sender<Standing>) -> F,
        F: Future<Output = lapin::Result<()>>,
    {
        let mut pause = SHORTEST;
        let mut stood = false;
        while !self.stop.is_cancelled() {
            match self.attempt(&session).await {
                Ok(()) => {
                    stood = true;
                    self.standing.send_replace(Standing::Away);
                    pause = SHORTEST;
                }
                Err(fault) => self.report(&fault, stood),
            }
            tokio::select! {
                () = self.stop.cancelled() => {}
                () = tokio::time::sleep(jittered(pause)) => {}
            }
            pause = (pause * 2).min(LONGEST);
        }
    }

    /// Before it ever stood a refusal is the configuration's fault, and for whoever started this to hear. Later it is
    /// the broker's, and may pass.
    fn report(&self, fault: &Fault, stood: bool) {
        let refusal = match fault {
            Fault::Broker(error) => Refusal::of(error),
            Fault::Silent => None,
        };
        match refusal {
            Some(refusal) if !stood => {
                self.standing.send_replace(Standing::Refused(refusal));
            }
            Some(_) => {
                self.standing.send_replace(Standing::Away);
                tracing::error!(link = self.name, %fault, "the broker refuses what it took before");
            }
            None => {
                self.standing.send_replace(Standing::Away);
                tracing::warn!(link = self.name, %fault, "the broker cannot be reached");
            }
        }
    }

    async fn attempt<S, F>(&self, session: &S) -> Result<(), Fault>
    where
        S: Fn(Connection, CancellationToken, watch::Sender<Standing>) -> F,
        F: Future<Output = lapin::Result<()>>,
    {
        let name = format!("rover-worker {}", self.name);
        let properties = ConnectionProperties::default().with_connection_name(name.into());
        let connecting = Connection::connect(&self.settings.url, properties);
        let connection = tokio::select! {
            () = self.stop.cancelled() => return Ok(()),
            connected = tokio::time::timeout(CONNECTING, connecting) => {
                connected.map_err(|_| Fault::Silent)??
            }
        };
        Ok(session(connection, self.stop.clone(), self.standing.clone()).await?)
    }
}

/// Between half of the pause and all of it, so that workers that lost one broker do not come back
/// as one.
fn jittered(pause: Duration) -> Duration {
    let (draw, _) = Uuid::new_v4().as_u64_pair();
    let half = pause / 2;
    half + half.mul_f64(f64::from((draw >> 32) as u32) / f64::from(u32::MAX))
}
