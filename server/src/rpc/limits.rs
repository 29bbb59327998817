//! How large, how deep and how long a call may be.

use std::time::Duration;

/// Bytes of a packet. Larger ones are refused unread.
pub(super) const BODY: usize = 512 * 1024;
/// Bytes of the arguments as JSON.
pub(super) const ARGUMENTS: usize = 256 * 1024;
/// Levels of the arguments. No schema of ours comes near it.
pub(super) const DEPTH: usize = 32;
/// Bytes of a call id. Ours have 64.
pub(super) const CALL_ID: usize = 128;
/// How long a call may take when its caller does not say.
pub(super) const PATIENCE: Duration = Duration::from_secs(30);
/// How long a call may take whatever its caller says.
pub(super) const LONGEST: Duration = Duration::from_mins(2);
/// At this delivery a call that never came to an end is given up.
pub(super) const DELIVERIES: i64 = 3;
