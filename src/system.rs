//! The running system: everything in one process, or server and worker apart over RabbitMQ.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use agent_contract::{InProcessEvents, InProcessTools, InProcessTurns};
use server::config::ServerConfig;
use server::db::DatabaseUrl;
use server::identity::IdentityMode;
use server::{RunningServer, Server, Workers};
use tokio::signal::unix::{SignalKind, signal};
use worker::{ModelSettings, Worker, WorkerConfig};

use crate::cli;
use crate::commands::CommandError;
use crate::config::Config;
use crate::say::say;

/// How long running turns and calls have to end when the process must go.
const PATIENCE: Duration = Duration::from_secs(20);

/// Everything in one process, with the demo school.
pub(crate) async fn dev(config: &Config) -> Result<(), CommandError> {
    let server = open(config, true).await?;
    if config.amqp.is_some() {
        // Both sides in one process, and the broker between them all the same.
        let (worker, broker) = connect_worker(config)?;
        let running = server.start(workers(config)?).await?;
        broker.ready().await;
        announce(&running);
        interrupted().await?;
        broker.drain(PATIENCE).await;
        worker.drain(PATIENCE).await;
        running.shutdown(PATIENCE).await;
        return Ok(());
    }
    let worker = Arc::new(Worker::new(
        worker_config(config),
        Arc::new(InProcessTools::new(server.tools())),
        Arc::new(InProcessEvents::new(server.events())),
    )?);
    let turns = Arc::new(InProcessTurns::new(Arc::clone(&worker) as _));
    let running = server.start(Workers::InProcess(turns)).await?;
    announce(&running);
    interrupted().await?;
    worker.drain(PATIENCE).await;
    running.shutdown(PATIENCE).await;
    Ok(())
}

/// The server alone.
pub(crate) async fn server(config: &Config, demo: bool) -> Result<(), CommandError> {
    let running = open(config, demo).await?.start(workers(config)?).await?;
    say!("Rover's server listens at http://{}", running.addr());
    name_demo_accounts(&running);
    interrupted().await?;
    running.shutdown(PATIENCE).await;
    Ok(())
}

/// A worker alone.
pub(crate) async fn worker(config: &Config) -> Result<(), CommandError> {
    let (worker, broker) = connect_worker(config)?;
    tokio::select! {
        () = broker.ready() => say!("a worker takes turns"),
        done = interrupted() => return done,
    }
    interrupted().await?;
    broker.drain(PATIENCE).await;
    worker.drain(PATIENCE).await;
    Ok(())
}

/// The rows, keys and policy that a server left, for a command that only asks: nothing is made and nothing planted.
pub(crate) async fn read(config: &Config) -> Result<Server, CommandError> {
    let missing = |key, path: &Path| CommandError::NoData { key, path: path.display().to_string() };
    if !config.data_dir.is_dir() {
        return Err(missing("data_dir", &config.data_dir));
    }
    match config.database.parse()? {
        DatabaseUrl::Sqlite(file) if !file.is_file() => {
            return Err(missing(config.database_key(), &file));
        }
        database => opened(config, database, false).await,
    }
}

/// The server's rows, keys and policy, with nobody let in yet. What is missing is made.
async fn open(config: &Config, demo: bool) -> Result<Server, CommandError> {
    std::fs::create_dir_all(&config.data_dir)?;
    opened(config, config.database.parse()?, demo).await
}

async fn opened(
    config: &Config,
    database: DatabaseUrl,
    demo: bool,
) -> Result<Server, CommandError> {
    let mut settings = ServerConfig::new(config.listen, database, config.data_dir.join("keys"));
    settings.demo = demo;
    settings.identity = match config.identity {
        cli::IdentityMode::Signed => IdentityMode::default(),
        cli::IdentityMode::Plain => IdentityMode::Plain,
    };
    Ok(Server::open(settings).await?)
}

/// The worker's half of the broker for this configuration.
pub(crate) fn worker_broker(config: &Config) -> Result<worker::amqp::AmqpSettings, CommandError> {
    let url = config.amqp.as_deref().ok_or(CommandError::NoBroker)?;
    let mut settings = worker::amqp::AmqpSettings::at(url);
    settings.tool_queue.clone_from(&config.tool_queue);
    for name in [
        &mut settings.turn_queue,
        &mut settings.stop_exchange,
        &mut settings.events_exchange,
        &mut settings.events_queue,
    ] {
        name.insert_str(0, &config.queue_prefix);
    }
    Ok(settings)
}

fn workers(config: &Config) -> Result<Workers, CommandError> {
    let url = config.amqp.as_deref().ok_or(CommandError::NoBroker)?;
    let mut settings = server::amqp::AmqpSettings::at(url);
    settings.tool_queue.clone_from(&config.tool_queue);
    for name in [
        &mut settings.turn_queue,
        &mut settings.stop_exchange,
        &mut settings.events_exchange,
        &mut settings.events_queue,
    ] {
        name.insert_str(0, &config.queue_prefix);
    }
    Ok(Workers::Amqp(Box::new(settings)))
}

fn connect_worker(config: &Config) -> Result<(Arc<Worker>, worker::amqp::Amqp), CommandError> {
    let outbound = worker::amqp::Outbound::start(worker_broker(config)?)?;
    let sender = Arc::new(outbound.sender());
    let worker = Arc::new(Worker::new(worker_config(config), Arc::clone(&sender) as _, sender)?);
    let broker = outbound.take_turns(Arc::clone(&worker) as _);
    Ok((worker, broker))
}

fn worker_config(config: &Config) -> WorkerConfig {
    WorkerConfig {
        model: ModelSettings {
            choice: config.model.clone(),
            base_url: config.openai_base_url.clone(),
            key: std::env::var("ROVER_OPENAI_API_KEY").ok(),
        },
        ..WorkerConfig::default()
    }
}

fn announce(running: &RunningServer) {
    say!("Rover is ready: open http://{} in a browser.", running.addr());
    name_demo_accounts(running);
    say!("Ctrl-C stops it; the data stays.");
}

fn name_demo_accounts(running: &RunningServer) {
    if !running.shows_demo() {
        return;
    }
    say!("Demo accounts, password `{}`:", server::demo::PASSWORD);
    for account in server::demo::accounts() {
        say!("  {:<34} {}", account.email, account.roles.join(", "));
    }
}

/// Waits for Ctrl-C or the system's wish that this process end.
async fn interrupted() -> Result<(), CommandError> {
    let mut ended = signal(SignalKind::terminate())?;
    tokio::select! {
        pressed = tokio::signal::ctrl_c() => pressed?,
        _ = ended.recv() => {}
    }
    say!("stopping; what runs may end first");
    Ok(())
}
