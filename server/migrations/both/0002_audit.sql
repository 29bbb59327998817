-- What was asked and what was changed, written in the transaction of the change.
--
-- `tool_call` makes a call happen once; `audit_log` is a hash chain of one school's writes, of which
-- `audit_head` is the end. `body` and `outcome` are text on purpose: their bytes are hashed or replayed.

CREATE TABLE tool_call (
    school_id TEXT NOT NULL REFERENCES school (school_id),
    call_id   TEXT NOT NULL,
    actor     TEXT NOT NULL,
    event     TEXT NOT NULL,
    args_hash TEXT NOT NULL,
    outcome   TEXT,
    at_us     BIGINT NOT NULL,
    PRIMARY KEY (school_id, call_id)
);

CREATE TABLE audit_head (
    school_id TEXT NOT NULL PRIMARY KEY REFERENCES school (school_id),
    seq       BIGINT NOT NULL,
    hash      TEXT NOT NULL
);

CREATE TABLE audit_log (
    school_id TEXT NOT NULL REFERENCES school (school_id),
    seq       BIGINT NOT NULL,
    call_id   TEXT NOT NULL,
    event     TEXT NOT NULL,
    actor     TEXT NOT NULL,
    at_us     BIGINT NOT NULL,
    body      TEXT NOT NULL,
    prev_hash TEXT NOT NULL,
    hash      TEXT NOT NULL,
    PRIMARY KEY (school_id, seq),
    UNIQUE (school_id, call_id)
);
