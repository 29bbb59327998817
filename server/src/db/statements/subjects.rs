//! Subjects, their departments, and which classes take them.

use tools::subjects::SubjectSort;

use super::{Places, catalogue};

/// A subject is the whole school's, so it is on every campus.
const SUBJECT: Places = Places {
    campus: "EXISTS (SELECT 1 FROM campus z WHERE z.id IN ({}))",
    class: None,
    assignment: None,
    id: "r.id IN ({})",
};

macro_rules! subject {
    ($rest:literal) => {
        concat!(
            "SELECT r.id, r.name, r.code, r.version, \
             coalesce((SELECT string_agg(z.id, '\n') FROM campus z), '') AS campus_ids, \
             coalesce((SELECT string_agg(d.campus_id || '\t' || d.name || ' (' || p.name || ')', '\n' ORDER BY p.name, d.name) \
                       FROM department_subject ds JOIN department d ON d.id = ds.department_id AND d.archived_at_us IS NULL \
                       JOIN campus p ON p.id = d.campus_id WHERE ds.subject_id = r.id), '') AS departments \
             FROM subject r WHERE r.archived_at_us IS NULL AND ",
            $rest
        )
    };
}

catalogue! {
    /// One subject in use.
    statement FIND_SUBJECT { subject!("r.id = $1") }
    /// Subjects in use; of one department, of one class.
    paged SUBJECTS {
        Subject,
        SUBJECT,
        SubjectSort: |sort| match sort {
            SubjectSort::Name => "lower(q.name)",
            SubjectSort::Code => "lower(q.code)",
        },
        subject!(
            "(CAST($1 AS TEXT) IS NULL OR EXISTS (SELECT 1 FROM department_subject ds \
              WHERE ds.subject_id = r.id AND ds.department_id = $1)) \
             AND (CAST($2 AS TEXT) IS NULL \
              OR EXISTS (SELECT 1 FROM class_subject cs WHERE cs.subject_id = r.id AND cs.class_id = $2) \
              OR EXISTS (SELECT 1 FROM teaching_assignment t WHERE t.subject_id = r.id AND t.class_id = $2)) \
             AND {visible}"
        )
    }
    /// All of them, for finding one by name or code.
    listing SUBJECTS_TO_FIND { Subject, SUBJECT, subject!("{visible} ORDER BY lower(r.name), r.id") }
    /// A new subject.
    statement ADD_SUBJECT {
        "INSERT INTO main.subject (school_id, id, name, code) VALUES ($1, $2, $3, $4)"
    }
    /// Another name, if nobody changed the subject meanwhile.
    statement RENAME_SUBJECT {
        "UPDATE main.subject SET name = $4, version = version + 1 \
         WHERE school_id = $1 AND id = $2 AND version = $3 AND archived_at_us IS NULL"
    }
    /// Out of use, if nobody changed it meanwhile.
    statement ARCHIVE_SUBJECT {
        "UPDATE main.subject SET archived_at_us = $4, version = version + 1 \
         WHERE school_id = $1 AND id = $2 AND version = $3 AND archived_at_us IS NULL"
    }
    /// The subject leaves the departments of a campus.
    statement LEAVE_DEPARTMENTS {
        "DELETE FROM main.department_subject WHERE school_id = $1 AND subject_id = $2 \
         AND department_id IN (SELECT d.id FROM department d WHERE d.campus_id = $3)"
    }
    /// The subject belongs to a department; nothing if it does.
    statement ENTER_DEPARTMENT {
        "INSERT INTO main.department_subject (school_id, department_id, subject_id) VALUES ($1, $2, $3) \
         ON CONFLICT (school_id, department_id, subject_id) DO NOTHING"
    }
    /// The classes of this year in which somebody teaches a subject.
    statement TAUGHT_IN {
        "SELECT DISTINCT c.name FROM teaching_assignment t JOIN class c ON c.id = t.class_id \
         JOIN academic_year y ON y.id = c.academic_year_id AND y.is_current WHERE t.subject_id = $1 ORDER BY c.name"
    }
    /// What a class takes, and who teaches it there.
    statement SUBJECTS_OF_CLASS {
        "SELECT j.id AS subject_id, j.name AS subject, \
         coalesce((SELECT string_agg(s.full_name, '\n' ORDER BY s.full_name) FROM teaching_assignment t \
                   JOIN staff s ON s.id = t.staff_id WHERE t.class_id = $1 AND t.subject_id = j.id), '') AS teachers \
         FROM subject j WHERE EXISTS (SELECT 1 FROM class_subject cs WHERE cs.class_id = $1 AND cs.subject_id = j.id) \
         OR EXISTS (SELECT 1 FROM teaching_assignment t WHERE t.class_id = $1 AND t.subject_id = j.id) \
         ORDER BY j.name, j.id"
    }
    /// A class is offered a subject; nothing if it is.
    statement OFFER {
        "INSERT INTO main.class_subject (school_id, class_id, subject_id) VALUES ($1, $2, $3) \
         ON CONFLICT (school_id, class_id, subject_id) DO NOTHING"
    }
    /// The offer ends.
    statement END_OFFER {
        "DELETE FROM main.class_subject WHERE school_id = $1 AND class_id = $2 AND subject_id = $3"
    }
}
