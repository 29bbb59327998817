//! The running system: everything in one process, or server and worker apart over RabbitMQ.

use std::fs::{File, TryLockError};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use agent_contract::{
    InProcessEvents, InProcessTools, InProcessTurns, TurnEndpoint as _, WorkerKey,
};
use server::amqp::AmqpSettings;
use server::config::ServerConfig;
use server::db::DatabaseUrl;
use server::http::Edge;
use server::identity::IdentityMode;
use server::{RunningServer, Server, StartError, Workers};
use tokio::signal::unix::{Signal, SignalKind, signal};
use worker::{ModelSettings, Worker, WorkerConfig, key_file};

use crate::cli;
use crate::commands::CommandError;
use crate::config::Config;
use crate::say::say;

/// How long running turns and calls have to end when the process must go.
const PATIENCE: Duration = Duration::from_secs(20);
/// Beside the signing keys: the key of a worker that shares their folder.
const KEY_BESIDE: &str = "worker.key";
/// How long what was cut then has to be written down.
const LAST_WORDS: Duration = Duration::from_secs(6);

/// Everything in one process, with the demo school.
pub(crate) async fn dev(config: &Config) -> Result<(), CommandError> {
    let interrupts = Interrupts::listen()?;
    let Opened { server, key, _lock } = open(config, true).await?;
    if config.amqp.is_some() {
        // Both sides in one process, and the broker between them all the same.
        let (worker, broker) = connect_worker(config, Some(key))?;
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
        worker_config(config, Some(key)),
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
    if config.identity == cli::IdentityMode::Required && config.worker_public_keys.is_empty() {
        return Err(CommandError::NoWorkers);
    }
    let Opened { server, _lock, .. } = open(config, demo).await?;
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
    let key = config.worker_key.as_deref().map(key_file::read).transpose()?.map(Arc::new);
    if key.is_none() {
        tracing::warn!(
            "this worker signs nothing, so only a server believes it whose `identity` is not `required`. Make a key \
             with `rover worker key FILE`, name the file in ROVER_WORKER_KEY, and enrol what was printed at the servers"
        );
    }
    let (worker, broker) = connect_worker(config, key)?;
    let interrupted = interrupts.first();
    tokio::pin!(interrupted);
    tokio::select! {
        ready = broker.ready() => ready.map_err(no_broker(config))?,
        () = &mut interrupted => return Ok(()),
    }
    say!("a worker takes turns");
    let refused = tokio::select! {
        () = &mut interrupted => None,
        why = worker.refused() => Some(CommandError::Unbelieved(why)),
    };
    if let Some(refused) = refused {
        // What it took goes back to the queue, for a worker that is believed.
        return Err(refused);
    }
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
/// One that sends calls signs them with this key.
pub(crate) async fn read(config: &Config, key: Option<&WorkerKey>) -> Result<Server, CommandError> {
    if !config.data_dir.is_dir() {
        let path = config.data_dir.display().to_string();
        return Err(CommandError::NoData { key: "data_dir", path });
    }
    opened(config, left(config)?, false, key).await
}

/// A server with nobody let in yet.
struct Opened {
    server: Server,
    /// Of the worker that this process is, or plays.
    key: Arc<WorkerKey>,
    /// As long as it is held no other Rover begins on the folder.
    _lock: Option<File>,
}

/// The server's rows, keys and policy, with nobody let in yet. What is missing is made.
/// As long as the lock is held no other Rover begins on this folder.
async fn open(config: &Config, demo: bool) -> Result<Opened, CommandError> {
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
    let key = key_beside(config)?;
    let server = opened(config, database, demo, Some(&key)).await?;
    Ok(Opened { server, key, _lock: lock })
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
    key: Option<&WorkerKey>,
) -> Result<Server, CommandError> {
    let mut settings = ServerConfig::new(config.listen, database, config.keys());
    settings.demo = demo;
    settings.limits = config.edge.limits;
    settings.issuer.clone_from(&config.edge.issuer);
    settings.edge = Edge {
        origins: config.edge.origins.clone(),
        behind_tls: config.edge.behind_tls,
        ..Edge::default()
    };
    settings.identity = match config.identity {
        cli::IdentityMode::Required => IdentityMode::Required,
        cli::IdentityMode::Token => IdentityMode::Token,
        cli::IdentityMode::Plain => IdentityMode::Plain,
    };
    settings.workers.clone_from(&config.worker_public_keys);
    settings.workers.extend(key.map(WorkerKey::public));
    if config.amqp.is_some() {
        settings.environment = environment(config);
    }
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

/// What tells this environment from every other on any broker: its vhost and its queues.
fn environment(config: &Config) -> String {
    let url = config.amqp.as_deref().and_then(|url| url.parse::<url::Url>().ok());
    let path = url.map(|url| url.path().to_ascii_lowercase()).unwrap_or_default();
    let vhost = match path.trim_start_matches('/') {
        "" => "%2f",
        named => named,
    };
    [vhost, &config.names.turn_queue, &config.names.tool_queue].join("\n")
}

/// The server's half of the broker for this configuration.
pub(crate) fn server_broker(config: &Config) -> Result<AmqpSettings, CommandError> {
    let url = config.amqp.as_deref().ok_or(CommandError::NoBroker)?;
    let mut settings = AmqpSettings::at(url);
    settings.names = config.names.clone();
    settings.prefetch = config.prefetch;
    Ok(settings)
}

fn connect_worker(
    config: &Config,
    key: Option<Arc<WorkerKey>>,
) -> Result<(Arc<Worker>, worker::amqp::Amqp), CommandError> {
    let outbound = outbound(config)?;
    let sender = Arc::new(outbound.sender());
    let worker =
        Arc::new(Worker::new(worker_config(config, key), Arc::clone(&sender) as _, sender)?);
    let broker = outbound.take_turns(Arc::clone(&worker) as _);
    Ok((worker, broker))
}

fn worker_config(config: &Config, key: Option<Arc<WorkerKey>>) -> WorkerConfig {
    WorkerConfig {
        model: ModelSettings {
            choice: config.model.clone(),
            base_url: config.openai_base_url.clone(),
            key: std::env::var("ROVER_OPENAI_API_KEY").ok(),
        },
        key,
        ..WorkerConfig::default()
    }
}

/// The key of the worker that this process is, or plays: the one that is configured, or else one beside the signing
/// keys. Whoever can read that file can read those, so enrolling it gives nothing away.
fn key_beside(config: &Config) -> Result<Arc<WorkerKey>, CommandError> {
    let key = match &config.worker_key {
        Some(file) => key_file::read(file)?,
        None => key_file::read_or_make(&config.keys().join(KEY_BESIDE))?,
    };
    Ok(Arc::new(key))
}

/// The same for a command that makes nothing: where there is no such file, a key that lives as long as the command,
/// which its own process believes.
pub(crate) fn key_at_hand(config: &Config) -> Result<Arc<WorkerKey>, CommandError> {
    let beside = config.keys().join(KEY_BESIDE);
    if config.worker_key.is_none() && !beside.exists() {
        return Ok(Arc::new(WorkerKey::generate()));
    }
    key_beside(config)
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
