//! The lock to compare with: a file, or the lock at a revision of this repository.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use agent_contract::lock::{Lock, LockError};

use super::lock::LOCK_FILE;

/// Why there is no lock to compare with.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BaseError {
    /// The file cannot be read.
    #[error("--base: {} cannot be read: {source}", path.display())]
    File { path: PathBuf, source: std::io::Error },
    /// What was found is no lock.
    #[error("--base {base}: {fault}")]
    Lock { base: String, fault: LockError },
    /// There is no git.
    #[error(
        "--base {0}: there is no such file, and without git no revision can be read; install git, or name a file"
    )]
    NoGit(String),
    /// There is no repository.
    #[error(
        "--base {0}: there is no such file, and this folder is in no git repository, so it is no revision either"
    )]
    NoRepository(String),
    /// There is no such revision.
    #[error(
        "--base {0}: neither a file nor a revision of this repository; in a shallow clone, fetch it first: \
         `git fetch origin {0}`"
    )]
    NoRevision(String),
    /// The revision is older than the lock.
    #[error(
        "--base {0}: there is no {LOCK_FILE} at that revision, so there is nothing to compare with; name a later one"
    )]
    NoLock(String),
    /// Git did not run to its end.
    #[error("--base {base}: git: {source}")]
    Git { base: String, source: std::io::Error },
}

/// The lock at `base`, seen from the workspace's root.
pub(crate) fn read(root: &Path, base: &str) -> Result<Lock, BaseError> {
    let path = root.join(base);
    let text = if path.is_file() {
        std::fs::read_to_string(&path).map_err(|source| BaseError::File { path, source })?
    } else {
        at_revision(root, base)?
    };
    Lock::parse(&text).map_err(|fault| BaseError::Lock { base: base.to_owned(), fault })
}

fn at_revision(root: &Path, base: &str) -> Result<String, BaseError> {
    let named = |fault: fn(String) -> BaseError| fault(base.to_owned());
    if !git(root, base, &["rev-parse", "--is-inside-work-tree"])?.status.success() {
        return Err(named(BaseError::NoRepository));
    }
    // A revision is data: what begins with a dash is none of git's options.
    let commit = format!("{base}^{{commit}}");
    let verify = ["rev-parse", "--verify", "--quiet", "--end-of-options", &commit];
    let found = git(root, base, &verify)?;
    if !found.status.success() {
        return Err(named(BaseError::NoRevision));
    }
    let commit = String::from_utf8_lossy(&found.stdout);
    let shown = git(root, base, &["show", &format!("{}:./{LOCK_FILE}", commit.trim())])?;
    if !shown.status.success() {
        return Err(named(BaseError::NoLock));
    }
    Ok(String::from_utf8_lossy(&shown.stdout).into_owned())
}

fn git(root: &Path, base: &str, arguments: &[&str]) -> Result<Output, BaseError> {
    let base = base.to_owned();
    Command::new("git").current_dir(root).args(arguments).output().map_err(|source| {
        if source.kind() == ErrorKind::NotFound {
            BaseError::NoGit(base)
        } else {
            BaseError::Git { base, source }
        }
    })
}
