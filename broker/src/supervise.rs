//! One connection, kept up: connect, run a session until it ends, wait a little, again.

use std::time::{Duration, Instant};

use lapin::{Connection, ConnectionProperties};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::{Connect, Refusal, Standing};

const SHORTEST: Duration = Duration::from_millis(100);
const LONGEST: Duration = Duration::from_secs(5);
/// One that stood for so long did not fail at once, and is tried again soon.
const STOOD: Duration = Duration::from_secs(1);
/// lapin waits for ever when the other end accepts and says nothing.
const CONNECTING: Duration = Duration::from_secs(10);

pub(crate) struct Supervisor {
    pub(crate) connect: Connect,
    pub(crate) what: &'static str,
    pub(crate) standing: watch::Sender<Standing>,
    pub(crate) stop: CancellationToken,
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
    pub(crate) async fn run<S, F>(self, session: S)
    where
        S: Fn(Connection, CancellationToken, watch::Sender<Standing>) -> F,
        F: Future<Output = lapin::Result<()>>,
    {
        let mut pause = SHORTEST;
        let mut stood = false;
        while !self.stop.is_cancelled() {
            let began = Instant::now();
            match self.attempt(&session).await {
                Ok(()) => {
                    stood = true;
                    self.standing.send_replace(Standing::Away);
                    if began.elapsed() > STOOD {
                        pause = SHORTEST;
                    }
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
        let link = self.what;
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
                tracing::error!(link, %fault, "the broker refuses what it took before");
            }
            None => {
                self.standing.send_replace(Standing::Away);
                tracing::warn!(link, %fault, "the broker cannot be reached");
            }
        }
    }

    async fn attempt<S, F>(&self, session: &S) -> Result<(), Fault>
    where
        S: Fn(Connection, CancellationToken, watch::Sender<Standing>) -> F,
        F: Future<Output = lapin::Result<()>>,
    {
        let name = format!("{} {}", self.connect.name, self.what);
        let properties = ConnectionProperties::default().with_connection_name(name.into());
        let connecting = Connection::connect_uri(self.connect.uri.clone(), properties);
        let connection = tokio::select! {
            () = self.stop.cancelled() => return Ok(()),
            connected = tokio::time::timeout(CONNECTING, connecting) => {
                connected.map_err(|_| Fault::Silent)??
            }
        };
        Ok(session(connection, self.stop.clone(), self.standing.clone()).await?)
    }
}

/// Between half of the pause and all of it, so that processes that lost one broker do not come back as one.
fn jittered(pause: Duration) -> Duration {
    let [draw, ..] = Uuid::new_v4().into_bytes();
    let half = pause / 2;
    half + half * u32::from(draw) / u32::from(u8::MAX)
}
