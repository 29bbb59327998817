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
    /// What is on record about a student besides where they are.
    statement STUDENT_RECORD {
        "SELECT gender, date_of_birth, version FROM student WHERE id = $1"
    }
    /// The classes of a student with their dates, the latest first. Without a first day an enrolment began with its year.
    statement ENROLMENTS_OF {
        "SELECT x.class_id, c.name AS class_name, y.name AS academic_year, \
         coalesce(x.started_on, y.starts_on) AS started_on, x.ended_on \
         FROM (SELECT student_id, class_id, academic_year_id, started_on, ended_on FROM enrolment \
               UNION ALL \
               SELECT student_id, class_id, academic_year_id, started_on, ended_on FROM enrolment_past) x \
         JOIN class c ON c.id = x.class_id JOIN academic_year y ON y.id = x.academic_year_id \
         WHERE x.student_id = $1 ORDER BY y.year DESC, x.ended_on IS NULL DESC, x.ended_on DESC, x.class_id"
    }
    /// Another name, gender or date of birth, if nobody changed the record meanwhile.
    statement UPDATE_STUDENT {
        "UPDATE main.student SET full_name = $4, gender = $5, date_of_birth = $6, version = version + 1 \
         WHERE school_id = $1 AND id = $2 AND version = $3"
    }
    /// Keeps the class that a student leaves for another of the same year.
    statement KEEP_ENROLMENT {
        "INSERT INTO main.enrolment_past (school_id, id, student_id, class_id, academic_year_id, started_on, ended_on) \
         SELECT $1, $2, e.student_id, e.class_id, e.academic_year_id, coalesce(e.started_on, y.starts_on), $4 \
         FROM enrolment e JOIN academic_year y ON y.id = e.academic_year_id \
         WHERE e.student_id = $3 AND e.ended_on IS NULL"
    }
    /// Waits until nobody else enrols in the school, and lets nobody enrol before the frame ends.
    statement ENROL_ALONE { "UPDATE main.school SET name = name WHERE school_id = $1" }
    /// How many students the school ever had.
    statement COUNT_STUDENTS { "SELECT count(*) AS n FROM student" }
    /// How many students have an admission number, which is one or none.
    statement COUNT_NUMBERED { "SELECT count(*) AS n FROM student WHERE admission_number = $1" }
    /// A new student.
    statement ADD_STUDENT {
        "INSERT INTO main.student (school_id, id, campus_id, admission_number, full_name, gender, date_of_birth) \
         VALUES ($1, $2, $3, $4, $5, $6, $7)"
    }
    /// Enrols in a class of the current year.
    statement ENROL {
        "INSERT INTO main.enrolment (school_id, student_id, class_id, academic_year_id, started_on) \
         SELECT $1, $2, c.id, c.academic_year_id, $4 FROM class c WHERE c.id = $3"
    }
    /// Another class of the same year.
    statement MOVE_ENROLMENT {
        "UPDATE main.enrolment SET class_id = $3, started_on = $5 WHERE school_id = $1 AND student_id = $2 AND class_id = $4 \
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
