//! `rover contract accept` and `deprecate`: what a person answers for, written into the lock.

use std::path::Path;
use std::str::FromStr;

use agent_contract::Date;
use agent_contract::lock::{Deprecated, NoSuchRule, Rule, SignOffError, Subject};

use super::base::{self, BaseError};
use super::lock::{self, LockFileError};
use crate::cli::AcceptContract;
use crate::commands::CommandError;
use crate::say::say;

/// What is signed off: the changes of one rule of one tool.
#[derive(Clone, Debug)]
pub(crate) struct Allowed {
    rule: Rule,
    subject: Subject,
}

/// Why a text names no change.
#[derive(Debug, thiserror::Error)]
pub(crate) enum AllowedError {
    /// It has not both parts.
    #[error("write RULE:TOOL, e.g. AUTH:create_department")]
    Shape,
    /// There is no such rule.
    #[error(transparent)]
    Rule(#[from] NoSuchRule),
}

impl FromStr for Allowed {
    type Err = AllowedError;

    fn from_str(text: &str) -> Result<Self, AllowedError> {
        match text.split_once(':') {
            Some((rule, tool)) if !tool.is_empty() => {
                Ok(Self { rule: rule.parse()?, subject: Subject::from(tool.to_owned()) })
            }
            _ => Err(AllowedError::Shape),
        }
    }
}

/// Why nothing was signed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum AcceptError {
    /// This build's lock cannot be used.
    #[error(transparent)]
    Lock(#[from] LockFileError),
    /// The other lock cannot be used.
    #[error(transparent)]
    Base(#[from] BaseError),
    /// There is nothing to sign like this.
    #[error(transparent)]
    SignOff(#[from] SignOffError),
}

/// Records that somebody answers for changes since another lock.
pub(crate) fn run(root: &Path, asked: &AcceptContract) -> Result<(), AcceptError> {
    let AcceptContract { base, allow: Allowed { rule, subject }, reason } = asked;
    let mut lock = lock::fresh(root)?;
    lock.sign_off(&base::read(root, base)?, *rule, subject, reason, Date::today())?;
    lock::save(root, &lock)?;
    say!("{rule} of {subject} is signed off in {}; commit it with the change", lock::LOCK_FILE);
    Ok(())
}

/// Announces that a tool is to be removed.
pub(crate) fn deprecate(root: &Path, tool: &str, reason: &str) -> Result<(), CommandError> {
    let name = crate::commands::tool(tool)?.name;
    if reason.trim().is_empty() {
        return Err(AcceptError::SignOff(SignOffError::NoReason).into());
    }
    let mut lock = lock::fresh(root)?;
    if let Some(tool) = lock.tools.get_mut(name) {
        let (since, reason) = (Date::today(), reason.trim().to_owned());
        tool.deprecated = Some(Deprecated { since, reason });
    }
    lock::save(root, &lock)?;
    say!("{name} is deprecated in {}; it may be removed one release later", lock::LOCK_FILE);
    Ok(())
}
