//! What server and worker need of RabbitMQ alike: connections that are kept up, and queues that both declare in the
//! same words.
//!
//! One supervisor a connection, without lapin's own recovery. It hides from those who wait that their answer is lost,
//! and it does not bring a dead channel back; here a connection that breaks ends its session at once, and the next one
//! builds channels, topology and consumers anew. What travels on a connection is the business of the two sides: this
//! crate knows no tools, no turns and no rows.

mod convert;
mod error;
mod link;
mod look;
mod names;
mod standing;
mod supervise;
mod topology;

pub use convert::{headers, message, short, table};
pub use error::AmqpError;
pub use link::{Connect, Link};
pub use look::consumers;
pub use names::{Argument, Declare, Names};
pub use standing::{Refusal, Standing};
pub use topology::{
    events, events_of_mine, forget_earlier, parked, stops, stops_of_mine, tools, turns,
};
