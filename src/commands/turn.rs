//! `rover turn show`: one turn, hop by hop.

use agent_contract::{TurnEvent, TurnEventKind};

use super::{CommandError, hops};
use crate::say::say;
use crate::{config::Config, system};

/// Prints every event of the turn.
pub(crate) async fn show(config: &Config, id: &str) -> Result<(), CommandError> {
    let turn = system::read(config, None).await?.console().turn(id).await?;
    say!("turn {}", turn.id);
    let Some(first) = turn.events.first() else {
        say!("nothing happened in it yet");
        return Ok(());
    };
    say!("{:>9}  {:<7} what", "ms", "hop");
    for event in merged(&turn.events) {
        let since = event.at.instant().duration_since(first.at.instant()).as_millis();
        for line in hops::told(&event.kind) {
            say!("{since:>9}  {:<7} {line}", event.hop.as_str());
        }
    }
    Ok(())
}

/// The events with pieces of one text put together, as the person read them.
fn merged(events: &[TurnEvent]) -> Vec<TurnEvent> {
    let mut merged: Vec<TurnEvent> = Vec::new();
    for event in events {
        let piece = match &event.kind {
            TurnEventKind::TextDelta { text } => Some(text),
            _ => None,
        };
        match (merged.last_mut().map(|last| &mut last.kind), piece) {
            (Some(TurnEventKind::TextDelta { text }), Some(piece)) => text.push_str(piece),
            _ => merged.push(event.clone()),
        }
    }
    merged
}
