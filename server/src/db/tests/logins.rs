//! Who may work on PostgreSQL: a login that could pass row-level security never gets a frame.

use sqlx::{AssertSqlSafe, raw_sql};

use crate::db::{
    Database, DatabaseUrl, DbError,
    testing::{Outside, OwnDatabase, Site},
};

/// A login of a test's own; gone when dropped, with its database before it.
struct Login {
    name: String,
    own: OwnDatabase,
}

impl Login {
    async fn new(rights: &str) -> Self {
        let own = OwnDatabase::to_spoil().await;
        let name = own.name().replace("rover_test_", "rover_test_login_");
        let login = Self { name, own };
        let name = &login.name;
        login.superuser(&format!("CREATE ROLE {name} LOGIN {rights} PASSWORD '{name}'")).await;
        login
    }

    async fn superuser(&self, script: &str) {
        Outside::server(self.own.name()).await.run(script).await;
    }

    /// What a server hears that is told to work with this login.
    async fn refusal(&self) -> String {
        match Database::open(&self.own.url_of(&self.name)).await {
            Ok(_) => panic!("{} may work", self.name),
            Err(error) => error.to_string().replace(&self.name, "x"),
        }
    }

    async fn forget(self) {
        let Self { name, own } = self;
        let script = format!(
            "ALTER DATABASE {} OWNER TO CURRENT_USER; REASSIGN OWNED BY {name} TO CURRENT_USER; \
             DROP OWNED BY {name}; DROP ROLE {name}",
            own.name()
        );
        Outside::server(own.name()).await.run(&script).await;
    }
}

#[tokio::test]
async fn a_login_that_could_pass_row_level_security_on_postgres_is_refused() {
    let member = "GRANT rover_app, rover_system TO {}";
    for (rights, then, why) in [
        ("SUPERUSER", member, "`x` is a superuser"),
        ("BYPASSRLS", member, "`x` has BYPASSRLS"),
        ("CREATEROLE", member, "`x` has CREATEROLE"),
        ("REPLICATION", member, "`x` has REPLICATION"),
        (
            "",
            "GRANT pg_execute_server_program TO {}",
            "`pg_execute_server_program` reaches the files",
        ),
        (
            "",
            "GRANT CREATE ON SCHEMA main TO {}; ALTER TABLE main.student OWNER TO {}",
            "`x` owns the tables",
        ),
        ("", "ALTER DATABASE {db} OWNER TO {}", "`x` owns the database"),
        // It owns nothing itself, but may step into who does.
        (
            "NOINHERIT",
            "GRANT rover_test_owner TO {}; ALTER TABLE main.student OWNER TO rover_test_owner",
            "`rover_test_owner` has CREATEROLE",
        ),
    ] {
        let login = Login::new(rights).await;
        let then = then.replace("{db}", login.own.name()).replace("{}", &login.name);
        login.superuser(&then).await;
        let refusal = login.refusal().await;
        let expected = format!("the login `x` could pass row-level security, because {why}");
        assert!(refusal.starts_with(&expected), "{rights} {then}: {refusal}");
        login.forget().await;
    }
}

#[tokio::test]
async fn a_login_without_the_roles_on_postgres_is_told_what_the_owner_must_say() {
    let login = Login::new("").await;
    assert_eq!(
        login.refusal().await,
        "the login `x` is no member of `rover_app` and `rover_system`; \
         let the owner say: GRANT rover_app, rover_system TO \"x\""
    );
    login.superuser(&format!("GRANT rover_app, rover_system TO {}", login.name)).await;
    Database::open(&login.own.url_of(&login.name)).await.expect("it may work now").close().await;
    login.forget().await;
}

async fn refusal(url: &DatabaseUrl) -> DbError {
    Database::open(url).await.expect_err("it is not as it must be")
}

#[tokio::test]
async fn a_postgres_database_that_is_not_as_it_must_be_is_refused() {
    let own = OwnDatabase::empty().await;
    assert!(matches!(refusal(&own.url()).await, DbError::NotPrepared));
    let owned = || own.url().owned_by(own.owner()).expect("an owner");
    Database::open(&owned()).await.expect("the owner migrates").close().await;
    Database::open(&own.url()).await.expect("nothing is missing").close().await;

    let mut outside = Outside::server(own.name()).await;
    outside.run("ALTER TABLE main.student NO FORCE ROW LEVEL SECURITY").await;
    let refused = refusal(&own.url()).await;
    assert!(matches!(&refused, DbError::Unguarded { table } if table == "student"), "{refused:?}");
    Database::migrate(&own.owner()).await.expect("the owner puts it back");
    Database::open(&own.url()).await.expect("it is back").close().await;

    outside.run("DELETE FROM main._sqlx_migrations WHERE version = 61").await;
    assert!(matches!(refusal(&own.url()).await, DbError::Behind { missing: 1 }));
}

#[tokio::test]
async fn the_working_roles_on_postgres_have_no_right_too_many() {
    let site = Site::new(crate::db::testing::Kind::Postgres).await;
    let mut outside = site.outside().await;
    let rights = "SELECT grantee || ' may ' || privilege_type || ' ' || table_name \
         FROM information_schema.table_privileges WHERE table_schema = 'main' \
         AND grantee IN ('rover_app', 'rover_system', 'PUBLIC') \
         AND (privilege_type IN ('TRUNCATE', 'REFERENCES', 'TRIGGER') OR grantee = 'PUBLIC' \
              OR (table_name LIKE 'audit_log' AND privilege_type IN ('UPDATE', 'DELETE')) \
              OR (table_name = '_sqlx_migrations' AND privilege_type <> 'SELECT')) ORDER BY 1";
    assert_eq!(outside.texts(rights).await, [""; 0]);
    let makes = "SELECT r.rolname::text FROM pg_roles r WHERE r.rolname LIKE 'rover\\_%' \
         AND r.rolname IN ('rover_app', 'rover_system', 'rover_test') \
         AND has_schema_privilege(r.oid, 'main', 'CREATE')";
    assert_eq!(outside.texts(makes).await, [""; 0]);
    // Logged in as a server is, nothing but the two roles can be stepped into.
    let login = site.url();
    let DatabaseUrl::Postgres(_) = &login else { panic!("an address of PostgreSQL") };
    let database = Database::open(&login).await.expect("opens");
    let crate::db::open::Backend::Postgres(postgres) = database.backend() else { return };
    for role in ["postgres", "rover_test_owner", "NONE"] {
        let mut connection = postgres.app.acquire().await.expect("a connection");
        let stepped =
            raw_sql(AssertSqlSafe(format!("SET ROLE {role}"))).execute(&mut *connection).await;
        if role == "NONE" {
            // The login itself sees nothing at all.
            stepped.expect("it may");
            let seen = raw_sql("SELECT 1 FROM main.student").execute(&mut *connection).await;
            assert!(seen.is_err());
            connection.close().await.expect("closed");
        } else {
            assert!(stepped.is_err(), "{role}");
        }
    }
}
