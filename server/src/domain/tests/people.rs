//! Staff, their profiles, the classes they teach, and signing in.

use agent_contract::{ListQuery, Relation, ToolError};
use tools::{
    classes::{Classes, EditClasses, OwnTeaching as _},
    staff::{OwnProfile as _, Staff, StaffRoleArg},
};

use super::{LAKESIDE, MAIN, Rights, S1_EAST, acting, campus, reading, writing};
use crate::{
    db::{
        Database,
        testing::{behind_our_back, on_both},
    },
    demo,
    domain::{SignInError, sign_in},
};

on_both! {
    async fn staff_are_listed_by_role_and_campus(database: Database) {
        demo::plant(&database).await.expect("planted");
        let school = reading(&database, None, Rights::all()).await;
        for (role, on, names) in [
            (Some(StaffRoleArg::HeadTeacher), None, vec!["Grace Namutebi"]),
            (Some(StaffRoleArg::CampusAdmin), Some(LAKESIDE), vec!["Sarah Nabirye"]),
            (Some(StaffRoleArg::ClassTeacher), Some(LAKESIDE), vec!["Lydia Achieng", "Robert Byaruhanga"]),
            (Some(StaffRoleArg::Bursar), Some(MAIN), vec!["Moses Kato"]),
        ] {
            let on = on.map(campus);
            let rows = Staff::list(&school, role, on.as_ref(), ListQuery::default()).await.expect("listed");
            assert_eq!(rows.items().iter().map(|row| row.name.as_str()).collect::<Vec<_>>(), names);
        }
        let okello = Staff::find(&school, "okelo".to_owned(), None).await.expect("found");
        assert_eq!(okello[0].name, "Daniel Okello");
        assert_eq!(okello[0].roles, ["Director of studies"]);
        assert_eq!(okello[0].campuses, ["Lakeside Campus", "Main Campus"]);
    }

    async fn everyone_has_a_profile_of_their_own(database: Database) {
        demo::plant(&database).await.expect("planted");
        let cx = acting(&database, "ruth.akello", None).await;
        let proof = cx.prove(Relation::OwnProfile).await.expect("their own");
        let own = cx.services().profile(&proof).await.expect("a profile");
        assert_eq!(own.school, "Naalya Hills School");
        assert_eq!((own.name.as_str(), own.class_teacher_of.as_deref()), ("Ruth Akello", Some("S1 East")));
        assert_eq!(own.roles, ["Class teacher", "Teacher"]);
        let taught = cx.services().assignments(&proof).await.expect("assignments");
        assert_eq!(taught.len(), 2);
        drop(cx);

        let cx = acting(&database, "henry.tumusiime", Some(LAKESIDE)).await;
        let proof = cx.prove(Relation::OwnProfile).await.expect("their own");
        let taught = cx.services().assignments(&proof).await.expect("assignments");
        let classes: Vec<&str> = taught.iter().map(|row| row.class_name.as_str()).collect();
        assert_eq!(classes, ["S1 North", "S2 South"], "only the campus in use");
        let wrong = cx.services().profile(
            &cx.prove(Relation::Teaches { class_id: "naalya-class-s1-north".to_owned() }).await.expect("teaches there"),
        ).await;
        assert_eq!(wrong.expect_err("another relation"), ToolError::Internal);
    }

    async fn a_teacher_is_assigned_once_to_a_subject_of_the_school(database: Database) {
        demo::plant(&database).await.expect("planted");
        let peter = || "naalya-staff-peter.mukasa".to_owned();
        let school = writing(&database, Rights::all()).await;
        let made = school.assign_teacher(peter(), S1_EAST.to_owned(), "physics".to_owned()).await.expect("assigned");
        assert_eq!((made.subject.as_str(), made.class_name.as_str(), made.teacher.as_str()), ("Physics", "S1 East", "Peter Mukasa"));
        drop(school);
        for (teacher, subject, sentence) in [
            (peter(), "mtc", "Peter Mukasa already teaches Mathematics in S1 East."),
            ("naalya-staff-moses.kato".to_owned(), "Physics", "Moses Kato is not a teacher."),
            (peter(), "alchemy", "There is no subject \"alchemy\" here; there are: Biology, Chemistry, English, Fine Art, Geography, History, Kiswahili, Mathematics, Physics."),
            ("riverbend-staff-wanjiru.kamau".to_owned(), "Physics", "there is no such member of staff: riverbend-staff-wanjiru.kamau"),
        ] {
            let school = writing(&database, Rights::all()).await;
            let refused = school.assign_teacher(teacher, S1_EAST.to_owned(), subject.to_owned()).await;
            assert_eq!(refused.expect_err(sentence).to_string(), sentence);
        }
    }

    async fn a_class_is_opened_in_the_current_year(database: Database) {
        demo::plant(&database).await.expect("planted");
        let school = writing(&database, Rights::campus(LAKESIDE)).await;
        let made = EditClasses::create(&school, "S3 North".to_owned(), &campus(LAKESIDE)).await.expect("opened");
        assert_eq!((made.name.as_str(), made.students, made.class_teacher), ("S3 North", 0, None));
        let found = Classes::find(&school, "S3".to_owned(), None).await.expect("found");
        assert_eq!(found.len(), 1);
        let taken = EditClasses::create(&school, "s3 north".to_owned(), &campus(LAKESIDE)).await.expect_err("taken");
        assert_eq!(taken, ToolError::conflict("Lakeside Campus already has a class called \"s3 north\" this year."));
    }

    async fn signing_in_needs_the_address_and_the_password(database: Database) {
        demo::plant(&database).await.expect("planted");
        let ruth = sign_in(&database, " Ruth.Akello@naalya.example", demo::PASSWORD).await.expect("signed in");
        assert_eq!((ruth.school_id.as_deref(), ruth.profile_id.as_str()), (Some("naalya"), "naalya-staff-ruth.akello"));
        assert!(!format!("{ruth:?}").contains("argon2"));
        behind_our_back(&database, "UPDATE account SET disabled = TRUE WHERE id = 'naalya-user-peter.mukasa'").await;
        for (email, password) in [
            ("ruth.akello@naalya.example", "rover-dem"),
            ("ruth.akello@naalya.example", ""),
            ("nobody@naalya.example", demo::PASSWORD),
            ("peter.mukasa@naalya.example", demo::PASSWORD),
        ] {
            let refused = sign_in(&database, email, password).await;
            assert!(matches!(refused, Err(SignInError::Refused)), "{email}: {refused:?}");
        }
    }
}
