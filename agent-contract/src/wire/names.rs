//! Names of queues, exchanges, patterns and headers: one place, both sides.

/// Queue of tool calls: durable, no arguments, exactly as a Nest peer declares it.
pub const AGENT_TOOL_QUEUE: &str = "agent-tool";
/// Queue of turns; any worker takes one.
pub const AGENT_TURN_QUEUE: &str = "agent-turn";
/// Pattern of a packet that dispatches a turn.
pub const AGENT_TURN_PATTERN: &str = "agent.turn";
/// Fanout exchange that carries stops to every worker.
pub const AGENT_TURN_STOP_EXCHANGE: &str = "agent-turn-stop";
/// Pattern of a packet that stops a turn.
pub const AGENT_TURN_STOP_PATTERN: &str = "agent.turn.stop";
/// Fanout exchange of turn events.
pub const TURN_EVENTS_EXCHANGE: &str = "agent-turn-events";
/// Shared durable queue from which one server stores each event, one server at a time: the events of a turn must be
/// stored in their order. The name is not the exchange's, which an earlier build gave a queue of another kind.
pub const TURN_EVENTS_QUEUE: &str = "agent-turn-events-kept";

/// Pattern of a packet on the queue of tool calls in which a worker asks to take over the turn of its token.
pub const AGENT_TURN_TAKE_PATTERN: &str = "agent.turn.take";
/// Pattern of a packet on the same queue in which a worker reads bytes of a file of its conversation.
pub const AGENT_FILE_READ_PATTERN: &str = "agent.file.read";
/// Pattern of a packet on the same queue that brings a piece of a file which the turn makes.
pub const AGENT_FILE_WRITE_PATTERN: &str = "agent.file.write";
/// Pattern of the packet that follows: how far the turn came.
pub const AGENT_TURN_PROGRESS_PATTERN: &str = "agent.turn.progress";
/// Pattern of a packet on the queue of tool calls in which a worker says which tools it holds.
pub const REGISTRY_HELLO_PATTERN: &str = "registry.hello";
/// Pattern of a packet on the exchange of stops: a server came or went, so workers ask anew what is served.
pub const REGISTRY_CHANGED_PATTERN: &str = "registry.changed";

/// The signed context of the turn.
pub const HEADER_CTX: &str = "x-rover-ctx";
/// The worker's signature over this request.
pub const HEADER_PROOF: &str = "x-rover-proof";
/// On a turn event: the worker takes the turn over from one that is lost. Its own proof says so too.
pub const HEADER_TAKEOVER: &str = "x-rover-takeover";
/// The call id; without it the packet's own id counts.
pub const HEADER_CALL: &str = "x-rover-call";
/// The wire hash of the tool as the worker knows it.
pub const HEADER_CONTRACT: &str = "x-rover-contract";
/// When the caller stops waiting: milliseconds since 1970.
pub const HEADER_DEADLINE: &str = "x-rover-deadline";
/// How often the call has been sent, from 1.
pub const HEADER_ATTEMPT: &str = "x-rover-attempt";
/// How often the run that calls was taken over; without it, never. A lost worker that was not dead is known by it.
pub const HEADER_RUN: &str = "x-rover-run";
/// How the call ended, on replies.
pub const HEADER_OUTCOME: &str = "x-rover-outcome";
/// W3C trace context.
pub const HEADER_TRACEPARENT: &str = "traceparent";
