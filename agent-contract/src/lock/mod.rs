//! The contract lock: every definition of the registry as a checked-in file, `tools/contract.json`.
//!
//! The compiler holds one worker and one server together, the pair that it built. The lock is the other half: what the
//! builds before this one said. A definition that changed is compared with the one that was deployed, and a server
//! knows the older versions whose calls it still understands. The lock refuses to be written by hand: each tool's
//! hashes must be those of what stands beside them.

mod access;
mod difference;
mod docs;
mod envelope;
mod error;
mod fingerprint;
mod shape;
mod types;

pub use access::{Access, LockedPosture, Permission};
pub use difference::{Change, Difference, first_difference};
pub use docs::Docs;
pub use envelope::{ENVELOPE_VERSION, Envelope};
pub use error::LockError;
pub use fingerprint::{Fingerprint, FingerprintError};
pub use shape::Shape;
pub use types::{Deprecated, Hashes, Lock, LockedTool, SignOff, Standing, Version};
