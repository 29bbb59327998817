//! What must compile: the design's example to the letter, and every type behind an alias.
#![expect(unreachable_pub, reason = "the cases are written as a crate would export them")]

mod aliases;
mod design_example;
