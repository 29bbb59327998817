//! What `#[agent_tool]` implements: the declaration, and the handler for every host that has the ports.

use std::future::Future;

use crate::args::{ArgField, ToolArgs};
use crate::call_scope::AgentCallScope;
use crate::decode::ReadFromJson;
use crate::definition::{ToolDefinition, ToolSpec};
use crate::error::{ToolError, ToolResult};
use crate::identity::AgentIdentity;
use crate::kind::Marker;
use crate::output::{HandlerReturn, Proof, Relation};
use crate::schema::HasSchema;

/// A function annotated with `#[agent_tool]`, as a type.
#[diagnostic::on_unimplemented(
    message = "this registry entry is not an agent tool",
    label = "not annotated with `#[agent_tool]`",
    note = "annotate the function, or take it out of `registry!`"
)]
pub trait Tool: Sized + 'static {
    /// What the model supplies.
    type Args: ToolArgs + ReadFromJson + HasSchema + Send + 'static;
    /// Where it runs and what it must return.
    type Kind: Marker;
    /// The function's return type.
    type Return: HandlerReturn<Self::Kind>;
    /// What the author wrote.
    #[doc(hidden)]
    const SPEC: ToolSpec;
    /// The arguments, in source order.
    const FIELDS: &'static [ArgField] = <Self::Args as ToolArgs>::FIELDS;
    /// The whole definition.
    const DEF: ToolDefinition = ToolDefinition::of::<Self>();
}

/// The handler of a tool, for hosts with the ports that it asks for.
#[diagnostic::on_unimplemented(
    message = "tool `{Self}` cannot run on `{S}`",
    label = "`{S}` lacks a port of this tool",
    note = "implement the ports that the tool's `&ToolCx<impl …>` parameter asks for"
)]
pub trait Handler<S> {
    /// As in [`Tool`].
    type Args;
    /// As in [`Tool`].
    type Return;

    /// Runs the author's function.
    fn call(cx: &ToolCx<S>, args: Self::Args) -> impl Future<Output = Self::Return> + Send;
}

/// What a handler gets besides its arguments: who is calling, how far the call reaches, and the ports.
#[derive(Debug)]
pub struct ToolCx<S> {
    services: S,
    identity: AgentIdentity,
    scope: AgentCallScope,
}

impl<S> ToolCx<S> {
    /// A context over these services. The services are owned, so that the frame in them comes back to be committed.
    pub fn new(services: S, identity: AgentIdentity, scope: AgentCallScope) -> Self {
        Self { services, identity, scope }
    }

    /// The ports.
    pub fn services(&self) -> &S {
        &self.services
    }

    /// Who is calling.
    pub fn identity(&self) -> &AgentIdentity {
        &self.identity
    }

    /// How far the call reaches.
    pub fn scope(&self) -> &AgentCallScope {
        &self.scope
    }

    /// Gives the services back when the call is over.
    pub fn into_services(self) -> S {
        self.services
    }
}

/// The port that answers for relations between the caller and a record.
pub trait ProveRelation: Send + Sync {
    /// Whether the relation holds for the caller.
    fn holds(
        &self,
        caller: &AgentIdentity,
        relation: &Relation,
    ) -> impl Future<Output = ToolResult<bool>> + Send;
}

impl<S: ProveRelation> ToolCx<S> {
    /// Proves that the caller stands in this relation; ports take the proof and read the record's id from it.
    pub async fn prove(&self, relation: Relation) -> ToolResult<Proof> {
        if self.services.holds(&self.identity, &relation).await? {
            Ok(Proof::of(relation))
        } else {
            Err(ToolError::denied(relation.denial()))
        }
    }
}
