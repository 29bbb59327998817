//! The contract lock from the outside: the file, the hashes, what two versions mean to each other.

#![expect(clippy::unwrap_used, reason = "a test states what must hold")]

mod difference;
mod draft4;
mod file;
mod judgement;
mod pairs;
mod property;
mod rules;
mod sample;
mod serving;
