//! `rover contract`: what this build says to the other side, and whether that may change.

pub(crate) mod lock;

use crate::cli::ContractCommand;
use crate::commands::CommandError;

/// Runs one command of the group, in the workspace's root.
pub(crate) fn run(command: &ContractCommand) -> Result<(), CommandError> {
    let root = std::env::current_dir()?;
    match command {
        ContractCommand::Lock { check } => lock::run(&root, *check)?,
    }
    Ok(())
}
