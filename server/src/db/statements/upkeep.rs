//! What an operator asks of a SQLite file. PostgreSQL has programs for it.

/// VACUUM reads one moment's rows and writes them into a new file.
pub(crate) const COPY_SQLITE: &str = "VACUUM INTO $1";
pub(crate) const DAMAGE_SQLITE: &str = "PRAGMA integrity_check";
pub(crate) const ASTRAY_SQLITE: &str = "SELECT \"table\" FROM pragma_foreign_key_check LIMIT 1";
