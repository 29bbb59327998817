//! One file a command. A command asks the crates and prints what they say.

pub(crate) mod audit;
pub(crate) mod call;
mod calls;
pub(crate) mod contract;
pub(crate) mod database;
pub(crate) mod docs;
mod hops;
pub(crate) mod mcp;
pub(crate) mod parked;
pub(crate) mod person;
pub(crate) mod token;
pub(crate) mod tools;
pub(crate) mod turn;
pub(crate) mod why;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use crate::config::{ConfigError, Key};

/// Why a command did not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CommandError {
    #[error(transparent)]
    Config(#[from] ConfigError),
    #[error("`database`")]
    Address(#[from] server::db::DbError),
    #[error(
        "`{key}`: {place} cannot be used; is it there, is it Rover's, and may this user write it?"
    )]
    Database { key: &'static str, place: String, source: server::db::DbError },
    #[error("`database_owner`")]
    Owner(#[source] server::db::DbError),
    #[error(
        "the tables of a PostgreSQL database are migrated by the login that owns them; write --database-owner postgres://…"
    )]
    NoOwner,
    #[error(transparent)]
    Backup(#[from] server::db::BackupError),
    #[error("`data_dir`: {} is no folder that this user may write", path.display())]
    Folder { path: PathBuf, source: std::io::Error },
    #[error(
        "`data_dir`: another Rover uses {}; end it, or give this one a folder of its own",
        .0.display()
    )]
    InUse(PathBuf),
    #[error(
        "`amqp`: not given, and apart from each other server and worker need it; write --amqp amqp://user:password@host:port"
    )]
    NoBroker,
    #[error(transparent)]
    Start(#[from] server::StartError),
    #[error("{key}: the broker cannot be used")]
    Broker { key: Key, source: Box<dyn std::error::Error + Send + Sync> },
    #[error("{key}: no broker can be reached there within {} s", within.as_secs())]
    Unreachable { key: Key, within: Duration },
    #[error("{key}: Rover cannot listen at {addr}")]
    Listen { key: Key, addr: std::net::SocketAddr, source: std::io::Error },
    #[error("`model`")]
    Model(#[from] worker::engine::ModelError),
    #[error(transparent)]
    Docs(#[from] docs::DocsError),
    #[error(transparent)]
    Lock(#[from] contract::lock::LockFileError),
    #[error(transparent)]
    Check(#[from] contract::check::CheckError),
    #[error(transparent)]
    Accept(#[from] contract::accept::AcceptError),
    #[error(transparent)]
    Form(#[from] agent_contract::FormFault),
    #[error(transparent)]
    Console(#[from] server::console::ConsoleError),
    #[error("no tool is called `{name}`{}", nearest.as_deref().map(|n| format!("; did you mean `{n}`?")).unwrap_or_default())]
    NoSuchTool { name: String, nearest: Option<String> },
    #[error("--args: expected a JSON object: {0}")]
    Args(#[from] serde_json::Error),
    #[error("the person's context cannot be read")]
    Context(#[from] agent_contract::ContextError),
    #[error(transparent)]
    Parked(#[from] server::amqp::ParkedError),
    #[error("the call was refused")]
    Refused,
    #[error(transparent)]
    Mcp(#[from] mcp::McpError),
    #[error(
        "`{key}`: {path} is not there; a command that reads makes no data. Begin with `rover dev` or `rover server`, or name another"
    )]
    NoData { key: &'static str, path: String },
    #[error("no schools: this database has no audit log to check")]
    NoSchools,
    #[error("the audit log is broken: {0}")]
    BrokenAudit(String),
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

impl CommandError {
    /// What the shell is told.
    pub(crate) fn exit_code(&self) -> ExitCode {
        match self {
            Self::Check(fault) => fault.exit_code(),
            _ => ExitCode::FAILURE,
        }
    }
}

/// A person and where they work, as the command line names them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Person<'a> {
    /// Address of their account.
    pub(crate) email: &'a str,
    /// `school`, `campus:NAME` or `campus:ID`.
    pub(crate) mode: &'a str,
}

/// The tool of this name, or an error that names the nearest.
pub(crate) fn tool(name: &str) -> Result<&'static agent_contract::ToolDefinition, CommandError> {
    let defs = ::tools::agent_tools::DEFS;
    if let Some(def) = defs.iter().copied().find(|def| def.name == name) {
        return Ok(def);
    }
    let nearest = defs
        .iter()
        .map(|def| (strsim::damerau_levenshtein(def.name, name), def.name))
        .min()
        .filter(|(distance, _)| *distance <= name.len() / 2)
        .map(|(_, nearest)| nearest.to_owned());
    Err(CommandError::NoSuchTool { name: name.to_owned(), nearest })
}
