//! `rover audit verify`: walks the hash chain of every school.

use super::CommandError;
use crate::{config::Config, system};

/// Prints how many rows stand, or fails naming the first broken one.
pub(crate) async fn verify(config: &Config) -> Result<(), CommandError> {
    let schools = system::open(config, false).await?.console().verify_audit().await?;
    for school in &schools {
        match &school.broken {
            None => println!("{}: {} rows, whole", school.school, school.rows),
            Some(fault) => println!("{}: {fault}", school.school),
        }
    }
    match schools.into_iter().find_map(|school| school.broken) {
        None => Ok(()),
        Some(fault) => Err(CommandError::BrokenAudit(fault)),
    }
}
