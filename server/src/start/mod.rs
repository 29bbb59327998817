//! A whole server: opened first, so that workers of this process have something to talk to, then started.

#[cfg(test)]
mod away;
#[cfg(test)]
#[path = "tests.rs"]
mod tests_on_postgres;
#[cfg(test)]
#[path = "tests.rs"]
mod tests_on_sqlite;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use agent_contract::lock::{Lock, LockError};
use agent_contract::{EventEndpoint, Timestamp, ToolEndpoint, TurnTransport};
use axum::Router;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::amqp::{Amqp, AmqpError, AmqpSettings, Endpoints};
use crate::authz::{Policy, PolicyError};
use crate::chat::{Chat, Relay, Threads};
use crate::config::ServerConfig;
use crate::console::Console;
use crate::db::{Database, DbError};
use crate::demo;
use crate::http::{App, Reach, Ready};
use crate::identity::{
    ContextTokens, Enrolment, Issuer, IssuerSettings, KeyError, KeyPurpose, KeyRing, KeysFault,
    SignIn,
};
use crate::rpc::Executor;
use crate::turn_log::TurnLog;

/// How long the start waits for the broker's first word. One that says nothing for so long is waited for later.
const FIRST_WORD: Duration = Duration::from_secs(3);
/// How often it is looked for turns that nobody ends, and for keys that came or went.
const SWEEPING: Duration = Duration::from_secs(5);
/// How long a file is kept that was uploaded and that no message names.
const UNSAID: Duration = Duration::from_hours(24);
/// How often it is looked for conversations that are kept no longer. The first time is at the start.
const FORGETTING: Duration = Duration::from_mins(30);

/// A server that is open: its rows, keys and policy are there, and tool calls can be taken. Nobody reaches it yet.
#[derive(Debug)]
pub struct Server {
    config: ServerConfig,
    pub(crate) database: Database,
    pub(crate) policy: Arc<Policy>,
    pub(crate) tokens: Arc<ContextTokens>,
    pub(crate) sign_in: Arc<SignIn>,
    executor: Executor,
    pub(crate) relay: Relay,
    pub(crate) threads: Threads,
    pub(crate) log: TurnLog,
}

/// Where the workers are.
pub enum Workers {
    /// In this process. They end with it, so a turn that was open when the process ended is ended at the next start.
    InProcess(Arc<dyn TurnTransport>),
    /// Behind a broker, shared with other servers.
    Amqp(Box<AmqpSettings>),
}

/// A server that can be reached.
#[derive(Debug)]
pub struct RunningServer {
    addr: SocketAddr,
    draining: CancellationToken,
    requests: TaskTracker,
    stop: CancellationToken,
    relay: Relay,
    executor: Executor,
    amqp: Option<Arc<Amqp>>,
    http: JoinHandle<()>,
    sweeping: JoinHandle<()>,
    database: Database,
    log: TurnLog,
    demo: bool,
}

/// Why a server did not start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StartError {
    /// The database.
    #[error("the database cannot be opened")]
    Database(#[from] DbError),
    /// The demo school.
    #[error("the demo school cannot be planted")]
    Demo(#[from] demo::PlantError),
    /// The keys.
    #[error("the signing keys cannot be opened")]
    Keys(#[from] KeyError),
    /// The issuer's keys.
    #[error("the issuer's keys cannot be used")]
    Issuer(#[from] KeysFault),
    /// The policy.
    #[error("the policy cannot be used")]
    Policy(#[from] PolicyError),
    /// The contract lock.
    #[error("the contract lock in this program cannot be used")]
    Contract(#[from] LockError),
    /// The broker.
    #[error("the broker cannot be used")]
    Broker(#[from] AmqpError),
    /// The address.
    #[error("cannot listen at {addr}")]
    Listen {
        /// Where it should have listened.
        addr: SocketAddr,
        /// What the system says.
        source: std::io::Error,
    },
}

impl Server {
    /// Opens the database, the keys and the policy.
    pub async fn open(mut config: ServerConfig) -> Result<Self, StartError> {
        let database = Database::open(&config.database).await?;
        if config.demo {
            demo::plant(&database).await?;
        }
        // Accounts that are not there are not offered either.
        config.demo = config.demo && demo::is_planted(&database).await?;
        let policy = Arc::new(Policy::load()?);
        let lock = Lock::parse(&config.contract)?;
        let key = |purpose| KeyRing::open(&config.keys, purpose);
        let tokens = ContextTokens::new(key(KeyPurpose::Context)?);
        let tokens = Arc::new(tokens.of_environment(&config.environment));
        let enrolment = Arc::new(Enrolment::new(config.identity, config.workers.iter().copied()));
        let sign_in = Arc::new(SignIn::new(key(KeyPurpose::SignIn)?, config.sign_in));
        config.edge.issuer = match config.issuer.take() {
            Some(settings) => Some(believed(settings).await?),
            None => None,
        };
        // The writer runs as long as anybody holds the log, so nobody has to hold the writer.
        let (log, _writer) = TurnLog::start(&database);
        let threads = Threads::new(database.clone());
        let relay = Relay::new(threads.clone(), log.clone(), Arc::clone(&enrolment));
        Ok(Self {
            executor: Executor::new(
                database.clone(),
                Arc::clone(&policy),
                Arc::clone(&tokens),
                Arc::clone(&enrolment),
                log.clone(),
                (relay.clone(), threads.files(config.files)),
                &lock,
            ),
            relay,
            config,
            database,
            policy,
            tokens,
            sign_in,
            threads,
            log,
        })
    }

    /// Where workers of this process send tool calls.
    pub fn tools(&self) -> Arc<dyn ToolEndpoint> {
        Arc::new(self.executor.clone())
    }

    /// Where workers of this process send turn events.
    pub fn events(&self) -> Arc<dyn EventEndpoint> {
        Arc::new(self.relay.endpoint())
    }

    /// Whose sign-in tokens are believed beside our own.
    pub(crate) fn issuer(&self) -> Option<&Issuer> {
        self.config.edge.issuer.as_deref()
    }

    /// The database, for commands that work on it beside the server.
    pub fn database(&self) -> &Database {
        &self.database
    }

    /// What an operator may ask.
    pub fn console(&self) -> Console<'_> {
        Console::new(self)
    }

    /// Starts to listen and to hand turns out.
    pub async fn start(self, workers: Workers) -> Result<RunningServer, StartError> {
        let addr = self.config.listen;
        let listen = |source| StartError::Listen { addr, source };
        let listener = TcpListener::bind(addr).await.map_err(listen)?;
        let addr = listener.local_addr().map_err(listen)?;

        let (stop, draining) = (CancellationToken::new(), CancellationToken::new());
        let (turns, amqp) = self.reach(workers).await?;
        let reached = amqp.as_ref().map(Arc::downgrade);
        let ready = Ready::until(draining.clone(), move || {
            let reached = reached.clone();
            async move {
                let Some(amqp) = reached else { return Reach { broker: None, workers: true } };
                match amqp.upgrade() {
                    Some(amqp) if amqp.is_ready() => {
                        Reach { broker: Some(true), workers: amqp.has_workers().await }
                    }
                    _ => Reach { broker: Some(false), workers: false },
                }
            }
        });
        let keys = Arc::clone(&self.tokens);
        let executor = self.executor.clone();
        let ready = ready.counting(move || executor.running());
        let requests = ready.requests();
        let files = self.threads.files(self.config.files);
        let chat = Chat::new(
            self.threads,
            self.relay.clone(),
            self.tokens,
            turns,
            self.config.longest_turn,
        )
        .with_second(self.config.second_message)
        .limited(self.config.limits)
        .with_files(files);
        let app = App::new(
            self.database.clone(),
            self.policy,
            chat.clone(),
            self.sign_in,
            self.log.clone(),
            self.config.demo,
            ready,
        )
        .facing(self.config.edge);
        Ok(RunningServer {
            addr,
            http: tokio::spawn(serve(listener, app.router(), stop.clone())),
            sweeping: tokio::spawn(sweep(chat, keys, self.config.keep, stop.clone())),
            stop,
            draining,
            requests,
            relay: self.relay,
            executor: self.executor,
            amqp,
            database: self.database,
            log: self.log,
            demo: self.config.demo,
        })
    }

    async fn reach(
        &self,
        workers: Workers,
    ) -> Result<(Arc<dyn TurnTransport>, Option<Arc<Amqp>>), StartError> {
        match workers {
            Workers::InProcess(turns) => {
                let ended = self.relay.end_orphans().await?;
                if ended > 0 {
                    tracing::warn!(ended, "turns that were open when the server ended are ended");
                }
                Ok((turns, None))
            }
            Workers::Amqp(settings) => {
                let endpoints = Endpoints {
                    tools: Arc::new(self.executor.clone()),
                    kept: Arc::new(self.relay.keeper()),
                    live: Arc::new(self.relay.tail()),
                };
                let amqp = Arc::new(Amqp::start(*settings, endpoints)?);
                if let Ok(tried) = tokio::time::timeout(FIRST_WORD, amqp.tried()).await {
                    tried?;
                }
                Ok((amqp.turns(), Some(amqp)))
            }
        }
    }
}

impl RunningServer {
    /// Where it listens.
    pub fn addr(&self) -> SocketAddr {
        self.addr
    }

    /// Whether the demo school was asked for and is there, so that its accounts may be shown.
    pub fn shows_demo(&self) -> bool {
        self.demo
    }

    /// How many tool calls are running.
    pub fn running_calls(&self) -> usize {
        self.executor.running()
    }

    /// Waits until a broker that came late refuses this server. Nothing is carried then, and nothing ever will be.
    pub async fn refused(&self) -> StartError {
        match &self.amqp {
            Some(amqp) => amqp.refused().await.into(),
            None => std::future::pending().await,
        }
    }

    /// Takes no more requests and says so to whoever asks; those that run, and the streams of running turns, go on.
    /// For a process whose workers must end their turns before the server goes: [`Self::shutdown`] is still to come.
    pub fn stop_taking(&self) {
        self.draining.cancel();
    }

    /// Takes no more requests, gives running turns so long to end, and closes. What runs on after that is ended,
    /// with its reason, by whoever starts next.
    pub async fn shutdown(self, patience: Duration) {
        self.draining.cancel();
        self.requests.close();
        let watched = self.relay.clone();
        // A request that was just taken may be about to begin a turn.
        let ended = async {
            self.requests.wait().await;
            watched.idle().await;
        };
        if tokio::time::timeout(patience, ended).await.is_err() {
            tracing::warn!(
                running = self.relay.running(),
                "turns still run; their streams are closed"
            );
        }
        // No call is taken any more, and those that run come to their reply, before anything is closed that they use.
        if let Some(amqp) = &self.amqp {
            amqp.drain(patience).await;
        }
        if self.running_calls() > 0 {
            tracing::warn!(running = self.running_calls(), "calls still run; they are waited for");
        }
        self.executor.idle().await;
        self.relay.close();
        self.stop.cancel();
        join("the HTTP side", self.http).await;
        join("the sweep", self.sweeping).await;
        self.log.settle().await;
        self.database.close().await;
    }
}

/// An issuer whose keys could be read, or who may be back when they are needed. What is wrong with the keys themselves
/// will not pass by waiting.
async fn believed(settings: IssuerSettings) -> Result<Arc<Issuer>, KeysFault> {
    let issuer = Issuer::new(settings)?;
    match issuer.look().await {
        Ok(()) => {}
        Err(fault @ KeysFault::Address { .. }) => {
            tracing::warn!(
                fault = &fault as &dyn std::error::Error,
                "the issuer does not answer yet"
            );
        }
        Err(fault) => return Err(fault),
    }
    Ok(Arc::new(issuer))
}

async fn serve(listener: TcpListener, router: Router, stop: CancellationToken) {
    let stopped = async move { stop.cancelled().await };
    let router = router.into_make_service_with_connect_info::<SocketAddr>();
    if let Err(error) = axum::serve(listener, router).with_graceful_shutdown(stopped).await {
        tracing::error!(%error, "the HTTP side ended");
    }
}

/// Ends what nobody ends, finds keys that came or went, and now and then deletes what is kept no longer.
async fn sweep(
    chat: Chat,
    keys: Arc<ContextTokens>,
    keep: Option<Duration>,
    stop: CancellationToken,
) {
    let mut forgotten: Option<Instant> = None;
    let mut ticks = tokio::time::interval(SWEEPING);
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            () = stop.cancelled() => return,
            _ = ticks.tick() => {}
        }
        let reload = tokio::task::spawn_blocking({
            let keys = Arc::clone(&keys);
            move || keys.reload()
        });
        join("reading the keys anew", reload).await;
        let now = Timestamp::now();
        if let Err(error) = chat.sweep(now).await {
            tracing::error!(
                error = &error as &dyn std::error::Error,
                "overdue turns were not ended"
            );
        }
        let due = forgotten.is_none_or(|last| last.elapsed() >= FORGETTING);
        if !due {
            continue;
        }
        forgotten = Some(Instant::now());
        if let Err(error) = chat.files().sweep(now.before(UNSAID)).await {
            let error = &error as &dyn std::error::Error;
            tracing::error!(error, "files that nobody said anything about were not deleted");
        }
        if let Some(keep) = keep {
            match chat.forget_stale(now.before(keep)).await {
                Ok(0) => {}
                Ok(gone) => tracing::info!(gone, "old conversations were deleted"),
                Err(error) => tracing::error!(
                    error = &error as &dyn std::error::Error,
                    "old conversations were not deleted"
                ),
            }
        }
    }
}

async fn join(what: &'static str, task: JoinHandle<()>) {
    if let Err(error) = task.await {
        tracing::error!(%error, "{what} did not end well");
    }
}

impl std::fmt::Debug for Workers {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::InProcess(_) => "InProcess",
            Self::Amqp(_) => "Amqp",
        })
    }
}
