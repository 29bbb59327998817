//! The running system: everything in one process, or server and worker apart over RabbitMQ.

use std::fs::{File, TryLockError};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use agent_contract::{InProcessEvents, InProcessTools, InProcessTurns, TurnEndpoint as _};
use server::amqp::AmqpSettings;
use server::config::ServerConfig;
use server::db::DatabaseUrl;
use server::identity::IdentityMode;
use server::{RunningServer, Server, StartError, Workers};
use tokio::signal::unix::{Signal, SignalKind, signal};
use worker::{ModelSettings, Worker, WorkerConfig};

use crate::cli;
use crate::commands::CommandError;
use crate::config::Config;
use crate::say::say;

/// How long running turns and calls have to end when the process must go.
const PATIENCE: Duration = Duration::from_secs(20);
/// How long what was cut then has to be written down.
const LAST_WORDS: Duration = Duration::from_secs(6);

/// Everything in one process, with the demo school.
pub(crate) async fn dev(config: &Config) -> Result<(), CommandError> {
    let interrupts = Interrupts::listen()?;
    let (server, _lock) = open(config, true).await?;
    if config.amqp.is_some() {
        // Both sides in one process, and the broker between them all the same.
        let (worker, broker) = connect_worker(config)?;
        let running = started(config, server).await?;
        broker.ready().await.map_err(no_broker(config))?;
        announce(&running);
        interrupts.first().await;
        running.stop_taking();
        tokio::join!(worker.drain(PATIENCE), broker.drain(PATIENCE + LAST_WORDS));
        running.shutdown(LAST_WORDS).await;
        return Ok(());
    }
    let worker = Arc::new(Worker::new(
        worker_config(config),
        Arc::new(InProcessTools::new(server.tools())),
        Arc::new(InProcessEvents::new(server.events())),
    )?);
    worker.greet().await;
    let turns = Arc::new(InProcessTurns::new(Arc::clone(&worker) as _));
    let running = server.start(Workers::InProcess(turns)).await.map_err(not_started(config))?;
    announce(&running);
    interrupts.first().await;
    running.stop_taking();
    worker.drain(PATIENCE).await;
    running.shutdown(LAST_WORDS).await;
    Ok(())
}

/// The server alone.
pub(crate) async fn server(config: &Config, demo: bool) -> Result<(), CommandError> {
    let interrupts = Interrupts::listen()?;
    let (server, _lock) = open(config, demo).await?;
    let running = started(config, server).await?;
    say!("Rover's server listens at http://{}", running.addr());
    name_demo_accounts(&running);
    let refused = tokio::select! {
        () = interrupts.first() => None,
        error = running.refused() => Some(not_started(config)(error)),
    };
    running.shutdown(PATIENCE).await;
    refused.map_or(Ok(()), Err)
}

/// A worker alone.
pub(crate) async fn worker(config: &Config) -> Result<(), CommandError> {
    let interrupts = Interrupts::listen()?;
    let (worker, broker) = connect_worker(config)?;
    let interrupted = interrupts.first();
    tokio::pin!(interrupted);
    tokio::select! {
        ready = broker.ready() => ready.map_err(no_broker(config))?,
        () = &mut interrupted => return Ok(()),
    }
    say!("a worker takes turns");
    interrupted.await;
    tokio::join!(worker.drain(PATIENCE), broker.drain(PATIENCE + LAST_WORDS));
    Ok(())
}

/// Where a database is that a server left, for a command that only asks: nothing is made.
pub(crate) fn left(config: &Config) -> Result<DatabaseUrl, CommandError> {
    match config.database.parse()? {
        DatabaseUrl::Sqlite(file) if !file.is_file() => {
            let (key, path) = (config.database_key(), file.display().to_string());
            Err(CommandError::NoData { key, path })
        }
        database => Ok(database),
    }
}

/// The rows, keys and policy that a server left, for a command that only asks: nothing is made and nothing planted.
pub(crate) async fn read(config: &Config) -> Result<Server, CommandError> {
    if !config.data_dir.is_dir() {
        let path = config.data_dir.display().to_string();
        return Err(CommandError::NoData { key: "data_dir", path });
    }
    opened(config, left(config)?, false).await
}

/// The server's rows, keys and policy, with nobody let in yet. What is missing is made.
/// As long as the lock is held no other Rover begins on this folder.
async fn open(config: &Config, demo: bool) -> Result<(Server, Option<File>), CommandError> {
    let folder = |source| CommandError::Folder { path: config.data_dir.clone(), source };
    std::fs::create_dir_all(&config.data_dir).map_err(folder)?;
    let mut database: DatabaseUrl = config.database.parse()?;
    if let Some(owner) = config.database_owner.clone() {
        database = database.owned_by(owner).map_err(CommandError::Owner)?;
    }
    let lock = match database {
        DatabaseUrl::Sqlite(_) => Some(alone(&config.data_dir)?),
        DatabaseUrl::Postgres(_) => None,
    };
    Ok((opened(config, database, demo).await?, lock))
}

/// Takes the folder for this process. Who starts ends the turns that an earlier process left open, which must not
/// be those of one that lives.
fn alone(folder: &Path) -> Result<File, CommandError> {
    let failed = |source| CommandError::Folder { path: folder.to_owned(), source };
    let lock = File::create(folder.join("rover.lock")).map_err(failed)?;
    match lock.try_lock() {
        Ok(()) => Ok(lock),
        Err(TryLockError::WouldBlock) => Err(CommandError::InUse(folder.to_owned())),
        Err(TryLockError::Error(source)) => Err(failed(source)),
    }
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
    settings.second_message = config.chat.second_message;
    settings.files = config.chat.files;
    settings.keep =
        config.chat.keep_days.map(|days| Duration::from_hours(24 * u64::from(days.get())));
    let place = settings.database.to_string();
    Server::open(settings).await.map_err(|error| match error {
        StartError::Database(source) => {
            CommandError::Database { key: config.database_key(), place, source }
        }
        other => other.into(),
    })
}

/// The server, with its workers behind the broker.
async fn started(config: &Config, server: Server) -> Result<RunningServer, CommandError> {
    let workers = Workers::Amqp(Box::new(server_broker(config)?));
    server.start(workers).await.map_err(not_started(config))
}

/// Puts the keys to what a server says that did not start.
fn not_started(config: &Config) -> impl Fn(StartError) -> CommandError {
    |error| match error {
        StartError::Broker(source) => no_broker(config)(source),
        StartError::Listen { addr, source } => {
            CommandError::Listen { key: config.listen_key.clone(), addr, source }
        }
        other => other.into(),
    }
}

/// Puts the key to what a broker says that cannot be used.
pub(crate) fn no_broker<E>(config: &Config) -> impl Fn(E) -> CommandError
where
    E: std::error::Error + Send + Sync + 'static,
{
    |source| CommandError::Broker { key: config.amqp_key.clone(), source: Box::new(source) }
}

/// The sending half of a worker's connection.
pub(crate) fn outbound(config: &Config) -> Result<worker::amqp::Outbound, CommandError> {
    worker::amqp::Outbound::start(worker_broker(config)?).map_err(no_broker(config))
}

/// The worker's half of the broker for this configuration.
fn worker_broker(config: &Config) -> Result<worker::amqp::AmqpSettings, CommandError> {
    let url = config.amqp.as_deref().ok_or(CommandError::NoBroker)?;
    let mut settings = worker::amqp::AmqpSettings::at(url);
    settings.names = config.names.clone();
    Ok(settings)
}

/// The server's half of the broker for this configuration.
pub(crate) fn server_broker(config: &Config) -> Result<AmqpSettings, CommandError> {
    let url = config.amqp.as_deref().ok_or(CommandError::NoBroker)?;
    let mut settings = AmqpSettings::at(url);
    settings.names = config.names.clone();
    settings.prefetch = config.prefetch;
    Ok(settings)
}

fn connect_worker(config: &Config) -> Result<(Arc<Worker>, worker::amqp::Amqp), CommandError> {
    let outbound = outbound(config)?;
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

/// Ctrl-C, and the system's wish that this process end.
struct Interrupts {
    pressed: Signal,
    ended: Signal,
}

impl Interrupts {
    /// Begins to listen. Before anybody is told that Rover is ready: until then a signal ends the process as it stands.
    fn listen() -> Result<Self, CommandError> {
        Ok(Self {
            pressed: signal(SignalKind::interrupt())?,
            ended: signal(SignalKind::terminate())?,
        })
    }

    /// Waits for the first. A second one ends the process at once: what is committed stays, and the next start
    /// ends what was open.
    async fn first(mut self) {
        self.next().await;
        let longest = (PATIENCE + LAST_WORDS).as_secs();
        say!("stopping; what runs has up to {longest} s to end. Ctrl-C again ends it at once.");
        tokio::spawn(async move {
            self.next().await;
            std::process::exit(130);
        });
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.pressed.recv() => {}
            _ = self.ended.recv() => {}
        }
    }
}
