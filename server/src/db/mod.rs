//! The database: one enum layer over SQLite and PostgreSQL, and frames as the only way to a row.
//!
//! A [`ReadFrame`] or [`WriteFrame`] is a transaction that sees one school; services take a frame
//! and never a pool, and no pool leaves this module. Three locks stand behind our own `WHERE`
//! clauses: the frame's school, row-level security (PostgreSQL) or TEMP views and triggers
//! (SQLite), and composite keys. Statements live in [`statements`] and nowhere else; text that is
//! not from there cannot be run.

mod backup;
mod condition;
mod error;
mod frame;
mod migrations;
mod open;
mod postgres;
mod record;
mod scope;
mod sqlite;
pub(crate) mod statements;
mod system;
mod tx;
mod url;
mod value;

pub use backup::BackupError;
pub use error::DbError;
pub(crate) use frame::Locked;
pub use frame::{Frame, ReadFrame, Session, WriteFrame};
pub use open::Database;
pub(crate) use record::{Draft, Found, Permitted, Place, Record};
pub use scope::TenantScope;
pub use system::SystemFrame;
pub(crate) use tx::{Row, Tx};
pub use url::{DatabaseUrl, OwnerUrl};
pub(crate) use value::{Value, values};

#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;
