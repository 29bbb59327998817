-- Accounts and turns: rows that the server needs before, or apart from, one school's frame.
--
-- A person signs in before the school is known, and the log writer stores events of every school's turns.
-- These tables carry school_id and are guarded like the others; the system connection alone sees them whole.

CREATE TABLE account (
    school_id     TEXT REFERENCES school (school_id),
    id            TEXT NOT NULL PRIMARY KEY,
    email         TEXT NOT NULL UNIQUE,
    name          TEXT NOT NULL,
    password_hash TEXT NOT NULL,
    user_type     TEXT NOT NULL CHECK (user_type IN ('staff', 'guardian', 'student', 'platform')),
    profile_id    TEXT NOT NULL,
    disabled      BOOLEAN NOT NULL DEFAULT FALSE
);

CREATE TABLE thread (
    school_id     TEXT NOT NULL REFERENCES school (school_id),
    id            TEXT NOT NULL,
    account_id    TEXT NOT NULL REFERENCES account (id),
    title         TEXT NOT NULL,
    created_at_us BIGINT NOT NULL,
    updated_at_us BIGINT NOT NULL,
    PRIMARY KEY (school_id, id)
);
CREATE INDEX thread_account ON thread (school_id, account_id, updated_at_us);

-- `state` is open, waiting (for an answer) or closed; a closed turn says why in `end_reason`.
CREATE TABLE turn (
    school_id    TEXT NOT NULL,
    id           TEXT NOT NULL,
    thread_id    TEXT NOT NULL,
    account_id   TEXT NOT NULL REFERENCES account (id),
    state        TEXT NOT NULL CHECK (state IN ('open', 'waiting', 'closed')),
    end_reason   TEXT,
    run_mode     TEXT NOT NULL,
    opened_at_us BIGINT NOT NULL,
    closed_at_us BIGINT,
    PRIMARY KEY (school_id, id),
    UNIQUE (id),
    FOREIGN KEY (school_id, thread_id) REFERENCES thread (school_id, id),
    CHECK ((state = 'closed') = (end_reason IS NOT NULL))
);
CREATE INDEX turn_thread ON turn (school_id, thread_id, opened_at_us);

-- One row a message of the thread; `parts` is JSON in the shape of the contract's HistoryMessage.
CREATE TABLE message (
    school_id     TEXT NOT NULL,
    id            TEXT NOT NULL,
    thread_id     TEXT NOT NULL,
    turn_id       TEXT NOT NULL,
    seq           BIGINT NOT NULL,
    role          TEXT NOT NULL CHECK (role IN ('user', 'assistant', 'tool')),
    parts         TEXT NOT NULL,
    created_at_us BIGINT NOT NULL,
    PRIMARY KEY (school_id, id),
    UNIQUE (school_id, thread_id, seq),
    FOREIGN KEY (school_id, thread_id) REFERENCES thread (school_id, id),
    FOREIGN KEY (school_id, turn_id) REFERENCES turn (school_id, id)
);

-- Worker and server each count their own events, so the hop is part of the key.
CREATE TABLE turn_event (
    school_id TEXT NOT NULL,
    turn_id   TEXT NOT NULL,
    hop       TEXT NOT NULL,
    seq       BIGINT NOT NULL,
    at_us     BIGINT NOT NULL,
    kind      TEXT NOT NULL,
    json      TEXT NOT NULL,
    PRIMARY KEY (school_id, turn_id, hop, seq),
    FOREIGN KEY (school_id, turn_id) REFERENCES turn (school_id, id)
);

CREATE TABLE pending_question (
    school_id      TEXT NOT NULL,
    id             TEXT NOT NULL,
    turn_id        TEXT NOT NULL,
    question       TEXT NOT NULL,
    options        TEXT NOT NULL,
    checkpoint     TEXT NOT NULL,
    asked_at_us    BIGINT NOT NULL,
    answer         TEXT,
    answered_at_us BIGINT,
    PRIMARY KEY (school_id, id),
    FOREIGN KEY (school_id, turn_id) REFERENCES turn (school_id, id)
);

-- Every context token that was signed for a turn; a token of a closed turn is worth nothing.
CREATE TABLE turn_token (
    school_id     TEXT NOT NULL,
    jti           TEXT NOT NULL,
    turn_id       TEXT NOT NULL,
    issued_at_us  BIGINT NOT NULL,
    expires_at_us BIGINT NOT NULL,
    PRIMARY KEY (school_id, jti),
    FOREIGN KEY (school_id, turn_id) REFERENCES turn (school_id, id)
);

-- How often a call was delivered; committed before its frame opens, because a classic queue counts nothing.
CREATE TABLE delivery (
    school_id TEXT NOT NULL REFERENCES school (school_id),
    call_id   TEXT NOT NULL,
    attempts  BIGINT NOT NULL,
    PRIMARY KEY (school_id, call_id)
);

-- Refusals that smell. It names no school by key: the caller may have none, or lie about it.
CREATE TABLE security_line (
    id     TEXT NOT NULL PRIMARY KEY,
    at_us  BIGINT NOT NULL,
    kind   TEXT NOT NULL,
    detail TEXT NOT NULL
);
