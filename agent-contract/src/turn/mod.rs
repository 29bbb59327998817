//! A turn as it crosses the wire: the request that starts it, the events it makes, its history.
//!
//! The worker keeps nothing. From the events alone the server can draw the chat stream, the trace
//! of every hop, and everything that a second worker needs to go on.

mod event;
mod files;
mod gate;
mod history;
mod request;
mod seq;
mod takeover;

pub use self::event::{
    CallFault, EndReason, Hop, OfferedTool, TurnEvent, TurnEventKind, Visibility, Withheld,
    WithheldReason,
};
pub use self::files::{FileBytes, FilePiece, FileQuestion};
pub use self::gate::Gate;
pub use self::history::{AssistantPart, HistoryMessage, ToolReturn, UserPart};
pub use self::request::{Answer, Resume, TurnRequest, TurnStop};
pub use self::seq::LAST_SEQ;
pub use self::takeover::{MOST_TAKEOVERS, ProgressQuestion, TakeAnswer, ToldMessage, TurnProgress};
