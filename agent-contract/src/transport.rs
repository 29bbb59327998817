//! How the two sides reach each other, and the way within one process.
//!
//! Both ways carry the same bytes, headers and token; what is not on the broker is not in process
//! either. A transport says what it knows about a call that went wrong, above all whether it may
//! have run: the model must not report as failed what may have happened.

use std::fmt;
use std::sync::Arc;

use futures_util::future::BoxFuture;

use crate::date::Timestamp;
use crate::id::TurnId;
use crate::proof::OutgoingCall;
use crate::wire::{WireMessage, WireReply};

/// Where replies go that leave no process.
const HERE: &str = "in-process";

/// Carries tool calls. The worker uses it.
pub trait ToolTransport: Send + Sync {
    /// Sends a call and waits for its reply, at most until `deadline`.
    fn call(
        &self,
        call: OutgoingCall,
        deadline: Timestamp,
    ) -> BoxFuture<'_, Result<WireReply, TransportError>>;

    /// How many servers take calls.
    fn servers(&self) -> BoxFuture<'_, Result<u32, TransportError>> {
        Box::pin(async { Ok(1) })
    }
}

/// Takes tool calls. The server implements it.
pub trait ToolEndpoint: Send + Sync {
    /// Handles a message. `None` where a Nest server would not answer.
    fn handle(&self, message: WireMessage) -> BoxFuture<'_, Option<WireReply>>;
}

/// Carries turns. The server uses it.
pub trait TurnTransport: Send + Sync {
    /// Hands a turn to some worker; returns as soon as one is sure to get it.
    fn dispatch(&self, message: WireMessage) -> BoxFuture<'_, Result<(), TransportError>>;

    /// Asks whichever worker runs the turn to stop it.
    fn stop(&self, turn: TurnId) -> BoxFuture<'_, Result<(), TransportError>>;
}

/// Takes turns. The worker implements it.
pub trait TurnEndpoint: Send + Sync {
    /// Runs a turn to its end; all that comes of it is published as events.
    fn run(&self, message: WireMessage) -> BoxFuture<'_, ()>;

    /// Stops the turn, if it runs here.
    fn stop(&self, turn: &TurnId);

    /// The servers may be others than before: asks what they serve.
    fn greet(&self) -> BoxFuture<'_, ()> {
        Box::pin(async {})
    }
}

/// Carries turn events. The worker uses it.
pub trait EventTransport: Send + Sync {
    /// Publishes an event as its worker sealed it; returns once it is safe.
    fn publish(&self, event: WireMessage) -> BoxFuture<'_, Result<(), TransportError>>;
}

/// Takes turn events. The server implements it.
pub trait EventEndpoint: Send + Sync {
    /// Takes an event in, if it is to be believed; returns once it is safe.
    fn receive(&self, event: WireMessage) -> BoxFuture<'_, ()>;
}

/// Why no reply came. Each says whether the call may have run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TransportError {
    /// No queue, so no server. The call went nowhere.
    #[error("no server is there to take this call; nothing was changed")]
    NoServer,
    /// The broker would not take it. The call went nowhere.
    #[error("the server is busy and did not take this call; nothing was changed")]
    Busy,
    /// The connection is not there. The call was not sent.
    #[error("the connection to the server is down; nothing was changed")]
    Closed,
    /// The message is of a kind that servers do not answer.
    #[error("the server does not answer such a call; nothing was changed")]
    Unanswered,
    /// No reply in time. The call may have run.
    #[error("no answer came in time; it may or may not have been done, so check before repeating")]
    Deadline,
    /// The connection broke while the call was out. It may have run.
    #[error(
        "the connection broke before the answer came; it may or may not have been done, so check \
         before repeating"
    )]
    Lost,
}

impl TransportError {
    /// Whether the call may have run all the same.
    pub fn may_have_run(self) -> bool {
        match self {
            Self::Deadline | Self::Lost => true,
            Self::NoServer | Self::Busy | Self::Closed | Self::Unanswered => false,
        }
    }
}

/// Tool calls to a server in this process.
#[derive(Clone)]
pub struct InProcessTools(Arc<dyn ToolEndpoint>);

/// Turns to a worker in this process.
#[derive(Clone)]
pub struct InProcessTurns(Arc<dyn TurnEndpoint>);

/// Turn events to a server in this process.
#[derive(Clone)]
pub struct InProcessEvents(Arc<dyn EventEndpoint>);

impl InProcessTools {
    /// Calls go to `endpoint`.
    pub fn new(endpoint: Arc<dyn ToolEndpoint>) -> Self {
        Self(endpoint)
    }
}

impl InProcessTurns {
    /// Turns go to `endpoint`.
    pub fn new(endpoint: Arc<dyn TurnEndpoint>) -> Self {
        Self(endpoint)
    }
}

impl InProcessEvents {
    /// Events go to `endpoint`.
    pub fn new(endpoint: Arc<dyn EventEndpoint>) -> Self {
        Self(endpoint)
    }
}

impl ToolTransport for InProcessTools {
    fn call(
        &self,
        call: OutgoingCall,
        deadline: Timestamp,
    ) -> BoxFuture<'_, Result<WireReply, TransportError>> {
        // The call has its own task: a caller that gives up must not cut a transaction short.
        let endpoint = Arc::clone(&self.0);
        Box::pin(async move {
            if deadline.remaining().is_zero() {
                return Err(TransportError::Deadline);
            }
            let message = call.addressed(HERE);
            let call = tokio::spawn(async move { endpoint.handle(message).await });
            match tokio::time::timeout(deadline.remaining(), call).await {
                Err(_) => Err(TransportError::Deadline),
                Ok(Err(_)) => Err(TransportError::Lost),
                Ok(Ok(None)) => Err(TransportError::Unanswered),
                Ok(Ok(Some(reply))) => Ok(reply),
            }
        })
    }
}

impl TurnTransport for InProcessTurns {
    fn dispatch(&self, message: WireMessage) -> BoxFuture<'_, Result<(), TransportError>> {
        let endpoint = Arc::clone(&self.0);
        Box::pin(async move {
            tokio::spawn(async move { endpoint.run(message).await });
            Ok(())
        })
    }

    fn stop(&self, turn: TurnId) -> BoxFuture<'_, Result<(), TransportError>> {
        self.0.stop(&turn);
        Box::pin(async { Ok(()) })
    }
}

impl EventTransport for InProcessEvents {
    fn publish(&self, event: WireMessage) -> BoxFuture<'_, Result<(), TransportError>> {
        Box::pin(async move {
            self.0.receive(event).await;
            Ok(())
        })
    }
}

macro_rules! opaque_debug {
    ($($name:ident),*) => {
        $(impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($name)).finish_non_exhaustive()
            }
        })*
    };
}

opaque_debug!(InProcessTools, InProcessTurns, InProcessEvents);
