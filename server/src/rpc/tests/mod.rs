//! The funnel over a real database: what it does, what it refuses, and what it answers where Nest would.

mod bad_input;
mod bench;
mod foreign;
mod forward;
mod hello;
mod packets;
mod takeover;
mod versions;
mod writes;
