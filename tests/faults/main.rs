//! The failure matrix of `docs/failures.md`: real processes, a real broker, and a fault in each.
//!
//! A row is a test. `soak` lets faults of all kinds fall on a school at random and asks the rows afterwards; with
//! `ROVER_FAULTS=1000` it is the run of the night. The processes are built with the feature `armed` of `failpoints`, which
//! only tests ask for.

mod nodes;
mod rolling;
mod servers;
mod soak;
mod support;
mod wires;
mod workers;
