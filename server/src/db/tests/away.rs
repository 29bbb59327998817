//! A PostgreSQL that is not there, that goes, that comes back, and statements that would never end.

use std::time::Duration;

use super::{count, scope};
use crate::{
    db::{
        Database, DbError, Frame as _,
        statements::Raw,
        testing::{Kind, Outside, OwnDatabase, Proxy, Site},
        values,
    },
    demo,
};

async fn departments(database: &Database) -> Result<i64, DbError> {
    let frame = database.read(&scope("naalya")).await?;
    Ok(count(&frame, "department").await)
}

#[tokio::test]
async fn a_postgres_that_is_not_there_at_the_start_is_said_so() {
    let own = OwnDatabase::up_to_date().await;
    let (mut proxy, url) = Proxy::before_postgres(&own).await;
    proxy.cut().await;
    let error = Database::open(&url).await.expect_err("nobody is there");
    assert_eq!(error.to_string(), "nothing answers there within 5 s");

    // One that comes up meanwhile is waited for.
    let (opened, ()) = tokio::join!(Database::open(&url), proxy.mend());
    opened.expect("it is there").close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_postgres_that_goes_is_said_to_be_away_and_comes_back_without_a_restart() {
    let own = OwnDatabase::up_to_date().await;
    let (mut proxy, url) = Proxy::before_postgres(&own).await;
    let database = Database::open(&url).await.expect("it is there");
    demo::plant(&database).await.expect("planted");
    assert!(departments(&database).await.expect("it is there") > 0);

    // In the middle of a frame.
    let frame = database.write(&scope("naalya")).await.expect("a frame");
    let change = || {
        Raw("UPDATE main.department SET name = name || '!' WHERE school_id = 'naalya'".to_owned())
    };
    let mut db = frame.session().lock().await;
    db.execute(change(), values![]).await.expect("rows");
    proxy.cut().await;
    let broken = db.execute(change(), values![]).await.expect_err("nobody is there");
    assert!(matches!(broken, DbError::Away(_)), "{broken:?}");
    drop(db);
    drop(frame);

    // Whoever comes now waits no longer than a call's patience.
    let away = departments(&database).await.expect_err("nobody is there");
    assert!(matches!(away, DbError::Busy | DbError::Away(_)), "{away:?}");

    proxy.mend().await;
    assert!(departments(&database).await.expect("it is back") > 0);
    let frame = database.read(&scope("naalya")).await.expect("a frame");
    assert_eq!(count(&frame, "department WHERE name LIKE '%!'").await, 0, "nothing was kept");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_postgres_that_ends_our_sessions_is_met_again_at_once() {
    let own = OwnDatabase::up_to_date().await;
    let database = Database::open(&own.url()).await.expect("it is there");
    demo::plant(&database).await.expect("planted");
    let frame = database.read(&scope("naalya")).await.expect("a frame");
    let end = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE usename = 'rover_test' AND datname = current_database()";
    Outside::server(own.name()).await.run(end).await;
    let text = Raw("SELECT count(*) AS n FROM department".to_owned());
    let ended = frame.session().lock().await.all::<super::Count>(text, values![]).await;
    assert!(matches!(ended, Err(DbError::Away(_))), "{:?}", ended.err());
    drop(frame);
    assert!(departments(&database).await.expect("a new session") > 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_on_postgres_is_waited_for_without_end() {
    let site = Site::new(Kind::Postgres).await;
    let database = site.open().await;
    let frame = database.read(&scope("naalya")).await.expect("a frame");
    let limits = "SELECT name || '=' || setting || unit AS name FROM pg_settings WHERE name IN \
         ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout') ORDER BY name";
    assert_eq!(
        super::names(&frame, limits).await,
        [
            "idle_in_transaction_session_timeout=60000ms",
            "lock_timeout=10000ms",
            "statement_timeout=15000ms"
        ]
    );
    // A shorter one shows what becomes of a statement that goes on and on.
    let mut db = frame.session().lock().await;
    let shorter = Raw("SET LOCAL statement_timeout = '50ms'".to_owned());
    db.execute(shorter, values![]).await.expect("set");
    let endless = Raw("SELECT pg_sleep(60)".to_owned());
    let started = std::time::Instant::now();
    let ended = db.execute(endless, values![]).await.expect_err("it is cut off");
    assert!(matches!(ended, DbError::Busy), "{ended:?}");
    assert!(started.elapsed() < Duration::from_secs(30));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_lock_on_postgres_that_somebody_keeps_is_given_up() {
    let site = Site::new(Kind::Postgres).await;
    let database = site.open().await;
    demo::plant(&database).await.expect("planted");
    let mut other = site.outside().await;
    other.hold_writers().await;
    let frame = database.write(&scope("naalya")).await.expect("a frame");
    let mut db = frame.session().lock().await;
    db.execute(Raw("SET LOCAL lock_timeout = '50ms'".to_owned()), values![]).await.expect("set");
    let change = Raw("UPDATE main.department SET name = name".to_owned());
    let refused = db.execute(change, values![]).await.expect_err("somebody keeps it");
    assert!(matches!(refused, DbError::Busy), "{refused:?}");
    other.let_writers_go().await;
}
