//! What turns cost, for the limits of people and schools. They run in system frames.

use super::catalogue;

catalogue! {
    /// Takes hold of an account: of two posts at once, the second waits for the first.
    statement HOLD_ACCOUNT {
        "UPDATE main.account SET disabled = disabled WHERE id = $1"
    }
    /// When the so-many-th newest turn began, if it was since then; of a person, or of a whole school.
    statement NTH_TURN_SINCE {
        "SELECT opened_at_us FROM turn WHERE school_id = $1 AND (CAST($2 AS TEXT) IS NULL OR account_id = $2) \
         AND opened_at_us > $3 ORDER BY opened_at_us DESC LIMIT 1 OFFSET $4"
    }
    /// Tokens of the turns that began since then.
    statement TOKENS_SINCE {
        "SELECT CAST(coalesce(sum(tokens), 0) AS BIGINT) AS n FROM turn \
         WHERE school_id = $1 AND (CAST($2 AS TEXT) IS NULL OR account_id = $2) AND opened_at_us > $3"
    }
    /// The same, turn by turn from the oldest.
    statement COSTS_SINCE {
        "SELECT opened_at_us, tokens FROM turn \
         WHERE school_id = $1 AND (CAST($2 AS TEXT) IS NULL OR account_id = $2) AND opened_at_us > $3 AND tokens > 0 \
         ORDER BY opened_at_us"
    }
    /// A turn cost more.
    statement ADD_TOKENS {
        "UPDATE main.turn SET tokens = tokens + $2 WHERE id = $1"
    }
}
