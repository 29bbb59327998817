//! `rover audit verify`: walks the hash chain of every school.

use super::CommandError;
use crate::say::say;
use crate::{config::Config, system};

/// Prints how many rows stand, or fails naming the first broken one.
pub(crate) async fn verify(config: &Config) -> Result<(), CommandError> {
    let schools = system::read(config, None).await?.console().verify_audit().await?;
    if schools.is_empty() {
        return Err(CommandError::NoSchools);
    }
    for school in &schools {
        match &school.broken {
            None => say!("{}: {} rows, whole", school.school, school.rows),
            Some(fault) => say!("{}: {fault}", school.school),
        }
    }
    match schools.into_iter().find_map(|school| school.broken) {
        None => Ok(()),
        Some(fault) => Err(CommandError::BrokenAudit(fault)),
    }
}
