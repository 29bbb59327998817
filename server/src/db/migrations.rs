//! Migrations: shared tables, then what each database adds (triggers there, roles and policies
//! here).
//!
//! Versions are one sequence across the folders. 1–9 made the first tables; later ones count on
//! from 20, and a new table with a `school_id` brings its PostgreSQL policy in the same version.
//! The schema tests say if it forgot. They are applied by an owner that is no superuser, and come
//! forward from the release in `tests/data`, which is tested too.

use sqlx::migrate::Migrator;

static BOTH: Migrator = sqlx::migrate!("migrations/both");
static SQLITE: Migrator = sqlx::migrate!("migrations/sqlite");
static POSTGRES: Migrator = sqlx::migrate!("migrations/postgres");

/// The schema on PostgreSQL. SQLite calls its own file the same, so `main.department` is one text
/// for both.
pub(super) const SCHEMA: &str = "main";

pub(super) fn sqlite() -> Migrator {
    joined(&SQLITE)
}

pub(super) fn postgres() -> Migrator {
    let mut migrator = joined(&POSTGRES);
    migrator.create_schema(SCHEMA);
    migrator
}

fn joined(own: &Migrator) -> Migrator {
    Migrator::with_migrations(BOTH.iter().chain(own.iter()).cloned().collect())
}
