//! What the whole-system tests share: the processes of the program, and queues of a test's own.

mod data;
mod peers;

pub(crate) use data::Data;
pub(crate) use peers::{Peer, held_model, let_go, python, seen};

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;

use serde_json::Value;

/// A `rover` process that serves the Hub; gone when dropped.
pub(crate) struct Rover {
    child: Child,
    address: String,
    data: Arc<Data>,
}

impl Rover {
    /// `rover dev` on a free port with a database of its own; ready when it says where it listens.
    pub(crate) fn dev(flags: &[&str]) -> Self {
        Self::listening("dev", flags, Arc::new(Data::new()))
    }

    /// Any command that listens, on the data of an earlier process.
    pub(crate) fn listening(command: &str, flags: &[&str], data: Arc<Data>) -> Self {
        let (child, first) = begin(command, flags, &data, |line| address_in(line).is_some());
        Self { child, address: address_in(&first).expect("it says where it listens"), data }
    }

    /// `rover server` on a free port with a database of its own.
    pub(crate) fn server(flags: &[&str]) -> Self {
        Self::listening("server", flags, Arc::new(Data::new()))
    }

    /// What the API answers to this person's GET.
    pub(crate) fn get(&self, path: &str, email: &str) -> Value {
        let token = self.ask(&["token", email]);
        let asked =
            reqwest::Client::new().get(format!("{}{path}", self.address)).bearer_auth(token.trim());
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        runtime
            .block_on(async { asked.send().await?.json().await })
            .unwrap_or_else(|error| panic!("GET {path}: {error}"))
    }

    /// Id of the campus of this name.
    pub(crate) fn campus(&self, name: &str) -> String {
        let me = self.get("/api/me", "grace.namutebi@naalya.example");
        let campuses = me["campuses"].as_array().expect("a list");
        let campus = campuses.iter().find(|campus| campus["name"] == name).expect("it is there");
        campus["id"].as_str().expect("an id").to_owned()
    }

    /// Where the Hub is.
    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    /// The folder that its data is in.
    pub(crate) fn data(&self) -> Arc<Data> {
        Arc::clone(&self.data)
    }

    /// Asks it to end, as Ctrl-C does, and waits until it has.
    pub(crate) fn interrupt(mut self) -> ExitStatus {
        signal(&self.child, Wish::Interrupt);
        self.child.wait().expect("it ends")
    }

    /// Asks it to end, and does not wait.
    pub(crate) fn ask_to_end(&self, wish: Wish) {
        signal(&self.child, wish);
    }

    /// How it ended.
    pub(crate) fn ended(mut self) -> ExitStatus {
        self.child.wait().expect("it ends")
    }

    /// What `/readyz` answers: the status, and the word in it; none when nobody answers.
    pub(crate) fn ready(&self) -> Option<(u16, String)> {
        let asked = reqwest::Client::new().get(format!("{}/readyz", self.address));
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        runtime.block_on(async {
            let answer = asked.send().await.ok()?;
            let status = answer.status().as_u16();
            let body: Value = answer.json().await.ok()?;
            Some((status, body["status"].as_str()?.to_owned()))
        })
    }

    /// What a command prints on this data; it must succeed.
    pub(crate) fn ask(&self, arguments: &[&str]) -> String {
        let (status, printed) = self.try_ask(arguments);
        assert!(status.success(), "{arguments:?}: {status}\n{printed}");
        printed
    }

    /// What a command prints on this data, and how it ended.
    pub(crate) fn try_ask(&self, arguments: &[&str]) -> (ExitStatus, String) {
        ended(&mut self.command(arguments))
    }

    /// A command on this data, to be started.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = program(&self.data);
        command.args(arguments);
        command
    }

    /// The folder that a command on this data is told of.
    pub(crate) fn data_dir(&self) -> PathBuf {
        data_dir(&self.data)
    }
}

impl Drop for Rover {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A folder in which no server runs.
pub(crate) struct Folder(Data);

impl Folder {
    /// An empty one.
    pub(crate) fn empty() -> Self {
        Self(Data::without_rows())
    }

    /// What a command prints here, and how it ended.
    pub(crate) fn try_ask(&self, arguments: &[&str]) -> (ExitStatus, String) {
        ended(program(&self.0).args(arguments))
    }

    /// The same with a variable of the environment.
    pub(crate) fn try_ask_with(
        &self,
        (name, value): (&str, &str),
        arguments: &[&str],
    ) -> (ExitStatus, String) {
        ended(program(&self.0).env(name, value).args(arguments))
    }

    /// What a command that must succeed prints as its answer, and what it says beside it.
    pub(crate) fn ask_apart(&self, arguments: &[&str]) -> (String, String) {
        let output = program(&self.0).args(arguments).output().expect("the program starts");
        let text = |bytes| String::from_utf8(bytes).expect("text");
        let (answer, beside) = (text(output.stdout), text(output.stderr));
        assert!(output.status.success(), "{arguments:?}: {}\n{beside}", output.status);
        (answer, beside)
    }

    /// What a line prints that somebody types into a shell here, and how it ended.
    pub(crate) fn shell(&self, line: &str) -> (ExitStatus, String) {
        let program = Path::new(env!("CARGO_BIN_EXE_rover")).parent().expect("it is in a folder");
        let others = std::env::var("PATH").unwrap_or_default();
        let mut shell = Command::new("sh");
        shell.args(["-c", line]).current_dir(self.path());
        shell.env("ROVER_DATA_DIR", self.path().join("data"));
        ended(shell.env("PATH", format!("{}:{others}", program.display())))
    }

    /// Another folder with the data of this one, in which no server runs.
    pub(crate) fn copied(&self) -> Self {
        let copy = Self::empty();
        copy_all(self.path(), copy.path()).expect("it can be copied");
        copy
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    /// Lets a command run here until it listens, ends it, and returns all that it printed.
    pub(crate) fn left_by(&self, command: &str, flags: &[&str]) -> String {
        let mut child = running(command, flags, &self.0);
        let output = BufReader::new(child.stdout.take().expect("its output is piped"));
        let mut printed = String::new();
        for line in output.lines().map_while(Result::ok) {
            if address_in(&line).is_some() {
                signal(&child, Wish::Interrupt);
            }
            printed.push_str(&line);
            printed.push('\n');
        }
        assert!(child.wait().is_ok_and(|status| status.success()), "Ctrl-C ends it well");
        printed
    }

    /// How a command ends whose output nobody reads.
    pub(crate) fn ask_unread(&self, arguments: &[&str]) -> ExitStatus {
        let mut asked = program(&self.0);
        let mut child =
            asked.args(arguments).stdout(Stdio::piped()).spawn().expect("the program starts");
        drop(child.stdout.take());
        child.wait().expect("it ends")
    }

    /// Names of all that is in it.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.0.path()).expect("it is there");
        let name = |entry: std::fs::DirEntry| entry.file_name().to_string_lossy().into_owned();
        entries.filter_map(Result::ok).map(name).collect()
    }
}

/// A `rover worker`; gone when dropped.
pub(crate) struct Worker(Child);

/// Asks a process to end, as an operator or a service manager does.
#[derive(Clone, Copy)]
pub(crate) enum Wish {
    /// Ctrl-C.
    Interrupt,
    /// SIGTERM.
    Terminate,
}

impl Worker {
    /// Starts it and waits until it takes turns.
    pub(crate) fn start(flags: &[&str]) -> Self {
        let data = Data::without_rows();
        Self(begin("worker", flags, &data, |line| line.contains("takes turns")).0)
    }

    /// Asks it to end, and does not wait.
    pub(crate) fn ask_to_end(&self, wish: Wish) {
        signal(&self.0, wish);
    }

    /// How it ended.
    pub(crate) fn ended(mut self) -> ExitStatus {
        self.0.wait().expect("it ends")
    }

    /// Kills it where it stands.
    pub(crate) fn kill(mut self) {
        self.0.kill().expect("it runs");
        self.0.wait().expect("it ends");
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts a process that runs on, and reads its output up to the line that says it is ready.
fn begin(
    command: &str,
    flags: &[&str],
    data: &Data,
    ready: impl Fn(&str) -> bool,
) -> (Child, String) {
    let mut child = running(command, flags, data);
    let output = BufReader::new(child.stdout.take().expect("its output is piped"));
    let mut lines = output.lines().map_while(Result::ok);
    let line = lines.find(|line| ready(line)).expect("it says that it is ready");
    // What else it prints is read away, so that it never waits for us.
    std::thread::spawn(move || lines.for_each(drop));
    (child, line)
}

fn running(command: &str, flags: &[&str], data: &Data) -> Child {
    program(data)
        .arg(command)
        .args(["--listen", "127.0.0.1:0"])
        .args(flags)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts")
}

fn copy_all(from: &Path, to: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_all(&entry.path(), &target)?;
        } else {
            std::fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

fn ended(command: &mut Command) -> (ExitStatus, String) {
    let output = command.output().expect("the program starts");
    let printed = [output.stdout, output.stderr].concat();
    (output.status, String::from_utf8_lossy(&printed).into_owned())
}

fn program(data: &Data) -> Command {
    let mut program = Command::new(env!("CARGO_BIN_EXE_rover"));
    program.current_dir(data.path()).env("ROVER_DATA_DIR", data_dir(data));
    data.tell(&mut program);
    program
}

fn data_dir(data: &Data) -> PathBuf {
    data.path().join("data")
}

fn signal(child: &Child, wish: Wish) {
    let name = match wish {
        Wish::Interrupt => "-INT",
        Wish::Terminate => "-TERM",
    };
    let status = Command::new("kill").args([name, &child.id().to_string()]).status();
    assert!(status.is_ok_and(|status| status.success()), "it can be signalled");
}

fn address_in(line: &str) -> Option<String> {
    let from = line.find("http://")?;
    Some(line[from..].split_whitespace().next()?.to_owned())
}

/// Queues on the broker that no other test uses.
pub(crate) struct Queues {
    broker: String,
    tools: String,
    prefix: String,
}

/// Queues of a test's own.
pub(crate) fn queues(test: &str) -> Queues {
    let own = format!("rover-test-{test}-{}", std::process::id());
    Queues { broker: amqp(), tools: format!("{own}-tools"), prefix: format!("{own}-") }
}

/// Where the broker is.
fn amqp() -> String {
    std::env::var("ROVER_TEST_AMQP")
        .unwrap_or_else(|_| "amqp://guest:guest@127.0.0.1:5672".to_owned())
}

/// Addresses of the broker that it refuses, and how it says so.
pub(crate) fn wrong_brokers() -> [(String, &'static str); 2] {
    let broker = amqp();
    let (user, rest) =
        broker.split_once("://").and_then(|(_, rest)| rest.split_once(':')).expect(USUAL);
    let (password, place) = rest.split_once('@').expect(USUAL);
    let place = place.split('/').next().expect(USUAL);
    [
        (format!("amqp://{user}:wrong@{place}"), "Login was refused"),
        (format!("amqp://{user}:{password}@{place}/no-such"), "vhost no-such not found"),
    ]
}

/// What the tests take the broker's address to be.
const USUAL: &str = "amqp://user:password@host:port";

impl Queues {
    /// The flags that make a process use them.
    pub(crate) fn flags(&self) -> Vec<&str> {
        vec!["--amqp", &self.broker, "--tool-queue", &self.tools, "--queue-prefix", &self.prefix]
    }

    /// The broker, the queue of tools and the prefix of the rest.
    pub(crate) fn names(&self) -> (&str, &str, &str) {
        (&self.broker, &self.tools, &self.prefix)
    }

    /// Runs the Nest client; whether it completed, and what it printed.
    pub(crate) fn nest(&self, arguments: &[&str]) -> (bool, Vec<Value>) {
        Peer::try_run("nest-client.mjs", arguments, &self.variables())
    }

    /// Starts the Nest server.
    pub(crate) fn nest_server(&self) -> Peer {
        Peer::start_with("nest-server.mjs", &[], &self.variables())
    }

    fn variables(&self) -> [(&str, &str); 2] {
        [("RMQ_URL", &self.broker), ("RMQ_QUEUE", &self.tools)]
    }
}

impl Drop for Queues {
    fn drop(&mut self) {
        use agent_contract::wire::{
            AGENT_TURN_QUEUE, AGENT_TURN_STOP_EXCHANGE, TURN_EVENTS_EXCHANGE, TURN_EVENTS_QUEUE,
        };
        let of_turns =
            [AGENT_TURN_QUEUE, AGENT_TURN_STOP_EXCHANGE, TURN_EVENTS_EXCHANGE, TURN_EVENTS_QUEUE];
        let mut names: Vec<String> =
            of_turns.iter().map(|name| format!("{}{name}", self.prefix)).collect();
        names.push(self.tools.clone());
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        // A test that failed must not fail a second time here.
        let _ = peers::node("forget.mjs", &names).envs(self.variables()).status();
    }
}
