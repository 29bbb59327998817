//! `rover person`: what is kept of what somebody said to Rover, to read or to delete.

use super::CommandError;
use crate::say::say;
use crate::{config::Config, system};

/// Prints it as JSON.
pub(crate) async fn export(config: &Config, email: &str) -> Result<(), CommandError> {
    let person = system::read(config, None).await?.console().export(email).await?;
    say!("{}", serde_json::to_string_pretty(&person)?);
    Ok(())
}

/// Deletes it.
pub(crate) async fn delete(config: &Config, email: &str) -> Result<(), CommandError> {
    let gone = system::read(config, None).await?.console().forget(email).await?;
    say!(
        "{gone} conversations of {email} are deleted. What was changed in the school stays, with its audit rows."
    );
    Ok(())
}
