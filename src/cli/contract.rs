//! The grammar of `rover contract`.

use agent_contract::Form;
use agent_contract::lock::Order;
use clap::{Args, Subcommand, ValueEnum};

use crate::commands::contract::accept::Allowed;

/// Look at what server, worker and others agree on.
#[derive(Debug, Subcommand)]
pub(crate) enum ContractCommand {
    /// Write the registry for others to read.
    #[command(
        after_help = "Examples:\n  rover contract export --provider anthropic > tools.json\n  rover contract export --zod > contract.zod.ts"
    )]
    Export(Export),
    /// Write `tools/contract.json` from the registry.
    Lock {
        /// Only compare; fail if the file is stale.
        #[arg(long)]
        check: bool,
        /// Revision or file of the lock that is deployed; its versions are remembered instead of the file's own.
        #[arg(long, value_name = "REVISION|FILE", conflicts_with = "check")]
        base: Option<String>,
    },
    /// Say what changed since another lock, and whether it may be deployed in this order.
    ///
    /// Ends with 0 if nothing stands against it, 1 if something breaks, 2 if that could not be decided.
    #[command(
        after_help = "Example:\n  rover contract check --base origin/main --order server-first"
    )]
    Check(CheckContract),
    /// Answer for a change that breaks or that changes rights; it is recorded in the lock.
    #[command(
        after_help = "Example:\n  rover contract accept --base origin/main --allow AUTH:create_department --reason \"the board decided it on 1 February\""
    )]
    Accept(AcceptContract),
    /// Announce that a tool is to be removed.
    #[command(
        after_help = "Example:\n  rover contract deprecate compare_campuses --reason \"use list_campuses\""
    )]
    Deprecate {
        /// Name of the tool.
        tool: String,
        /// Why, and what to use instead.
        #[arg(long, value_name = "TEXT")]
        reason: String,
    },
}

/// Which locks are compared, and how that is told.
#[derive(Debug, Args)]
pub(crate) struct CheckContract {
    /// Revision or file of the lock to compare with, e.g. the last release.
    #[arg(long, value_name = "REVISION|FILE")]
    pub(crate) base: String,
    /// In which order servers and workers are deployed.
    #[arg(long, value_enum, default_value_t = DeployOrder::Any, value_name = "ORDER")]
    pub(crate) order: DeployOrder,
    /// How the changes are told.
    #[arg(long, value_enum, default_value_t = ReportFormat::Text, value_name = "FORMAT")]
    pub(crate) format: ReportFormat,
}

/// What is answered for.
#[derive(Debug, Args)]
pub(crate) struct AcceptContract {
    /// Revision or file of the lock to compare with.
    #[arg(long, value_name = "REVISION|FILE")]
    pub(crate) base: String,
    /// Rule and tool, e.g. `AUTH:create_department`.
    #[arg(long, value_name = "RULE:TOOL")]
    pub(crate) allow: Allowed,
    /// Why the change is right.
    #[arg(long, value_name = "TEXT")]
    pub(crate) reason: String,
}

/// The order of a rolling deployment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DeployOrder {
    /// Servers first: old workers meet new servers.
    ServerFirst,
    /// Workers first: new workers meet old servers.
    WorkerFirst,
    /// No order that is kept: both happen.
    Any,
}

/// How the changes are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReportFormat {
    /// For people.
    Text,
    /// For programs.
    Json,
    /// As GitHub's workflow commands.
    Github,
}

impl From<DeployOrder> for Order {
    fn from(order: DeployOrder) -> Self {
        match order {
            DeployOrder::ServerFirst => Self::ServerFirst,
            DeployOrder::WorkerFirst => Self::WorkerFirst,
            DeployOrder::Any => Self::Any,
        }
    }
}

/// For whom the registry is written.
#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub(crate) struct Export {
    /// As JSON in the form in which this provider's models are offered tools.
    #[arg(long, value_enum, value_name = "PROVIDER")]
    pub(crate) provider: Option<ProviderForm>,
    /// As TypeScript types, with events and labels.
    #[arg(long)]
    pub(crate) ts: bool,
    /// As Zod 4 schemas.
    #[arg(long)]
    pub(crate) zod: bool,
    /// As JSON Schema, draft 2020-12.
    #[arg(long)]
    pub(crate) json_schema: bool,
}

/// A provider's form of a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ProviderForm {
    /// `OpenAI`, with the schema as advice to the model.
    #[value(name = "openai")]
    OpenAi,
    /// `OpenAI`, with the model held to the schema.
    #[value(name = "openai-strict")]
    OpenAiStrict,
    /// Anthropic, strict as far as its budgets go.
    Anthropic,
    /// Gemini's function declarations.
    Gemini,
}

impl From<ProviderForm> for Form {
    fn from(form: ProviderForm) -> Self {
        match form {
            ProviderForm::OpenAi => Self::OpenAi,
            ProviderForm::OpenAiStrict => Self::OpenAiStrict,
            ProviderForm::Anthropic => Self::Anthropic,
            ProviderForm::Gemini => Self::Gemini,
        }
    }
}
