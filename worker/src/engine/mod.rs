//! The model loop: ask, run the calls, ask again, until there is an answer.
//!
//! The only room that names rig. What goes in and comes out are the contract's types and ours, so
//! that another library can take rig's place without anybody noticing. rig's own run keeps the
//! step budget, the transcript and what counts as a failed reply; the calls are run by us, because
//! only here are their order, their ids and their questions known.

mod batch;
mod call;
mod checkpoint;
mod convert;
mod heard;
mod http;
mod model;
mod place;
mod run;

pub use self::call::{CallArgs, CallEnd, ModelCall, Order, Toolbox};
pub use self::checkpoint::{Checkpoint, CheckpointError, Parked};
pub use self::http::ChatCompletions;
pub use self::model::{Model, ModelError};
pub use self::place::Place;
pub use self::run::{AgentSpec, Ending, Listener, ToolSpec, Unheard, run};
