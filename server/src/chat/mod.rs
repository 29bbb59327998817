//! The chat turn on the server: what a client posts, what is dispatched, what it reads while it runs.
//!
//! `post` reads a body and takes little of it; `stream` draws events as chunks and `ui_message` a stored
//! turn as the message those chunks make.

mod chunk;
mod post;
mod stream;
mod ui_message;

pub use chunk::{
    Activity, ActivityState, FinishReason, Metadata, ToolCall, ToolEnd, UiChunk,
};
pub use post::{ChatPost, ModeWish, PostFault, PostedAnswer, Said, thread_id};
pub use stream::{ASK_STAFFER, UiStream};
pub use ui_message::{UiMessage, UiPart, UiRole};

#[cfg(test)]
mod tests;
