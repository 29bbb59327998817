-- Subjects in use, streams with room, and what students are marked on.
--
-- Scores, maxima and averages are whole hundredths: 6750 is 67.5. An average is a percentage.

-- A closed term takes no change of its assessments, marks and results any more.
ALTER TABLE term ADD COLUMN closed_at_us BIGINT;

-- An archived subject keeps its marks and its code; its name is free again.
ALTER TABLE subject ADD COLUMN archived_at_us BIGINT;
ALTER TABLE subject ADD COLUMN version BIGINT NOT NULL DEFAULT 1;
CREATE UNIQUE INDEX subject_name ON subject (school_id, lower(name)) WHERE archived_at_us IS NULL;

-- Departments belong to a campus and subjects to the school, so a subject has a department on each campus.
CREATE TABLE department_subject (
    school_id     TEXT NOT NULL,
    department_id TEXT NOT NULL,
    subject_id    TEXT NOT NULL,
    PRIMARY KEY (school_id, department_id, subject_id),
    FOREIGN KEY (school_id, department_id) REFERENCES department (school_id, id),
    FOREIGN KEY (school_id, subject_id) REFERENCES subject (school_id, id)
);
CREATE INDEX department_subject_subject ON department_subject (school_id, subject_id);

ALTER TABLE class ADD COLUMN capacity BIGINT CHECK (capacity > 0);
ALTER TABLE class ADD COLUMN version BIGINT NOT NULL DEFAULT 1;

-- What a class takes although nobody teaches it yet. What somebody teaches there, it takes without a row here.
CREATE TABLE class_subject (
    school_id  TEXT NOT NULL,
    class_id   TEXT NOT NULL,
    subject_id TEXT NOT NULL,
    PRIMARY KEY (school_id, class_id, subject_id),
    FOREIGN KEY (school_id, class_id) REFERENCES class (school_id, id),
    FOREIGN KEY (school_id, subject_id) REFERENCES subject (school_id, id)
);
CREATE INDEX class_subject_subject ON class_subject (school_id, subject_id);

CREATE TABLE assessment (
    school_id     TEXT NOT NULL,
    id            TEXT NOT NULL,
    class_id      TEXT NOT NULL,
    subject_id    TEXT NOT NULL,
    term_id       TEXT NOT NULL,
    name          TEXT NOT NULL,
    on_date       TEXT NOT NULL,
    maximum       BIGINT NOT NULL CHECK (maximum > 0),
    weight        BIGINT NOT NULL CHECK (weight BETWEEN 1 AND 100),
    state         TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'published', 'closed')),
    version       BIGINT NOT NULL DEFAULT 1,
    changed_at_us BIGINT NOT NULL,
    PRIMARY KEY (school_id, id),
    FOREIGN KEY (school_id, class_id) REFERENCES class (school_id, id),
    FOREIGN KEY (school_id, subject_id) REFERENCES subject (school_id, id),
    FOREIGN KEY (school_id, term_id) REFERENCES term (school_id, id)
);
CREATE UNIQUE INDEX assessment_name ON assessment (school_id, class_id, subject_id, term_id, lower(name));

-- A mark without a score is an absence. A student without a row is not marked yet. Neither is a zero.
CREATE TABLE mark (
    school_id      TEXT NOT NULL,
    assessment_id  TEXT NOT NULL,
    student_id     TEXT NOT NULL,
    score          BIGINT CHECK (score >= 0),
    version        BIGINT NOT NULL DEFAULT 1,
    recorded_by    TEXT NOT NULL,
    recorded_at_us BIGINT NOT NULL,
    PRIMARY KEY (school_id, assessment_id, student_id),
    FOREIGN KEY (school_id, assessment_id) REFERENCES assessment (school_id, id),
    FOREIGN KEY (school_id, student_id) REFERENCES student (school_id, id),
    FOREIGN KEY (school_id, recorded_by) REFERENCES staff (school_id, id)
);
CREATE INDEX mark_student ON mark (school_id, student_id);

-- The scale of a school that has set one; any other school has the one that the program knows.
CREATE TABLE grading_scale (
    school_id TEXT NOT NULL PRIMARY KEY REFERENCES school (school_id),
    version   BIGINT NOT NULL
);

CREATE TABLE grade_band (
    school_id    TEXT NOT NULL REFERENCES grading_scale (school_id),
    from_percent BIGINT NOT NULL CHECK (from_percent BETWEEN 0 AND 10000),
    grade        TEXT NOT NULL,
    remark       TEXT NOT NULL,
    PRIMARY KEY (school_id, from_percent)
);

-- The results of a class in a term, as they were last computed.
CREATE TABLE class_result (
    school_id      TEXT NOT NULL,
    class_id       TEXT NOT NULL,
    term_id        TEXT NOT NULL,
    computed_at_us BIGINT NOT NULL,
    PRIMARY KEY (school_id, class_id, term_id),
    FOREIGN KEY (school_id, class_id) REFERENCES class (school_id, id),
    FOREIGN KEY (school_id, term_id) REFERENCES term (school_id, id)
);

CREATE TABLE student_result (
    school_id  TEXT NOT NULL,
    class_id   TEXT NOT NULL,
    term_id    TEXT NOT NULL,
    student_id TEXT NOT NULL,
    average    BIGINT NOT NULL CHECK (average BETWEEN 0 AND 10000),
    grade      TEXT NOT NULL,
    rank       BIGINT NOT NULL CHECK (rank > 0),
    subjects   BIGINT NOT NULL,
    PRIMARY KEY (school_id, class_id, term_id, student_id),
    FOREIGN KEY (school_id, class_id, term_id) REFERENCES class_result (school_id, class_id, term_id),
    FOREIGN KEY (school_id, student_id) REFERENCES student (school_id, id)
);
CREATE INDEX student_result_student ON student_result (school_id, student_id);

CREATE TABLE subject_result (
    school_id  TEXT NOT NULL,
    class_id   TEXT NOT NULL,
    term_id    TEXT NOT NULL,
    student_id TEXT NOT NULL,
    subject_id TEXT NOT NULL,
    average    BIGINT NOT NULL CHECK (average BETWEEN 0 AND 10000),
    grade      TEXT NOT NULL,
    rank       BIGINT NOT NULL CHECK (rank > 0),
    PRIMARY KEY (school_id, class_id, term_id, student_id, subject_id),
    FOREIGN KEY (school_id, class_id, term_id, student_id)
        REFERENCES student_result (school_id, class_id, term_id, student_id),
    FOREIGN KEY (school_id, subject_id) REFERENCES subject (school_id, id)
);
