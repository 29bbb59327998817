-- The school: everything here belongs to exactly one school and says so in its first key column.
--
-- One text for SQLite and PostgreSQL (there the schema is `main`, first on the search path). Keys are
-- composite, so a row cannot refer to another school's row. Ids are text, dates are ISO 8601 text,
-- moments are microseconds since 1970 UTC.

CREATE TABLE school (
    school_id TEXT NOT NULL PRIMARY KEY,
    name      TEXT NOT NULL,
    time_zone TEXT
);

CREATE TABLE campus (
    school_id TEXT NOT NULL REFERENCES school (school_id),
    id        TEXT NOT NULL,
    name      TEXT NOT NULL,
    PRIMARY KEY (school_id, id),
    UNIQUE (school_id, name)
);

CREATE TABLE academic_year (
    school_id  TEXT NOT NULL REFERENCES school (school_id),
    id         TEXT NOT NULL,
    name       TEXT NOT NULL,
    year       BIGINT NOT NULL,
    starts_on  TEXT NOT NULL,
    ends_on    TEXT NOT NULL,
    is_current BOOLEAN NOT NULL DEFAULT FALSE,
    PRIMARY KEY (school_id, id),
    UNIQUE (school_id, year)
);
CREATE UNIQUE INDEX academic_year_current ON academic_year (school_id) WHERE is_current;

CREATE TABLE campus_academic_year (
    school_id        TEXT NOT NULL,
    id               TEXT NOT NULL,
    campus_id        TEXT NOT NULL,
    academic_year_id TEXT NOT NULL,
    PRIMARY KEY (school_id, id),
    UNIQUE (school_id, campus_id, academic_year_id),
    FOREIGN KEY (school_id, campus_id) REFERENCES campus (school_id, id),
    FOREIGN KEY (school_id, academic_year_id) REFERENCES academic_year (school_id, id)
);

CREATE TABLE term (
    school_id               TEXT NOT NULL,
    id                      TEXT NOT NULL,
    campus_academic_year_id TEXT NOT NULL,
    name                    TEXT NOT NULL,
    term_number             BIGINT NOT NULL,
    starts_on               TEXT NOT NULL,
    ends_on                 TEXT NOT NULL,
    PRIMARY KEY (school_id, id),
    UNIQUE (school_id, campus_academic_year_id, term_number),
    FOREIGN KEY (school_id, campus_academic_year_id) REFERENCES campus_academic_year (school_id, id),
    CHECK (starts_on < ends_on)
);

CREATE TABLE staff (
    school_id TEXT NOT NULL REFERENCES school (school_id),
    id        TEXT NOT NULL,
    full_name TEXT NOT NULL,
    email     TEXT NOT NULL,
    active    BOOLEAN NOT NULL DEFAULT TRUE,
    PRIMARY KEY (school_id, id),
    UNIQUE (school_id, email)
);

-- The campuses that a person works on.
CREATE TABLE staff_campus (
    school_id TEXT NOT NULL,
    staff_id  TEXT NOT NULL,
    campus_id TEXT NOT NULL,
    PRIMARY KEY (school_id, staff_id, campus_id),
    FOREIGN KEY (school_id, staff_id) REFERENCES staff (school_id, id),
    FOREIGN KEY (school_id, campus_id) REFERENCES campus (school_id, id)
);

-- A role is a word of the policy. The policy decides what it grants; a word that it does not know grants nothing.
CREATE TABLE staff_role (
    school_id TEXT NOT NULL,
    staff_id  TEXT NOT NULL,
    role      TEXT NOT NULL,
    PRIMARY KEY (school_id, staff_id, role),
    FOREIGN KEY (school_id, staff_id) REFERENCES staff (school_id, id)
);

CREATE TABLE department (
    school_id      TEXT NOT NULL,
    id             TEXT NOT NULL,
    campus_id      TEXT NOT NULL,
    name           TEXT NOT NULL,
    version        BIGINT NOT NULL DEFAULT 1,
    archived_at_us BIGINT,
    PRIMARY KEY (school_id, id),
    FOREIGN KEY (school_id, campus_id) REFERENCES campus (school_id, id)
);
-- "mathematics" and "Mathematics" are one department; an archived one frees its name.
CREATE UNIQUE INDEX department_name ON department (school_id, campus_id, lower(name)) WHERE archived_at_us IS NULL;

-- `name` is what people say ("S1 East"); `stream` is its last part, where the year group has streams.
CREATE TABLE class (
    school_id        TEXT NOT NULL,
    id               TEXT NOT NULL,
    campus_id        TEXT NOT NULL,
    academic_year_id TEXT NOT NULL,
    name             TEXT NOT NULL,
    stream           TEXT,
    class_teacher_id TEXT,
    PRIMARY KEY (school_id, id),
    FOREIGN KEY (school_id, campus_id) REFERENCES campus (school_id, id),
    FOREIGN KEY (school_id, academic_year_id) REFERENCES academic_year (school_id, id),
    FOREIGN KEY (school_id, class_teacher_id) REFERENCES staff (school_id, id)
);
CREATE UNIQUE INDEX class_name ON class (school_id, campus_id, academic_year_id, lower(name));

CREATE TABLE subject (
    school_id TEXT NOT NULL REFERENCES school (school_id),
    id        TEXT NOT NULL,
    name      TEXT NOT NULL,
    code      TEXT NOT NULL,
    PRIMARY KEY (school_id, id),
    UNIQUE (school_id, code)
);

CREATE TABLE teaching_assignment (
    school_id  TEXT NOT NULL,
    id         TEXT NOT NULL,
    staff_id   TEXT NOT NULL,
    class_id   TEXT NOT NULL,
    subject_id TEXT NOT NULL,
    PRIMARY KEY (school_id, id),
    UNIQUE (school_id, class_id, subject_id, staff_id),
    FOREIGN KEY (school_id, staff_id) REFERENCES staff (school_id, id),
    FOREIGN KEY (school_id, class_id) REFERENCES class (school_id, id),
    FOREIGN KEY (school_id, subject_id) REFERENCES subject (school_id, id)
);
CREATE INDEX teaching_assignment_staff ON teaching_assignment (school_id, staff_id);

CREATE TABLE student (
    school_id        TEXT NOT NULL,
    id               TEXT NOT NULL,
    campus_id        TEXT NOT NULL,
    admission_number TEXT NOT NULL,
    full_name        TEXT NOT NULL,
    gender           TEXT CHECK (gender IN ('female', 'male')),
    date_of_birth    TEXT,
    withdrawn_on     TEXT,
    PRIMARY KEY (school_id, id),
    UNIQUE (school_id, admission_number),
    FOREIGN KEY (school_id, campus_id) REFERENCES campus (school_id, id)
);

CREATE TABLE enrolment (
    school_id        TEXT NOT NULL,
    student_id       TEXT NOT NULL,
    class_id         TEXT NOT NULL,
    academic_year_id TEXT NOT NULL,
    ended_on         TEXT,
    PRIMARY KEY (school_id, student_id, academic_year_id),
    FOREIGN KEY (school_id, student_id) REFERENCES student (school_id, id),
    FOREIGN KEY (school_id, class_id) REFERENCES class (school_id, id),
    FOREIGN KEY (school_id, academic_year_id) REFERENCES academic_year (school_id, id)
);
CREATE INDEX enrolment_class ON enrolment (school_id, class_id);

CREATE TABLE attendance (
    school_id      TEXT NOT NULL,
    student_id     TEXT NOT NULL,
    class_id       TEXT NOT NULL,
    on_date        TEXT NOT NULL,
    status         TEXT NOT NULL CHECK (status IN ('present', 'absent', 'late')),
    recorded_by    TEXT NOT NULL,
    recorded_at_us BIGINT NOT NULL,
    PRIMARY KEY (school_id, student_id, on_date),
    FOREIGN KEY (school_id, student_id) REFERENCES student (school_id, id),
    FOREIGN KEY (school_id, class_id) REFERENCES class (school_id, id),
    FOREIGN KEY (school_id, recorded_by) REFERENCES staff (school_id, id)
);
CREATE INDEX attendance_class ON attendance (school_id, class_id, on_date);
