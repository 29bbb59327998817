//! The server's HTTP side in process: a real database, the demo schools, real transports, and a worker whose
//! events the test decides.

mod auth;
mod chat;
mod context;
mod departments;
mod edge;
mod endings;
mod enrolment;
mod files;
mod foreign;
mod hall;
mod limits;
mod ops;
mod questions;
mod records;
mod rest;
mod smells;
mod threads;
