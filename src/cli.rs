//! The command line's grammar: every command, its flags and an example of each.

mod contract;

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::PathBuf;

use clap::error::{ContextKind, ContextValue};
use clap::parser::ValueSource;
use clap::{
    ArgMatches, Args, CommandFactory as _, FromArgMatches as _, Parser, Subcommand, ValueEnum,
};

use crate::config::{ChatSettings, EdgeKeys};

pub(crate) use self::contract::{
    AcceptContract, CheckContract, ContractCommand, Export, ReportFormat,
};

/// Rover: one annotated Rust function is one agent tool.
#[derive(Debug, Parser)]
#[command(
    name = "rover",
    version,
    about,
    after_help = "Examples:\n  rover                                   everything in one process, on SQLite, with a demo school\n  rover server --amqp amqp://127.0.0.1    the server, tools over RabbitMQ\n  rover worker --amqp amqp://127.0.0.1    a worker for it\n  rover why create_department --as ruth.akello@naalya.example --mode school"
)]
pub(crate) struct Cli {
    /// What to do; without one, `dev`.
    #[command(subcommand)]
    pub(crate) command: Option<Command>,

    /// Settings shared by all commands.
    #[command(flatten)]
    pub(crate) settings: Settings,
}

/// Settings that a flag, the environment or `rover.toml` may give, in that order.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct Settings {
    /// Configuration file [default: ./rover.toml, if it exists].
    #[arg(long, global = true, env = "ROVER_CONFIG", value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Folder of the database and the keys [default: ./rover-data].
    #[arg(long, global = true, env = "ROVER_DATA_DIR", value_name = "FOLDER")]
    pub(crate) data_dir: Option<PathBuf>,
    /// Address of the Hub and the API [default: 127.0.0.1:4310].
    #[arg(long, global = true, env = "ROVER_LISTEN", value_name = "ADDRESS")]
    pub(crate) listen: Option<SocketAddr>,
    /// `sqlite://FILE` or `postgres://…` [default: a file in the data folder].
    #[arg(long, global = true, env = "ROVER_DATABASE", value_name = "URL")]
    pub(crate) database: Option<String>,
    /// The login that owns the tables of a PostgreSQL database and migrates them; `database` names the one that
    /// works [default: none, somebody else migrates].
    #[arg(long, global = true, env = "ROVER_DATABASE_OWNER", value_name = "URL")]
    pub(crate) database_owner: Option<String>,
    /// RabbitMQ, e.g. `amqp://guest:guest@127.0.0.1:5672` [default: none, one process].
    #[arg(long, global = true, env = "ROVER_AMQP", value_name = "URL")]
    pub(crate) amqp: Option<String>,
    /// Queue of the tools; a Nest peer must name the same [default: agent-tool].
    #[arg(long, global = true, env = "ROVER_TOOL_QUEUE", value_name = "NAME")]
    pub(crate) tool_queue: Option<String>,
    /// Prefix of the turn queues, for several systems on one broker [default: none].
    #[arg(long, global = true, env = "ROVER_QUEUE_PREFIX", value_name = "TEXT")]
    pub(crate) queue_prefix: Option<String>,
    /// How the queues of calls and turns come to be [default: nest].
    #[arg(long, global = true, env = "ROVER_QUEUES", value_enum, value_name = "HOW")]
    pub(crate) queues: Option<Queues>,
    /// Arguments of the queue of tools beside those, e.g. `x-max-length=1000,x-overflow=reject-publish` [default: none].
    #[arg(
        long,
        global = true,
        env = "ROVER_TOOL_QUEUE_ARGUMENTS",
        value_name = "NAME=VALUE",
        value_delimiter = ','
    )]
    pub(crate) tool_queue_arguments: Option<Vec<String>>,
    /// How many calls a server runs at once [default: 32].
    #[arg(long, global = true, env = "ROVER_PREFETCH", value_name = "NUMBER")]
    pub(crate) prefetch: Option<u16>,
    /// How the server knows who sends it calls and events [default: required].
    #[arg(long, global = true, env = "ROVER_IDENTITY", value_enum, value_name = "MODE")]
    pub(crate) identity: Option<IdentityMode>,
    /// File of the worker's secret key; `rover worker key FILE` makes it [default: none, or one beside the database
    /// where worker and server are one process].
    #[arg(long, global = true, env = "ROVER_WORKER_KEY", value_name = "FILE")]
    pub(crate) worker_key: Option<PathBuf>,
    /// The public keys of the workers that the server believes, or files of them, one a line.
    #[arg(
        long,
        global = true,
        env = "ROVER_WORKER_PUBLIC_KEYS",
        value_name = "KEY|FILE",
        value_delimiter = ','
    )]
    pub(crate) worker_public_keys: Vec<String>,
    /// `offline`, `openai/MODEL`, or `openai-strict/MODEL` to hold it to the tools' schemas [default: offline].
    #[arg(long, global = true, env = "ROVER_MODEL", value_name = "MODEL")]
    pub(crate) model: Option<String>,
    /// Base URL of an OpenAI-compatible server, e.g. `http://127.0.0.1:8080/v1`.
    #[arg(long, global = true, env = "ROVER_OPENAI_BASE_URL", value_name = "URL")]
    pub(crate) openai_base_url: Option<String>,
    /// Keys of the server's edge.
    #[command(flatten)]
    pub(crate) edge: EdgeKeys,
    /// Those of conversations.
    #[command(flatten)]
    pub(crate) chat: ChatSettings,
    /// Where those of them came from that were given.
    #[arg(skip)]
    pub(crate) given: Given,
}

/// The flag or the variable that gave a setting, by the setting's name.
#[derive(Clone, Debug, Default)]
pub(crate) struct Given(BTreeMap<String, String>);

impl Given {
    /// The flag or the variable that gave this setting; none where the file did, or nobody.
    pub(crate) fn by(&self, setting: &str) -> Option<&str> {
        self.0.get(setting).map(String::as_str)
    }

    fn of(command: &clap::Command, matches: &ArgMatches) -> Self {
        let given = command.get_arguments().filter_map(|arg| {
            let id = arg.get_id().as_str();
            let (flag, variable) = (arg.get_long()?, arg.get_env()?);
            let by = match matches.value_source(id)? {
                ValueSource::CommandLine => format!("--{flag}"),
                ValueSource::EnvVariable => variable.to_string_lossy().into_owned(),
                _ => return None,
            };
            Some((id.to_owned(), by))
        });
        Self(given.collect())
    }
}

/// Reads the command line and the environment. What is wrong is said, and ends the process.
pub(crate) fn read() -> Cli {
    let command = Cli::command();
    let read = command.clone().try_get_matches().map_err(|error| blamed(&command, error));
    let read = read.and_then(|matches| {
        let mut cli = Cli::from_arg_matches(&matches)?;
        cli.settings.given = Given::of(&command, &matches);
        Ok(cli)
    });
    read.unwrap_or_else(|error| error.exit())
}

/// Clap names the flag also when its value came from the environment. What is wrong only with the environment is the
/// variable's fault.
fn blamed(command: &clap::Command, mut error: clap::Error) -> clap::Error {
    let Some(ContextValue::String(flag)) = error.get(ContextKind::InvalidArg).cloned() else {
        return error;
    };
    let name = flag.split_whitespace().next().and_then(|word| word.strip_prefix("--"));
    let variable = command
        .get_arguments()
        .find(|arg| arg.get_long().is_some() && arg.get_long() == name)
        .and_then(|arg| arg.get_env())
        .map(|variable| variable.to_string_lossy().into_owned());
    let alone = command.clone().mut_args(|arg| arg.env(None::<&str>)).try_get_matches();
    let said = |error: &clap::Error| {
        [ContextKind::InvalidArg, ContextKind::InvalidValue].map(|kind| error.get(kind).cloned())
    };
    if let Some(variable) = variable
        && alone.err().as_ref().map(said) != Some(said(&error))
    {
        error.insert(ContextKind::InvalidArg, ContextValue::String(variable));
    }
    error
}

/// How the server knows who sends it calls and events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum IdentityMode {
    /// By the context token that the server signed for the turn, and by the signature of an enrolled worker.
    Required,
    /// By the context token alone: whoever reads one may use it, and any turn event is believed.
    Token,
    /// By the packet's word alone: only for a Nest worker that mints no token.
    Plain,
}

/// How the queues of calls and turns come to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Queues {
    /// Durable and without arguments, as a Nest peer declares them.
    Nest,
    /// Durable quorum queues; a Nest peer must declare the same.
    Quorum,
    /// Somebody else declares them; they must be there.
    Passive,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run everything in one process on SQLite with a demo school.
    Dev,
    /// Run the server; tools and turns travel over RabbitMQ.
    #[command(after_help = "Example:\n  rover server --amqp amqp://guest:guest@127.0.0.1:5672")]
    Server {
        /// Plant the demo school if the database is empty.
        #[arg(long)]
        demo: bool,
    },
    /// Run a worker for a server on the same RabbitMQ.
    #[command(
        after_help = "Examples:\n  rover worker key worker.key\n  rover worker --worker-key worker.key --amqp amqp://guest:guest@127.0.0.1:5672"
    )]
    Worker {
        /// What to do in place of taking turns.
        #[command(subcommand)]
        command: Option<WorkerCommand>,
    },
    /// Look at the keys that sign the contexts of turns.
    #[command(subcommand)]
    Keys(KeysCommand),
    /// Look at the registered tools.
    #[command(subcommand)]
    Tools(ToolsCommand),
    /// Send one tool call through the same gates as a chat turn.
    #[command(
        after_help = "Example:\n  rover call create_department --as grace.namutebi@naalya.example --mode campus:\"Main Campus\" --args '{\"name\":\"Mathematics\"}'"
    )]
    Call {
        /// Name of the tool.
        tool: String,
        /// Address of the person whose identity to use.
        #[arg(long = "as", value_name = "EMAIL")]
        email: String,
        /// `school`, `campus:NAME` or `campus:ID`.
        #[arg(long, default_value = "school", value_name = "MODE")]
        mode: String,
        /// The arguments, a JSON object.
        #[arg(long, default_value = "{}", value_name = "JSON")]
        args: String,
        /// What the person answers if the tool asks.
        #[arg(long, value_name = "WORDS")]
        answer: Option<String>,
    },
    /// Serve a person's tools to an MCP client, on standard input and output.
    #[command(
        after_help = "Example, as an MCP client is told of it:\n  { \"command\": \"rover\", \"args\": [\"mcp\", \"--as\", \"grace.namutebi@naalya.example\"] }"
    )]
    Mcp {
        /// Address of the person whose identity to use.
        #[arg(long = "as", value_name = "EMAIL")]
        email: String,
        /// `school`, `campus:NAME` or `campus:ID`.
        #[arg(long, default_value = "school", value_name = "MODE")]
        mode: String,
    },
    /// Say which gate would stop a tool for a person, without running it.
    #[command(
        after_help = "Example:\n  rover why create_department --as ruth.akello@naalya.example --mode school"
    )]
    Why {
        /// Name of the tool.
        tool: String,
        /// Address of the person who would ask.
        #[arg(long = "as", value_name = "EMAIL", required_unless_present = "turn")]
        email: Option<String>,
        /// `school`, `campus:NAME` or `campus:ID`.
        #[arg(long, default_value = "school", value_name = "MODE")]
        mode: String,
        /// A turn to look into instead of a dry run.
        #[arg(long, value_name = "ID")]
        turn: Option<String>,
        /// A sentence to try the offline planner with.
        sentence: Option<String>,
    },
    /// Look at past turns.
    #[command(subcommand)]
    Turn(TurnCommand),
    /// Print a sign-in token for a demo account (development only).
    #[command(after_help = "Example:\n  rover token grace.namutebi@naalya.example")]
    Token {
        /// Address of the account.
        email: String,
    },
    /// Say which account belongs to whom at the issuer of sign-in tokens.
    #[command(subcommand)]
    Account(AccountCommand),
    /// Write the generated documentation: the tools with what their examples answer, the compiler's messages.
    Docs {
        /// Only compare; fail if a file is stale.
        #[arg(long)]
        check: bool,
    },
    /// Look at what server, worker and others agree on.
    #[command(subcommand)]
    Contract(ContractCommand),
    /// Check the audit log.
    #[command(subcommand)]
    Audit(AuditCommand),
    /// Look after the database.
    #[command(subcommand)]
    Database(DatabaseCommand),
    /// Look at calls that were given up because they brought server after server down.
    #[command(subcommand)]
    Parked(ParkedCommand),
    /// What is kept of what a person said to Rover: export it, or delete it.
    #[command(
        subcommand,
        after_help = "Examples:\n  rover person export ruth.akello@naalya.example > ruth.json\n  rover person delete ruth.akello@naalya.example\n\nWhat the person changed in the school stays, and the audit log still names them."
    )]
    Person(PersonCommand),
}

/// Look at the registered tools.
#[derive(Debug, Subcommand)]
pub(crate) enum ToolsCommand {
    /// One line a tool.
    List,
    /// One tool: definition, arguments, schemas, sentences.
    #[command(after_help = "Example:\n  rover tools show create_department")]
    Show {
        /// Name of the tool.
        tool: String,
    },
}

/// What a worker's operator does beside running it.
#[derive(Debug, Subcommand)]
pub(crate) enum WorkerCommand {
    /// Make the worker's key if it is not there, and print its public half, which the servers must be told.
    #[command(after_help = "Example:\n  rover worker key worker.key")]
    Key {
        /// File of the secret half.
        file: PathBuf,
    },
}

/// Look at the keys that sign the contexts of turns.
#[derive(Debug, Subcommand)]
pub(crate) enum KeysCommand {
    /// Which keys are accepted, the newest first.
    List,
    /// Make a new one. Servers that run find it, and sign with it a minute later.
    Rotate,
}

/// Say which account belongs to whom at the issuer of sign-in tokens.
#[derive(Debug, Subcommand)]
pub(crate) enum AccountCommand {
    /// Let tokens of the issuer about this subject sign in to this account.
    #[command(
        after_help = "Example:\n  rover account link grace.namutebi@naalya.example 248289761001"
    )]
    Link {
        /// Address of the account.
        email: String,
        /// The subject: the `sub` of the issuer's tokens.
        subject: String,
    },
    /// Let no token of an issuer sign in to this account any more.
    Unlink {
        /// Address of the account.
        email: String,
    },
}

/// Look at past turns.
#[derive(Debug, Subcommand)]
pub(crate) enum TurnCommand {
    /// One turn, hop by hop.
    Show {
        /// Id of the turn; `last` for the newest.
        id: String,
    },
}

/// Look at calls that were given up because they brought server after server down.
#[derive(Debug, Subcommand)]
pub(crate) enum ParkedCommand {
    /// One line a call: id, event, person, arguments.
    #[command(
        after_help = "Example:\n  rover parked list --amqp amqp://guest:guest@127.0.0.1:5672"
    )]
    List,
    /// Send one to the servers again, under its own id. It stays if they refuse it.
    Replay {
        /// Id of the call.
        call: String,
    },
    /// Take one away for good.
    Drop {
        /// Id of the call.
        call: String,
    },
}

/// Look after the database.
#[derive(Debug, Subcommand)]
pub(crate) enum DatabaseCommand {
    /// Bring the tables up to date, where that is a step of its own.
    #[command(
        after_help = "Example:\n  rover database migrate --database-owner postgres://rover_owner@db.example/rover"
    )]
    Migrate,
    /// Write a copy of a SQLite database; a server may go on meanwhile.
    #[command(after_help = "Example:\n  rover database backup rover-$(date +%F).db")]
    Backup {
        /// Where the copy goes; nothing may be there yet.
        file: PathBuf,
    },
    /// Say whether the database is whole and its guards are up.
    Check,
}

/// Check the audit log.
#[derive(Debug, Subcommand)]
pub(crate) enum AuditCommand {
    /// Walk the hash chain of every school; name the first broken row.
    Verify,
}

/// What is kept of a person.
#[derive(Debug, Subcommand)]
pub(crate) enum PersonCommand {
    /// Print every conversation with its messages and events, as JSON.
    Export {
        /// Address of the account.
        email: String,
    },
    /// Delete every conversation with its messages and events.
    Delete {
        /// Address of the account.
        email: String,
    },
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::Cli;

    #[test]
    fn the_grammar_contradicts_itself_nowhere() {
        Cli::command().debug_assert();
    }
}
