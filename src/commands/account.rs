//! `rover account`: which account belongs to whom at the issuer of sign-in tokens.

use super::CommandError;
use crate::say::say;
use crate::{config::Config, system};

/// Links an account to a subject of the issuer.
pub(crate) async fn link(config: &Config, email: &str, subject: &str) -> Result<(), CommandError> {
    system::read(config, None).await?.console().link(email, Some(subject)).await?;
    say!("tokens of the issuer about this subject sign in as {email}");
    Ok(())
}

/// Links an account to nobody.
pub(crate) async fn unlink(config: &Config, email: &str) -> Result<(), CommandError> {
    system::read(config, None).await?.console().link(email, None).await?;
    say!("no token of an issuer signs in as {email} any more");
    Ok(())
}
