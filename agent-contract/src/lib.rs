//! What worker and server agree on: the context, the identity and the envelope that cross the
//! wire, and the declaration of a tool.
//!
//! Nothing here knows a broker, a database, a web server, a model or a policy engine.

extern crate self as agent_contract;

pub mod agent_map;
pub mod args;
mod call_id;
pub mod call_scope;
#[doc(hidden)]
pub mod check;
pub mod context;
pub mod date;
pub mod decode;
pub mod definition;
pub mod envelope;
pub mod error;
pub mod example;
pub mod handshake;
pub mod hash;
pub mod hundredths;
pub mod id;
pub mod identity;
pub mod kind;
pub mod lock;
pub mod offer;
pub mod output;
pub mod page;
mod plain;
pub mod policy;
pub mod proof;
mod reader;
pub mod registry;
pub mod repair;
pub mod role;
pub mod route;
pub mod say;
pub mod schema;
pub mod script;
mod strict;
pub mod tool;
pub mod transport;
pub mod turn;
pub mod verb;
pub mod version;
mod whole;
pub mod wire;

pub use agent_map::{AgentEntry, AgentMap, AgentMatch, build_agent_map, eligible_agent_roles};
pub use agent_tool_macros::{AuditSubject, ToolArgs, agent_tool};
pub use args::{ArgField, CampusArg, CampusTarget, FieldKind, Pins, ToolArg, ToolArgs};
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
pub use decode::{Decoded, decode};
pub use definition::{Approval, Effect, Kind, Posture, ToolDefinition, ToolScope, ToolSpec};
pub use envelope::{AgentToolRequest, AgentToolResult, RequestFault};
pub use error::{ArgumentFault, NO_TENANT_SCOPE_ERROR, ToolError, ToolResult};
pub use example::{ArgShape, Example, ExampleValue};
pub use handshake::{HeldTool, RegistryAnswer, RegistryHello, ToolStanding};
pub use hash::{canonical_hash, canonical_json, sha256_hex};
pub use hundredths::{Hundredths, HundredthsError};
pub use id::{
    AttachmentId, CallId, CampusId, IdError, ProfileId, SchoolId, ThreadId, TurnId, UserId,
};
pub use identity::{
    AgentIdentity, JwtPayload, UserType, identity_from_user_details, resolve_identity,
    to_jwt_payload,
};
pub use offer::{tools_for_mode, tools_for_role};
pub use output::{
    AuditSubject, Deleted, HandlerReturn, Owned, OwnershipProven, Proof, Relation, Subject,
    ToolOutput,
};
pub use page::{Behind, ListQuery, Order, Page, PageFault, PageSize, SortKey};
pub use plain::{first_control, holds_control};
pub use policy::{Action, FACTS, GRANTS, Grant, Reach, Resource, StaffRole, is_granted, reaches};
pub use proof::{
    EventKind, KeyFault, KeyId, OutgoingCall, Statement, TokenHash, TurnSeal, WorkerKey,
    WorkerProof, WorkerPublicKey,
};
pub use reader::Reader;
pub use registry::registry;
pub use repair::{Repair, RepairKind, Repaired, repair_root, repair_text};
pub use role::AgentRole;
pub use route::{
    AgentTool, Dispatch, Host, Offer, Offered, OfferedGroup, Prepare, Prepared, Route, Serve,
    Served, ServedGroup, ToolReply,
};
pub use say::{Sentence, Variant};
pub use schema::{Declaration, Declarations, Form, FormFault, ToolText, dialect_faults};
pub use strict::TextFault;
pub use tool::{Handler, ProveRelation, Tool, ToolCx};
pub use transport::{
    EventEndpoint, EventTransport, InProcessEvents, InProcessTools, InProcessTurns, ToolEndpoint,
    ToolTransport, TransportError, TurnEndpoint, TurnTransport,
};
pub use turn::{
    Answer, AssistantPart, CallFault, EndReason, FileBytes, FilePiece, FileQuestion, Gate,
    HistoryMessage, Hop, MOST_TAKEOVERS, OfferedTool, ProgressQuestion, Resume, TakeAnswer,
    ToldMessage, ToolReturn, TurnEvent, TurnEventKind, TurnProgress, TurnRequest, TurnStop,
    UserPart, Visibility, Withheld, WithheldReason,
};
pub use verb::{RESERVED_NAMES, VERBS, Verb, VerbPlace, is_mutating_event, label_fallback};
pub use version::{NoVersion, Version};
pub use wire::{Outcome, Packet, PacketData, Pattern, ReplyPacket, WireMessage, WireReply};
