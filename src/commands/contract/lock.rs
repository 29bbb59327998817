//! `rover contract lock`: `tools/contract.json`, written from the registry and from what the lock before it remembers.
//!
//! A test compares the file with what this module writes, so no definition changes without its lock.

use std::io::ErrorKind;
use std::path::Path;

use agent_contract::lock::{Lock, LockError};
use tools::agent_tools::DEFS;

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
    /// The file differs from the registry.
    #[error("{LOCK_FILE} is stale: the definitions have changed; run `{BLESS}`")]
    Stale,
}

/// Writes the lock, or only compares it.
pub(crate) fn run(root: &Path, check: bool) -> Result<(), LockFileError> {
    let path = root.join(LOCK_FILE);
    let before = match std::fs::read_to_string(&path) {
        Ok(text) => Some(text),
        // Without a lock there is nothing to remember, but a folder that is not ours gets none.
        Err(fault) if fault.kind() == ErrorKind::NotFound && !check => None,
        Err(fault) => return Err(fault.into()),
    };
    let lock = match &before {
        Some(text) => Lock::parse(text)?.renewed(DEFS),
        None => Lock::of(DEFS),
    };
    let text = lock.text()?;
    if before.as_ref() == Some(&text) {
        return Ok(());
    }
    if check {
        return Err(LockFileError::Stale);
    }
    Ok(std::fs::write(path, text)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_contract_lock_is_fresh() {
        if let Err(fault) = run(Path::new(env!("CARGO_MANIFEST_DIR")), true) {
            panic!("{fault}");
        }
    }
}
