//! What opens and closes a frame. The only texts that differ between the databases, so they are not
//! in the common catalogue.

pub(crate) const BEGIN_WRITE_SQLITE: &str = "BEGIN IMMEDIATE";
pub(crate) const BEGIN_WRITE_POSTGRES: &str = "BEGIN";
pub(crate) const BEGIN_READ_POSTGRES: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
pub(crate) const ROLLBACK: &str = "ROLLBACK";

/// The school in the frame, one row a connection.
pub(crate) const CREATE_FRAME_SQLITE: &str =
    "CREATE TEMP TABLE rover_frame (school TEXT); INSERT INTO temp.rover_frame VALUES (NULL);";
pub(crate) const ENTER_SQLITE: &str = "UPDATE temp.rover_frame SET school = $1";
pub(crate) const LEAVE_SQLITE: &str = "UPDATE temp.rover_frame SET school = NULL";
pub(crate) const ENTER_POSTGRES: &str = "SELECT set_config('app.school', $1, true)";

pub(crate) const TENANT_TABLES_SQLITE: &str = "SELECT m.name FROM main.sqlite_schema m \
     JOIN pragma_table_info(m.name) c ON c.name = 'school_id' WHERE m.type = 'table' ORDER BY m.name";

/// One at a time; the number is nothing but agreed.
pub(crate) const QUEUE_TO_MIGRATE_POSTGRES: &str = "SELECT pg_advisory_lock(4310)";
pub(crate) const IS_PREPARED_POSTGRES: &str = "SELECT EXISTS (SELECT 1 FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace \
         WHERE n.nspname = 'main' AND c.relname = '_sqlx_migrations')";
pub(crate) const APPLIED_MIGRATIONS_POSTGRES: &str =
    "SELECT version FROM main._sqlx_migrations WHERE success ORDER BY version";
pub(crate) const LIFT_FORCE_POSTGRES: &str = "DO $$ DECLARE forced REGCLASS; BEGIN \
     FOR forced IN SELECT c.oid FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace \
         WHERE n.nspname = 'main' AND c.relforcerowsecurity LOOP \
         EXECUTE format('ALTER TABLE %s NO FORCE ROW LEVEL SECURITY', forced); \
     END LOOP; END $$";
pub(crate) const FORCE_POSTGRES: &str = "DO $$ DECLARE tenant REGCLASS; BEGIN \
     FOR tenant IN SELECT c.oid FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace \
         JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'school_id' AND NOT a.attisdropped \
         WHERE n.nspname = 'main' AND c.relkind IN ('r', 'p') \
         AND NOT (c.relrowsecurity AND c.relforcerowsecurity) LOOP \
         EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY', tenant); \
     END LOOP; END $$";

/// The login, the first role it could act as that passes row-level security, and why that does.
pub(crate) const STRONG_LOGIN_POSTGRES: &str = "SELECT session_user::text, role, why FROM ( \
         SELECT rolname::text AS role, CASE \
             WHEN rolsuper THEN 'is a superuser' \
             WHEN rolbypassrls THEN 'has BYPASSRLS' \
             WHEN rolcreaterole THEN 'has CREATEROLE and may make itself a member of the owner' \
             WHEN rolreplication THEN 'has REPLICATION and may copy every row' \
             WHEN rolname IN ('pg_read_server_files', 'pg_write_server_files', 'pg_execute_server_program') \
                 THEN 'reaches the files of the server' \
             WHEN EXISTS (SELECT 1 FROM pg_namespace n LEFT JOIN pg_class c ON c.relnamespace = n.oid \
                          WHERE n.nspname = 'main' AND r.oid IN (n.nspowner, c.relowner)) \
                 THEN 'owns the tables' \
             WHEN EXISTS (SELECT 1 FROM pg_database d WHERE d.datname = current_database() AND d.datdba = r.oid) \
                 THEN 'owns the database' \
         END AS why \
         FROM pg_roles r WHERE pg_has_role(session_user, r.oid, 'MEMBER')) reached \
     WHERE why IS NOT NULL ORDER BY role <> session_user, role LIMIT 1";
/// The login, and whether it may work as both roles.
pub(crate) const WORKING_ROLES_POSTGRES: &str = "SELECT session_user::text, 2 = ( \
         SELECT count(*) FROM pg_roles WHERE rolname IN ('rover_app', 'rover_system') \
         AND pg_has_role(session_user, oid, 'MEMBER'))";
pub(crate) const BECOME_APP_POSTGRES: &str = "SET ROLE rover_app";
/// A table of a school that row-level security does not hold for everybody.
pub(crate) const OPEN_TABLE_POSTGRES: &str = "SELECT c.relname::text FROM pg_class c \
     JOIN pg_namespace n ON n.oid = c.relnamespace \
     JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'school_id' AND NOT a.attisdropped \
     WHERE n.nspname = 'main' AND c.relkind IN ('r', 'p') \
     AND NOT (c.relrowsecurity AND c.relforcerowsecurity) ORDER BY 1 LIMIT 1";
