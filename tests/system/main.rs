//! The whole system as its users meet it: the program, the Hub in a browser, the real peers.
//!
//! One binary, so that it is linked once. Each test brings its own process, data and queues.

mod apart;
mod browser;
mod command_line;
mod contract;
mod crate_graph;
mod documented;
mod drift;
mod issuer;
mod judges;
mod mcp;
mod meanwhile;
mod nest;
mod person;
mod rest;
mod support;
mod takeover;
mod two_servers;
mod typescript;
mod use_chat;
mod watching;
