//! What must compile: the design's example to the letter, and every type behind an alias.

mod aliases;
mod design_example;
