//! `rover token`: a sign-in token for a demo account, for use with curl. Development only.

use super::CommandError;
use crate::{config::Config, system};

/// Prints the token.
pub(crate) async fn print(config: &Config, email: &str) -> Result<(), CommandError> {
    println!("{}", system::open(config, true).await?.console().token_for(email).await?);
    Ok(())
}
