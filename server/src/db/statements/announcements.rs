//! Announcements and whom they are for.
//!
//! `$1` of each is the member of staff who asks: a draft is its writer's alone, and what is for one role is for those
//! who have it.

use tools::announcements::AnnouncementSort;

use super::{Places, catalogue};

/// What is for the whole school is for every campus in it.
const ANNOUNCEMENT: Places = Places {
    campus: "(r.campus_id IN ({}) OR r.campus_id IS NULL AND EXISTS (SELECT 1 FROM campus x WHERE x.id IN ({})))",
    class: Some("r.class_id IN ({})"),
    assignment: None,
    id: "r.id IN ({})",
};

macro_rules! announcement {
    ($rest:literal) => {
        concat!(
            "SELECT r.id, r.title, r.body, r.campus_id, p.name AS campus_name, r.class_id, c.name AS class_name, r.role, \
             r.state, r.written_by AS writer_id, w.full_name AS written_by, r.written_at_us, r.published_at_us, r.version, \
             coalesce((SELECT string_agg(x.id, '\n') FROM campus x), '') AS every_campus \
             FROM announcement r JOIN staff w ON w.id = r.written_by \
             LEFT JOIN campus p ON p.id = r.campus_id LEFT JOIN class c ON c.id = r.class_id WHERE ",
            $rest
        )
    };
}

catalogue! {
    /// One announcement.
    statement FIND_ANNOUNCEMENT { announcement!("r.id = $1") }
    /// Announcements of a state, for whoever asks; of one campus.
    paged ANNOUNCEMENTS {
        Announcement,
        ANNOUNCEMENT,
        AnnouncementSort: |sort| match sort {
            AnnouncementSort::Written => "CAST(1000000000000000000 + q.written_at_us AS TEXT)",
            AnnouncementSort::Title => "lower(q.title)",
        },
        announcement!(
            "r.state = $2 AND (r.written_by = $1 OR r.state = 'published') \
             AND (r.written_by = $1 OR r.role IS NULL \
                  OR EXISTS (SELECT 1 FROM staff_role o WHERE o.staff_id = $1 AND o.role = r.role)) \
             AND (CAST($3 AS TEXT) IS NULL OR r.campus_id IS NULL OR r.campus_id = $3) AND {visible}"
        )
    }
    /// Whether a member of staff has a role.
    statement HAS_ROLE { "SELECT staff_id AS id FROM staff_role WHERE staff_id = $1 AND role = $2" }
    /// A new draft.
    statement ADD_ANNOUNCEMENT {
        "INSERT INTO main.announcement (school_id, id, title, body, campus_id, class_id, role, written_by, written_at_us) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)"
    }
    /// Its audience sees it, if nobody changed it meanwhile.
    statement PUBLISH_ANNOUNCEMENT {
        "UPDATE main.announcement SET state = 'published', published_at_us = $4, version = version + 1 \
         WHERE school_id = $1 AND id = $2 AND version = $3 AND state = 'draft'"
    }
    /// Its audience does not see it any more, if nobody changed it meanwhile.
    statement WITHDRAW_ANNOUNCEMENT {
        "UPDATE main.announcement SET state = 'withdrawn', version = version + 1 \
         WHERE school_id = $1 AND id = $2 AND version = $3 AND state <> 'withdrawn'"
    }
}
