//! `rover call`: one tool call as a person, through the same gates as a chat turn.

use super::calls::{Called, Calls};
use super::{CommandError, Person, tool};
use crate::config::Config;
use crate::say::say;

/// Sends the call and prints the envelope.
pub(crate) async fn run(
    config: &Config,
    name: &str,
    person: Person<'_>,
    args: &str,
    answer: Option<&str>,
) -> Result<(), CommandError> {
    let def = tool(name)?;
    let args = serde_json::from_str(args)?;
    let calls = Calls::open(config).await?;
    let said = format!("rover call {name}");
    let Called { turn, result } = calls.send(def, person, args, answer, &said).await?;
    eprintln!("turn {turn}; see it with `rover turn show {turn}`");
    let Some(result) = result else { return Err(CommandError::Refused) };
    say!("{}", serde_json::to_string_pretty(&result)?);
    if result.is_ok() { Ok(()) } else { Err(CommandError::Refused) }
}
