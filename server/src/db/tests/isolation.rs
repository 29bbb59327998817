//! Our own mistakes, made on purpose in every table: whatever a frame forgets, the other school
//! stays out of it. The tables, their columns and keys are read from the schema.

use super::{Name, count, scope};
use crate::{
    db::{
        Database, Frame as _,
        open::Backend,
        sqlite::SYSTEM_TABLES,
        statements::Raw,
        testing::{
            Outside, on_both, outside,
            shape::{self, Reference, Table},
        },
        values,
    },
    demo,
};

const OURS: &str = "naalya";
const THEIRS: &str = "riverbend";

/// How the guards say no. Any other fault would be the test's own.
const GUARDS: [&str; 4] =
    ["row-level security", "permission denied", "a row outside this frame", "only grows"];

/// Both schools with a row in every table.
async fn two_schools(database: &Database) -> Vec<Table> {
    assert!(demo::plant(database).await.expect("the demo is planted"));
    let mut outside = outside(database).await;
    let tables = shape::tenant_tables(&mut outside).await;
    shape::a_row_in_each(&mut outside, &tables, &[OURS, THEIRS]).await;
    tables
}

/// How many rows a text touched in a frame of ours that is dropped afterwards, or why none.
async fn attempt(database: &Database, text: &str) -> Result<u64, String> {
    let frame = database.write(&scope(OURS)).await.expect("a frame");
    let mut db = frame.session().lock().await;
    db.execute(Raw(text.to_owned()), values![]).await.map_err(|error| format!("{error:?}"))
}

/// A condition that one row of ours meets.
fn one_row(database: &Database, table: &str) -> String {
    match database.backend() {
        Backend::Sqlite(_) => {
            format!("rowid = (SELECT min(rowid) FROM main.{table} WHERE school_id = '{OURS}')")
        }
        Backend::Postgres(_) => {
            format!("ctid = (SELECT ctid FROM main.{table} WHERE school_id = '{OURS}' LIMIT 1)")
        }
    }
}

/// Lets one row of ours refer to a row of this school.
async fn refer(
    database: &Database,
    outside: &mut Outside,
    table: &Table,
    reference: &Reference,
    school: &str,
) -> Result<u64, String> {
    let theirs: Vec<String> =
        reference.own_pairs().map(|(_, theirs)| format!("CAST({theirs} AS TEXT)")).collect();
    let row = format!(
        "SELECT {} FROM main.{} WHERE school_id = '{school}' LIMIT 1",
        theirs.join(", "),
        reference.parent
    );
    let row = outside.rows(&row).await.remove(0);
    let sets: Vec<String> = reference
        .own_pairs()
        .zip(row)
        .map(|((ours, _), value)| format!("{ours} = '{}'", value.expect("a key is no null")))
        .collect();
    let condition = one_row(database, &table.name);
    let update = format!("UPDATE main.{} SET {} WHERE {condition}", table.name, sets.join(", "));
    attempt(database, &update).await
}

on_both! {
    async fn a_forgotten_where_sees_one_school(database: Database) {
        for Table { name, .. } in two_schools(&database).await {
            for school in [OURS, THEIRS] {
                let frame = database.read(&scope(school)).await.expect("a frame");
                let rows = count(&frame, &name).await;
                assert!(rows > 0, "{school} has no row in {name}, so the test proves nothing");
                let own = format!("{name} WHERE school_id = '{school}'");
                assert_eq!(rows, count(&frame, &own).await, "{name}");
                let mut db = frame.session().lock().await;
                let foreign = format!("SELECT school_id AS name FROM {name} WHERE school_id <> '{school}'");
                let foreign: Vec<Name> = db.all(Raw(foreign), values![]).await.expect("a list");
                assert!(foreign.is_empty(), "{name}");
            }
            let nobody = database.read(&scope("no such school")).await.expect("a frame");
            assert_eq!(count(&nobody, &name).await, 0, "{name}");
        }
    }

    async fn a_write_to_the_other_school_fails_or_finds_nothing(database: Database) {
        let tables = two_schools(&database).await;
        let before = outside(&database).await.rows_of(&tables, THEIRS).await;
        let (mut refused, mut found_nothing) = (0, 0);
        for table in &tables {
            let (name, columns) = (&table.name, table.following());
            for (text, must_be_refused) in [
                (format!("INSERT INTO main.{name} (school_id{columns}) SELECT '{THEIRS}'{columns} FROM {name} LIMIT 1"), true),
                (format!("UPDATE main.{name} SET school_id = '{THEIRS}' WHERE {}", one_row(&database, name)), true),
                (format!("UPDATE main.{name} SET school_id = '{OURS}' WHERE school_id = '{THEIRS}'"), false),
                (format!("UPDATE main.{name} SET school_id = school_id WHERE school_id = '{THEIRS}'"), false),
                (format!("DELETE FROM main.{name} WHERE school_id = '{THEIRS}'"), false),
            ] {
                match attempt(&database, &text).await {
                    Err(error) if GUARDS.iter().any(|guard| error.contains(guard)) => refused += 1,
                    Ok(0) if !must_be_refused => found_nothing += 1,
                    other => panic!("{other:?}: {text}"),
                }
            }
        }
        assert_eq!(outside(&database).await.rows_of(&tables, THEIRS).await, before);
        eprintln!(
            "{} tables: {refused} writes refused by a guard, {found_nothing} found no row, 0 rows of the other school changed",
            tables.len()
        );
    }

    async fn a_row_cannot_hang_on_another_schools_row(database: Database) {
        let tables = two_schools(&database).await;
        let (mut outside, mut refused, mut closed) = (outside(&database).await, 0, Vec::new());
        for table in &tables {
            for reference in table.references.iter().filter(|one| one.own_pairs().next().is_some()) {
                if refer(&database, &mut outside, table, reference, OURS).await != Ok(1) {
                    // Nothing in it changes, so nothing in it can be led astray.
                    closed.push(table.name.as_str());
                    continue;
                }
                let foreign = refer(&database, &mut outside, table, reference, THEIRS).await;
                assert!(foreign.is_err(), "{}: {reference:?} leads to another school: {foreign:?}", table.name);
                refused += 1;
            }
        }
        assert!(refused >= 20, "{refused}");
        eprintln!("{refused} keys lead to no row of another school; never changed: {closed:?}");
    }

    async fn a_read_frame_cannot_write(database: Database) {
        for Table { name, .. } in two_schools(&database).await {
            for text in [
                format!("UPDATE main.{name} SET school_id = school_id"),
                format!("DELETE FROM main.{name}"),
            ] {
                let frame = database.read(&scope(OURS)).await.expect("a frame");
                let done = frame.session().lock().await.execute(Raw(text.clone()), values![]).await;
                assert!(done.is_err(), "{text}");
            }
        }
    }

    async fn the_system_sees_accounts_of_every_school_and_no_school_records(database: Database) {
        let tables = two_schools(&database).await;
        let before = outside(&database).await.rows_of(&tables, THEIRS).await;
        for Table { name, .. } in &tables {
            let mut system = database.system_read().await.expect("a system frame");
            let schools = format!("SELECT DISTINCT school_id AS name FROM {name} ORDER BY 1");
            let seen: Result<Vec<Name>, _> = system.all(Raw(schools), values![]).await;
            let schools: Vec<String> = seen.into_iter().flatten().map(|row| row.name).collect();
            if SYSTEM_TABLES.contains(&name.as_str()) || name == "school" {
                assert_eq!(schools, [OURS, THEIRS], "{name}");
            } else {
                assert_eq!(schools, [""; 0], "{name}");
            }
            if !SYSTEM_TABLES.contains(&name.as_str()) {
                let mut system = database.system_write().await.expect("a system frame");
                let gone = system.execute(Raw(format!("DELETE FROM main.{name}")), values![]).await;
                assert!(gone.is_err(), "{name}");
            }
        }
        assert_eq!(outside(&database).await.rows_of(&tables, THEIRS).await, before);
    }

    async fn a_dropped_write_frame_leaves_nothing(database: Database) {
        two_schools(&database).await;
        let gone = "UPDATE main.department SET name = name || '!' WHERE school_id = 'naalya'";
        assert!(attempt(&database, gone).await.expect("rows") > 0);
        let frame = database.read(&scope(OURS)).await.expect("a frame");
        assert_eq!(count(&frame, "department WHERE name LIKE '%!'").await, 0);
    }
}

/// `REPLACE` deletes what is in its way, in every school, and fires delete triggers only if it is
/// told to.
#[tokio::test]
async fn replace_on_sqlite_takes_no_row_of_the_other_school_away() {
    crate::db::testing::on_sqlite(|database| async move {
        let tables = two_schools(&database).await;
        let before = outside(&database).await.rows_of(&tables, THEIRS).await;
        for (table, key) in [("turn", "id"), ("account", "id"), ("account", "email")] {
            let of = tables.iter().find(|one| one.name == table).expect("it is there");
            let row = format!("(SELECT {key} FROM main.{table} WHERE school_id = '{THEIRS}' LIMIT 1)");
            let values = of.following().replace(&format!(", {key}"), &format!(", {row}"));
            // What was planted there meets no CHECK.
            let values = values.replace(", state", ", 'open'");
            let text = format!(
                "INSERT OR REPLACE INTO main.{table} (school_id{}) SELECT school_id{values} FROM {table} LIMIT 1",
                of.following()
            );
            let refused = attempt(&database, &text).await.expect_err(&text);
            assert!(refused.contains("a row outside this frame"), "{text}: {refused}");
        }
        assert_eq!(outside(&database).await.rows_of(&tables, THEIRS).await, before);
    })
    .await;
}
