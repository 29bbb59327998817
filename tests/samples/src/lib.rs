//! Values made from a schema alone, for tests: what it should take, and what lies just beside that.
//!
//! A sample is a suggestion and no verdict. Whether a schema takes it is for a validator to say, so a fault in here can
//! make a test weaker and never wrong. Only the portable dialect is read; for anything else a sample is some text.

mod edges;
mod formats;
mod simple;
mod strategy;

use proptest::strategy::{BoxedStrategy, Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use serde_json::Value;

pub use edges::edges;
pub use simple::{full, least};
pub use strategy::{instances, neighbours};

/// The first `count` values of a strategy; the same ones in every run.
pub fn drawn(strategy: &BoxedStrategy<Value>, count: usize) -> Vec<Value> {
    let mut runner = TestRunner::deterministic();
    let draw = |_| strategy.new_tree(&mut runner).ok().map(|tree| tree.current());
    (0..count).filter_map(draw).collect()
}

/// Every edge of a schema, then so many random instances and so many random neighbours; none twice.
pub fn samples(schema: &Value, random: usize) -> Vec<Value> {
    let mut seen = std::collections::HashSet::new();
    let mut all = edges(schema);
    all.extend(drawn(&instances(schema), random));
    all.extend(drawn(&neighbours(schema), random));
    all.retain(|sample| seen.insert(sample.to_string()));
    all
}
