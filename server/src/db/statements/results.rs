//! Results of a class in a term, and what reports read.

use super::catalogue;

/// Terms by number on any campus, since marks move along with a student. `$1` is a class, `$2` the number.
macro_rules! counted {
    ($columns:literal, $rest:literal) => {
        concat!(
            "SELECT ",
            $columns,
            " FROM class c JOIN enrolment e ON e.class_id = c.id AND e.ended_on IS NULL \
             JOIN student s ON s.id = e.student_id \
             JOIN mark m ON m.student_id = e.student_id AND m.score IS NOT NULL \
             JOIN assessment a ON a.id = m.assessment_id AND a.state <> 'open' \
             JOIN term t ON t.id = a.term_id AND t.term_number = $2 \
             JOIN campus_academic_year cy ON cy.id = t.campus_academic_year_id AND cy.academic_year_id = c.academic_year_id \
             WHERE c.id = $1",
            $rest
        )
    };
}

catalogue! {
    /// Every mark that counts of the students of a class in a term.
    statement MARKS_THAT_COUNT {
        counted!("m.student_id, a.subject_id, m.score, a.maximum, a.weight", " ORDER BY m.student_id, a.subject_id, a.id")
    }
    /// Who is enrolled in a class now, by name.
    statement STUDENTS_OF_CLASS {
        "SELECT s.id, s.full_name AS name FROM enrolment e JOIN student s ON s.id = e.student_id \
         WHERE e.class_id = $1 AND e.ended_on IS NULL ORDER BY s.full_name, s.id"
    }
    /// How many assessments of a class and term count, and how many are open.
    statement ASSESSMENTS_IN_TERM {
        "SELECT (SELECT count(*) FROM assessment a WHERE a.class_id = $1 AND a.term_id = $2 AND a.state <> 'open') AS counting, \
         (SELECT count(*) FROM assessment a WHERE a.class_id = $1 AND a.term_id = $2 AND a.state = 'open') AS still_open"
    }
    /// The results of a class and term are computed now; another computation waits.
    statement HOLD_RESULTS {
        "INSERT INTO main.class_result (school_id, class_id, term_id, computed_at_us) VALUES ($1, $2, $3, $4) \
         ON CONFLICT (school_id, class_id, term_id) DO UPDATE SET computed_at_us = excluded.computed_at_us"
    }
    /// The results by subject go.
    statement CLEAR_SUBJECT_RESULTS {
        "DELETE FROM main.subject_result WHERE school_id = $1 AND class_id = $2 AND term_id = $3"
    }
    /// The results by student go.
    statement CLEAR_STUDENT_RESULTS {
        "DELETE FROM main.student_result WHERE school_id = $1 AND class_id = $2 AND term_id = $3"
    }
    /// The result of a student.
    statement ADD_STUDENT_RESULT {
        "INSERT INTO main.student_result (school_id, class_id, term_id, student_id, average, grade, rank, subjects) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)"
    }
    /// The result of a student in a subject.
    statement ADD_SUBJECT_RESULT {
        "INSERT INTO main.subject_result (school_id, class_id, term_id, student_id, subject_id, average, grade, rank) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)"
    }
    /// When the results of a class and term were computed, and whether anything changed since.
    statement RESULTS_STANDING {
        "SELECT r.computed_at_us, EXISTS (SELECT 1 FROM assessment a WHERE a.class_id = r.class_id AND a.term_id = r.term_id \
         AND a.changed_at_us > r.computed_at_us) AS out_of_date FROM class_result r WHERE r.class_id = $1 AND r.term_id = $2"
    }
    /// The students of a class and term by position.
    statement RANKING {
        "SELECT r.student_id, s.full_name AS student, r.average, r.grade, r.rank, r.subjects \
         FROM student_result r JOIN student s ON s.id = r.student_id \
         WHERE r.class_id = $1 AND r.term_id = $2 ORDER BY r.rank, s.full_name, s.id"
    }
    /// The results of a class and term by subject, the best first.
    statement RESULTS_BY_SUBJECT {
        "SELECT r.subject_id, j.name AS subject, r.student_id, s.full_name AS student, r.average, r.grade, r.rank \
         FROM subject_result r JOIN subject j ON j.id = r.subject_id JOIN student s ON s.id = r.student_id \
         WHERE r.class_id = $1 AND r.term_id = $2 ORDER BY j.name, j.id, r.rank, s.full_name, s.id"
    }
    /// The classes in which a student has a result of a term of the current year.
    statement RESULT_OF_STUDENT {
        "SELECT r.class_id, r.term_id, c.name AS class_name, t.name AS term, t.starts_on, t.ends_on \
         FROM student_result r JOIN class c ON c.id = r.class_id \
         JOIN academic_year y ON y.id = c.academic_year_id AND y.is_current \
         JOIN term t ON t.id = r.term_id AND t.term_number = $2 \
         JOIN class_result k ON k.class_id = r.class_id AND k.term_id = r.term_id \
         WHERE r.student_id = $1 ORDER BY k.computed_at_us DESC, r.class_id LIMIT 1"
    }
    /// The averages of the year group of a class in a term.
    statement YEAR_GROUP_AVERAGES {
        "SELECT r.average FROM student_result r JOIN class c ON c.id = r.class_id \
         JOIN class own ON own.id = $1 AND own.campus_id = c.campus_id AND own.academic_year_id = c.academic_year_id \
         WHERE r.term_id = $2 \
         AND lower(CASE WHEN c.stream IS NULL THEN c.name ELSE rtrim(substr(c.name, 1, length(c.name) - length(c.stream))) END) \
           = lower(CASE WHEN own.stream IS NULL THEN own.name ELSE rtrim(substr(own.name, 1, length(own.name) - length(own.stream))) END)"
    }
    /// The terms of the current year in which a class has results, in order.
    statement TERMS_WITH_RESULTS {
        "SELECT t.id, t.name FROM class_result r JOIN term t ON t.id = r.term_id \
         WHERE r.class_id = $1 ORDER BY t.term_number, t.id"
    }
    /// Attendance of a class between two days.
    statement ATTENDANCE_OF_CLASS {
        "SELECT (SELECT count(*) FROM attendance a WHERE a.class_id = $1 AND a.on_date BETWEEN $2 AND $3 AND a.status = 'present') AS present, \
         (SELECT count(*) FROM attendance a WHERE a.class_id = $1 AND a.on_date BETWEEN $2 AND $3 AND a.status = 'absent') AS absent, \
         (SELECT count(*) FROM attendance a WHERE a.class_id = $1 AND a.on_date BETWEEN $2 AND $3 AND a.status = 'late') AS late"
    }
    /// Attendance of a student between two days.
    statement ATTENDANCE_OF_STUDENT {
        "SELECT (SELECT count(*) FROM attendance a WHERE a.student_id = $1 AND a.on_date BETWEEN $2 AND $3 AND a.status = 'present') AS present, \
         (SELECT count(*) FROM attendance a WHERE a.student_id = $1 AND a.on_date BETWEEN $2 AND $3 AND a.status = 'absent') AS absent, \
         (SELECT count(*) FROM attendance a WHERE a.student_id = $1 AND a.on_date BETWEEN $2 AND $3 AND a.status = 'late') AS late"
    }
}
