//! A cable to the broker that can be cut, stalled, slowed, or made to lose what comes back.

use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

/// Passes connections on until it is told otherwise.
pub(crate) struct Cable {
    url: String,
    state: watch::Sender<State>,
}

#[derive(Clone, Copy, Default)]
struct State {
    /// How many connections there were.
    laid: u64,
    /// Those before this one are cut.
    cut_before: u64,
    /// Those before this one carry nothing, and say nothing of it.
    stalled_before: u64,
    /// Those before this one lose what comes from the broker.
    deaf_before: u64,
    delay: Duration,
}

impl Cable {
    /// A cable to the broker at this address.
    pub(crate) async fn laid(broker: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let far = place(broker).to_owned();
        let near = listener.local_addr().expect("it is bound").to_string();
        let state = watch::Sender::new(State::default());
        let url = broker.replacen(&far, &near, 1);
        tokio::spawn({
            let state = state.clone();
            async move {
                while let Ok((near, _)) = listener.accept().await {
                    let mut serial = 0;
                    state.send_modify(|state| {
                        serial = state.laid;
                        state.laid += 1;
                    });
                    tokio::spawn(pass(near, far.clone(), serial, state.subscribe()));
                }
            }
        });
        Self { url, state }
    }

    /// The broker's address at this end.
    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// Breaks every connection that stands.
    pub(crate) fn cut(&self) {
        self.state.send_modify(|state| state.cut_before = state.laid);
    }

    /// Nothing passes on the connections that stand, and neither end is told.
    pub(crate) fn stall(&self) {
        self.state.send_modify(|state| state.stalled_before = state.laid);
    }

    /// What stood still goes on.
    pub(crate) fn go_on(&self) {
        self.state.send_modify(|state| {
            state.stalled_before = 0;
            state.delay = Duration::ZERO;
        });
    }

    /// What the broker says on the connections that stand is lost. They are of no use afterwards, and to be cut.
    pub(crate) fn lose_replies(&self) {
        self.state.send_modify(|state| state.deaf_before = state.laid);
    }

    /// Everything takes so much longer.
    pub(crate) fn slow(&self, delay: Duration) {
        self.state.send_modify(|state| state.delay = delay);
    }
}

/// Host and port of an address.
pub(crate) fn place(url: &str) -> &str {
    let rest = url.rsplit_once('@').map_or(url, |(_, rest)| rest);
    rest.split(['/', '?']).next().unwrap_or(rest)
}

async fn pass(near: TcpStream, far: String, serial: u64, state: watch::Receiver<State>) {
    let Ok(far) = TcpStream::connect(far).await else { return };
    let ((near_in, near_out), (far_in, far_out)) = (near.into_split(), far.into_split());
    tokio::select! {
        () = pump(near_in, far_out, serial, false, state.clone()) => {}
        () = pump(far_in, near_out, serial, true, state) => {}
    }
}

async fn pump(
    mut from: OwnedReadHalf,
    mut to: OwnedWriteHalf,
    serial: u64,
    from_broker: bool,
    mut state: watch::Receiver<State>,
) {
    let mut buffer = vec![0; 64 * 1024];
    loop {
        let read = tokio::select! {
            read = from.read(&mut buffer) => read,
            _ = state.wait_for(|state| serial < state.cut_before) => return,
        };
        let Ok(length @ 1..) = read else { return };
        let moves = |state: &State| serial < state.cut_before || serial >= state.stalled_before;
        let Ok(now) = state.wait_for(moves).await.map(|state| *state) else { return };
        if serial < now.cut_before {
            return;
        }
        if !now.delay.is_zero() {
            tokio::time::sleep(now.delay).await;
        }
        if from_broker && serial < now.deaf_before {
            continue;
        }
        if to.write_all(&buffer[..length]).await.is_err() {
            return;
        }
    }
}
