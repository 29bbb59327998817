//! Threads, turns, messages and questions. They run in system frames, so each names its school or its turn's id.

use super::{Statement, catalogue, files};

macro_rules! turn {
    ($rest:literal) => {
        concat!(
            "SELECT school_id, id, thread_id, account_id, state, end_reason, run_mode, opened_at_us, first_seq FROM turn ",
            $rest
        )
    };
}

/// All that deletes one turn, in the order in which its rows hang on each other.
pub(crate) const DELETE_TURN: [Statement; 7] = [
    DELETE_EVENTS,
    DELETE_QUESTIONS,
    DELETE_TOKENS,
    RETRACT_TURN,
    files::DELETE_PIECES_OF_TURN,
    files::DELETE_OF_TURN,
    DELETE_TURN_ROW,
];

catalogue! {
    /// A new conversation; nothing if the school has one of this id.
    statement ADD_THREAD {
        "INSERT INTO main.thread (school_id, id, account_id, title, created_at_us, updated_at_us) \
         VALUES ($1, $2, $3, $4, $5, $5) ON CONFLICT (school_id, id) DO NOTHING"
    }
    /// Takes hold of a person's conversation: of two posts at once, the second waits for the first.
    statement HOLD_THREAD {
        "UPDATE main.thread SET updated_at_us = $4 WHERE school_id = $1 AND id = $2 AND account_id = $3"
    }
    /// A person's conversations, the latest first.
    statement THREADS_OF {
        "SELECT id, title, updated_at_us FROM thread WHERE school_id = $1 AND account_id = $2 \
         ORDER BY updated_at_us DESC, id LIMIT 200"
    }
    /// One of them.
    statement THREAD_OF {
        "SELECT id, title, updated_at_us FROM thread WHERE school_id = $1 AND id = $2 AND account_id = $3"
    }
    /// A new turn, open.
    statement ADD_TURN {
        "INSERT INTO main.turn (school_id, id, thread_id, account_id, state, run_mode, opened_at_us, deadline_at_us) \
         VALUES ($1, $2, $3, $4, 'open', $5, $6, $7)"
    }
    /// A turn by its id alone, which is unique: for events, which name nothing else.
    statement TURN {
        turn!("WHERE id = $1")
    }
    /// Whether there is a turn of this id.
    statement TURN_ID {
        "SELECT id FROM turn WHERE id = $1"
    }
    /// The newest turn of all.
    statement NEWEST_TURN {
        "SELECT id FROM turn ORDER BY opened_at_us DESC, id DESC LIMIT 1"
    }
    /// The turn of a conversation that is not over, if there is one.
    statement UNFINISHED_TURN {
        turn!("WHERE school_id = $1 AND thread_id = $2 AND account_id = $3 AND state <> 'closed' \
         ORDER BY opened_at_us DESC LIMIT 1")
    }
    /// The turns of a conversation in order.
    statement TURNS_OF_THREAD {
        turn!("WHERE school_id = $1 AND thread_id = $2 ORDER BY opened_at_us, id")
    }
    /// Every turn that should have ended by now.
    statement OVERDUE_TURNS {
        turn!("WHERE state = 'open' AND deadline_at_us <= $1 ORDER BY opened_at_us, id")
    }
    /// Every turn that runs.
    statement OPEN_TURNS {
        turn!("WHERE state = 'open' ORDER BY opened_at_us, id")
    }
    /// A turn that ran waits for the person.
    statement SUSPEND_TURN {
        "UPDATE main.turn SET state = 'waiting', deadline_at_us = NULL \
         WHERE id = $1 AND state = 'open' AND first_seq <= $2"
    }
    /// A turn that waited runs again.
    statement REOPEN_TURN {
        "UPDATE main.turn SET state = 'open', deadline_at_us = $2, first_seq = $3, stop_asked_at_us = NULL, takeovers = 0 \
         WHERE id = $1 AND state = 'waiting'"
    }
    /// One more worker takes a running turn over; answers how often that happened.
    statement TAKE_TURN {
        "UPDATE main.turn SET takeovers = takeovers + 1 WHERE id = $1 AND state = 'open' RETURNING takeovers"
    }
    /// The events of a run that was taken over begin here; what the lost worker says after this is void.
    statement BEGIN_TAKEN_RUN {
        "UPDATE main.turn SET first_seq = $2 WHERE id = $1 AND state = 'open' AND first_seq < $2"
    }
    /// A turn is over.
    statement CLOSE_TURN {
        "UPDATE main.turn SET state = 'closed', end_reason = $2, closed_at_us = $3, deadline_at_us = NULL \
         WHERE id = $1 AND state <> 'closed' AND first_seq <= $4"
    }
    /// A turn was asked to stop: it changes nothing any more, and must end sooner than it had to.
    statement STOP_TURN {
        "UPDATE main.turn SET stop_asked_at_us = coalesce(stop_asked_at_us, $2), \
         deadline_at_us = CASE WHEN deadline_at_us > $3 THEN $3 ELSE deadline_at_us END \
         WHERE id = $1 AND state = 'open'"
    }
    /// When a turn was asked to stop, if it was.
    statement STOP_ASKED {
        "SELECT stop_asked_at_us FROM turn WHERE id = $1"
    }
    /// A message at the end of its conversation; nothing if it is there.
    statement ADD_MESSAGE {
        "INSERT INTO main.message (school_id, id, thread_id, turn_id, seq, role, parts, created_at_us) \
         VALUES ($1, $2, $3, $4, \
         (SELECT coalesce(max(m.seq), 0) + 1 FROM message m WHERE m.school_id = $1 AND m.thread_id = $3), \
         $5, $6, $7) ON CONFLICT (school_id, id) DO NOTHING"
    }
    /// All that was said in a turn leaves its conversation.
    statement RETRACT_TURN {
        "DELETE FROM main.message WHERE school_id = $1 AND turn_id = $2"
    }
    /// A conversation before one of its turns, or all of it.
    statement HISTORY {
        "SELECT id, turn_id, role, parts FROM message WHERE school_id = $1 AND thread_id = $2 \
         AND (CAST($3 AS TEXT) IS NULL OR seq < (SELECT min(o.seq) FROM message o WHERE o.school_id = $1 AND o.turn_id = $3)) \
         ORDER BY seq"
    }
    /// What the person wrote that began a turn.
    statement FIRST_WORDS {
        "SELECT id, turn_id, role, parts FROM message WHERE school_id = $1 AND turn_id = $2 AND role = 'user' ORDER BY seq LIMIT 1"
    }
    /// What the person wrote in a conversation.
    statement WORDS_OF_THREAD {
        "SELECT id, turn_id, role, parts FROM message WHERE school_id = $1 AND thread_id = $2 AND role = 'user' ORDER BY seq"
    }
    /// A question is put; nothing if it was.
    statement ADD_QUESTION {
        "INSERT INTO main.pending_question (school_id, id, turn_id, question, options, checkpoint, asked_at_us) \
         VALUES ($1, $2, $3, $4, $5, 'null', $6) ON CONFLICT (school_id, id) DO NOTHING"
    }
    /// Where a turn goes on once it is answered.
    statement KEEP_CHECKPOINT {
        "UPDATE main.pending_question SET checkpoint = $2 WHERE turn_id = $1 AND answered_at_us IS NULL"
    }
    /// The open questions of a turn, in the order in which they were put.
    statement OPEN_QUESTIONS {
        "SELECT id, options, checkpoint FROM pending_question \
         WHERE school_id = $1 AND turn_id = $2 AND answered_at_us IS NULL ORDER BY asked_at_us, id"
    }
    /// A question has its answer, once.
    statement ANSWER_QUESTION {
        "UPDATE main.pending_question SET answer = $3, answered_at_us = $4 \
         WHERE school_id = $1 AND id = $2 AND answered_at_us IS NULL"
    }
    /// Every conversation of an account.
    statement EVERY_THREAD_OF {
        "SELECT school_id, id FROM thread WHERE school_id = $1 AND account_id = $2 ORDER BY created_at_us, id"
    }
    /// Some conversations in which nobody wrote since then, and no turn runs.
    statement STALE_THREADS {
        "SELECT school_id, id FROM thread WHERE updated_at_us < $1 AND NOT EXISTS (SELECT 1 FROM turn t \
         WHERE t.school_id = thread.school_id AND t.thread_id = thread.id AND t.state = 'open') \
         ORDER BY updated_at_us, id LIMIT 50"
    }
    /// One turn of a conversation.
    statement ANY_TURN_OF {
        "SELECT id FROM turn WHERE school_id = $1 AND thread_id = $2 ORDER BY opened_at_us, id LIMIT 1"
    }
    /// The events of a turn go.
    statement DELETE_EVENTS {
        "DELETE FROM main.turn_event WHERE school_id = $1 AND turn_id = $2"
    }
    /// The questions of a turn go.
    statement DELETE_QUESTIONS {
        "DELETE FROM main.pending_question WHERE school_id = $1 AND turn_id = $2"
    }
    /// The tokens of a turn go.
    statement DELETE_TOKENS {
        "DELETE FROM main.turn_token WHERE school_id = $1 AND turn_id = $2"
    }
    /// A turn goes, once nothing hangs on it.
    statement DELETE_TURN_ROW {
        "DELETE FROM main.turn WHERE school_id = $1 AND id = $2"
    }
    /// A conversation goes, once nothing hangs on it.
    statement DELETE_THREAD {
        "DELETE FROM main.thread WHERE school_id = $1 AND id = $2"
    }
    /// A context token that was signed for a run of a turn.
    statement ADD_TOKEN {
        "INSERT INTO main.turn_token (school_id, jti, turn_id, issued_at_us, expires_at_us, first_seq, token_hash, offer) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)"
    }
}
