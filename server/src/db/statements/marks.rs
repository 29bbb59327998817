//! Assessments, marks and the grading scale.

use tools::assessments::AssessmentSort;

use super::{Places, catalogue};

/// Assessments, and the marks in them, hang on the class and on whoever teaches the subject there.
const ASSESSMENT: Places = Places {
    campus: "c.campus_id IN ({})",
    class: Some("r.class_id IN ({})"),
    assignment: Some(
        "EXISTS (SELECT 1 FROM teaching_assignment a WHERE a.class_id = r.class_id \
         AND a.subject_id = r.subject_id AND a.id IN ({}))",
    ),
    id: "r.id IN ({})",
};

macro_rules! assessment {
    ($rest:literal) => {
        concat!(
            "SELECT r.id, r.name, r.class_id, c.name AS class_name, c.campus_id, r.subject_id, j.name AS subject, \
             r.term_id, t.name AS term, t.term_number, r.on_date, r.maximum, r.weight, r.state, r.version, \
             (SELECT count(*) FROM mark m WHERE m.assessment_id = r.id) AS marked, \
             coalesce((SELECT string_agg(a.id, '\n') FROM teaching_assignment a \
                       WHERE a.class_id = r.class_id AND a.subject_id = r.subject_id), '') AS assignment_ids \
             FROM assessment r JOIN class c ON c.id = r.class_id \
             JOIN academic_year y ON y.id = c.academic_year_id AND y.is_current \
             JOIN subject j ON j.id = r.subject_id JOIN term t ON t.id = r.term_id WHERE ",
            $rest
        )
    };
}

/// A line for each student of the class of an assessment, and for each who has a mark in it and left the class.
macro_rules! mark {
    ($rest:literal) => {
        concat!(
            "SELECT s.id AS student_id, s.full_name AS student, m.score, (m.student_id IS NOT NULL) AS recorded, \
             coalesce(m.version, 0) AS version FROM assessment r JOIN class c ON c.id = r.class_id \
             JOIN student s ON s.id IN (SELECT e.student_id FROM enrolment e WHERE e.class_id = r.class_id AND e.ended_on IS NULL \
                                        UNION SELECT k.student_id FROM mark k WHERE k.assessment_id = r.id) \
             LEFT JOIN mark m ON m.assessment_id = r.id AND m.student_id = s.id WHERE r.id = $1",
            $rest,
            " ORDER BY s.full_name, s.id"
        )
    };
}

catalogue! {
    /// One assessment of this year.
    statement FIND_ASSESSMENT { assessment!("r.id = $1") }
    /// The assessments of this year; of a class, a subject, a term, a state, a campus.
    paged ASSESSMENTS {
        Assessment,
        ASSESSMENT,
        AssessmentSort: |sort| match sort {
            AssessmentSort::Date => "q.on_date || ' ' || lower(q.class_name)",
            AssessmentSort::Class => "lower(q.class_name) || ' ' || q.on_date",
            AssessmentSort::Name => "lower(q.name) || ' ' || lower(q.class_name)",
        },
        assessment!(
            "(CAST($1 AS TEXT) IS NULL OR r.class_id = $1) AND (CAST($2 AS TEXT) IS NULL OR r.subject_id = $2) \
             AND (CAST($3 AS BIGINT) IS NULL OR t.term_number = $3) AND (CAST($4 AS TEXT) IS NULL OR r.state = $4) \
             AND (CAST($5 AS TEXT) IS NULL OR c.campus_id = $5) \
             AND {visible}"
        )
    }
    /// The same of one campus, the latest first, for finding one by name.
    listing ASSESSMENTS_TO_FIND {
        Assessment,
        ASSESSMENT,
        assessment!(
            "(CAST($1 AS TEXT) IS NULL OR c.campus_id = $1) AND {visible} ORDER BY r.on_date DESC, c.name, j.name, r.id"
        )
    }
    /// The assessments of a subject in a class and term, in the order of their days.
    statement ASSESSMENTS_OF {
        assessment!("r.class_id = $1 AND r.subject_id = $2 AND r.term_id = $3 ORDER BY r.on_date, r.name, r.id")
    }
    /// A new assessment.
    statement ADD_ASSESSMENT {
        "INSERT INTO main.assessment (school_id, id, class_id, subject_id, term_id, name, on_date, maximum, weight, state, changed_at_us) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)"
    }
    /// Other values, if nobody changed the assessment meanwhile.
    statement UPDATE_ASSESSMENT {
        "UPDATE main.assessment SET name = $4, on_date = $5, maximum = $6, weight = $7, changed_at_us = $8, \
         version = version + 1 WHERE school_id = $1 AND id = $2 AND version = $3 AND state <> 'closed'"
    }
    /// Another state, if nobody changed the assessment meanwhile.
    statement SET_ASSESSMENT_STATE {
        "UPDATE main.assessment SET state = $4, changed_at_us = $5, version = version + 1 \
         WHERE school_id = $1 AND id = $2 AND version = $3 AND state <> 'closed'"
    }
    /// Takes hold of an assessment whose marks are about to change, so that nobody closes it meanwhile.
    statement HOLD_ASSESSMENT {
        "UPDATE main.assessment SET changed_at_us = $3 WHERE school_id = $1 AND id = $2 AND state <> 'closed'"
    }
    /// The greatest mark that was given in an assessment.
    statement GREATEST_MARK { "SELECT max(m.score) AS score FROM mark m WHERE m.assessment_id = $1" }
    /// The marks in an assessment, as a list that was asked for.
    listing MARKS { Mark, ASSESSMENT, mark!(" AND {visible}") }
    /// The same for whoever proved that the assessment is theirs.
    statement MARKS_OF { mark!("") }
    /// A mark where there is none.
    statement ADD_MARK {
        "INSERT INTO main.mark (school_id, assessment_id, student_id, score, recorded_by, recorded_at_us) \
         VALUES ($1, $2, $3, $4, $5, $6)"
    }
    /// Another mark, if nobody changed it meanwhile.
    statement UPDATE_MARK {
        "UPDATE main.mark SET score = $5, recorded_by = $6, recorded_at_us = $7, version = version + 1 \
         WHERE school_id = $1 AND assessment_id = $2 AND student_id = $3 AND version = $4"
    }
    /// Whether the school has a scale of its own, and at which version.
    statement GRADING_SCALE {
        "SELECT r.school_id AS id, coalesce((SELECT g.version FROM grading_scale g), 0) AS version, \
         coalesce((SELECT string_agg(z.id, '\n') FROM campus z), '') AS campus_ids FROM school r WHERE r.school_id = $1"
    }
    /// Its bands, highest first.
    statement GRADE_BANDS { "SELECT grade, from_percent, remark FROM grade_band ORDER BY from_percent DESC" }
    /// The first scale of a school's own.
    statement ADD_GRADING_SCALE { "INSERT INTO main.grading_scale (school_id, version) VALUES ($1, 1)" }
    /// Another scale, if nobody changed it meanwhile.
    statement NEXT_GRADING_SCALE {
        "UPDATE main.grading_scale SET version = version + 1 WHERE school_id = $1 AND version = $2"
    }
    /// The bands go.
    statement CLEAR_BANDS { "DELETE FROM main.grade_band WHERE school_id = $1" }
    /// One band.
    statement ADD_BAND {
        "INSERT INTO main.grade_band (school_id, grade, from_percent, remark) VALUES ($1, $2, $3, $4)"
    }
}
