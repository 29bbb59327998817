//! What two processes put on the broker, byte for byte as `NestJS` does.
//!
//! The packet bodies hold nothing of ours: a Nest peer would take an extra key for the answer
//! itself. All that is ours travels in headers, which it ignores.

mod message;
mod names;
mod outcome;
mod pattern;
mod reply;
mod request;

pub use self::message::{UnreadableDeadline, WireMessage, WireReply};
pub use self::names::{
    AGENT_FILE_READ_PATTERN, AGENT_FILE_WRITE_PATTERN, AGENT_TOOL_QUEUE, AGENT_TURN_PATTERN,
    AGENT_TURN_PROGRESS_PATTERN, AGENT_TURN_QUEUE, AGENT_TURN_STOP_EXCHANGE,
    AGENT_TURN_STOP_PATTERN, AGENT_TURN_TAKE_PATTERN, HEADER_ATTEMPT, HEADER_CALL, HEADER_CONTRACT,
    HEADER_CTX, HEADER_DEADLINE, HEADER_OUTCOME, HEADER_PROOF, HEADER_RUN, HEADER_TAKEOVER,
    HEADER_TRACEPARENT, REGISTRY_CHANGED_PATTERN, REGISTRY_HELLO_PATTERN, TURN_EVENTS_EXCHANGE,
    TURN_EVENTS_QUEUE,
};
pub use self::outcome::Outcome;
pub use self::pattern::Pattern;
pub use self::reply::{
    NO_HANDLER, ReplyPacket, decode_reply, encode_empty_reply, encode_no_handler, encode_reply,
    encode_response,
};
pub use self::request::{Packet, PacketData, Unreadable, classify, encode_event, encode_request};
