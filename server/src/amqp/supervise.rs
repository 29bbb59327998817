//! One connection, kept up: connect, run a session until it ends, wait a little, again.
//!
//! lapin's own recovery stays off. It hides from those who wait that their answer is lost, and it does not bring a
//! dead channel back.

use std::sync::Arc;
use std::time::{Duration, Instant};

use lapin::{Connection, ConnectionProperties};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::AmqpSettings;

const SHORTEST: Duration = Duration::from_millis(100);
const LONGEST: Duration = Duration::from_secs(10);
/// lapin waits for ever when the other end accepts and says nothing.
const CONNECTING: Duration = Duration::from_secs(10);

pub(super) struct Supervisor {
    pub(super) name: &'static str,
    pub(super) settings: Arc<AmqpSettings>,
    pub(super) ready: watch::Sender<bool>,
    pub(super) stop: CancellationToken,
}

impl Supervisor {
    /// Runs until it is stopped. A session says through `ready` when it stands; here that is taken back.
    pub(super) async fn run<S, F>(self, session: S)
    where
        S: Fn(Connection, CancellationToken, watch::Sender<bool>) -> F,
        F: Future<Output = ()>,
    {
        let mut pause = SHORTEST;
        while !self.stop.is_cancelled() {
            if let Some(connection) = self.connect().await {
                let began = Instant::now();
                session(connection, self.stop.clone(), self.ready.clone()).await;
                self.ready.send_replace(false);
                // One that fails at once is left alone for longer each time; one that stood for a while is not.
                if began.elapsed() > LONGEST {
                    pause = SHORTEST;
                }
            }
            tokio::select! {
                () = self.stop.cancelled() => {}
                () = tokio::time::sleep(jittered(pause)) => {}
            }
            pause = (pause * 2).min(LONGEST);
        }
    }

    async fn connect(&self) -> Option<Connection> {
        let name = format!("rover-server {}", self.name);
        let properties = ConnectionProperties::default().with_connection_name(name.into());
        let connecting = Connection::connect(&self.settings.url, properties);
        tokio::select! {
            () = self.stop.cancelled() => None,
            connected = tokio::time::timeout(CONNECTING, connecting) => match connected {
                Ok(Ok(connection)) => Some(connection),
                Ok(Err(error)) => {
                    tracing::warn!(link = self.name, %error, "the broker cannot be reached");
                    None
                }
                Err(_) => {
                    tracing::warn!(link = self.name, "the broker does not answer");
                    None
                }
            },
        }
    }
}

/// Between half of the pause and all of it, so that servers that lost one broker do not come back as one.
fn jittered(pause: Duration) -> Duration {
    let [draw, ..] = Uuid::new_v4().into_bytes();
    let half = pause / 2;
    half + half * u32::from(draw) / u32::from(u8::MAX)
}
