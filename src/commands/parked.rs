//! `rover parked`: the calls that were given up.

use server::amqp::ParkingPlace;

use super::CommandError;
use crate::cli::ParkedCommand;
use crate::config::Config;
use crate::say::say;
use crate::system;

/// Looks, replays or drops.
pub(crate) async fn run(config: &Config, command: ParkedCommand) -> Result<(), CommandError> {
    let place = ParkingPlace::open(&system::server_broker(config)?).await?;
    match command {
        ParkedCommand::List => {
            for parked in place.list().await? {
                let at = parked.at.map(|at| at.to_string()).unwrap_or_default();
                say!("{}  {at}  {}  {}  {}", parked.call, parked.event, parked.sub, parked.args);
            }
        }
        ParkedCommand::Replay { call } => {
            let result = place.replay(&call).await?;
            say!("{}", serde_json::to_string_pretty(&result)?);
            if !result.is_ok() {
                return Err(CommandError::Refused);
            }
        }
        ParkedCommand::Drop { call } => place.drop_one(&call).await?,
    }
    Ok(())
}
