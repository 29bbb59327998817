//! The kinds of tool as types, so that a read tool cannot be given a write port, nor a local tool a route.

use crate::check::Unusable;
use crate::error::ToolResult;
use crate::output::Owned;

/// Reads, gated by a permission.
#[derive(Debug)]
pub enum Read {}
/// Writes, gated by a permission.
#[derive(Debug)]
pub enum Write {}
/// Reads what was proven to be the caller's own.
#[derive(Debug)]
pub enum OwnedRead {}
/// Writes what was proven to be the caller's own.
#[derive(Debug)]
pub enum OwnedWrite {}
/// Runs in the worker.
#[derive(Debug)]
pub enum Local {}

/// One of the kinds.
pub trait Marker {
    /// Whether a successful call must name what it changed.
    const WRITES: bool = false;
    /// What the macro lets a tool return whose signature it could not read, so that nothing else fails.
    #[doc(hidden)]
    type Unusable;
}

impl Marker for Read {
    type Unusable = ToolResult<Unusable>;
}
impl Marker for Write {
    const WRITES: bool = true;
    type Unusable = ToolResult<Unusable>;
}
impl Marker for OwnedRead {
    type Unusable = ToolResult<Owned<Unusable>>;
}
impl Marker for OwnedWrite {
    const WRITES: bool = true;
    type Unusable = ToolResult<Owned<Unusable>>;
}
impl Marker for Local {
    type Unusable = ToolResult<Unusable>;
}
