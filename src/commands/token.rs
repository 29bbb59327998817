//! `rover token`: a sign-in token for a demo account, for use with curl. Development only.

use super::CommandError;
use crate::say::say;
use crate::{config::Config, system};

/// Prints the token.
pub(crate) async fn print(config: &Config, email: &str) -> Result<(), CommandError> {
    say!("{}", system::read(config, None).await?.console().token_for(email).await?);
    Ok(())
}
