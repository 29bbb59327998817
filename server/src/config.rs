//! What a server needs to know to start. Where the values come from is the command line's business.

use std::borrow::Cow;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use crate::chat::SecondMessage;
use crate::db::DatabaseUrl;
use crate::files::FileLimits;
use crate::identity::IdentityMode;

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
            demo: false,
            longest_turn: Duration::from_mins(5),
            second_message: SecondMessage::default(),
            keep: None,
            files: FileLimits::default(),
            sign_in: Duration::from_hours(12),
            contract: Cow::Borrowed(tools::CONTRACT),
        }
    }
}
