//! Students and their enrolment.

use tools::students::StudentSort;

use super::{Places, catalogue};

const STUDENT: Places = Places {
    campus: "r.campus_id IN ({})",
    class: Some("e.class_id IN ({})"),
    assignment: Some(
        "e.class_id IN (SELECT t.class_id FROM teaching_assignment t WHERE t.id IN ({}))",
    ),
    id: "r.id IN ({})",
};

macro_rules! student {
    ($rest:literal) => {
        concat!(
            "SELECT r.id, r.full_name AS name, r.admission_number, e.class_id, c.name AS class_name, \
             r.campus_id, p.name AS campus_name, (r.withdrawn_on IS NOT NULL) AS withdrawn, \
             coalesce((SELECT string_agg(t.id, '\n') FROM teaching_assignment t WHERE t.class_id = e.class_id), '') \
             AS assignment_ids \
             FROM student r JOIN campus p ON p.id = r.campus_id \
             LEFT JOIN academic_year y ON y.is_current \
             LEFT JOIN enrolment e ON e.student_id = r.id AND e.academic_year_id = y.id AND e.ended_on IS NULL \
             LEFT JOIN class c ON c.id = e.class_id WHERE ",
            $rest
        )
    };
}

catalogue! {
    /// One student.
    statement FIND_STUDENT { student!("r.id = $1") }
    /// Students who are enrolled, or who left (`$3`); of one class, of one campus.
    paged STUDENTS {
        Student,
        STUDENT,
        StudentSort: |sort| match sort {
            StudentSort::Name => "lower(q.name)",
            StudentSort::Class => "coalesce(lower(q.class_name), '') || ' ' || lower(q.name)",
            StudentSort::AdmissionNumber => "q.admission_number",
        },
        student!(
            "CASE WHEN $3 THEN r.withdrawn_on IS NOT NULL ELSE e.class_id IS NOT NULL END \
             AND (CAST($1 AS TEXT) IS NULL OR e.class_id = $1) AND (CAST($2 AS TEXT) IS NULL OR r.campus_id = $2) \
             AND {visible}"
        )
    }
    /// Students who are enrolled, by name; of one campus: for finding one by name.
    listing STUDENTS_TO_FIND {
        Student,
        STUDENT,
        student!(
            "e.class_id IS NOT NULL AND (CAST($1 AS TEXT) IS NULL OR r.campus_id = $1) \
             AND {visible} ORDER BY r.full_name, r.id"
        )
    }
    /// How many students the school ever had.
    statement COUNT_STUDENTS { "SELECT count(*) AS n FROM student" }
    /// How many students have this admission number: one or none.
    statement COUNT_NUMBER { "SELECT count(*) AS n FROM student WHERE admission_number = $1" }
    /// Holds the current year until the end of the frame. Nothing of it changes.
    statement QUEUE_TO_ENROL {
        "UPDATE main.academic_year SET is_current = is_current WHERE school_id = $1 AND is_current"
    }
    /// A new student.
    statement ADD_STUDENT {
        "INSERT INTO main.student (school_id, id, campus_id, admission_number, full_name, gender, date_of_birth) \
         VALUES ($1, $2, $3, $4, $5, $6, $7)"
    }
    /// Enrols in a class of the current year.
    statement ENROL {
        "INSERT INTO main.enrolment (school_id, student_id, class_id, academic_year_id) \
         SELECT $1, $2, c.id, c.academic_year_id FROM class c WHERE c.id = $3"
    }
    /// Another class of the same year.
    statement MOVE_ENROLMENT {
        "UPDATE main.enrolment SET class_id = $3 WHERE school_id = $1 AND student_id = $2 AND class_id = $4 \
         AND ended_on IS NULL"
    }
    /// The campus that goes with the class.
    statement MOVE_STUDENT { "UPDATE main.student SET campus_id = $3 WHERE school_id = $1 AND id = $2" }
    /// Ends every enrolment that is still open.
    statement END_ENROLMENT {
        "UPDATE main.enrolment SET ended_on = $3 WHERE school_id = $1 AND student_id = $2 AND ended_on IS NULL"
    }
    /// The student left.
    statement WITHDRAW_STUDENT {
        "UPDATE main.student SET withdrawn_on = $3 WHERE school_id = $1 AND id = $2 AND withdrawn_on IS NULL"
    }
}
