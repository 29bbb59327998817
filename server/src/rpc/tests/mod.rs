//! The funnel over a real database: what it does, what it refuses, and what it answers where Nest would.

mod attacks;
mod bad_input;
mod bench;
mod files;
mod foreign;
mod forged_events;
mod forward;
mod hello;
mod hidden;
mod meanwhile;
mod packets;
mod takeover;
mod versions;
mod writes;
