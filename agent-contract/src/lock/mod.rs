//! The contract lock: every definition of the registry as a checked-in file, `tools/contract.json`.
//!
//! The compiler holds one worker and one server together, the pair that it built. The lock is the other half: what the
//! builds before this one said. A definition that changed is compared with the one that was deployed, and a server
//! knows the older versions whose calls it still understands. The lock refuses to be written by hand: each tool's
//! hashes must be those of what stands beside them.

mod access;
mod compare;
mod difference;
mod docs;
mod edit;
mod envelope;
mod error;
mod finding;
mod fingerprint;
mod judgement;
mod rule;
mod schema_change;
mod serving;
mod shape;
mod structure;
mod subsume;
mod types;
mod witness;

pub use access::{Access, LockedPosture, Permission};
pub use compare::compare;
pub use difference::{Change, Difference, first_difference};
pub use docs::Docs;
pub use envelope::{ENVELOPE_VERSION, Envelope};
pub use error::LockError;
pub use finding::{Consequence, Finding, Order, Side, Subject, Verdict, Witness};
pub use fingerprint::{Fingerprint, FingerprintError};
pub use judgement::{Judged, Judgement, Outcome, SignOffError, judge};
pub use rule::{NoSuchRule, Rule};
pub use serving::{Misfit, Serving, serves};
pub use shape::Shape;
pub use subsume::{Coverage, covers};
pub use types::{Deprecated, Hashes, Lock, LockedTool, SignOff, Standing, Version};
