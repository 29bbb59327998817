//! One text for two databases: every statement is prepared on both, and answers the same columns.

use sqlx::{Executor as _, SqlStr, Statement as _};

use crate::db::{
    Database,
    open::Backend,
    statements::{CATALOGUE, Catalogued, Text as _},
    testing::{on_postgres, on_sqlite},
};

fn every_text() -> impl Iterator<Item = (&'static str, SqlStr)> {
    CATALOGUE.iter().copied().flatten().flat_map(|line| match line {
        Catalogued::Statement(name, statement) => vec![(*name, statement.sql())],
        Catalogued::Listing(name, listing) => vec![(*name, listing.filled("TRUE").sql())],
        Catalogued::Paged(name, texts) => {
            texts().into_iter().map(|text| (*name, text.sql())).collect()
        }
    })
}

async fn columns(database: Database) -> Vec<(&'static str, Vec<String>)> {
    let mut all = Vec::new();
    for (name, sql) in every_text() {
        let columns: Result<Vec<String>, sqlx::Error> = match database.backend() {
            Backend::Sqlite(sqlite) => {
                let mut connection = sqlite.write.acquire().await.expect("a connection");
                connection.prepare(sql).await.map(|ready| names(ready.columns()))
            }
            Backend::Postgres(postgres) => {
                let mut connection = postgres.app.acquire().await.expect("a connection");
                connection.prepare(sql).await.map(|ready| names(ready.columns()))
            }
        };
        all.push((name, columns.unwrap_or_else(|error| panic!("{name}: {error}"))));
    }
    all
}

fn names<C: sqlx::Column>(columns: &[C]) -> Vec<String> {
    columns.iter().map(|column| column.name().to_owned()).collect()
}

#[tokio::test]
async fn each_statement_means_the_same_to_both_databases() {
    let (sender, receiver) = std::sync::mpsc::channel();
    let other = sender.clone();
    on_sqlite(|database| async move { sender.send(columns(database).await).expect("sent") }).await;
    on_postgres(|database| async move { other.send(columns(database).await).expect("sent") }).await;
    let (sqlite, postgres) = (receiver.recv().expect("columns"), receiver.recv().expect("columns"));
    assert_eq!(sqlite, postgres);
    assert!(sqlite.len() > 50, "the catalogue has {} statements", sqlite.len());
}
