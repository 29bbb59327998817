//! `rover`: the command line over the server, the worker and the registry.
//!
//! It holds no rule of its own: commands put the crates together, ask them, and print.
#![expect(clippy::print_stderr, reason = "a command line speaks there")]

mod cli;
mod commands;
mod config;
mod say;
mod system;

use std::process::ExitCode;

use tracing_subscriber::EnvFilter;

use crate::cli::{
    AuditCommand, Cli, Command, ContractCommand, DatabaseCommand, PersonCommand, ToolsCommand,
    TurnCommand,
};
use crate::commands::{
    CommandError, Person, audit, call, contract, database, docs, mcp, parked, person, token, tools,
    turn, why,
};
use crate::config::{Config, ConfigError, Key};

#[tokio::main]
async fn main() -> ExitCode {
    let cli = cli::read();
    let ended = match log_filter() {
        Ok(filter) => {
            tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).init();
            Box::pin(run(cli)).await
        }
        Err(error) => Err(error.into()),
    };
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("rover: {}", told(&error));
            error.exit_code()
        }
    }
}

/// What `ROVER_LOG` asks to be logged. Without it: warnings, but not those of the broker's and MCP's libraries, whose
/// faults Rover tells in its own words.
fn log_filter() -> Result<EnvFilter, ConfigError> {
    let wished = std::env::var("ROVER_LOG").unwrap_or_default();
    if wished.is_empty() {
        return Ok(EnvFilter::new("warn,lapin=off,rmcp=error"));
    }
    EnvFilter::try_new(&wished).map_err(|fault| ConfigError::Wrong {
        key: Key::of("ROVER_LOG"),
        problem: format!("{fault}; write a level such as `info`, or `rover=debug,warn`"),
    })
}

async fn run(cli: Cli) -> Result<(), CommandError> {
    let config = Config::load(cli.settings)?;
    match cli.command.unwrap_or(Command::Dev) {
        Command::Dev => system::dev(&config).await,
        Command::Server { demo } => system::server(&config, demo).await,
        Command::Worker => system::worker(&config).await,
        Command::Tools(ToolsCommand::List) => {
            tools::list();
            Ok(())
        }
        Command::Tools(ToolsCommand::Show { tool }) => tools::show(&tool),
        Command::Call { tool, email, mode, args, answer } => {
            let person = Person { email: &email, mode: &mode };
            Box::pin(call::run(&config, &tool, person, &args, answer.as_deref())).await
        }
        Command::Mcp { email, mode } => {
            mcp::serve(&config, Person { email: &email, mode: &mode }).await
        }
        Command::Why { tool, turn: Some(turn), .. } => why::past(&config, &tool, &turn).await,
        Command::Why { tool, email, mode, turn: None, sentence } => {
            let email = email.as_deref().unwrap_or_default();
            why::dry_run(&config, &tool, Person { email, mode: &mode }, sentence.as_deref()).await
        }
        Command::Turn(TurnCommand::Show { id }) => turn::show(&config, &id).await,
        Command::Token { email } => token::print(&config, &email).await,
        Command::Docs { check } => {
            docs::run(&std::env::current_dir()?, check).await?;
            Ok(())
        }
        Command::Contract(ContractCommand::Export(export)) => contract::export::run(&export),
        Command::Contract(ContractCommand::Lock { check: true, .. }) => {
            contract::lock::fresh(&std::env::current_dir()?)?;
            Ok(())
        }
        Command::Contract(ContractCommand::Lock { check: false, base }) => {
            Ok(contract::lock::write(&std::env::current_dir()?, base.as_deref())?)
        }
        Command::Contract(ContractCommand::Check(asked)) => {
            Ok(contract::check::run(&std::env::current_dir()?, &asked)?)
        }
        Command::Contract(ContractCommand::Accept(asked)) => {
            Ok(contract::accept::run(&std::env::current_dir()?, &asked)?)
        }
        Command::Contract(ContractCommand::Deprecate { tool, reason }) => {
            contract::accept::deprecate(&std::env::current_dir()?, &tool, &reason)
        }
        Command::Audit(AuditCommand::Verify) => audit::verify(&config).await,
        Command::Database(DatabaseCommand::Migrate) => database::migrate(&config).await,
        Command::Database(DatabaseCommand::Backup { file }) => {
            database::backup(&config, &file).await
        }
        Command::Database(DatabaseCommand::Check) => database::check(&config).await,
        Command::Parked(command) => Box::pin(parked::run(&config, command)).await,
        Command::Person(PersonCommand::Export { email }) => person::export(&config, &email).await,
        Command::Person(PersonCommand::Delete { email }) => person::delete(&config, &email).await,
    }
}

/// The error and what lies behind it, each once.
fn told(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        let more = inner.to_string();
        if !text.contains(&more) {
            text.push_str(": ");
            text.push_str(&more);
        }
        cause = inner.source();
    }
    text
}
