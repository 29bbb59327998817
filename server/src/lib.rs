//! scratch
pub mod chat;
