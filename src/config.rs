//! Configuration: flags > environment (`ROVER_*`) > `rover.toml` > defaults.
//!
//! Clap reads the first two; this module adds the file and the defaults. A wrong value names its
//! key and stops the start; an unknown key in the file is wrong too.

mod chat;
mod edge;
mod values;

use std::collections::BTreeMap;
use std::fmt;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};

use agent_contract::WorkerPublicKey;
use serde::Deserialize;
use server::amqp::{Argument, Declare, Names};
use server::db::OwnerUrl;
use worker::ModelChoice;

use crate::cli::{Given, IdentityMode, Queues, Settings};

use self::chat::ChatFile;
pub(crate) use self::chat::{ChatConfig, ChatSettings};
use self::values::{
    LONGEST_PREFIX, amqp_url, arguments, database_url, http_url, model, owner_url, queue,
    tool_queue, worker_keys,
};

pub(crate) use edge::{Edge, EdgeKeys, LogFormat};

/// How many calls a server runs at once, if nobody says.
const PREFETCH: u16 = 32;

/// Everything a command needs to know, complete and checked.
#[derive(Clone, Debug)]
pub(crate) struct Config {
    /// Folder of the database and the keys.
    pub(crate) data_dir: PathBuf,
    /// Address of the Hub and the API.
    pub(crate) listen: SocketAddr,
    /// The database's URL.
    pub(crate) database: String,
    /// The URL of the login that owns a PostgreSQL database.
    pub(crate) database_owner: Option<OwnerUrl>,
    /// RabbitMQ's URL, where processes are apart.
    pub(crate) amqp: Option<String>,
    /// What gave that URL.
    pub(crate) amqp_key: Key,
    /// What gave the address to listen at.
    pub(crate) listen_key: Key,
    /// What the queues are called there, and how they come to be.
    pub(crate) names: Names,
    /// How many calls of the queue a server runs at once.
    pub(crate) prefetch: u16,
    /// How the server knows who sends it calls and events.
    pub(crate) identity: IdentityMode,
    /// File of the worker's secret key.
    pub(crate) worker_key: Option<PathBuf>,
    /// The enrolled workers.
    pub(crate) worker_public_keys: Vec<WorkerPublicKey>,
    /// The model.
    pub(crate) model: ModelChoice,
    /// Base URL of an OpenAI-compatible server, up to and including the version.
    pub(crate) openai_base_url: Option<String>,
    /// How the server stands to the world.
    pub(crate) edge: Edge,
    /// How conversations are kept.
    pub(crate) chat: ChatConfig,
}

/// Why the configuration cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ConfigError {
    /// The file cannot be read.
    #[error("cannot read the configuration file {path}: {cause}")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        cause: std::io::Error,
    },
    /// The file does not parse, or names an unknown key.
    #[error("{path}: {message}")]
    Malformed {
        /// The file.
        path: PathBuf,
        /// What is wrong, with the key's name and line.
        message: String,
    },
    /// A value is out of the question.
    #[error("{key}: {problem}")]
    Wrong {
        /// The key.
        key: Key,
        /// What is wrong and what to write.
        problem: String,
    },
}

/// A key of the configuration, and who gave its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Key {
    name: &'static str,
    given_by: Option<String>,
}

impl Key {
    /// A key of which it is not known who gave it, or plain who did.
    pub(crate) fn of(name: &'static str) -> Self {
        Self { name, given_by: None }
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.given_by {
            None => write!(f, "`{}`", self.name),
            Some(by) => write!(f, "`{}` ({by})", self.name),
        }
    }
}

/// Who gave what: flags and variables first, then the file.
struct Givers<'a> {
    given: &'a Given,
    file: &'a Path,
}

impl Givers<'_> {
    fn key(&self, name: &'static str) -> Key {
        let by = self.given.by(name).map_or_else(|| self.file.display().to_string(), str::to_owned);
        Key { name, given_by: Some(by) }
    }

    /// Puts the key to what is wrong with its value.
    fn blame(&self, name: &'static str) -> impl Fn(String) -> ConfigError {
        let key = self.key(name);
        move |problem| ConfigError::Wrong { key: key.clone(), problem }
    }
}

impl Config {
    /// Completes what the command line and the environment gave.
    pub(crate) fn load(settings: Settings) -> Result<Self, ConfigError> {
        let (path, file) = if let Some(path) = settings.config.clone() {
            let file = File::read(&path)?;
            (path, file)
        } else {
            let path = PathBuf::from("rover.toml");
            let file = File::read_if_present(&path)?;
            (path, file)
        };
        Self::merge(settings, file, &path)
    }

    /// What is wrong only together.
    fn checked(self, givers: &Givers<'_>) -> Result<Self, ConfigError> {
        if self.identity == IdentityMode::Plain && !self.listen.ip().is_loopback() {
            let problem = format!(
                "`plain` believes whoever sends a call, so `listen` must be a loopback address and not {}",
                self.listen
            );
            return Err(givers.blame("identity")(problem));
        }
        Ok(self)
    }

    /// Folder of the keys.
    pub(crate) fn keys(&self) -> PathBuf {
        self.data_dir.join("keys")
    }

    /// The key that says where the database is: the folder's, unless the database was named.
    pub(crate) fn database_key(&self) -> &'static str {
        if self.database == in_folder(&self.data_dir) { "data_dir" } else { "database" }
    }

    fn merge(flags: Settings, file: File, path: &Path) -> Result<Self, ConfigError> {
        let givers = Givers { given: &flags.given, file: path };
        let edge = flags.edge.or(file.edge());
        let data_dir =
            flags.data_dir.or(file.data_dir).unwrap_or_else(|| PathBuf::from("rover-data"));
        let database = match flags.database.or(file.database) {
            Some(url) => database_url(url).map_err(givers.blame("database"))?,
            None => in_folder(&data_dir),
        };
        let owner = flags.database_owner.or(file.database_owner);
        let amqp = flags.amqp.or(file.amqp).map(amqp_url).transpose();
        let tools = match flags.tool_queue.or(file.tool_queue) {
            Some(name) => tool_queue(name).map_err(givers.blame("tool_queue"))?,
            None => agent_contract::wire::AGENT_TOOL_QUEUE.to_owned(),
        };
        let prefix = match flags.queue_prefix.or(file.queue_prefix) {
            Some(prefix) => queue(prefix, LONGEST_PREFIX).map_err(givers.blame("queue_prefix"))?,
            None => String::new(),
        };
        let mut names = Names::of(&tools, &prefix);
        names.declare = flags.queues.or(file.queues).unwrap_or(Queues::Nest).into();
        names.arguments = match (flags.tool_queue_arguments, file.tool_queue_arguments) {
            (Some(pairs), _) => arguments(&pairs).map_err(givers.blame("tool_queue_arguments"))?,
            (None, given) => {
                given.into_iter().flatten().map(|(name, value)| (name, value.into())).collect()
            }
        };
        let base_url = flags.openai_base_url.or(file.openai_base_url).map(http_url).transpose();
        Self {
            listen: flags
                .listen
                .or(file.listen)
                .unwrap_or_else(|| SocketAddr::from((Ipv4Addr::LOCALHOST, 4310))),
            listen_key: givers.key("listen"),
            database,
            database_owner: owner
                .as_deref()
                .map(owner_url)
                .transpose()
                .map_err(givers.blame("database_owner"))?,
            amqp: amqp.map_err(givers.blame("amqp"))?,
            amqp_key: givers.key("amqp"),
            names,
            prefetch: match flags.prefetch.or(file.prefetch) {
                Some(0) => return Err(givers.blame("prefetch")("must be at least 1".to_owned())),
                given => given.unwrap_or(PREFETCH),
            },
            identity: flags.identity.or(file.identity).unwrap_or(IdentityMode::Required),
            worker_key: flags.worker_key.or(file.worker_key),
            worker_public_keys: worker_keys(&if flags.worker_public_keys.is_empty() {
                file.worker_public_keys.unwrap_or_default()
            } else {
                flags.worker_public_keys
            })
            .map_err(givers.blame("worker_public_keys"))?,
            model: model(flags.model.or(file.model)).map_err(givers.blame("model"))?,
            openai_base_url: base_url.map_err(givers.blame("openai_base_url"))?,
            edge: edge.complete(&givers)?,
            chat: ChatConfig::merge(flags.chat, file.chat, &givers)?,
            data_dir,
        }
        .checked(&givers)
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct File {
    data_dir: Option<PathBuf>,
    listen: Option<SocketAddr>,
    database: Option<String>,
    database_owner: Option<String>,
    amqp: Option<String>,
    tool_queue: Option<String>,
    queue_prefix: Option<String>,
    queues: Option<Queues>,
    tool_queue_arguments: Option<BTreeMap<String, Value>>,
    prefetch: Option<u16>,
    identity: Option<IdentityMode>,
    worker_key: Option<PathBuf>,
    worker_public_keys: Option<Vec<String>>,
    model: Option<String>,
    openai_base_url: Option<String>,
    jwt_issuer: Option<String>,
    jwt_audience: Option<String>,
    jwt_keys: Option<String>,
    cors_origins: Option<Vec<String>>,
    behind_tls: Option<bool>,
    turns_per_minute: Option<u32>,
    school_turns_per_minute: Option<u32>,
    tokens_per_day: Option<u64>,
    school_tokens_per_day: Option<u64>,
    log_format: Option<LogFormat>,
    chat: ChatFile,
}

/// The value of an argument, as the file has it.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Value {
    Number(i64),
    Flag(bool),
    Text(String),
}

impl From<Value> for Argument {
    fn from(value: Value) -> Self {
        match value {
            Value::Number(number) => Self::Number(number),
            Value::Flag(flag) => Self::Flag(flag),
            Value::Text(text) => Self::Text(text),
        }
    }
}

impl From<Queues> for Declare {
    fn from(queues: Queues) -> Self {
        match queues {
            Queues::Nest => Self::AsNest,
            Queues::Quorum => Self::Quorum,
            Queues::Passive => Self::Passive,
        }
    }
}

impl File {
    fn edge(&self) -> EdgeKeys {
        EdgeKeys {
            jwt_issuer: self.jwt_issuer.clone(),
            jwt_audience: self.jwt_audience.clone(),
            jwt_keys: self.jwt_keys.clone(),
            cors_origins: self.cors_origins.clone(),
            behind_tls: self.behind_tls,
            turns_per_minute: self.turns_per_minute,
            school_turns_per_minute: self.school_turns_per_minute,
            tokens_per_day: self.tokens_per_day,
            school_tokens_per_day: self.school_tokens_per_day,
            log_format: self.log_format,
        }
    }

    fn read(path: &Path) -> Result<Self, ConfigError> {
        let text = std::fs::read_to_string(path)
            .map_err(|cause| ConfigError::Unreadable { path: path.into(), cause })?;
        toml::from_str(&text).map_err(|fault| ConfigError::Malformed {
            path: path.into(),
            message: fault.to_string(),
        })
    }

    fn read_if_present(path: &Path) -> Result<Self, ConfigError> {
        if path.exists() { Self::read(path) } else { Ok(Self::default()) }
    }
}

fn in_folder(data_dir: &Path) -> String {
    format!("sqlite://{}", data_dir.join("rover.db").display())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(text: &str) -> Result<File, String> {
        toml::from_str(text).map_err(|fault| fault.to_string())
    }

    fn merged(flags: Settings, text: &str) -> Result<Config, ConfigError> {
        Config::merge(flags, file(text).unwrap(), Path::new("rover.toml"))
    }

    #[test]
    fn a_flag_beats_the_file_and_the_file_beats_the_default() {
        let flags = Settings { tool_queue: Some("from-flag".into()), ..Settings::default() };
        let config = merged(flags, "tool_queue = \"from-file\"\nlisten = \"127.0.0.1:9\"").unwrap();
        assert_eq!(config.names.tool_queue, "from-flag");
        assert_eq!(config.listen.port(), 9);
        assert_eq!(config.database, "sqlite://rover-data/rover.db");
        assert_eq!(config.model, ModelChoice::Offline);
    }

    #[test]
    fn a_wrong_value_names_its_key() {
        let cases = [
            ("database = \"mysql://x\"", "database"),
            ("database_owner = \"sqlite://x.db\"", "database_owner"),
            ("amqp = \"127.0.0.1\"", "amqp"),
            ("amqp = \"amqp://\"", "amqp"),
            ("amqp = \"amqp:///\"", "amqp"),
            ("amqp = \"amqp://127.0.0.1:banana\"", "amqp"),
            ("model = \"gpt\"", "model"),
            ("tool_queue = \" \"", "tool_queue"),
            ("tool_queue = \"amq.tools\"", "tool_queue"),
            ("queue_prefix = \"amq.\"", "queue_prefix"),
            ("prefetch = 0", "prefetch"),
            ("openai_base_url = \"banana\"", "openai_base_url"),
            ("openai_base_url = \"ftp://models.example\"", "openai_base_url"),
            ("cors_origins = [\"*\"]", "cors_origins"),
            ("cors_origins = [\"https://hub.example/page\"]", "cors_origins"),
            ("jwt_issuer = \"https://id.example\"", "jwt_audience"),
            ("jwt_issuer = \"x\"\njwt_audience = \"y\"", "jwt_keys"),
            ("jwt_keys = \"keys.json\"", "jwt_issuer"),
            (
                "jwt_issuer = \"x\"\njwt_audience = \"y\"\njwt_keys = \"http://id.example/keys\"",
                "jwt_keys",
            ),
            ("[chat]\nsecond_message = \"drop\"", "second_message"),
            ("identity = \"plain\"\nlisten = \"0.0.0.0:4310\"", "identity"),
        ];
        for (text, key) in cases {
            let fault = merged(Settings::default(), text).unwrap_err();
            let named = format!("`{key}` (rover.toml): ");
            assert!(fault.to_string().starts_with(&named), "{text}: {fault}");
        }
    }

    #[test]
    fn limits_have_defaults_and_zero_takes_one_away() {
        let limits = |text| {
            let limits = merged(Settings::default(), text).unwrap().edge.limits;
            let (person, school) = (limits.person, limits.school);
            let turns = [person.turns_per_minute, school.turns_per_minute];
            let tokens = [person.tokens_per_day, school.tokens_per_day];
            (
                turns.map(|most| most.map_or(0, u32::from)),
                tokens.map(|most| most.map_or(0, u64::from)),
            )
        };
        assert_eq!(limits(""), ([120, 3000], [0, 0]));
        let given = "turns_per_minute = 0\nschool_turns_per_minute = 7\ntokens_per_day = 8\nschool_tokens_per_day = 9";
        assert_eq!(limits(given), ([0, 7], [8, 9]));
    }

    #[test]
    fn a_name_must_fit_the_broker() {
        for (key, most) in [("tool_queue", 200), ("queue_prefix", 150)] {
            let given = |length| {
                merged(Settings::default(), &format!("{key} = \"{}\"", "q".repeat(length)))
            };
            assert!(given(most).is_ok(), "{key}");
            let fault = given(most + 1).unwrap_err();
            assert!(fault.to_string().starts_with(&format!("`{key}`")), "{fault}");
        }
    }

    #[test]
    fn a_queue_is_nests_unless_somebody_says_otherwise() {
        let config = merged(Settings::default(), "").unwrap();
        assert_eq!((config.names.declare, config.names.arguments.len()), (Declare::AsNest, 0));
        let text = "queues = \"quorum\"\n[tool_queue_arguments]\nx-max-length = 10\nx-overflow = \"reject-publish\"";
        let from_file = merged(Settings::default(), text).unwrap().names;
        assert_eq!(from_file.declare, Declare::Quorum);
        let pairs = ["x-max-length=10", "x-overflow=reject-publish"].map(str::to_owned);
        let flags = Settings { tool_queue_arguments: Some(pairs.into()), ..Settings::default() };
        assert_eq!(merged(flags, "").unwrap().names.arguments, from_file.arguments);
        let flags =
            Settings { tool_queue_arguments: Some(vec!["10".into()]), ..Settings::default() };
        let fault = merged(flags, "").unwrap_err().to_string();
        assert!(
            fault.contains("`tool_queue_arguments`") && fault.contains("NAME=VALUE"),
            "{fault}"
        );
    }

    #[test]
    fn a_password_is_not_repeated() {
        let fault =
            merged(Settings::default(), "database = \"mysql://user:secret@db/x\"").unwrap_err();
        assert!(!fault.to_string().contains("secret"), "{fault}");
    }

    #[test]
    fn an_unknown_key_in_the_file_is_named() {
        for (text, key) in [("listne = \"x\"", "listne"), ("identity = \"none\"", "identity")] {
            let fault = file(text).unwrap_err();
            assert!(fault.contains(key), "{text}: {fault}");
        }
    }
}
