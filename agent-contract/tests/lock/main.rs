//! The contract lock from the outside: the file, the hashes, what two versions mean to each other.

mod difference;
mod file;
mod sample;
