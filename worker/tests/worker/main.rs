//! Turns run by the real worker: against a scripted model over HTTP, an endpoint that runs the
//! real handlers of a few tools, and the real broker.

#![expect(clippy::unwrap_used, reason = "a test that cannot be set up is to fail there")]

mod agents;
mod bench;
mod faults;
mod forms;
mod offline;
mod prompts;
mod questions;
mod school;
mod script;
mod servers;
mod takeovers;
mod transports;
mod turns;
