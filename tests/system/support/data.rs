//! A folder of a test's own, and where the program keeps its rows for it.
//!
//! That is a file in the folder or, under `ROVER_TEST_DATABASE=postgres`, a PostgreSQL database of the folder's own, on
//! which the program works as in production: one login migrates, another works.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// Which database the suite is run on.
const DATABASE: &str = "ROVER_TEST_DATABASE";
/// The tests' PostgreSQL: a login that may create databases and roles.
const ADDRESS: &str = "ROVER_TEST_POSTGRES";
/// Made for the server's tests, and used as they use it.
const LOGINS: &str = include_str!("../../../server/tests/data/test-logins.sql");

/// A folder, gone when dropped, with its database.
pub(crate) struct Data {
    folder: TempDir,
    postgres: Option<String>,
}

impl Data {
    /// For a program that keeps rows.
    pub(crate) fn new() -> Self {
        let mut data = Self::without_rows();
        match std::env::var(DATABASE).as_deref() {
            Err(_) | Ok("" | "sqlite") => {}
            Ok("postgres") => data = Self::on_postgres(),
            Ok(other) => panic!("{DATABASE}={other}: write `sqlite` or `postgres`"),
        }
        data
    }

    /// For several servers at once, whatever the suite is run on.
    pub(crate) fn on_postgres() -> Self {
        let mut data = Self::without_rows();
        let name = data.path().file_name().expect("a name").to_string_lossy().to_lowercase();
        let name = format!("rover_test_{}_{}", std::process::id(), name.replace(['.', '-'], ""));
        psql(LOGINS);
        psql(&format!("CREATE DATABASE \"{name}\" OWNER rover_test_owner TEMPLATE template0"));
        data.postgres = Some(name);
        data
    }

    /// For a program that keeps none, or is told where.
    pub(crate) fn without_rows() -> Self {
        Self { folder: TempDir::new().expect("a folder for the data"), postgres: None }
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Tells a program where to keep its rows.
    pub(crate) fn tell(&self, program: &mut Command) {
        if let Some(name) = &self.postgres {
            program.env("ROVER_DATABASE", address(name, Some("rover_test")));
            program.env("ROVER_DATABASE_OWNER", address(name, Some("rover_test_owner")));
        }
    }
}

impl Drop for Data {
    fn drop(&mut self) {
        if let Some(name) = &self.postgres {
            psql(&format!("DROP DATABASE \"{name}\" WITH (FORCE)"));
        }
    }
}

fn psql(script: &str) {
    let mut psql = Command::new("psql");
    psql.args(["--no-psqlrc", "--quiet", "--set", "ON_ERROR_STOP=1"])
        .arg(address("postgres", None));
    let mut running = psql
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .expect("psql is installed with PostgreSQL");
    running.stdin.take().expect("piped").write_all(script.as_bytes()).expect("psql reads");
    let ended = running.wait().expect("it ends");
    // A test that failed must not fail a second time here.
    assert!(ended.success() || std::thread::panicking(), "psql: {script}");
}

/// The address of a database there, for this login, whose password is its name, or the superuser.
fn address(database: &str, login: Option<&str>) -> String {
    let server = std::env::var(ADDRESS)
        .unwrap_or_else(|_| "postgres://postgres@127.0.0.1:5432/postgres".to_owned());
    let (scheme, rest) = server.split_once("://").expect(ADDRESS);
    let (place, _) = rest.split_once('/').unwrap_or((rest, ""));
    let (user, host) = place.rsplit_once('@').unwrap_or(("postgres", place));
    let user = login.map_or_else(|| user.to_owned(), |login| format!("{login}:{login}"));
    format!("{scheme}://{user}@{host}/{database}")
}
