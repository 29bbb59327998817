//! The worker: takes a turn, asks the model, carries the calls to the server, tells what happens.
//!
//! It keeps nothing across turns. Graph, prompt and tools are made anew for each from the runtime
//! context; what must outlast a turn, the server keeps.

pub mod planner;
