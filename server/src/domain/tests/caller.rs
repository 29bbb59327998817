//! The caller comes from live rows, or does not come at all.

use agent_contract::{AgentIdentity, UserType};

use super::{LAKESIDE, MAIN, S1_EAST, identity, scope};
use crate::{
    db::{
        Database, Frame as _,
        testing::{behind_our_back, on_both},
    },
    demo,
    domain::CallerRow,
};

async fn caller(database: &Database, identity: &AgentIdentity) -> Option<CallerRow> {
    database.read(&scope(None)).await.expect("a frame").caller(identity).await.expect("asked")
}

on_both! {
    async fn a_caller_is_what_the_rows_say_now(database: Database) {
        demo::plant(&database).await.expect("planted");
        let ruth = caller(&database, &identity("ruth.akello")).await.expect("Ruth");
        assert_eq!(ruth.roles, ["class_teacher", "teacher"]);
        assert_eq!(ruth.campus_ids, [MAIN]);
        assert_eq!(ruth.class_teacher_of.iter().map(|own| own.id.as_str()).collect::<Vec<_>>(), [S1_EAST]);
        let teaches: Vec<(&str, &str)> = ruth
            .teaching
            .iter()
            .map(|row| (row.class_name.as_str(), row.subject_name.as_str()))
            .collect();
        assert_eq!(teaches, [("S1 East", "English"), ("S2 East", "English")]);

        let daniel = caller(&database, &identity("daniel.okello")).await.expect("Daniel");
        assert_eq!(daniel.campus_ids, [LAKESIDE, MAIN]);
        assert!(daniel.teaching.is_empty() && daniel.class_teacher_of.is_empty());

        behind_our_back(&database, "DELETE FROM staff_role WHERE staff_id = 'naalya-staff-ruth.akello'").await;
        assert!(caller(&database, &identity("ruth.akello")).await.expect("Ruth").roles.is_empty());
    }

    async fn an_identity_that_the_rows_do_not_bear_out_is_nobody(database: Database) {
        demo::plant(&database).await.expect("planted");
        let ruth = || identity("ruth.akello");
        let foreigner = AgentIdentity {
            sub: "riverbend-user-victor.otieno".to_owned(),
            email: "victor.otieno@riverbend.example".to_owned(),
            profile_id: "riverbend-staff-victor.otieno".to_owned(),
            ..ruth()
        };
        for (nobody, why) in [
            (identity("nobody.atall"), "unknown"),
            (AgentIdentity { school_id: None, ..ruth() }, "no school"),
            (AgentIdentity { school_id: Some("riverbend".to_owned()), ..ruth() }, "another school"),
            (AgentIdentity { profile_id: "naalya-staff-grace.namutebi".to_owned(), ..ruth() }, "another's profile"),
            (AgentIdentity { email: "grace.namutebi@naalya.example".to_owned(), ..ruth() }, "another's address"),
            (AgentIdentity { user_type: UserType::Platform, ..ruth() }, "another kind"),
            (foreigner, "a person of the other school who claims this one"),
        ] {
            assert_eq!(caller(&database, &nobody).await, None, "{why}");
        }
    }

    async fn who_is_disabled_or_left_is_nobody(database: Database) {
        demo::plant(&database).await.expect("planted");
        for (change, handle) in [
            ("UPDATE account SET disabled = TRUE WHERE id = 'naalya-user-ruth.akello'", "ruth.akello"),
            ("UPDATE staff SET active = FALSE WHERE id = 'naalya-staff-peter.mukasa'", "peter.mukasa"),
        ] {
            assert!(caller(&database, &identity(handle)).await.is_some(), "{handle}");
            behind_our_back(&database, change).await;
            assert_eq!(caller(&database, &identity(handle)).await, None, "{change}");
        }
    }
}
