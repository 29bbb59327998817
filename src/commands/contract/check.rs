//! `rover contract check`: what changed since another lock, and whether it may be deployed in the asked order.

use std::path::Path;
use std::process::ExitCode;

use agent_contract::lock::{Judgement, Outcome, judge};

use super::base::{self, BaseError};
use super::lock::{self, LockFileError};
use super::report;
use crate::cli::{CheckContract, ReportFormat};
use crate::say::say;

/// Why a check does not end well.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CheckError {
    /// Something breaks.
    #[error(
        "{0} of these changes must not be deployed like this; undo them, deploy in another order, or answer for them \
         with `rover contract accept`"
    )]
    Breaking(usize),
    /// Something could not be decided.
    #[error(
        "for {0} of these changes it could be shown neither that they break nor that they do not; answer for them with \
         `rover contract accept`, or make them smaller"
    )]
    Undecided(usize),
    /// This build's lock cannot be used.
    #[error(transparent)]
    Lock(#[from] LockFileError),
    /// The other lock cannot be used.
    #[error(transparent)]
    Base(#[from] BaseError),
    /// The report cannot be written.
    #[error("the report cannot be written: {0}")]
    Report(#[from] serde_json::Error),
}

impl CheckError {
    /// 1 if something breaks, 2 if that is not known.
    pub(crate) fn exit_code(&self) -> ExitCode {
        match self {
            Self::Breaking(_) => ExitCode::from(1),
            _ => ExitCode::from(2),
        }
    }
}

/// Compares, prints, and fails if something stands against the deployment.
pub(crate) fn run(root: &Path, asked: &CheckContract) -> Result<(), CheckError> {
    let new = lock::fresh(root)?;
    let old = base::read(root, &asked.base)?;
    let judgement = judge(&old, &new, asked.order.into());
    match asked.format {
        ReportFormat::Text => say!("{}", report::text(&judgement, &asked.base)),
        ReportFormat::Json => say!("{}", serde_json::to_string_pretty(&judgement)?),
        ReportFormat::Github => {
            let file = new.text().map_err(LockFileError::from)?;
            for line in report::github(&judgement, &file) {
                say!("{line}");
            }
        }
    }
    let standing = standing(&judgement);
    match judgement.outcome {
        Outcome::Fine => Ok(()),
        Outcome::Undecided => Err(CheckError::Undecided(standing)),
        Outcome::Breaking => Err(CheckError::Breaking(standing)),
    }
}

/// How many changes stand against the deployment.
fn standing(judgement: &Judgement) -> usize {
    judgement.changes.iter().filter(|change| change.stands_against()).count()
}
