//! What the database layer promises, asked of both databases.

mod away;
mod backup;
mod cancellation;
mod catalogue;
mod isolation;
mod logins;
mod schema;

use agent_contract::SchoolId;
use sqlx::FromRow;

use super::{Frame, TenantScope, statements::Raw, values};

/// The scope of one of the two demo schools, or of none that exists.
fn scope(school: &str) -> TenantScope {
    TenantScope::new(SchoolId::new(school).expect("a school's id"), None)
}

#[derive(FromRow)]
struct Count {
    n: i64,
}

#[derive(FromRow)]
struct Name {
    name: String,
}

/// `SELECT count(*) AS n …` in this frame.
async fn count(frame: &impl Frame, from: &str) -> i64 {
    let text = Raw(format!("SELECT count(*) AS n FROM {from}"));
    let row: Option<Count> =
        frame.session().lock().await.optional(text, values![]).await.expect("a count");
    row.expect("one row").n
}

/// The names that a query answers in this frame.
async fn names(frame: &impl Frame, query: &str) -> Vec<String> {
    let rows: Vec<Name> = frame
        .session()
        .lock()
        .await
        .all(Raw(query.to_owned()), values![])
        .await
        .expect("a list of names");
    rows.into_iter().map(|row| row.name).collect()
}
