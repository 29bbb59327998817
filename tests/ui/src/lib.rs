//! Tools of every kind under the strictest lints, and the words that the compile-fail cases share.
//!
//! That this crate compiles proves that the expansions bring no warning into an author's crate; the cases in
//! `tests/ui` prove that a mistake brings exactly one error.
#![deny(warnings, missing_docs, unreachable_pub, missing_debug_implementations, clippy::pedantic)]

use std::future::Future;

pub use agent_contract::*;
pub use schemars::JsonSchema;
pub use serde::{Deserialize, Serialize};

/// A record that tools read and change.
#[derive(Debug, Serialize, Deserialize, JsonSchema, AuditSubject)]
#[audit(kind = "department")]
pub struct Thing {
    /// Its id.
    #[audit(id)]
    pub id: String,
}

/// What reading needs.
pub trait Things: Send + Sync {
    /// Every thing of a campus.
    fn all(&self, campus: Option<&CampusId>)
    -> impl Future<Output = ToolResult<Vec<Thing>>> + Send;
}

/// What changing needs.
pub trait EditThings: Things {
    /// Adds a thing.
    fn add(&self, name: String) -> impl Future<Output = ToolResult<Thing>> + Send;
}

/// What reading the caller's own things needs.
pub trait OwnThings: ProveRelation {
    /// The things that the proof covers.
    fn own(&self, proof: &Proof) -> impl Future<Output = ToolResult<Vec<Thing>>> + Send;
}

/// No arguments.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields)]
pub struct NoArgs {}

/// A name.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Named {
    /// The name.
    pub name: String,
    /// When it is wanted, if that matters.
    pub due: Option<When>,
}

/// A day, or a day of the week.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, tag = "kind", rename_all = "snake_case")]
pub enum When {
    /// Any day.
    Whenever,
    /// One day.
    On {
        /// The day.
        day: Date,
    },
    /// A day of the week.
    Every {
        /// Which one.
        weekday: Weekday,
    },
}

/// Days on which there is school.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(rename_all = "snake_case")]
pub enum Weekday {
    /// The first.
    Monday,
    /// The last.
    Friday,
}

/// A campus.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct OnCampus {
    /// The campus; leave out for every campus in scope.
    #[serde(default)]
    pub campus_id: CampusArg,
}

/// List the things of a campus.
#[agent_tool(
    scope = general,
    posture = casl(Read, Department),
    roles = [Rover],
    label = "Listing things",
    say = ["list [the] things", "list [the] things of {campus_id}"],
    examples = [{}, { campus_id: "main" }],
)]
pub async fn list_things(cx: &ToolCx<impl Things>, args: OnCampus) -> ToolResult<Vec<Thing>> {
    cx.services().all(args.campus_id.filter()).await
}

/// Create a thing.
#[agent_tool(
    scope = school,
    posture = casl(Create, Department),
    roles = [Rover, DirectorOfStudies],
    label = "Creating a thing",
    say = ["create [a] thing [called|named] {name}"],
    examples = [
        { name: "Globe" },
        { name: "Globe", due: { kind: "on", day: "2026-02-28" } },
        { name: "Globe", due: { kind: "every", weekday: "friday" } },
    ],
)]
pub async fn create_thing(cx: &ToolCx<impl EditThings>, args: Named) -> ToolResult<Thing> {
    cx.services().add(args.name).await
}

/// List the caller's own things.
#[agent_tool(
    scope = general,
    posture = relationship,
    roles = [ClassTeacher],
    label = "Looking up your things",
)]
pub async fn list_my_things(
    cx: &ToolCx<impl OwnThings>,
    _args: NoArgs,
) -> ToolResult<Owned<Vec<Thing>>> {
    let proof = cx.prove(Relation::OwnProfile).await?;
    let things = cx.services().own(&proof).await?;
    Ok(Owned::new(proof, things))
}

/// Get a number of the worker's own.
#[agent_tool(local, roles = [Rover], label = "Counting")]
pub async fn get_number(_cx: &ToolCx<impl Send + Sync>, _args: NoArgs) -> ToolResult<u32> {
    Ok(7)
}

agent_contract::registry! {
    pub mod strict_tools = [list_things, create_thing, list_my_things, get_number];
}

agent_contract::join! {
    /// The same list, joined.
    pub mod joined_tools = [strict_tools];
}
