//! Attendance, one row a student and day.

use super::{catalogue, classes::CLASS};

catalogue! {
    /// The marks of a class on a day, by student.
    statement MARKS {
        "SELECT a.student_id, s.full_name AS student, a.status FROM attendance a \
         JOIN student s ON s.id = a.student_id WHERE a.class_id = $1 AND a.on_date = $2 \
         ORDER BY s.full_name, s.id"
    }
    /// Who is enrolled in a class now.
    statement ROLL {
        "SELECT e.student_id AS id FROM enrolment e WHERE e.class_id = $1 AND e.ended_on IS NULL \
         ORDER BY e.student_id"
    }
    /// One mark; a later one takes its place.
    statement RECORD_MARK {
        "INSERT INTO main.attendance (school_id, student_id, class_id, on_date, status, recorded_by, recorded_at_us) \
         VALUES ($1, $2, $3, $4, $5, $6, $7) \
         ON CONFLICT (school_id, student_id, on_date) DO UPDATE SET class_id = excluded.class_id, \
         status = excluded.status, recorded_by = excluded.recorded_by, recorded_at_us = excluded.recorded_at_us"
    }
    /// A day of each class in numbers; of one campus.
    listing ATTENDANCE_SUMMARY {
        Attendance,
        CLASS,
        "SELECT r.id AS class_id, r.name AS class_name, \
         (SELECT count(*) FROM attendance a WHERE a.class_id = r.id AND a.on_date = $1 AND a.status = 'present') AS present, \
         (SELECT count(*) FROM attendance a WHERE a.class_id = r.id AND a.on_date = $1 AND a.status = 'absent') AS absent, \
         (SELECT count(*) FROM attendance a WHERE a.class_id = r.id AND a.on_date = $1 AND a.status = 'late') AS late \
         FROM class r JOIN academic_year y ON y.id = r.academic_year_id AND y.is_current \
         WHERE (CAST($2 AS TEXT) IS NULL OR r.campus_id = $2) AND {visible} ORDER BY r.name, r.id"
    }
}
