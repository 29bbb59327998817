//! What happened in turns, and refusals that smell.
//!
//! `hop` holds the lane: who numbered the event. A row of a lane holds one event, or a run of consecutive pieces
//! of text as a JSON array.

use super::catalogue;

catalogue! {
    /// An event that the worker numbered. Coming twice, or for a turn that is not there, it adds nothing.
    statement ADD_WORKER_EVENT {
        "INSERT INTO main.turn_event (school_id, turn_id, hop, seq, at_us, kind, json) \
         SELECT t.school_id, t.id, 'worker', $2, $3, $4, $5 FROM turn t WHERE t.id = $1 \
         ON CONFLICT (school_id, turn_id, hop, seq) DO NOTHING"
    }
    /// An event of a server, numbered here. Two servers that took the same number: the second adds nothing.
    statement ADD_SERVER_EVENT {
        "INSERT INTO main.turn_event (school_id, turn_id, hop, seq, at_us, kind, json) \
         SELECT t.school_id, t.id, 'server', \
         (SELECT coalesce(max(e.seq) + 1, 0) FROM turn_event e WHERE e.turn_id = t.id AND e.hop = 'server'), \
         $2, $3, $4 FROM turn t WHERE t.id = $1 \
         ON CONFLICT (school_id, turn_id, hop, seq) DO NOTHING"
    }
    /// Whether there is such a turn.
    statement TURN_EXISTS {
        "SELECT id FROM turn WHERE id = $1"
    }
    /// All that is known of a turn, lane by lane.
    statement EVENTS_OF_TURN {
        "SELECT hop, seq, json FROM turn_event WHERE turn_id = $1 ORDER BY hop, seq"
    }
    /// Whether the worker's event of this number is kept.
    statement WORKER_EVENT_KEPT {
        "SELECT seq FROM turn_event WHERE turn_id = $1 AND hop = 'worker' AND seq = $2"
    }
    /// The messages that a run completed, from one number to before another.
    statement TOLD_MESSAGES {
        "SELECT hop, seq, json FROM turn_event WHERE turn_id = $1 AND hop = 'worker' AND seq >= $2 AND seq < $3 \
         AND kind IN ('message', 'subagent.message') ORDER BY seq"
    }
    /// Whose turn it is, whether it is still open and was not asked to stop, and how often it was taken over.
    statement TURN_STATE {
        "SELECT school_id, account_id, state, stop_asked_at_us, takeovers FROM turn WHERE id = $1"
    }
    /// A refusal that smells.
    statement ADD_SECURITY_LINE {
        "INSERT INTO main.security_line (id, at_us, kind, detail) VALUES ($1, $2, $3, $4)"
    }
    /// One more delivery of a call; answers how often it came again.
    statement COUNT_DELIVERY {
        "INSERT INTO main.delivery (school_id, call_id, attempts) VALUES ($1, $2, 1) \
         ON CONFLICT (school_id, call_id) DO UPDATE SET attempts = delivery.attempts + 1 RETURNING attempts"
    }
    /// A delivery of a call came to an end, so the call is none that brings servers down.
    statement FORGIVE_DELIVERY {
        "UPDATE main.delivery SET attempts = 0 WHERE school_id = $1 AND call_id = $2"
    }
}
