//! The server: the funnel that runs tool calls, the rights and the rows behind it, and what staff
//! talk to.
#![cfg_attr(
    test,
    expect(
        clippy::duplicate_mod,
        reason = "tests that meet rows are compiled once for each database"
    )
)]

pub mod amqp;
pub mod audit;
pub mod authz;
pub mod catalogue;
pub mod chat;
pub mod config;
pub mod console;
pub mod db;
pub mod demo;
pub mod domain;
pub mod files;
pub mod http;
pub mod identity;
pub mod metrics;
pub mod rpc;
mod start;
pub mod turn_log;

pub use start::{RunningServer, Server, StartError, Workers};
