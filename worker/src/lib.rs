//! The worker: takes a turn, asks the model, carries the calls to the server, tells what happens.
//!
//! It keeps nothing across turns. Graph, prompt and tools are made anew for each from the runtime
//! context; what must outlast a turn, the server keeps.

pub mod amqp;
pub mod caller;
pub mod engine;
pub mod files;
pub mod graph;
pub mod key_file;
pub mod local;
pub mod models;
mod offer;
mod one_call;
pub mod planner;
pub mod prompt;
pub mod proxy;
mod resend;
pub mod servers;
pub mod skills;
pub mod subagents;
pub mod turn;
mod worker;

pub use models::{FirstMove, ModelChoice, ModelSettings, UnknownModel, first_move};
pub use one_call::OneCall;
pub use worker::{Worker, WorkerConfig, registry_hash};
