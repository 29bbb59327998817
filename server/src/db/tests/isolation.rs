//! Our own mistakes, made on purpose: whatever a frame forgets, the other school stays out of it.

use super::{Count, Name, count, names, scope};
use crate::{
    db::{
        Database, Frame as _,
        open::Backend,
        statements::{Raw, frame::TENANT_TABLES_SQLITE},
        testing::on_both,
        values,
    },
    demo,
};

const TENANT_TABLES_POSTGRES: &str = "SELECT table_name::text AS name FROM information_schema.columns \
     WHERE table_schema = 'main' AND column_name = 'school_id' ORDER BY 1";

/// A row in every table that the demo leaves empty, for one school.
const REST: [&str; 7] = [
    "INSERT INTO main.thread VALUES ($1, $1 || '-thread', (SELECT min(id) FROM account WHERE school_id = $1), 'Title', 1, 1)",
    "INSERT INTO main.turn (school_id, id, thread_id, account_id, state, end_reason, run_mode, opened_at_us, closed_at_us) VALUES ($1, $1 || '-turn', $1 || '-thread', (SELECT min(id) FROM account WHERE school_id = $1), 'open', NULL, '{}', 1, NULL)",
    "INSERT INTO main.message VALUES ($1, 'm1', $1 || '-thread', $1 || '-turn', 1, 'user', '[]', 1)",
    "INSERT INTO main.turn_event VALUES ($1, $1 || '-turn', 'server', 1, 1, 'offered', '{}')",
    "INSERT INTO main.pending_question VALUES ($1, 'q1', $1 || '-turn', 'Which?', '[]', '{}', 1, NULL, NULL)",
    "INSERT INTO main.turn_token (school_id, jti, turn_id, issued_at_us, expires_at_us) VALUES ($1, 'jti', $1 || '-turn', 1, 2)",
    "INSERT INTO main.delivery VALUES ($1, 'call', 1)",
];

async fn two_schools(database: &Database) {
    assert!(demo::plant(database).await.expect("the demo is planted"));
    let mut system = database.system_write().await.expect("a system frame");
    for school in ["naalya", "riverbend"] {
        for insert in REST {
            let inserted = system.execute(Raw(insert.to_owned()), values![school]).await;
            assert_eq!(inserted.expect(insert), 1);
        }
    }
    system.commit().await.expect("committed");
}

/// Each table with the columns that follow `school_id`.
async fn tables(database: &Database) -> Vec<(String, String)> {
    let frame = database.read(&scope("naalya")).await.expect("a frame");
    let sqlite = matches!(database.backend(), Backend::Sqlite(_));
    let list = if sqlite { TENANT_TABLES_SQLITE } else { TENANT_TABLES_POSTGRES };
    let mut tables = Vec::new();
    for table in names(&frame, list).await {
        let columns = if sqlite {
            format!("SELECT name FROM pragma_table_info('{table}') WHERE name <> 'school_id'")
        } else {
            format!(
                "SELECT column_name::text AS name FROM information_schema.columns \
                 WHERE table_schema = 'main' AND table_name = '{table}' AND column_name <> 'school_id'"
            )
        };
        let columns = names(&frame, &columns).await;
        let following = columns.iter().fold(String::new(), |list, name| list + ", " + name);
        tables.push((table, following));
    }
    assert!(tables.len() >= 24);
    tables
}

on_both! {
    async fn a_forgotten_where_sees_one_school(database: Database) {
        two_schools(&database).await;
        for (table, _) in tables(&database).await {
            let mut seen = Vec::new();
            for school in ["naalya", "riverbend"] {
                let frame = database.read(&scope(school)).await.expect("a frame");
                let rows = count(&frame, &table).await;
                assert!(rows > 0, "{school} has no row in {table}: plant one, or the test proves nothing");
                let own = count(&frame, &format!("{table} WHERE school_id = '{school}'")).await;
                assert_eq!(rows, own, "{table}");
                seen.push(rows);
            }
            let nobody = database.read(&scope("no such school")).await.expect("a frame");
            assert_eq!(count(&nobody, &table).await, 0, "{table} seen {seen:?}");
        }
    }

    async fn a_write_to_the_other_school_fails_or_finds_nothing(database: Database) {
        two_schools(&database).await;
        for (table, columns) in tables(&database).await {
            let rows = async || {
                count(&database.read(&scope("riverbend")).await.expect("a frame"), &table).await
            };
            let before = rows().await;
            for (attempt, may_find_nothing) in [
                (format!("INSERT INTO main.{table} (school_id{columns}) SELECT 'riverbend'{columns} FROM {table} LIMIT 1"), false),
                (format!("UPDATE main.{table} SET school_id = 'riverbend' WHERE school_id = 'naalya'"), false),
                (format!("UPDATE main.{table} SET school_id = 'naalya' WHERE school_id = 'riverbend'"), true),
                (format!("DELETE FROM main.{table} WHERE school_id = 'riverbend'"), true),
            ] {
                let frame = database.write(&scope("naalya")).await.expect("a frame");
                let touched = frame.session().lock().await.execute(Raw(attempt.clone()), values![]).await;
                match touched {
                    Err(_) => {}
                    Ok(0) if may_find_nothing => {}
                    Ok(rows) => panic!("{rows} rows: {attempt}"),
                }
            }
            assert_eq!(rows().await, before, "{table}");
        }
    }

    async fn a_read_frame_cannot_write(database: Database) {
        two_schools(&database).await;
        for attempt in [
            "UPDATE main.department SET name = 'x'",
            "DELETE FROM main.attendance",
            "INSERT INTO main.subject VALUES ('naalya', 'x', 'x', 'x')",
        ] {
            let frame = database.read(&scope("naalya")).await.expect("a frame");
            let done = frame.session().lock().await.execute(Raw(attempt.to_owned()), values![]).await;
            assert!(done.is_err(), "{attempt}");
        }
    }

    async fn the_system_sees_accounts_of_every_school_and_no_school_records(database: Database) {
        two_schools(&database).await;
        let mut system = database.system_read().await.expect("a system frame");
        let schools: Vec<Name> = system
            .all(Raw("SELECT DISTINCT school_id AS name FROM account ORDER BY 1".to_owned()), values![])
            .await
            .expect("accounts");
        assert_eq!(schools.iter().map(|row| row.name.as_str()).collect::<Vec<_>>(), ["naalya", "riverbend"]);
        for table in ["student", "staff", "department", "attendance", "audit_log", "tool_call"] {
            let mut system = database.system_read().await.expect("a system frame");
            let seen: Result<Vec<Count>, _> =
                system.all(Raw(format!("SELECT count(*) AS n FROM {table}")), values![]).await;
            assert!(seen.is_err() || seen.is_ok_and(|rows| rows[0].n == 0), "{table}");
            let mut system = database.system_write().await.expect("a system frame");
            let gone = system.execute(Raw(format!("DELETE FROM main.{table}")), values![]).await;
            assert!(gone.is_err(), "{table}");
        }
    }

    async fn a_dropped_write_frame_leaves_nothing(database: Database) {
        two_schools(&database).await;
        let frame = database.write(&scope("naalya")).await.expect("a frame");
        let gone = Raw("UPDATE main.department SET name = name || '!' WHERE school_id = 'naalya'".to_owned());
        assert!(frame.session().lock().await.execute(gone, values![]).await.expect("rows") > 0);
        drop(frame);
        let frame = database.read(&scope("naalya")).await.expect("a frame");
        assert_eq!(count(&frame, "department WHERE name LIKE '%!'").await, 0);
    }

    async fn a_row_cannot_hang_on_another_schools_row(database: Database) {
        two_schools(&database).await;
        let frame = database.write(&scope("naalya")).await.expect("a frame");
        let attempt = "INSERT INTO main.department VALUES ('naalya', 'd', 'riverbend-campus-river', 'D', 1, NULL)";
        let done = frame.session().lock().await.execute(Raw(attempt.to_owned()), values![]).await;
        assert!(done.is_err());
    }
}
