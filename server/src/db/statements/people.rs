//! Accounts, the live caller, and staff.

use tools::staff::StaffSort;

use super::{Places, catalogue};

/// A person who works on two campuses is in the list of both.
const STAFF: Places = Places {
    campus: "r.id IN (SELECT w.staff_id FROM staff_campus w WHERE w.campus_id IN ({}))",
    class: None,
    assignment: None,
    id: "r.id IN ({})",
};

macro_rules! staff {
    ($rest:literal) => {
        concat!(
            "SELECT r.id, r.full_name AS name, r.email, r.active, r.version, \
             coalesce((SELECT string_agg(o.role, '\n' ORDER BY o.role) FROM staff_role o \
                       WHERE o.staff_id = r.id), '') AS roles, \
             coalesce((SELECT string_agg(w.campus_id, '\n' ORDER BY p.name) FROM staff_campus w \
                       JOIN campus p ON p.id = w.campus_id WHERE w.staff_id = r.id), '') AS campus_ids, \
             coalesce((SELECT string_agg(p.name, '\n' ORDER BY p.name) FROM staff_campus w \
                       JOIN campus p ON p.id = w.campus_id WHERE w.staff_id = r.id), '') AS campuses \
             FROM staff r ",
            $rest
        )
    };
}

catalogue! {
    /// The account of an address, of any school: for signing in.
    statement ACCOUNT_BY_EMAIL {
        "SELECT id, school_id, email, name, password_hash, user_type, profile_id, disabled \
         FROM account WHERE email = $1"
    }
    /// The same by id.
    statement ACCOUNT_BY_ID {
        "SELECT id, school_id, email, name, password_hash, user_type, profile_id, disabled \
         FROM account WHERE id = $1"
    }
    /// The account that an operator linked to a subject of an issuer.
    statement ACCOUNT_BY_SUBJECT {
        "SELECT id, school_id, email, name, password_hash, user_type, profile_id, disabled \
         FROM account WHERE issuer = $1 AND subject = $2"
    }
    /// Links an account to a subject of an issuer, or to none.
    statement LINK_ACCOUNT {
        "UPDATE main.account SET issuer = $2, subject = $3 WHERE id = $1"
    }
    /// A new account.
    statement ADD_ACCOUNT {
        "INSERT INTO main.account (school_id, id, email, name, password_hash, user_type, profile_id) \
         VALUES ($1, $2, $3, $4, $5, 'staff', $6)"
    }
    /// The caller, if the account is enabled and, for staff, the person still works here.
    statement CALLER {
        "SELECT a.id, a.email, a.name, a.user_type, a.profile_id FROM account a \
         WHERE a.id = $1 AND NOT a.disabled \
         AND (a.user_type <> 'staff' OR EXISTS (SELECT 1 FROM staff s WHERE s.id = a.profile_id AND s.active))"
    }
    /// Roles of a member of staff.
    statement ROLES_OF {
        "SELECT role AS id FROM staff_role WHERE staff_id = $1 ORDER BY role"
    }
    /// Campuses of a member of staff.
    statement CAMPUSES_OF {
        "SELECT campus_id AS id FROM staff_campus WHERE staff_id = $1 ORDER BY campus_id"
    }
    /// Classes of this year that a person is class teacher of.
    statement CLASS_TEACHER_OF {
        "SELECT c.id, c.name, c.campus_id FROM class c \
         JOIN academic_year y ON y.id = c.academic_year_id AND y.is_current \
         WHERE c.class_teacher_id = $1 ORDER BY c.name, c.id"
    }
    /// What a person teaches this year.
    statement TEACHING_OF {
        "SELECT t.id, t.class_id, c.name AS class_name, c.campus_id, p.name AS campus_name, \
         t.subject_id, j.name AS subject_name, s.full_name AS teacher \
         FROM teaching_assignment t JOIN class c ON c.id = t.class_id JOIN campus p ON p.id = c.campus_id \
         JOIN academic_year y ON y.id = c.academic_year_id AND y.is_current \
         JOIN subject j ON j.id = t.subject_id JOIN staff s ON s.id = t.staff_id \
         WHERE t.staff_id = $1 ORDER BY c.name, j.name, t.id"
    }
    /// One member of staff.
    statement FIND_STAFF { staff!("WHERE r.id = $1 AND r.active") }
    /// One member of staff, be it that they do not work here any more.
    statement FIND_ANY_STAFF { staff!("WHERE r.id = $1") }
    /// How many others in service have a role.
    statement OTHERS_OF_ROLE {
        "SELECT count(*) AS n FROM staff_role o JOIN staff s ON s.id = o.staff_id AND s.active \
         WHERE o.role = $1 AND o.staff_id <> $2"
    }
    /// Another name or address, if nobody changed them meanwhile.
    statement UPDATE_STAFF {
        "UPDATE main.staff SET full_name = $4, email = $5, version = version + 1 \
         WHERE school_id = $1 AND id = $2 AND version = $3"
    }
    /// Works here or not, if nobody changed it meanwhile.
    statement SET_STAFF_ACTIVE {
        "UPDATE main.staff SET active = $4, version = version + 1 WHERE school_id = $1 AND id = $2 AND version = $3"
    }
    /// One version more, for what hangs on a member of staff.
    statement TOUCH_STAFF {
        "UPDATE main.staff SET version = version + 1 WHERE school_id = $1 AND id = $2 AND version = $3"
    }
    /// No role at all, before they are given anew.
    statement CLEAR_STAFF_ROLES { "DELETE FROM main.staff_role WHERE school_id = $1 AND staff_id = $2" }
    /// Staff in service; of one role, of one campus.
    paged STAFF_LIST {
        Staff,
        STAFF,
        StaffSort: |sort| match sort {
            StaffSort::Name => "lower(q.name)",
            StaffSort::Email => "lower(q.email)",
        },
        staff!(
            "WHERE r.active \
             AND (CAST($1 AS TEXT) IS NULL OR EXISTS (SELECT 1 FROM staff_role o WHERE o.staff_id = r.id AND o.role = $1)) \
             AND (CAST($2 AS TEXT) IS NULL OR EXISTS (SELECT 1 FROM staff_campus w WHERE w.staff_id = r.id AND w.campus_id = $2)) \
             AND {visible}"
        )
    }
    /// Staff in service, by name; of one campus: for finding one by name.
    listing STAFF_TO_FIND {
        Staff,
        STAFF,
        staff!(
            "WHERE r.active \
             AND (CAST($1 AS TEXT) IS NULL OR EXISTS (SELECT 1 FROM staff_campus w WHERE w.staff_id = r.id AND w.campus_id = $1)) \
             AND {visible} ORDER BY r.full_name, r.id"
        )
    }
    /// A new member of staff.
    statement ADD_STAFF {
        "INSERT INTO main.staff (school_id, id, full_name, email) VALUES ($1, $2, $3, $4)"
    }
    /// A campus that a member of staff works on.
    statement ADD_STAFF_CAMPUS {
        "INSERT INTO main.staff_campus (school_id, staff_id, campus_id) VALUES ($1, $2, $3)"
    }
    /// A role of a member of staff.
    statement ADD_STAFF_ROLE {
        "INSERT INTO main.staff_role (school_id, staff_id, role) VALUES ($1, $2, $3)"
    }
}
