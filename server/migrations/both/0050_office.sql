-- The school's office: guardians, announcements, and what happens to records in time.

ALTER TABLE campus ADD COLUMN version BIGINT NOT NULL DEFAULT 1;
-- A closed campus is out of sight; its records stay.
ALTER TABLE campus ADD COLUMN closed_on TEXT;
ALTER TABLE term ADD COLUMN version BIGINT NOT NULL DEFAULT 1;
ALTER TABLE staff ADD COLUMN version BIGINT NOT NULL DEFAULT 1;
ALTER TABLE student ADD COLUMN version BIGINT NOT NULL DEFAULT 1;

-- An enrolment is where a student is now; without a first day it began with the academic year.
ALTER TABLE enrolment ADD COLUMN started_on TEXT;
-- Where they were before, in the same year.
CREATE TABLE enrolment_past (
    school_id        TEXT NOT NULL,
    id               TEXT NOT NULL,
    student_id       TEXT NOT NULL,
    class_id         TEXT NOT NULL,
    academic_year_id TEXT NOT NULL,
    started_on       TEXT NOT NULL,
    ended_on         TEXT NOT NULL,
    PRIMARY KEY (school_id, id),
    FOREIGN KEY (school_id, student_id) REFERENCES student (school_id, id),
    FOREIGN KEY (school_id, class_id) REFERENCES class (school_id, id),
    FOREIGN KEY (school_id, academic_year_id) REFERENCES academic_year (school_id, id)
);
CREATE INDEX enrolment_past_student ON enrolment_past (school_id, student_id);

CREATE TABLE guardian (
    school_id TEXT NOT NULL REFERENCES school (school_id),
    id        TEXT NOT NULL,
    full_name TEXT NOT NULL,
    phone     TEXT,
    email     TEXT,
    version   BIGINT NOT NULL DEFAULT 1,
    PRIMARY KEY (school_id, id)
);

-- Who is asked first has priority 1. Two guardians may have the same one.
CREATE TABLE student_guardian (
    school_id   TEXT NOT NULL,
    student_id  TEXT NOT NULL,
    guardian_id TEXT NOT NULL,
    relation    TEXT NOT NULL CHECK (relation IN ('mother', 'father', 'grandparent', 'sibling', 'relative', 'guardian')),
    priority    BIGINT NOT NULL CHECK (priority BETWEEN 1 AND 9),
    PRIMARY KEY (school_id, student_id, guardian_id),
    FOREIGN KEY (school_id, student_id) REFERENCES student (school_id, id),
    FOREIGN KEY (school_id, guardian_id) REFERENCES guardian (school_id, id)
);
CREATE INDEX student_guardian_guardian ON student_guardian (school_id, guardian_id);

-- To the whole school, or to one campus, or to one class; in any of them to one role only, if one is named.
CREATE TABLE announcement (
    school_id       TEXT NOT NULL REFERENCES school (school_id),
    id              TEXT NOT NULL,
    title           TEXT NOT NULL,
    body            TEXT NOT NULL,
    campus_id       TEXT,
    class_id        TEXT,
    role            TEXT,
    state           TEXT NOT NULL DEFAULT 'draft' CHECK (state IN ('draft', 'published', 'withdrawn')),
    written_by      TEXT NOT NULL,
    written_at_us   BIGINT NOT NULL,
    published_at_us BIGINT,
    version         BIGINT NOT NULL DEFAULT 1,
    PRIMARY KEY (school_id, id),
    FOREIGN KEY (school_id, campus_id) REFERENCES campus (school_id, id),
    FOREIGN KEY (school_id, class_id) REFERENCES class (school_id, id),
    FOREIGN KEY (school_id, written_by) REFERENCES staff (school_id, id),
    CHECK (class_id IS NULL OR campus_id IS NOT NULL)
);
CREATE INDEX announcement_state ON announcement (school_id, state, written_at_us);
