//! The school itself, its campuses and its calendar.

use super::{Places, catalogue};

const CAMPUS: Places =
    Places { campus: "r.id IN ({})", class: None, assignment: None, id: "r.id IN ({})" };

const TERM: Places =
    Places { campus: "cy.campus_id IN ({})", class: None, assignment: None, id: "r.id IN ({})" };

/// A year is seen by whoever sees a campus that takes part in it.
const YEAR: Places = Places {
    campus: "r.id IN (SELECT cy.academic_year_id FROM campus_academic_year cy WHERE cy.campus_id IN ({}))",
    class: None,
    assignment: None,
    id: "FALSE",
};

macro_rules! term {
    ($rest:literal) => {
        concat!(
            "SELECT r.id, r.name, r.term_number, r.starts_on, r.ends_on, r.version, (r.closed_at_us IS NOT NULL) AS closed, \
             cy.id AS campus_academic_year_id, cy.campus_id, p.name AS campus_name \
             FROM term r JOIN campus_academic_year cy ON cy.id = r.campus_academic_year_id \
             JOIN academic_year y ON y.id = cy.academic_year_id AND y.is_current \
             JOIN campus p ON p.id = cy.campus_id ",
            $rest
        )
    };
}

catalogue! {
    /// Nothing but an answer.
    statement ANSWERS { "SELECT CAST(1 AS BIGINT) AS n" }
    /// The school in the frame.
    statement SCHOOL { "SELECT school_id AS id, name, time_zone FROM school" }
    /// One campus.
    statement FIND_CAMPUS {
        "SELECT r.id, r.name, r.closed_on, r.version FROM campus r WHERE r.id = $1 \
         AND (r.closed_on IS NULL OR r.closed_on > CAST(CURRENT_DATE AS TEXT))"
    }
    /// One campus, be it that it is closed.
    statement FIND_ANY_CAMPUS { "SELECT r.id, r.name, r.closed_on, r.version FROM campus r WHERE r.id = $1" }
    /// Open campuses by name.
    listing CAMPUSES {
        Campus,
        CAMPUS,
        "SELECT r.id, r.name, r.closed_on, r.version FROM campus r WHERE (r.closed_on IS NULL OR r.closed_on > CAST(CURRENT_DATE AS TEXT)) AND {visible} ORDER BY r.name, r.id"
    }
    /// Another name, if nobody changed the campus meanwhile.
    statement RENAME_CAMPUS {
        "UPDATE main.campus SET name = $4, version = version + 1 WHERE school_id = $1 AND id = $2 AND version = $3"
    }
    /// Out of sight from a day on (by universal time), if nobody changed the campus meanwhile.
    statement CLOSE_CAMPUS {
        "UPDATE main.campus SET closed_on = $4, version = version + 1 \
         WHERE school_id = $1 AND id = $2 AND version = $3"
    }
    /// How many students attend on a campus.
    statement STUDENTS_ON { "SELECT count(*) AS n FROM student WHERE campus_id = $1 AND withdrawn_on IS NULL" }
    /// Campuses in numbers.
    listing CAMPUS_FIGURES {
        Campus,
        CAMPUS,
        "SELECT r.id, r.name, \
         (SELECT count(*) FROM department d WHERE d.campus_id = r.id AND d.archived_at_us IS NULL) AS departments, \
         (SELECT count(*) FROM class c JOIN academic_year y ON y.id = c.academic_year_id AND y.is_current \
          WHERE c.campus_id = r.id) AS classes, \
         (SELECT count(*) FROM student s WHERE s.campus_id = r.id AND s.withdrawn_on IS NULL) AS students, \
         (SELECT count(*) FROM staff_campus w JOIN staff f ON f.id = w.staff_id AND f.active \
          WHERE w.campus_id = r.id) AS staff \
         FROM campus r WHERE (r.closed_on IS NULL OR r.closed_on > CAST(CURRENT_DATE AS TEXT)) AND {visible} ORDER BY r.name, r.id"
    }
    /// The year that the school is in, if one is set.
    statement CURRENT_YEAR { "SELECT id, name, year, is_current FROM academic_year WHERE is_current" }
    /// The school's years, newest first.
    listing YEARS {
        Term,
        YEAR,
        "SELECT r.id, r.name, r.year, r.is_current FROM academic_year r WHERE {visible} ORDER BY r.year DESC"
    }
    /// How a campus takes part in the current year.
    statement CAMPUS_YEAR {
        "SELECT cy.id FROM campus_academic_year cy \
         JOIN academic_year y ON y.id = cy.academic_year_id AND y.is_current WHERE cy.campus_id = $1"
    }
    /// The terms of the current year on one campus, for the context of a turn.
    statement TERMS_OF_CAMPUS { term!("WHERE cy.campus_id = $1 ORDER BY r.term_number") }
    /// The same as a list that the caller asked for.
    listing TERMS { Term, TERM, term!("WHERE cy.campus_id = $1 AND {visible} ORDER BY r.term_number") }
    /// One term of the current year.
    statement FIND_TERM { term!("WHERE r.id = $1") }
    /// Gives a term other dates.
    statement SET_TERM_DATES {
        "UPDATE main.term SET starts_on = $4, ends_on = $5, version = version + 1 \
         WHERE school_id = $1 AND id = $2 AND version = $3"
    }
    /// Closed since a moment, or open, if nobody changed the term meanwhile.
    statement SET_TERM_CLOSED {
        "UPDATE main.term SET closed_at_us = $4, version = version + 1 \
         WHERE school_id = $1 AND id = $2 AND version = $3"
    }
    /// The closed term of a campus that a day lies in, in whatever year.
    statement CLOSED_TERM_ON {
        "SELECT r.name FROM term r JOIN campus_academic_year cy ON cy.id = r.campus_academic_year_id \
         WHERE cy.campus_id = $1 AND r.starts_on <= $2 AND $2 <= r.ends_on AND r.closed_at_us IS NOT NULL"
    }
    /// Every open campus takes part in a year.
    statement CAMPUSES_TAKE_PART {
        "INSERT INTO main.campus_academic_year (school_id, id, campus_id, academic_year_id) \
         SELECT r.school_id, $2 || '-' || r.id, r.id, $2 FROM campus r WHERE r.school_id = $1 AND r.closed_on IS NULL"
    }
    /// A new school, unless it is there.
    statement ADD_SCHOOL {
        "INSERT INTO main.school (school_id, name, time_zone) VALUES ($1, $2, $3) \
         ON CONFLICT (school_id) DO NOTHING"
    }
    /// A new campus.
    statement ADD_CAMPUS { "INSERT INTO main.campus (school_id, id, name) VALUES ($1, $2, $3)" }
    /// A new academic year.
    statement ADD_YEAR {
        "INSERT INTO main.academic_year (school_id, id, name, year, starts_on, ends_on, is_current) \
         VALUES ($1, $2, $3, $4, $5, $6, $7)"
    }
    /// A campus takes part in a year.
    statement ADD_CAMPUS_YEAR {
        "INSERT INTO main.campus_academic_year (school_id, id, campus_id, academic_year_id) VALUES ($1, $2, $3, $4)"
    }
    /// A new term.
    statement ADD_TERM {
        "INSERT INTO main.term (school_id, id, campus_academic_year_id, name, term_number, starts_on, ends_on) \
         VALUES ($1, $2, $3, $4, $5, $6, $7)"
    }
}
