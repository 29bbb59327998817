//! The data half of the contract, against the rows of the seeds and of the wire's description.

#![expect(clippy::unwrap_used, reason = "a test states what must hold")]

mod agents;
mod call;
mod context;
mod dates;
mod envelope;
mod errors;
mod hashes;
mod identity;
mod packets;
mod page;
mod proof;
mod replies;
mod scope;
mod transport;
mod turn;
