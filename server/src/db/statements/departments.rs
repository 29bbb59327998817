//! Departments of a campus.

use tools::departments::DepartmentSort;

use super::{Places, catalogue};

const DEPARTMENT: Places =
    Places { campus: "r.campus_id IN ({})", class: None, assignment: None, id: "r.id IN ({})" };

macro_rules! department {
    ($rest:literal) => {
        concat!(
            "SELECT r.id, r.name, r.campus_id, p.name AS campus_name, r.version \
             FROM department r JOIN campus p ON p.id = r.campus_id \
             WHERE r.archived_at_us IS NULL AND ",
            $rest
        )
    };
}

catalogue! {
    /// One department in use.
    statement FIND_DEPARTMENT { department!("r.id = $1") }
    /// Departments in use; of one campus.
    paged DEPARTMENTS {
        Department,
        DEPARTMENT,
        DepartmentSort: |sort| match sort {
            DepartmentSort::Name => "lower(q.name)",
            DepartmentSort::Campus => "lower(q.campus_name) || ' ' || lower(q.name)",
        },
        department!("(CAST($1 AS TEXT) IS NULL OR r.campus_id = $1) AND {visible}")
    }
    /// The same whole, for finding one by name.
    listing DEPARTMENTS_TO_FIND {
        Department,
        DEPARTMENT,
        department!(
            "(CAST($1 AS TEXT) IS NULL OR r.campus_id = $1) AND {visible} ORDER BY lower(r.name), r.id"
        )
    }
    /// A new department.
    statement ADD_DEPARTMENT {
        "INSERT INTO main.department (school_id, id, campus_id, name) VALUES ($1, $2, $3, $4)"
    }
    /// Another name, if nobody changed the department meanwhile.
    statement RENAME_DEPARTMENT {
        "UPDATE main.department SET name = $4, version = version + 1 \
         WHERE school_id = $1 AND id = $2 AND version = $3 AND archived_at_us IS NULL"
    }
    /// Out of use, if nobody changed it meanwhile.
    statement ARCHIVE_DEPARTMENT {
        "UPDATE main.department SET archived_at_us = $4, version = version + 1 \
         WHERE school_id = $1 AND id = $2 AND version = $3 AND archived_at_us IS NULL"
    }
}
