//! What worker and server agree on: the context, the identity and the envelope that cross the
//! wire, and the declaration of a tool.
//!
//! Nothing here knows a broker, a database, a web server, a model or a policy engine.

mod call_id;
pub mod call_scope;
pub mod context;
pub mod date;
pub mod envelope;
pub mod error;
pub mod hash;
pub mod id;
pub mod identity;
pub mod transport;
pub mod turn;
pub mod wire;

pub use call_scope::{
    AgentCallScope, CallScopeError, DataReach, ScopeDescription, describe_scope_context,
    resolve_call_scope,
};
pub use context::{
    AcademicYear, AgentRunMode, AgentRunModeName, AgentRuntimeContext, AgentRuntimeContextInput,
    AgentUserDetails, Attachment, CampusRef, Capabilities, ContextError, IanaZone, PermissionRule,
    TeachingAssignment, TeachingDuty, TeachingMap, Term, TermInput, TimeInput,
    resolve_runtime_context,
};
pub use date::{Date, DateError, Timestamp};
pub use envelope::{AgentToolRequest, AgentToolResult, RequestFault};
pub use error::{ArgumentFault, NO_TENANT_SCOPE_ERROR, ToolError, ToolResult};
pub use hash::{canonical_hash, canonical_json, sha256_hex};
pub use id::{
    AttachmentId, CallId, CampusId, EmptyId, ProfileId, SchoolId, ThreadId, TurnId, UserId,
};
pub use identity::{
    AgentIdentity, JwtPayload, UserType, identity_from_user_details, resolve_identity,
    to_jwt_payload,
};
pub use transport::{
    EventEndpoint, EventTransport, InProcessEvents, InProcessTools, InProcessTurns, ToolEndpoint,
    ToolTransport, TransportError, TurnEndpoint, TurnTransport,
};
pub use turn::{
    Answer, AssistantPart, CallFault, EndReason, Gate, HistoryMessage, Hop, OfferedTool, Resume,
    ToolReturn, TurnEvent, TurnEventKind, TurnRequest, TurnStop, UserPart, Visibility, Withheld,
    WithheldReason,
};
pub use wire::{Outcome, Packet, PacketData, Pattern, ReplyPacket, WireMessage, WireReply};
