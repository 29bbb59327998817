//! Why: A schema cannot say exactly what these types hold: numbers beyond 64 bits, a width that depends on the
//! machine, maps, sets and tuples.
//! Repair: Write one of the types that the message lists, or a struct of your own.

use std::collections::{BTreeMap, BTreeSet};
use std::net::IpAddr;
use std::num::NonZeroU32;

use ui_tests::*;

#[derive(Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields)]
pub struct Risky {
    /// Wider than JSON's numbers.
    pub wide: i128,
    /// Wider still.
    pub wider: u128,
    /// As wide as the machine.
    pub size: usize,
    /// Infinite beyond its range.
    pub share: f32,
    /// With a bound that the schema says by half.
    pub some: NonZeroU32,
    /// One letter.
    pub letter: char,
    /// In a form that no validator knows.
    pub address: IpAddr,
    /// Keys that are no names.
    pub seats: BTreeMap<u32, String>,
    /// Where a double vanishes.
    pub set: BTreeSet<String>,
    /// By place and not by name.
    pub pair: (String, u32),
}

fn main() {}
