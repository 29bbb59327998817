//! The tests' PostgreSQL: a template that is migrated once for all tests, and copies of it.

use std::{str::FromStr as _, thread};

use sha2::{Digest as _, Sha256};
use sqlx::{AssertSqlSafe, Connection as _, PgConnection, postgres::PgConnectOptions, raw_sql};

use crate::db::{Database, DatabaseUrl, OwnerUrl, migrations};

/// Where the tests' PostgreSQL is: a login that may create databases and roles.
const ADDRESS: &str = "ROVER_TEST_POSTGRES";
const DEFAULT_ADDRESS: &str = "postgres://postgres@127.0.0.1:5432/postgres";
/// The login that servers under test work with, and its password.
const LOGIN: &str = "rover_test";
/// The login that owns the tables where that matters; elsewhere the superuser does.
const OWNER: &str = "rover_test_owner";
/// Makes both.
const LOGINS: &str = include_str!("../../../tests/data/test-logins.sql");

/// How many tests may have one at a time; more wait in the runner.
const MOST: i32 = 64;

/// A database that nobody else has as long as this lives.
#[derive(Debug)]
pub(crate) struct OwnDatabase {
    name: String,
    hold: Hold,
}

/// To make and to drop a database costs the server a checkpoint, so most are used again.
#[derive(Debug)]
enum Hold {
    /// Taken from those that are there and emptied; this session's lock says that it is taken.
    Lent { _session: PgConnection },
    /// Made for one test, and dropped after it.
    Made,
}

impl OwnDatabase {
    /// With all migrations, and no rows.
    pub(crate) async fn up_to_date() -> Self {
        let mut admin = superuser("postgres").await;
        let template = template(&mut admin).await;
        for n in 0..MOST {
            if take(&mut admin, &template, n).await {
                let name = format!("{}_{n}", template.replace("template", "test"));
                if is_spoilt(&mut admin, &name).await {
                    run(&mut admin, &format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)")).await;
                    run(&mut admin, &format!("CREATE DATABASE {name} TEMPLATE {template}")).await;
                } else {
                    run(&mut superuser(&name).await, EMPTY).await;
                }
                return Self { name, hold: Hold::Lent { _session: admin } };
            }
        }
        panic!("{MOST} tests have a database at this moment");
    }

    /// The same for a test that changes more than rows.
    pub(crate) async fn to_spoil() -> Self {
        let mut admin = superuser("postgres").await;
        let template = template(&mut admin).await;
        Self::made(&mut admin, &format!("TEMPLATE {template}")).await
    }

    async fn made(admin: &mut PgConnection, like: &str) -> Self {
        let name = format!("rover_test_{}", uuid::Uuid::now_v7().simple());
        run(admin, &format!("CREATE DATABASE {name} {like}")).await;
        Self { name, hold: Hold::Made }
    }

    /// With nothing in it, of an owner who is no superuser.
    pub(crate) async fn empty() -> Self {
        let mut admin = superuser("postgres").await;
        // For the logins.
        template(&mut admin).await;
        Self::made(&mut admin, &format!("TEMPLATE template0 OWNER {OWNER}")).await
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// As a server is told of it that does not migrate.
    pub(crate) fn url(&self) -> DatabaseUrl {
        self.app_url().parse().expect("an address")
    }

    /// The same as text.
    pub(crate) fn app_url(&self) -> String {
        address(&self.name, Some(LOGIN))
    }

    /// The owner of a database that began empty.
    pub(crate) fn owner(&self) -> OwnerUrl {
        address(&self.name, Some(OWNER)).parse().expect("an address")
    }

    /// The same as this login, whose password is its name.
    pub(crate) fn url_of(&self, login: &str) -> DatabaseUrl {
        address(&self.name, Some(login)).parse().expect("an address")
    }

    /// A connection of the owner.
    pub(crate) async fn as_owner(&self) -> PgConnection {
        let address = address(&self.name, Some(OWNER));
        PgConnection::connect(&address).await.expect("the owner may log in")
    }
}

impl Drop for OwnDatabase {
    fn drop(&mut self) {
        if matches!(self.hold, Hold::Lent { .. }) {
            return;
        }
        let drop = format!("DROP DATABASE IF EXISTS {} WITH (FORCE)", self.name);
        // The test's own runtime may be on its way out.
        let dropping = thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            runtime.expect("a runtime").block_on(async {
                run(&mut superuser("postgres").await, &drop).await;
            });
        });
        if dropping.join().is_err() && !thread::panicking() {
            panic!("the test database is dropped");
        }
    }
}

/// The superuser's connection to a database.
pub(super) async fn superuser(database: &str) -> PgConnection {
    let address = address(database, None);
    let options = PgConnectOptions::from_str(&address)
        .unwrap_or_else(|error| panic!("{ADDRESS} is no PostgreSQL address: {error}"))
        .options([("search_path", migrations::SCHEMA), ("client_min_messages", "error")]);
    PgConnection::connect_with(&options).await.unwrap_or_else(|error| {
        panic!(
            "this test needs PostgreSQL, and {address} does not answer ({error}); start one, or name another in {ADDRESS}"
        )
    })
}

/// The name of the template for the migrations of this build, which is made when it is missing.
async fn template(admin: &mut PgConnection) -> String {
    let mut hash = Sha256::new();
    for migration in migrations::postgres().iter() {
        hash.update(migration.version.to_be_bytes());
        hash.update(&migration.checksum);
    }
    let name = format!("rover_template_{}", &hex::encode(hash.finalize())[..16]);
    if exists(admin, &name).await {
        return name;
    }
    run(admin, "SELECT pg_advisory_lock(43100)").await;
    if !exists(admin, &name).await {
        forget_old(admin).await;
        run(admin, LOGINS).await;
        let half = format!("{name}_half");
        run(admin, &format!("DROP DATABASE IF EXISTS {half} WITH (FORCE)")).await;
        run(admin, &format!("CREATE DATABASE {half} TEMPLATE template0")).await;
        let owner = address(&half, None).parse().expect("an address");
        Database::migrate(&owner).await.expect("every migration can be applied");
        // Nobody connects to it, not even the vacuum: a copy wants it alone.
        run(admin, &format!("ALTER DATABASE {half} WITH ALLOW_CONNECTIONS false")).await;
        run(admin, &format!("ALTER DATABASE {half} RENAME TO {name}")).await;
    }
    run(admin, "SELECT pg_advisory_unlock(43100)").await;
    name
}

/// Whether this one was free; if so, it is taken until the session ends.
async fn take(admin: &mut PgConnection, template: &str, n: i32) -> bool {
    sqlx::query_scalar("SELECT pg_try_advisory_lock(hashtext($1), $2)")
        .bind(template)
        .bind(n)
        .fetch_one(admin)
        .await
        .expect("an answer")
}

/// Whether it is missing, or its last test changed more than rows.
async fn is_spoilt(admin: &mut PgConnection, name: &str) -> bool {
    let as_it_was =
        "SELECT shobj_description(oid, 'pg_database') IS NULL FROM pg_database WHERE datname = $1";
    let found: Option<bool> =
        sqlx::query_scalar(as_it_was).bind(name).fetch_optional(admin).await.expect("an answer");
    found != Some(true)
}

/// Takes every row out, and whoever is left of a test that was killed.
const EMPTY: &str = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
     WHERE datname = current_database() AND pid <> pg_backend_pid(); \
     SET session_replication_role = replica; \
     DO $$ DECLARE t REGCLASS; BEGIN \
         FOR t IN SELECT oid FROM pg_class WHERE relnamespace = 'main'::regnamespace \
             AND relkind = 'r' AND relname <> '_sqlx_migrations' LOOP \
             EXECUTE format('DELETE FROM %s', t); \
         END LOOP; END $$";

/// Says that more than rows was changed, so that it is made anew for the next.
pub(super) const SPOIL: &str = "DO $$ BEGIN \
     EXECUTE format('COMMENT ON DATABASE %I IS ''spoilt''', current_database()); END $$;";

/// What runs left that were killed, and templates of migrations that nobody has any more.
async fn forget_old(admin: &mut PgConnection) {
    let old = "SELECT datname::text FROM pg_database WHERE datname LIKE 'rover\\_te%' \
         AND (pg_stat_file('base/' || oid || '/PG_VERSION', true)).modification < now() - interval '10 days'";
    let old: Vec<String> = sqlx::query_scalar(old).fetch_all(&mut *admin).await.expect("a list");
    for name in old {
        run(admin, &format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)")).await;
    }
}

async fn exists(admin: &mut PgConnection, name: &str) -> bool {
    sqlx::query_scalar("SELECT EXISTS (SELECT 1 FROM pg_database WHERE datname = $1)")
        .bind(name)
        .fetch_one(admin)
        .await
        .expect("an answer")
}

async fn run(admin: &mut PgConnection, script: &str) {
    let done = raw_sql(AssertSqlSafe(script.to_owned())).execute(admin).await;
    done.unwrap_or_else(|error| panic!("{script}: {error}"));
}

/// The address of a database of the tests' server, for this login or the superuser.
fn address(database: &str, login: Option<&str>) -> String {
    let server = std::env::var(ADDRESS).unwrap_or_else(|_| DEFAULT_ADDRESS.to_owned());
    let (scheme, rest) = server.split_once("://").expect(ADDRESS);
    let (rest, query) = rest.split_once('?').map_or((rest, ""), |(rest, query)| (rest, query));
    let (place, _) = rest.split_once('/').unwrap_or((rest, ""));
    let (user, host) = place.rsplit_once('@').unwrap_or(("postgres", place));
    let user = login.map_or_else(|| user.to_owned(), |login| format!("{login}:{login}"));
    // What a test wrote need not survive the machine.
    let query = format!("{query}&options=-c%20synchronous_commit%3Doff");
    format!("{scheme}://{user}@{host}/{database}?{}", query.trim_start_matches('&'))
}
