//! The pipeline on tokens, without a compiler around it: what the macros emit, and the small grammars.

mod expansion;
mod grammar;
