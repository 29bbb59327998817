//! A school on a database of the test's own, the servers of it as processes, and its rows as they are.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use tempfile::TempDir;

use super::Queues;

/// A school; its rows go with it.
pub(crate) struct School {
    folder: TempDir,
    database: Database,
    broker: String,
    flags: Vec<String>,
}

enum Database {
    Sqlite,
    /// A database of this name in the tests' cluster.
    Postgres(String),
}

/// A `rover server` or `rover worker`; killed when dropped.
pub(crate) struct Process {
    child: Child,
    address: String,
}

impl School {
    /// On SQLite, for one server at a time.
    pub(crate) fn on_sqlite(queues: &Queues) -> Self {
        Self::on(Database::Sqlite, queues)
    }

    /// On PostgreSQL, for several.
    pub(crate) fn on_postgres(queues: &Queues) -> Self {
        static MADE: AtomicU32 = AtomicU32::new(0);
        let made = MADE.fetch_add(1, Ordering::Relaxed);
        let name = format!("rover_faults_{}_{made}", std::process::id());
        psql(&cluster(), &format!("CREATE DATABASE {name}"));
        Self::on(Database::Postgres(name), queues)
    }

    fn on(database: Database, queues: &Queues) -> Self {
        let folder = TempDir::new().expect("a folder for the data");
        let flags = queues.flags().into_iter().map(str::to_owned).collect();
        Self { folder, database, broker: queues.broker().to_owned(), flags }
    }

    /// Every process of this school has these flags too.
    pub(crate) fn with(mut self, flags: &[&str]) -> Self {
        self.flags.extend(flags.iter().map(|&flag| flag.to_owned()));
        self
    }

    /// Starts a server that fails as these rules say, and waits until it listens.
    pub(crate) fn serve(&self, failpoints: &str) -> Process {
        self.serve_at(&self.broker, failpoints)
    }

    /// The same with the broker at another address.
    pub(crate) fn serve_at(&self, broker: &str, failpoints: &str) -> Process {
        let mut command = self.command("server", broker);
        command.args(["--demo", "--identity", "plain"]).env("ROVER_FAILPOINTS", failpoints);
        Process::start(command, "listens at")
    }

    /// Starts a server that asks for signed contexts, as a worker's turns have them.
    pub(crate) fn serve_signed(&self) -> Process {
        let mut command = self.command("server", &self.broker);
        command.arg("--demo");
        Process::start(command, "listens at")
    }

    /// Starts a worker.
    pub(crate) fn work(&self, failpoints: &str) -> Process {
        let mut command = self.command("worker", &self.broker);
        command.env("ROVER_FAILPOINTS", failpoints);
        Process::start(command, "takes turns")
    }

    /// What a command prints on this data.
    pub(crate) fn ask(&self, arguments: &[&str]) -> String {
        let mut command = self.program();
        command.args(arguments).args(["--amqp", &self.broker]).args(&self.flags);
        let output = command.output().expect("the program starts");
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{arguments:?}: {}\n{complaint}", output.status);
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// Rows of a question, a line each, with `|` between the columns.
    pub(crate) fn rows(&self, question: &str) -> Vec<String> {
        let answer = match &self.database {
            Database::Postgres(name) => psql(&at(name), question),
            Database::Sqlite => sqlite(&self.folder.path().join("data/rover.db"), question),
        };
        answer.lines().map(str::to_owned).collect()
    }

    fn command(&self, command: &str, broker: &str) -> Command {
        let mut program = self.program();
        program.args([command, "--listen", "127.0.0.1:0", "--amqp", broker]).args(&self.flags);
        program
    }

    fn program(&self) -> Command {
        let mut program = Command::new(env!("CARGO_BIN_EXE_rover"));
        program.current_dir(self.folder.path());
        program.env("ROVER_DATA_DIR", self.folder.path().join("data"));
        if let Database::Postgres(name) = &self.database {
            program.env("ROVER_DATABASE", at(name));
        }
        program
    }
}

impl Drop for School {
    fn drop(&mut self) {
        if let Database::Postgres(name) = &self.database {
            let _ = try_psql(&cluster(), &format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)"));
        }
    }
}

impl Process {
    fn start(mut command: Command, ready: &str) -> Self {
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let output = BufReader::new(child.stdout.take().expect("its output is piped"));
        let mut lines = output.lines().map_while(Result::ok);
        // One that a call kills before it is ready says nothing; it has ended then.
        let line = lines.find(|line| line.contains(ready)).unwrap_or_default();
        std::thread::spawn(move || lines.for_each(drop));
        let from = line.find("http://").unwrap_or(line.len());
        Self { child, address: line[from..].trim().to_owned() }
    }

    /// Where it listens.
    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    /// Whether it has ended by itself.
    pub(crate) fn has_ended(&mut self) -> bool {
        self.child.try_wait().expect("it is ours").is_some()
    }

    /// Waits for its end.
    pub(crate) fn ended(&mut self) -> ExitStatus {
        self.child.wait().expect("it is ours")
    }

    /// Stands still, with its connections open.
    pub(crate) fn freeze(&self) {
        self.signal("-STOP");
    }

    /// Goes on.
    pub(crate) fn thaw(&self) {
        self.signal("-CONT");
    }

    /// Asked to end, as a service manager asks.
    pub(crate) fn ask_to_end(&self) {
        self.signal("-TERM");
    }

    fn signal(&self, signal: &str) {
        let status = Command::new("kill").args([signal, &self.child.id().to_string()]).status();
        assert!(status.is_ok_and(|status| status.success()), "it can be signalled");
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn cluster() -> String {
    std::env::var("ROVER_TEST_POSTGRES")
        .unwrap_or_else(|_| "postgres://postgres@127.0.0.1:5432/postgres".to_owned())
}

fn at(name: &str) -> String {
    let cluster = cluster();
    let (place, _) = cluster.rsplit_once('/').expect("postgres://user@host:port/database");
    format!("{place}/{name}")
}

fn psql(url: &str, question: &str) -> String {
    try_psql(url, question).unwrap_or_else(|complaint| panic!("{question}: {complaint}"))
}

fn try_psql(url: &str, question: &str) -> Result<String, String> {
    let output = Command::new("psql").args([url, "-XAt", "-c", question]).output();
    let output = output.map_err(|error| error.to_string())?;
    let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
    if output.status.success() { Ok(text(&output.stdout)) } else { Err(text(&output.stderr)) }
}

/// Python has a SQLite of its own; the command is not on every machine.
fn sqlite(file: &std::path::Path, question: &str) -> String {
    let program = "import sqlite3, sys\nfor row in sqlite3.connect(sys.argv[1]).execute(sys.argv[2]): print(*row, sep='|')";
    let output = Command::new("python3").args(["-c", program]).arg(file).arg(question).output();
    let output = output.expect("python3 runs");
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{question}: {complaint}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}
