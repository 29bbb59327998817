//! Who is there: how many consume a queue. A durable queue takes a message although nobody is left to read it.

use std::time::Duration;

use agent_contract::TransportError;
use lapin::Connection;
use lapin::options::QueueDeclareOptions;
use lapin::types::FieldTable;

/// How many consume this queue; none if there is no such queue. The look has a channel of its own, since a queue that
/// is missing closes the channel that asks for it.
pub async fn consumers(
    connection: &Connection,
    queue: &str,
    patience: Duration,
) -> Result<u32, TransportError> {
    let asking = async {
        let channel = connection.create_channel().await?;
        let options = QueueDeclareOptions::durable().passive();
        let queue = channel.queue_declare(queue.into(), options, FieldTable::default()).await?;
        channel.close(200, "looked".into()).await?;
        lapin::Result::Ok(queue.consumer_count())
    };
    match tokio::time::timeout(patience, asking).await {
        Err(_) => Err(TransportError::Busy),
        Ok(Ok(consumers)) => Ok(consumers),
        // Only the channel is gone, so it is the queue that is not there.
        Ok(Err(_)) if connection.status().connected() => Ok(0),
        Ok(Err(_)) => Err(TransportError::Closed),
    }
}
