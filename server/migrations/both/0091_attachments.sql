-- Files that people attach and that Rover makes. A file that a person brought is on no message until they say something
-- about it; one that Rover makes belongs to its turn, and is whole once `sealed`. The bytes are text in base64, in
-- pieces: one of the few types that both databases keep alike.
CREATE TABLE attachment (
    school_id     TEXT NOT NULL REFERENCES school (school_id),
    id            TEXT NOT NULL,
    account_id    TEXT NOT NULL,
    thread_id     TEXT,
    turn_id       TEXT,
    origin        TEXT NOT NULL CHECK (origin IN ('upload', 'artifact')),
    filename      TEXT NOT NULL,
    media_type    TEXT NOT NULL,
    size          BIGINT NOT NULL,
    sealed        BOOLEAN NOT NULL,
    created_at_us BIGINT NOT NULL,
    PRIMARY KEY (school_id, id),
    FOREIGN KEY (school_id, account_id) REFERENCES account (school_id, id),
    FOREIGN KEY (school_id, thread_id) REFERENCES thread (school_id, id),
    FOREIGN KEY (school_id, turn_id) REFERENCES turn (school_id, id),
    CHECK ((thread_id IS NULL) = (turn_id IS NULL))
);
CREATE INDEX attachment_turn ON attachment (school_id, turn_id);
CREATE INDEX attachment_account ON attachment (school_id, account_id, created_at_us);

CREATE TABLE attachment_piece (
    school_id     TEXT NOT NULL,
    attachment_id TEXT NOT NULL,
    seq           BIGINT NOT NULL,
    bytes         TEXT NOT NULL,
    PRIMARY KEY (school_id, attachment_id, seq),
    FOREIGN KEY (school_id, attachment_id) REFERENCES attachment (school_id, id)
);
