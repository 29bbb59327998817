//! A RabbitMQ node of the tests' own, to be stopped, blocked and killed: the shared one is somebody else's too.
//!
//! Its ports are below 32768. Above, a connection that goes out may take the port while the node is away.

use std::net::{TcpListener, TcpStream};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

const PROGRAMS: &str = "/usr/lib/rabbitmq/bin";
const STARTING: Duration = Duration::from_secs(90);

/// A node; gone when dropped.
pub(crate) struct Node {
    child: Child,
    folder: TempDir,
    port: u16,
}

impl Node {
    /// Starts one, and waits until it answers.
    pub(crate) fn start() -> Self {
        let folder = TempDir::new().expect("a folder");
        let port = free_ports();
        let conf = format!("listeners.tcp.1 = 127.0.0.1:{port}\nlog.console = false\n");
        std::fs::write(folder.path().join("rabbitmq.conf"), conf).expect("it can be written");
        std::fs::write(folder.path().join("enabled_plugins"), "[].").expect("it can be written");
        if is_root() {
            let mut chown = Command::new("chown");
            chown.args(["-R", "rabbitmq:rabbitmq"]).arg(folder.path());
            assert!(chown.status().is_ok_and(|status| status.success()), "rabbitmq may have it");
        }
        let child = run(folder.path(), port);
        let node = Self { child, folder, port };
        node.await_answer();
        node
    }

    /// Its address.
    pub(crate) fn url(&self) -> String {
        format!("amqp://guest:guest@127.0.0.1:{}", self.port)
    }

    /// Closes every connection that stands.
    pub(crate) fn close_connections(&self) {
        self.ctl(&["close_all_connections", "a test"]);
    }

    /// The application goes and comes; what is not durable is lost.
    pub(crate) fn restart(&self) {
        self.ctl(&["stop_app"]);
        self.ctl(&["start_app"]);
    }

    /// No memory is left: it takes nothing from those who publish.
    pub(crate) fn block(&self) {
        self.ctl(&["set_vm_memory_high_watermark", "0"]);
    }

    /// There is memory again.
    pub(crate) fn unblock(&self) {
        self.ctl(&["set_vm_memory_high_watermark", "0.6"]);
    }

    /// A queue goes, with all that is in it and those who consume it.
    pub(crate) fn delete_queue(&self, queue: &str) {
        self.ctl(&["delete_queue", queue]);
    }

    /// Sets a policy on the queues whose names match.
    pub(crate) fn policy(&self, name: &str, queues: &str, policy: &str) {
        self.ctl(&["set_policy", "--apply-to", "queues", name, queues, policy]);
    }

    /// Killed where it stands, and started again on what it left.
    pub(crate) fn kill_and_start(&mut self) {
        self.kill();
        self.child = run(self.folder.path(), self.port);
        self.await_answer();
    }

    fn ctl(&self, arguments: &[&str]) {
        let mut command = program("rabbitmqctl", self.folder.path(), self.port);
        let output = command.args(["--quiet"]).args(arguments).output().expect("it runs");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "rabbitmqctl {arguments:?}: {said}");
    }

    fn await_answer(&self) {
        let began = Instant::now();
        // The port opens last, after the node has read what it left.
        while TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            assert!(began.elapsed() < STARTING, "RabbitMQ did not come up");
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    /// Its processes are a group: a shell and what it started.
    fn kill(&mut self) {
        let group = format!("-{}", self.child.id());
        let _ = Command::new("kill").args(["-KILL", "--", &group]).status();
        let _ = self.child.wait();
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        self.kill();
        let mut epmd = program("epmd", self.folder.path(), self.port);
        let _ = epmd.stdout(Stdio::null()).stderr(Stdio::null()).status();
    }
}

fn run(folder: &Path, port: u16) -> Child {
    let mut command = program("rabbitmq-server", folder, port);
    command.process_group(0).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().expect("RabbitMQ starts; scripts/setup installs it")
}

/// One of RabbitMQ's programs, told of this node. They refuse root.
fn program(name: &str, folder: &Path, port: u16) -> Command {
    let mut command = Command::new("setpriv");
    if is_root() {
        command.args(["--reuid", "rabbitmq", "--regid", "rabbitmq", "--init-groups", "--"]);
    }
    if name == "epmd" {
        command.args(["epmd", "-port", &(port + 2).to_string(), "-kill"]);
    } else {
        command.arg(format!("{PROGRAMS}/{name}"));
    }
    let dist = (port + 1).to_string();
    command
        .env("HOME", folder)
        .env("RABBITMQ_NODENAME", format!("faults-{port}@localhost"))
        .env("RABBITMQ_CONFIG_FILE", folder.join("rabbitmq.conf"))
        .env("RABBITMQ_ENABLED_PLUGINS_FILE", folder.join("enabled_plugins"))
        .env("RABBITMQ_MNESIA_BASE", folder.join("mnesia"))
        .env("RABBITMQ_LOG_BASE", folder.join("log"))
        .env("RABBITMQ_PID_FILE", folder.join("pid"))
        .env("RABBITMQ_DIST_PORT", dist)
        .env("ERL_EPMD_PORT", (port + 2).to_string())
        .env("ERL_EPMD_ADDRESS", "127.0.0.1")
        .env("RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS", "-kernel inet_dist_use_interface {127,0,0,1}")
        .current_dir(folder);
    command
}

/// Three ports in a row that nobody has.
fn free_ports() -> u16 {
    let first = 20_000 + u16::try_from(std::process::id() % 4_000).expect("it is small") * 3;
    let free =
        |port: u16| (port..port + 3).all(|port| TcpListener::bind(("127.0.0.1", port)).is_ok());
    (first..32_000).step_by(3).find(|port| free(*port)).expect("some ports are free")
}

fn is_root() -> bool {
    let id = Command::new("id").arg("-u").output().expect("it runs");
    id.stdout.starts_with(b"0\n")
}
