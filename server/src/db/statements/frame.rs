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
