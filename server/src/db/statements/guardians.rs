//! Guardians and whose they are.

use super::{Places, catalogue};

/// A guardian hangs where their students do.
const GUARDIAN: Places = Places {
    campus: "r.id IN (SELECT g.guardian_id FROM student_guardian g JOIN student s ON s.id = g.student_id \
             WHERE s.campus_id IN ({}))",
    class: Some(
        "r.id IN (SELECT g.guardian_id FROM student_guardian g \
         JOIN enrolment e ON e.student_id = g.student_id AND e.ended_on IS NULL \
         JOIN academic_year y ON y.id = e.academic_year_id AND y.is_current WHERE e.class_id IN ({}))",
    ),
    assignment: None,
    id: "r.id IN ({})",
};

macro_rules! guardian {
    ($rest:literal) => {
        concat!(
            "SELECT r.id, r.full_name AS name, r.phone, r.email, r.version, \
             coalesce((SELECT string_agg(s.full_name, '\n' ORDER BY s.full_name, s.id) FROM student_guardian g \
                       JOIN student s ON s.id = g.student_id WHERE g.guardian_id = r.id), '') AS students, \
             coalesce((SELECT string_agg(s.campus_id || '\t' || coalesce(e.class_id, ''), '\n') \
                       FROM student_guardian g JOIN student s ON s.id = g.student_id \
                       LEFT JOIN academic_year y ON y.is_current \
                       LEFT JOIN enrolment e ON e.student_id = s.id AND e.academic_year_id = y.id AND e.ended_on IS NULL \
                       WHERE g.guardian_id = r.id), '') AS places \
             FROM guardian r WHERE ",
            $rest
        )
    };
}

macro_rules! link {
    ($rest:literal) => {
        concat!(
            "SELECT r.id, r.full_name AS name, g.relation, g.priority, r.phone, r.email, s.full_name AS student_name \
             FROM student_guardian g JOIN guardian r ON r.id = g.guardian_id JOIN student s ON s.id = g.student_id \
             WHERE g.student_id = $1",
            $rest
        )
    };
}

catalogue! {
    /// One guardian.
    statement FIND_GUARDIAN { guardian!("r.id = $1") }
    /// Guardians, by name; of students of one campus: for finding one by name.
    listing GUARDIANS_TO_FIND {
        Guardian,
        GUARDIAN,
        guardian!(
            "(CAST($1 AS TEXT) IS NULL OR r.id IN (SELECT g.guardian_id FROM student_guardian g \
              JOIN student s ON s.id = g.student_id WHERE s.campus_id = $1)) \
             AND {visible} ORDER BY r.full_name, r.id"
        )
    }
    /// The guardians of a student, whom to call first at the top.
    statement GUARDIANS_OF { link!(" ORDER BY g.priority, r.full_name, r.id") }
    /// What one guardian is to a student.
    statement GUARDIAN_OF { link!(" AND g.guardian_id = $2") }
    /// A new guardian.
    statement ADD_GUARDIAN {
        "INSERT INTO main.guardian (school_id, id, full_name, phone, email) VALUES ($1, $2, $3, $4, $5)"
    }
    /// Other contacts, if nobody changed them meanwhile.
    statement UPDATE_GUARDIAN {
        "UPDATE main.guardian SET full_name = $4, phone = $5, email = $6, version = version + 1 \
         WHERE school_id = $1 AND id = $2 AND version = $3"
    }
    /// What a guardian is to a student, from now on.
    statement LINK_GUARDIAN {
        "INSERT INTO main.student_guardian (school_id, student_id, guardian_id, relation, priority) \
         VALUES ($1, $2, $3, $4, $5) ON CONFLICT (school_id, student_id, guardian_id) \
         DO UPDATE SET relation = excluded.relation, priority = excluded.priority"
    }
    /// Not a guardian of the student any more.
    statement UNLINK_GUARDIAN {
        "DELETE FROM main.student_guardian WHERE school_id = $1 AND student_id = $2 AND guardian_id = $3"
    }
}
