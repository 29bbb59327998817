//! Claims and the audit chain.

use super::catalogue;

catalogue! {
    /// A call happens once: a second delivery inserts nothing. A twin in flight makes this wait for
    /// it.
    statement CLAIM_CALL {
        "INSERT INTO main.tool_call (school_id, call_id, actor, event, args_hash, at_us) \
         VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (school_id, call_id) DO NOTHING"
    }
    /// What an earlier delivery of the call was, and how it ended.
    statement CLAIMED_CALL {
        "SELECT actor, event, args_hash, outcome FROM tool_call WHERE call_id = $1"
    }
    /// Keeps the outcome for replays.
    statement KEEP_OUTCOME {
        "UPDATE main.tool_call SET outcome = $3 WHERE school_id = $1 AND call_id = $2 AND outcome IS NULL"
    }
    /// Takes the next place of the chain and answers the hash before it; other writers of this
    /// school wait.
    statement ADVANCE_HEAD {
        "INSERT INTO main.audit_head (school_id, seq, hash) VALUES ($1, 1, '') \
         ON CONFLICT (school_id) DO UPDATE SET seq = audit_head.seq + 1 RETURNING seq, hash"
    }
    /// The chain now ends in this hash.
    statement SET_HEAD {
        "UPDATE main.audit_head SET hash = $2 WHERE school_id = $1"
    }
    /// One row of the chain.
    statement APPEND_AUDIT {
        "INSERT INTO main.audit_log (school_id, seq, call_id, event, actor, at_us, body, prev_hash, hash) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)"
    }
    /// A page of the chain, in order.
    statement AUDIT_PAGE {
        "SELECT seq, call_id, event, actor, at_us, body, prev_hash, hash FROM audit_log \
         WHERE seq > $1 ORDER BY seq LIMIT 500"
    }
    /// Where the chain says that it ends.
    statement AUDIT_HEAD {
        "SELECT seq, hash FROM audit_head"
    }
    /// Every school, for a check of all chains.
    statement SCHOOLS {
        "SELECT school_id AS id, name, time_zone FROM school ORDER BY school_id"
    }
}
