//! Whether row-level security holds for the login that does the work.
//!
//! PostgreSQL lets superusers, owners and BYPASSRLS roles pass it without a word. A login that is
//! one of them, or could step into one, is refused, and so is a database with a table that forgot
//! its policies.

use sqlx::{PgConnection, query_as, query_scalar, raw_sql};

use crate::db::{DbError, migrations, statements::frame};

/// Checks the login of this connection, and the database that it is connected to.
pub(super) async fn check(connection: &mut PgConnection) -> Result<(), DbError> {
    let strong: Option<(String, String, String)> =
        query_as(frame::STRONG_LOGIN_POSTGRES).fetch_optional(&mut *connection).await?;
    if let Some((login, role, why)) = strong {
        return Err(DbError::TooStrong { login, role, why });
    }
    let (login, roles): (String, bool) =
        query_as(frame::WORKING_ROLES_POSTGRES).fetch_one(&mut *connection).await?;
    if !prepared(connection).await? {
        return Err(DbError::NotPrepared);
    }
    if !roles {
        return Err(DbError::NoRole { login });
    }
    raw_sql(frame::BECOME_APP_POSTGRES).execute(&mut *connection).await?;
    let applied: Vec<i64> = query_scalar(frame::APPLIED_MIGRATIONS_POSTGRES)
        .fetch_all(&mut *connection)
        .await
        // Before it was granted, so long ago.
        .unwrap_or_default();
    let missing = migrations::postgres().iter().filter(|m| !applied.contains(&m.version)).count();
    if missing > 0 {
        return Err(DbError::Behind { missing });
    }
    let open: Option<String> =
        query_scalar(frame::OPEN_TABLE_POSTGRES).fetch_optional(connection).await?;
    open.map_or(Ok(()), |table| Err(DbError::Unguarded { table }))
}

async fn prepared(connection: &mut PgConnection) -> Result<bool, DbError> {
    Ok(query_scalar(frame::IS_PREPARED_POSTGRES).fetch_one(connection).await?)
}
