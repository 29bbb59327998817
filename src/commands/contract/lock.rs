//! `rover contract lock`: `tools/contract.json`, written from the registry and from what the lock before it remembers.
//!
//! A test compares the file with what this module writes, so no definition changes without its lock.

use std::io::ErrorKind;
use std::path::Path;

use agent_contract::lock::{Lock, LockError};
use tools::agent_tools::DEFS;

use super::base::{self, BaseError};

/// Where the lock lies, seen from the workspace's root.
pub(crate) const LOCK_FILE: &str = "tools/contract.json";

/// The command that renews the lock.
pub(crate) const BLESS: &str = "cargo run -- contract lock";

/// Why the lock could not be written or is not right.
#[derive(Debug, thiserror::Error)]
pub(crate) enum LockFileError {
    /// The file cannot be read or written.
    #[error("{LOCK_FILE}: {0}; run this in the workspace's root")]
    File(#[from] std::io::Error),
    /// The file is no lock.
    #[error("{LOCK_FILE}: {0}")]
    Lock(#[from] LockError),
    /// What was deployed is unknown.
    #[error(transparent)]
    Base(#[from] BaseError),
    /// The file differs from the registry.
    #[error("{LOCK_FILE} is stale: the definitions have changed; run `{BLESS}`")]
    Stale,
}

/// Writes the lock. What it remembers of older versions comes from the lock at `base`, or else from the file itself.
pub(crate) fn write(root: &Path, base: Option<&str>) -> Result<(), LockFileError> {
    let before = match std::fs::read_to_string(root.join(LOCK_FILE)) {
        Ok(text) => Lock::parse(&text)?,
        Err(fault) if fault.kind() == ErrorKind::NotFound => Lock::of(&[]),
        Err(fault) => return Err(fault.into()),
    };
    let lock = match base {
        Some(base) => before.renewed_since(&base::read(root, base)?, DEFS),
        None => before.renewed(DEFS),
    };
    save(root, &lock)
}

/// The lock in the file, if it is the registry's.
pub(crate) fn fresh(root: &Path) -> Result<Lock, LockFileError> {
    let text = std::fs::read_to_string(root.join(LOCK_FILE))?;
    let lock = Lock::parse(&text)?.renewed(DEFS);
    if lock.text()? == text { Ok(lock) } else { Err(LockFileError::Stale) }
}

/// Writes a lock into the file.
pub(crate) fn save(root: &Path, lock: &Lock) -> Result<(), LockFileError> {
    Ok(std::fs::write(root.join(LOCK_FILE), lock.text()?)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_contract_lock_is_fresh() {
        if let Err(fault) = fresh(Path::new(env!("CARGO_MANIFEST_DIR"))) {
            panic!("{fault}");
        }
    }
}
