//! `rover turn show`: one turn, hop by hop.

use super::{CommandError, hops};
use crate::{config::Config, system};

/// Prints every event of the turn.
pub(crate) async fn show(config: &Config, id: &str) -> Result<(), CommandError> {
    let turn = system::open(config, false).await?.console().turn(id).await?;
    println!("turn {}", turn.id);
    let Some(first) = turn.events.first() else {
        println!("nothing happened in it yet");
        return Ok(());
    };
    println!("{:>9}  {:<7} what", "ms", "hop");
    for event in &turn.events {
        let since = event.at.instant().duration_since(first.at.instant()).as_millis();
        for line in hops::told(&event.kind) {
            println!("{since:>9}  {:<7} {line}", event.hop.as_str());
        }
    }
    Ok(())
}
