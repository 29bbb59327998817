//! The declaration of a tool from the outside: what the macros make of it and what the contract does with it.

mod damaged;
mod decode;
mod examples;
mod forms;
mod instances;
mod limits;
mod repair;
mod routes;
mod sample;
mod schema;
mod verbs;
