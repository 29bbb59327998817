//! The chat turn on the server: what a client posts, what is dispatched, what it reads while it runs.
//!
//! `post` reads a body and takes little of it, and `claims` holds the rest against what was said; `person` and `mint` make the runtime context from live rows;
//! `threads` keeps conversations, and `second` says what becomes of a message while a turn runs; `endpoint` hands turns out, each as an `order`; `relay` keeps and shows their events; `stream`
//! draws events as chunks, and `ui_message` a stored turn as the message that those chunks make.

mod chunk;
mod claims;
mod endpoint;
mod limits;
mod mint;
mod order;
mod person;
mod post;
mod relay;
mod second;
mod stream;
mod threads;
mod ui_message;

#[cfg(test)]
mod tests;

pub use chunk::{Activity, ActivityState, FinishReason, Metadata, ToolCall, ToolEnd, UiChunk};
pub use endpoint::{Chat, ChatError, Offering, Running};
pub use limits::{Allowance, OverLimit, Party, TurnLimits};
pub use mint::MintFault;
pub(crate) use mint::mint;
pub use person::{People, Person, PersonFault};
pub(crate) use post::file_url;
pub use post::{ChatPost, ModeWish, PostFault, PostedAnswer, PostedFile, Said, Trigger, thread_id};
pub use relay::{Door, Relay};
pub use second::{SecondMessage, UnknownSecondMessage};
pub use stream::{ASK_STAFFER, UiStream};
pub use threads::{Owner, Thread, ThreadError, Threads};
pub(crate) use threads::{Turn, TurnState};
pub use ui_message::{UiMessage, UiPart, UiRole};
