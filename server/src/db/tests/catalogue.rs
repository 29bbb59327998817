//! One text for two databases: every statement is prepared on both, takes as many parameters and
//! answers the same columns, of the few types that mean the same to both. There is no text beside
//! the catalogue.

use std::{fs, path::Path};

use sqlx::{Column as _, Either, Executor as _, SqlStr, Statement as _, TypeInfo as _};

use crate::db::{
    Database,
    open::Backend,
    statements::{CATALOGUE, Catalogued, Text as _},
    testing::{on_postgres, on_sqlite},
};

/// What a statement takes and answers.
#[derive(Debug, PartialEq)]
struct Shape {
    name: &'static str,
    parameters: usize,
    columns: Vec<String>,
}

fn every_text() -> impl Iterator<Item = (&'static str, SqlStr)> {
    CATALOGUE.iter().copied().flatten().flat_map(|line| match line {
        Catalogued::Statement(name, statement) => vec![(*name, statement.sql())],
        Catalogued::Listing(name, listing) => vec![(*name, listing.filled("TRUE").sql())],
        Catalogued::Paged(name, texts) => {
            texts().into_iter().map(|text| (*name, text.sql())).collect()
        }
    })
}

async fn shapes(database: Database) -> Vec<(Shape, Vec<String>)> {
    macro_rules! shape {
        ($name:ident, $sql:ident, $pool:expr) => {{
            let mut connection = $pool.acquire().await.expect("a connection");
            let ready =
                connection.prepare($sql).await.unwrap_or_else(|error| panic!("{}: {error}", $name));
            let parameters = match ready.parameters() {
                Some(Either::Left(types)) => types.len(),
                Some(Either::Right(count)) => count,
                None => 0,
            };
            let columns = ready.columns().iter().map(|column| column.name().to_owned()).collect();
            let types = ready.columns().iter().map(|column| column.type_info().name().to_owned());
            (Shape { name: $name, parameters, columns }, types.collect())
        }};
    }
    let mut all = Vec::new();
    for (name, sql) in every_text() {
        all.push(match database.backend() {
            Backend::Sqlite(sqlite) => shape!(name, sql, sqlite.write),
            Backend::Postgres(postgres) => shape!(name, sql, postgres.app),
        });
    }
    all
}

#[tokio::test]
async fn each_statement_means_the_same_to_sqlite_and_postgres() {
    let (sender, receiver) = std::sync::mpsc::channel();
    let other = sender.clone();
    on_sqlite(|database| async move { sender.send(shapes(database).await).expect("sent") }).await;
    on_postgres(|database| async move { other.send(shapes(database).await).expect("sent") }).await;
    let (sqlite, postgres) = (receiver.recv().expect("shapes"), receiver.recv().expect("shapes"));
    assert!(sqlite.len() > 50, "the catalogue has {} statements", sqlite.len());
    for ((ours, known), (theirs, types)) in sqlite.iter().zip(&postgres) {
        assert_eq!(ours, theirs);
        for ((column, known), kind) in ours.columns.iter().zip(known).zip(types) {
            let column = format!("{}: {column} is {known} and {kind}", ours.name);
            // An INT4 is read as no i64, and what SQLite says is not asked where it only guesses.
            assert!(["TEXT", "INT8", "BOOL"].contains(&kind.as_str()), "{column}");
            let same = match known.as_str() {
                "TEXT" => kind == "TEXT",
                "BOOLEAN" => kind == "BOOL",
                "INTEGER" | "BIGINT" | "INT8" => kind == "INT8" || kind == "BOOL",
                _ => true,
            };
            assert!(same, "{column}");
        }
    }
    assert_eq!(sqlite.len(), postgres.len());
}

/// Where SQL may stand beside the catalogue, and why.
const BESIDE: [(&str, &str); 2] = [
    ("db/statements/", "the catalogue"),
    ("db/sqlite.rs", "the guards are made from the schema when a connection opens"),
];

#[test]
fn no_sql_stands_outside_the_catalogue() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let (mut files, mut found) = (0, Vec::new());
    walk(&root, &mut |path| {
        let name = path.strip_prefix(&root).expect("below it").to_string_lossy().into_owned();
        let is_test = ["tests", "testing", "bench"].iter().any(|word| name.contains(word));
        if is_test || BESIDE.iter().any(|(place, _)| name.starts_with(place)) {
            return;
        }
        files += 1;
        let text = fs::read_to_string(path).expect("readable");
        // What a file tests in itself comes last in it.
        let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
        let lines = text.lines().enumerate().filter(|(_, line)| holds_sql(line));
        found.extend(lines.map(|(n, line)| format!("{name}:{}: {}", n + 1, line.trim())));
    });
    assert!(files > 80, "{files} files were read");
    assert!(found.is_empty(), "put these into server/src/db/statements:\n{}", found.join("\n"));
}

fn holds_sql(line: &str) -> bool {
    let line = line.trim_start();
    if line.starts_with("//") {
        return false;
    }
    let verbs = [
        "SELECT ",
        "INSERT INTO ",
        "UPDATE ",
        "DELETE FROM ",
        "WITH ",
        "CREATE ",
        "ALTER ",
        "DROP ",
        "PRAGMA ",
        "SET ",
        "GRANT ",
    ];
    let opens = |verb: &&str| line.contains(&format!("\"{verb}"));
    line.contains("AssertSqlSafe") || verbs.iter().any(|verb| opens(&verb))
}

fn walk(folder: &Path, visit: &mut impl FnMut(&Path)) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            walk(&path, visit);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            visit(&path);
        }
    }
}

#[test]
fn sql_is_recognised() {
    for (line, is_sql) in [
        (r#"sqlx::query("SELECT 1")"#, true),
        (r#"let text = format!("UPDATE main.{table} SET x = 1");"#, true),
        ("raw_sql(AssertSqlSafe(text))", true),
        (r#"/// "SELECT 1" is a query"#, false),
        (r#"error("the update failed")"#, false),
        (r#"const VIA: &str = "DELETE /api/departments/{id}";"#, false),
    ] {
        assert_eq!(holds_sql(line), is_sql, "{line}");
    }
}
