//! Who teaches what: teaching assignments.

use tools::teaching::TeachingSort;

use super::{Places, catalogue};

const ASSIGNMENT: Places = Places {
    campus: "c.campus_id IN ({})",
    class: Some("r.class_id IN ({})"),
    assignment: Some("r.id IN ({})"),
    id: "r.id IN ({})",
};

macro_rules! assignment {
    ($rest:literal) => {
        concat!(
            "SELECT r.id, r.class_id, c.name AS class_name, c.campus_id, p.name AS campus_name, \
             r.subject_id, j.name AS subject_name, s.full_name AS teacher \
             FROM teaching_assignment r JOIN class c ON c.id = r.class_id JOIN campus p ON p.id = c.campus_id \
             JOIN academic_year y ON y.id = c.academic_year_id AND y.is_current \
             JOIN subject j ON j.id = r.subject_id JOIN staff s ON s.id = r.staff_id WHERE ",
            $rest
        )
    };
}

catalogue! {
    /// The assignments of this year; of one teacher, class, subject, campus.
    paged ASSIGNMENTS {
        Assignment,
        ASSIGNMENT,
        TeachingSort: |sort| match sort {
            TeachingSort::Class => "lower(q.class_name) || ' ' || lower(q.subject_name)",
            TeachingSort::Teacher => "lower(q.teacher) || ' ' || lower(q.class_name)",
        },
        assignment!(
            "(CAST($1 AS TEXT) IS NULL OR r.staff_id = $1) AND (CAST($2 AS TEXT) IS NULL OR r.class_id = $2) \
             AND (CAST($3 AS TEXT) IS NULL OR r.subject_id = $3) AND (CAST($4 AS TEXT) IS NULL OR c.campus_id = $4) \
             AND {visible}"
        )
    }
    /// The assignment of a teacher to a subject in a class.
    statement ASSIGNMENT_OF { assignment!("r.staff_id = $1 AND r.class_id = $2 AND r.subject_id = $3") }
    /// The assignment ends.
    statement END_ASSIGNMENT { "DELETE FROM main.teaching_assignment WHERE school_id = $1 AND id = $2" }
    /// Who teaches a subject in a class, as ids of assignments.
    statement ASSIGNMENTS_IN {
        "SELECT t.id FROM teaching_assignment t WHERE t.class_id = $1 AND t.subject_id = $2 ORDER BY t.id"
    }
}
