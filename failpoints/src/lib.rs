//! Places at which a test makes the program fail: it dies there, stands still, or goes on as if something had gone wrong.
//!
//! A build that people run has none of it. Without the feature `armed`, which only tests ask for, [`reach`] is a constant
//! and `ROVER_FAILPOINTS` is not read. The variable holds one rule beside the other: `before_commit=abort@2` ends the
//! process when it comes there for the second time, `handler=stall:3000` holds every handler for 3 s, and
//! `after_commit=error` lets it go on as if the commit had not been confirmed.

#[cfg(feature = "armed")]
mod armed;

/// A place in the life of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Point {
    /// The worker is about to send a call.
    BeforePublish,
    /// The worker has sent it, and no reply came yet.
    AfterPublish,
    /// The server has a call and did nothing yet. An error here lets it acknowledge at once, which loses what dies with it.
    Delivered,
    /// The call is about to be claimed. An error here lets it run under another id, which is no de-duplication at all.
    Claim,
    /// The server is about to run the handler.
    Handler,
    /// The handler has answered; nothing is kept yet.
    BeforeCommit,
    /// It is kept; nobody was told yet.
    AfterCommit,
    /// The caller was told; the broker was not yet.
    BeforeAck,
}

/// Whether the program should go on as if it had failed here. An armed point may also hold the program, or end it.
#[cfg(feature = "armed")]
pub async fn reach(point: Point) -> bool {
    armed::reach(point).await
}

/// Whether the program should go on as if it had failed here: no.
#[cfg(not(feature = "armed"))]
#[expect(clippy::unused_async, reason = "armed, it may hold the caller")]
pub async fn reach(_: Point) -> bool {
    false
}
