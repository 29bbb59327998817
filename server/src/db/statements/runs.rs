//! The runs of a turn: whose they are, and what they may call. They run in system frames; a turn's id is unique.

use super::catalogue;

catalogue! {
    /// Whose turn it is, how far it is, and the run in hand; without a run where its token is of before there were any.
    statement TURN_AND_RUN {
        "SELECT t.school_id, t.account_id, t.state, t.stop_asked_at_us, t.takeovers, k.jti, k.token_hash, k.offer, k.worker_key \
         FROM turn t LEFT JOIN turn_token k \
         ON k.school_id = t.school_id AND k.turn_id = t.id AND k.first_seq = t.first_seq WHERE t.id = $1"
    }
    /// The runs of a turn, the one in hand first.
    statement RUNS_OF_TURN {
        "SELECT jti, token_hash, worker_key FROM turn_token WHERE turn_id = $1 AND first_seq >= 0 ORDER BY first_seq DESC"
    }
    /// A run is this worker's; nothing if somebody has it.
    statement CLAIM_RUN {
        "UPDATE main.turn_token SET worker_key = $3 WHERE turn_id = $1 AND jti = $2 AND worker_key IS NULL"
    }
    /// Whose a run is.
    statement RUN_WORKER {
        "SELECT worker_key FROM turn_token WHERE turn_id = $1 AND jti = $2"
    }
    /// Whose a run is, if its turn runs.
    statement OPEN_RUN_WORKER {
        "SELECT k.worker_key FROM turn_token k JOIN turn t ON t.id = k.turn_id \
         WHERE k.turn_id = $1 AND k.jti = $2 AND t.state = 'open'"
    }
    /// A run is this worker's from now on; nothing if the turn runs no more, or if the mark was used before.
    statement HAND_OVER_RUN {
        "UPDATE main.turn_token SET worker_key = $3, takeover_marks = takeover_marks || $4 \
         WHERE turn_id = $1 AND jti = $2 AND takeover_marks NOT LIKE '%' || $4 || '%' \
         AND EXISTS (SELECT 1 FROM turn t WHERE t.id = turn_token.turn_id AND t.state = 'open')"
    }
}
