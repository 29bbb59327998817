//! What a server needs to know to start. Where the values come from is the command line's business.

use std::borrow::Cow;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use agent_contract::WorkerPublicKey;

use crate::chat::{SecondMessage, TurnLimits};
use crate::db::DatabaseUrl;
use crate::files::FileLimits;
use crate::http::Edge;
use crate::identity::{IdentityMode, IssuerSettings};

/// The configuration of one server.
#[derive(Clone, Debug)]
pub struct ServerConfig {
    /// Address of the Hub and the API. Port 0 takes a free one.
    pub listen: SocketAddr,
    /// The database.
    pub database: DatabaseUrl,
    /// Folder of the signing keys.
    pub keys: PathBuf,
    /// What a tool call must bring so that its identity is believed.
    pub identity: IdentityMode,
    /// The enrolled workers.
    pub workers: Vec<WorkerPublicKey>,
    /// Which environment this is, among those that might share keys by mistake. Every server of one says the same.
    pub environment: String,
    /// Whether the demo school is planted and its accounts are listed to everybody.
    pub demo: bool,
    /// How long one run of a turn may take.
    pub longest_turn: Duration,
    /// What becomes of a message while Rover still works on the one before it.
    pub second_message: SecondMessage,
    /// How long a conversation is kept in which nobody writes; for ever where this is not given.
    pub keep: Option<Duration>,
    /// How much people may attach.
    pub files: FileLimits,
    /// How long a sign-in is good for.
    pub sign_in: Duration,
    /// How much it does for one person and for one school.
    pub limits: TurnLimits,
    /// Whose sign-in tokens are believed beside our own.
    pub issuer: Option<IssuerSettings>,
    /// How its HTTP side stands to the world.
    pub edge: Edge,
    /// Text of the contract lock, which says which older versions of a tool are served.
    pub contract: Cow<'static, str>,
}

impl ServerConfig {
    /// A server at this address with these rows and keys, and otherwise the defaults.
    pub fn new(listen: SocketAddr, database: DatabaseUrl, keys: PathBuf) -> Self {
        Self {
            listen,
            database,
            keys,
            identity: IdentityMode::default(),
            workers: Vec::new(),
            environment: String::new(),
            demo: false,
            longest_turn: Duration::from_mins(5),
            second_message: SecondMessage::default(),
            keep: None,
            files: FileLimits::default(),
            sign_in: Duration::from_hours(12),
            limits: TurnLimits::default(),
            issuer: None,
            edge: Edge::default(),
            contract: Cow::Borrowed(tools::CONTRACT),
        }
    }
}
