//! Files and their pieces. They run in system frames, so each names its school.

use super::catalogue;

catalogue! {
    /// A file. One that Rover made belongs to its turn at once; one that a person brought, when they say something about it.
    statement ADD {
        "INSERT INTO main.attachment (school_id, id, account_id, thread_id, turn_id, origin, filename, media_type, size, sealed, created_at_us) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) ON CONFLICT (school_id, id) DO NOTHING"
    }
    /// A piece of it.
    statement ADD_PIECE {
        "INSERT INTO main.attachment_piece (school_id, attachment_id, seq, bytes) VALUES ($1, $2, $3, $4) \
         ON CONFLICT (school_id, attachment_id, seq) DO NOTHING"
    }
    /// Bytes of all files of a school.
    statement USED {
        "SELECT CAST(coalesce(sum(size), 0) AS BIGINT) AS bytes FROM attachment WHERE school_id = $1"
    }
    /// A person's file.
    statement OF {
        "SELECT id, filename, media_type, size FROM attachment WHERE school_id = $1 AND id = $2 AND account_id = $3 AND sealed"
    }
    /// The same, on a message of this conversation.
    statement OF_THREAD {
        "SELECT id, filename, media_type, size FROM attachment \
         WHERE school_id = $1 AND id = $2 AND account_id = $3 AND thread_id = $4 AND sealed"
    }
    /// A file that a turn is still making.
    statement UNSEALED {
        "SELECT id, filename, media_type, size FROM attachment \
         WHERE school_id = $1 AND id = $2 AND account_id = $3 AND turn_id = $4 AND NOT sealed"
    }
    /// A file that grew.
    statement GROW {
        "UPDATE main.attachment SET size = $3 WHERE school_id = $1 AND id = $2 AND NOT sealed AND size < $3"
    }
    /// A file that is whole.
    statement SEAL {
        "UPDATE main.attachment SET sealed = TRUE WHERE school_id = $1 AND id = $2"
    }
    /// All pieces of a file, in order.
    statement PIECES {
        "SELECT bytes FROM attachment_piece WHERE school_id = $1 AND attachment_id = $2 ORDER BY seq"
    }
    /// One piece of a file.
    statement PIECE {
        "SELECT bytes FROM attachment_piece WHERE school_id = $1 AND attachment_id = $2 AND seq = $3"
    }
    /// A file goes onto a message, if it is on none.
    statement ATTACH {
        "UPDATE main.attachment SET thread_id = $4, turn_id = $5 \
         WHERE school_id = $1 AND id = $2 AND account_id = $3 AND sealed \
         AND (turn_id IS NULL OR thread_id = $4)"
    }
    /// Files that were brought before this and are on no message.
    statement STRAY {
        "SELECT school_id, id FROM attachment WHERE turn_id IS NULL AND created_at_us < $1 ORDER BY created_at_us LIMIT 100"
    }
    /// Files of an account that are on no message.
    statement STRAY_OF {
        "SELECT school_id, id FROM attachment WHERE school_id = $1 AND account_id = $2 AND turn_id IS NULL"
    }
    /// The pieces of a file go.
    statement DELETE_PIECES {
        "DELETE FROM main.attachment_piece WHERE school_id = $1 AND attachment_id = $2"
    }
    /// A file goes, once it has no pieces.
    statement DELETE {
        "DELETE FROM main.attachment WHERE school_id = $1 AND id = $2"
    }
    /// The pieces of all files of a turn go.
    statement DELETE_PIECES_OF_TURN {
        "DELETE FROM main.attachment_piece WHERE school_id = $1 AND attachment_id IN \
         (SELECT a.id FROM attachment a WHERE a.school_id = $1 AND a.turn_id = $2)"
    }
    /// The files of a turn go.
    statement DELETE_OF_TURN {
        "DELETE FROM main.attachment WHERE school_id = $1 AND turn_id = $2"
    }
    /// Every file of an account, the oldest first.
    statement EVERY_FILE_OF {
        "SELECT id, filename, media_type, size FROM attachment WHERE school_id = $1 AND account_id = $2 ORDER BY created_at_us, id"
    }
}
