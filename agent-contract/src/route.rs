//! Both sides of a tool as values: the server's route, the worker's proxy, and the prepared call between a packet's
//! arguments and the handler.

use futures_util::future::BoxFuture;
use serde_json::Value;

use crate::args::Pins;
use crate::args::ToolArg as _;
use crate::call_scope::AgentCallScope;
use crate::decode::{Decoded, decode};
use crate::definition::ToolDefinition;
use crate::error::{ToolError, ToolResult};
use crate::kind::{self, Marker as _};
use crate::output::{HandlerReturn, Subject};
use crate::repair::Repair;
use crate::tool::{Handler, Tool, ToolCx};

/// A server: the frame that reads run in and the frame that writes run in.
pub trait Host {
    /// Ports of read tools.
    type Read: Send + Sync + 'static;
    /// Ports of write tools.
    type Write: Send + Sync + 'static;
}

/// One tool on the server.
#[derive(Debug)]
pub struct Route<H: Host> {
    /// What was declared.
    pub def: &'static ToolDefinition,
    /// How it is run.
    pub run: Dispatch<H>,
}

/// The frame that a tool needs.
pub enum Dispatch<H: Host> {
    /// A read frame.
    Read(Prepare<H::Read>),
    /// A write frame.
    Write(Prepare<H::Write>),
    /// None: the worker runs it, so the server has no route for it.
    Local,
}

/// Turns raw arguments into a call: repair, validate, deserialise, pin.
pub type Prepare<S> = fn(Value, &AgentCallScope) -> Result<Prepared<S>, ToolError>;

/// A call whose arguments have passed.
pub struct Prepared<S> {
    /// The call's scope, narrowed to the campus that the arguments name.
    pub scope: AgentCallScope,
    /// What had to be repaired.
    pub repairs: Vec<Repair>,
    /// The arguments after repair and before pinning: what their hash is taken of.
    pub canonical: Value,
    /// The campus that the model asked for, if it is another than the one the call is pinned to.
    pub requested_other_campus: Option<String>,
    call: Call<S>,
}

type Call<S> =
    Box<dyn for<'a> FnOnce(&'a ToolCx<S>) -> BoxFuture<'a, ToolResult<ToolReply>> + Send>;

impl<S> Prepared<S> {
    /// Runs the handler.
    pub fn call(self, cx: &ToolCx<S>) -> BoxFuture<'_, ToolResult<ToolReply>> {
        (self.call)(cx)
    }
}

/// What a handler answered.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolReply {
    /// The data of the envelope.
    pub data: Value,
    /// The records that were changed.
    pub subjects: Vec<Subject>,
}

/// One tool on the worker.
pub enum AgentTool<W> {
    /// The server runs it.
    Rpc(&'static ToolDefinition),
    /// The worker runs it.
    Local(&'static ToolDefinition, Prepare<W>),
}

impl<W> AgentTool<W> {
    /// What was declared.
    pub fn definition(&self) -> &'static ToolDefinition {
        match self {
            Self::Rpc(definition) | Self::Local(definition, _) => definition,
        }
    }
}

/// How the server serves tools of a kind. The kind is the implementor, so that each kind asks for its own ports.
#[doc(hidden)]
pub trait Serve<H: Host, T: Tool> {
    fn route() -> Route<H>;
}

/// A tool that this server can serve. Stated of the tool and not of its kind, so that a list with something else in it
/// is one error and not one for each place that asks for the kind.
#[doc(hidden)]
pub trait Served<H: Host> {
    fn route() -> Route<H>;
}

impl<H: Host, T: Tool> Served<H> for T
where
    T::Kind: Serve<H, T>,
{
    fn route() -> Route<H> {
        <T::Kind as Serve<H, T>>::route()
    }
}

/// A tool that this worker can offer.
#[doc(hidden)]
pub trait Offered<W> {
    fn proxy() -> AgentTool<W>;
}

impl<W, T: Tool> Offered<W> for T
where
    T::Kind: Offer<W, T>,
{
    fn proxy() -> AgentTool<W> {
        <T::Kind as Offer<W, T>>::proxy()
    }
}

/// Some tools of a registry, which a server can serve if it can serve each of them.
#[doc(hidden)]
pub trait ServedGroup<H: Host> {
    fn routes(into: &mut Vec<Route<H>>);
}

/// Some tools of a registry, which a worker can offer if it can offer each of them.
#[doc(hidden)]
pub trait OfferedGroup<W> {
    fn proxies(into: &mut Vec<AgentTool<W>>);
}

/// How the worker offers tools of a kind.
#[doc(hidden)]
pub trait Offer<W, T: Tool> {
    fn proxy() -> AgentTool<W>;
}

macro_rules! served {
    ($($kind:ident in $frame:ident;)*) => { $(
        impl<H: Host, T> Serve<H, T> for kind::$kind
        where
            T: Tool + Handler<H::$frame, Args = <T as Tool>::Args, Return = <T as Tool>::Return>,
        {
            fn route() -> Route<H> {
                Route { def: const { &T::DEF }, run: Dispatch::$frame(prepare::<H::$frame, T>) }
            }
        }

        impl<W, T: Tool> Offer<W, T> for kind::$kind {
            fn proxy() -> AgentTool<W> {
                AgentTool::Rpc(const { &T::DEF })
            }
        }
    )* };
}
served! {
    Read in Read;
    OwnedRead in Read;
    Write in Write;
    OwnedWrite in Write;
}

impl<H: Host, T: Tool> Serve<H, T> for kind::Local {
    fn route() -> Route<H> {
        Route { def: const { &T::DEF }, run: Dispatch::Local }
    }
}

impl<W: Send + Sync + 'static, T> Offer<W, T> for kind::Local
where
    T: Tool + Handler<W, Args = <T as Tool>::Args, Return = <T as Tool>::Return>,
{
    fn proxy() -> AgentTool<W> {
        AgentTool::Local(const { &T::DEF }, prepare::<W, T>)
    }
}

fn prepare<S, T>(value: Value, scope: &AgentCallScope) -> Result<Prepared<S>, ToolError>
where
    S: Send + Sync + 'static,
    T: Tool + Handler<S, Args = <T as Tool>::Args, Return = <T as Tool>::Return>,
{
    let Decoded { mut args, repairs, canonical } = decode::<<T as Tool>::Args>(value)?;
    let mut pins = Pins::new(scope);
    args.pin(&mut pins)?;
    Ok(prepared(pins, repairs, canonical, Box::new(move |cx| run::<S, T>(cx, args))))
}

// What does not depend on the tool stands apart from what does: the compiler makes the one once and the other for each
// tool of a registry.

fn prepared<S>(
    pins: Pins<'_>,
    repairs: Vec<Repair>,
    canonical: Value,
    call: Call<S>,
) -> Prepared<S> {
    Prepared {
        scope: pins.effective_scope(),
        requested_other_campus: pins.into_requested_other(),
        repairs,
        canonical,
        call,
    }
}

fn run<S, T>(cx: &ToolCx<S>, args: <T as Tool>::Args) -> BoxFuture<'_, ToolResult<ToolReply>>
where
    S: Send + Sync + 'static,
    T: Tool + Handler<S, Args = <T as Tool>::Args, Return = <T as Tool>::Return>,
{
    Box::pin(async move {
        let value = <T as Handler<S>>::call(cx, args).await.into_result()?;
        let subjects = <<T as Tool>::Return as HandlerReturn<T::Kind>>::subjects(&value);
        reply(T::Kind::WRITES, subjects, serde_json::to_value(&value))
    })
}

fn reply(
    writes: bool,
    subjects: Vec<Subject>,
    data: serde_json::Result<Value>,
) -> ToolResult<ToolReply> {
    if writes && subjects.is_empty() {
        return Err(ToolError::refused("nothing matched, so nothing was changed"));
    }
    // Only a type whose `Serialize` contradicts JSON fails here, and that is our fault, not the caller's.
    let data = data.map_err(|_| ToolError::Internal)?;
    Ok(ToolReply { data, subjects })
}

impl<H: Host> std::fmt::Debug for Dispatch<H> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Read(_) => "Read",
            Self::Write(_) => "Write",
            Self::Local => "Local",
        })
    }
}

impl<S> std::fmt::Debug for Prepared<S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Prepared")
            .field("scope", &self.scope)
            .field("repairs", &self.repairs)
            .field("canonical", &self.canonical)
            .finish_non_exhaustive()
    }
}

impl<W> std::fmt::Debug for AgentTool<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("AgentTool").field(&self.definition().name).finish()
    }
}
