//! Classes, subjects and who teaches what.

use super::{Places, catalogue};

/// The class is the record itself, so its id is both.
pub(super) const CLASS: Places = Places {
    campus: "r.campus_id IN ({})",
    class: Some("r.id IN ({})"),
    assignment: Some("r.id IN (SELECT t.class_id FROM teaching_assignment t WHERE t.id IN ({}))"),
    id: "r.id IN ({})",
};

macro_rules! class {
    ($rest:literal) => {
        concat!(
            "SELECT r.id, r.name, r.stream, r.capacity, r.version, r.campus_id, p.name AS campus_name, \
             r.class_teacher_id, s.full_name AS class_teacher, \
             (SELECT count(*) FROM enrolment e WHERE e.class_id = r.id AND e.ended_on IS NULL) AS students, \
             coalesce((SELECT string_agg(t.id, '\n') FROM teaching_assignment t WHERE t.class_id = r.id), '') \
             AS assignment_ids \
             FROM class r JOIN campus p ON p.id = r.campus_id \
             JOIN academic_year y ON y.id = r.academic_year_id AND y.is_current \
             LEFT JOIN staff s ON s.id = r.class_teacher_id WHERE ",
            $rest
        )
    };
}

catalogue! {
    /// One class of the current year.
    statement FIND_CLASS { class!("r.id = $1") }
    /// Classes of the current year, by name; of one campus.
    listing CLASSES {
        Class,
        CLASS,
        class!("(CAST($1 AS TEXT) IS NULL OR r.campus_id = $1) AND {visible} ORDER BY r.name, p.name, r.id")
    }
    /// A new class.
    statement ADD_CLASS {
        "INSERT INTO main.class (school_id, id, campus_id, academic_year_id, name, stream, class_teacher_id) \
         VALUES ($1, $2, $3, $4, $5, $6, $7)"
    }
    /// Other values, if nobody changed the class meanwhile.
    statement UPDATE_CLASS {
        "UPDATE main.class SET name = $4, stream = $5, class_teacher_id = $6, capacity = $7, version = version + 1 \
         WHERE school_id = $1 AND id = $2 AND version = $3"
    }
    /// The subjects of the school that are in use.
    statement SUBJECTS { "SELECT id, name, code FROM subject WHERE archived_at_us IS NULL ORDER BY name" }
    /// One teaching assignment.
    statement FIND_ASSIGNMENT {
        "SELECT t.id, t.class_id, c.name AS class_name, c.campus_id, p.name AS campus_name, \
         t.subject_id, j.name AS subject_name, s.full_name AS teacher \
         FROM teaching_assignment t JOIN class c ON c.id = t.class_id JOIN campus p ON p.id = c.campus_id \
         JOIN subject j ON j.id = t.subject_id JOIN staff s ON s.id = t.staff_id WHERE t.id = $1"
    }
    /// A new teaching assignment.
    statement ADD_ASSIGNMENT {
        "INSERT INTO main.teaching_assignment (school_id, id, staff_id, class_id, subject_id) \
         VALUES ($1, $2, $3, $4, $5)"
    }
}
