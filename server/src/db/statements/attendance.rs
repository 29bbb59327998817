//! Attendance, one row a student and day.

use tools::attendance::AttendanceDaySort;

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
    /// How one student attended from day to day, the latest first.
    statement MARKS_OF_STUDENT {
        "SELECT a.on_date, a.status FROM attendance a \
         WHERE a.student_id = $1 AND a.on_date >= $2 AND a.on_date <= $3 ORDER BY a.on_date DESC"
    }
    /// Recorded days in numbers, a row for each class; from a day, until a day, of one class, of one campus.
    paged ATTENDANCE_DAYS {
        Attendance,
        CLASS,
        AttendanceDaySort: |sort| match sort {
            AttendanceDaySort::Date => "q.on_date || ' ' || lower(q.class_name)",
            AttendanceDaySort::Class => "lower(q.class_name) || ' ' || q.on_date",
        },
        "SELECT r.id || ' ' || d.on_date AS id, d.on_date, r.id AS class_id, r.name AS class_name, \
         d.present, d.absent, d.late FROM class r JOIN \
         (SELECT a.class_id, a.on_date, \
          sum(CASE WHEN a.status = 'present' THEN 1 ELSE 0 END) AS present, \
          sum(CASE WHEN a.status = 'absent' THEN 1 ELSE 0 END) AS absent, \
          sum(CASE WHEN a.status = 'late' THEN 1 ELSE 0 END) AS late FROM attendance a \
          WHERE (CAST($1 AS TEXT) IS NULL OR a.on_date >= $1) AND (CAST($2 AS TEXT) IS NULL OR a.on_date <= $2) \
          AND (CAST($3 AS TEXT) IS NULL OR a.class_id = $3) GROUP BY a.class_id, a.on_date) d ON d.class_id = r.id \
         WHERE (CAST($4 AS TEXT) IS NULL OR r.campus_id = $4) AND {visible}"
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
