//! The guards are made from the schema; these tests ask the schema whether a table was forgotten.

use super::{count, names, scope};
use crate::db::{
    sqlite::SYSTEM_TABLES,
    statements::frame::TENANT_TABLES_SQLITE,
    testing::{on_postgres, on_sqlite},
};

/// Tables that belong to no school, each with its reason.
const OF_NO_SCHOOL: [&str; 2] = [
    "_sqlx_migrations", // which migrations ran
    "security_line",    // refusals, whose school may be a lie
];

#[tokio::test]
async fn every_sqlite_table_of_a_school_is_behind_a_view_and_four_triggers() {
    on_sqlite(|database| async move {
        let frame = database.read(&scope("naalya")).await.expect("a frame");
        let tables = names(&frame, TENANT_TABLES_SQLITE).await;
        let all = names(
            &frame,
            "SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
        )
        .await;
        let mut expected: Vec<String> = all;
        expected.retain(|table| !OF_NO_SCHOOL.contains(&table.as_str()));
        assert_eq!(tables, expected, "a table without school_id must be listed with its reason");
        for table in &tables {
            let view = format!("temp.sqlite_schema WHERE type = 'view' AND name = '{table}'");
            assert_eq!(count(&frame, &view).await, 1, "{table}");
            let guards =
                format!("temp.sqlite_schema WHERE type = 'trigger' AND tbl_name = '{table}'");
            assert_eq!(count(&frame, &guards).await, 4, "{table}");
        }
        assert!(tables.len() >= 24, "{tables:?}");
    })
    .await;
}

#[tokio::test]
async fn every_postgres_table_of_a_school_forces_row_level_security() {
    on_postgres(|database| async move {
        let frame = database.read(&scope("naalya")).await.expect("a frame");
        let all = names(
            &frame,
            "SELECT relname AS name FROM pg_class WHERE relnamespace = 'main'::regnamespace AND relkind = 'r' ORDER BY 1",
        )
        .await;
        let forced = names(
            &frame,
            "SELECT c.relname AS name FROM pg_class c WHERE c.relnamespace = 'main'::regnamespace AND c.relkind = 'r' \
             AND c.relrowsecurity AND c.relforcerowsecurity \
             AND EXISTS (SELECT 1 FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'school_id') \
             AND EXISTS (SELECT 1 FROM pg_policy p WHERE p.polrelid = c.oid AND p.polname = 'one_school' \
                         AND p.polcmd = '*' AND p.polwithcheck IS NOT NULL) ORDER BY 1",
        )
        .await;
        let mut expected = all;
        expected.retain(|table| !OF_NO_SCHOOL.contains(&table.as_str()));
        assert_eq!(forced, expected);

        let owned = count(
            &frame,
            "pg_class WHERE relnamespace = 'main'::regnamespace AND relowner IN ('rover_app'::regrole, 'rover_system'::regrole)",
        );
        assert_eq!(owned.await, 0, "the working roles own nothing");
        let strong =
            count(&frame, "pg_roles WHERE rolname IN ('rover_app', 'rover_system') AND (rolsuper OR rolbypassrls)");
        assert_eq!(strong.await, 0);
        assert_eq!(names(&frame, "SELECT current_user::text AS name").await, ["rover_app"]);

        let open = names(
            &frame,
            "SELECT c.relname AS name FROM pg_policy p JOIN pg_class c ON c.oid = p.polrelid \
             WHERE p.polname = 'every_school' AND p.polcmd = '*' ORDER BY 1",
        )
        .await;
        assert_eq!(open, SYSTEM_TABLES, "both databases open the same tables to the system");
    })
    .await;
}
