//! Subjects, the classes that take them, and who teaches them.

use agent_contract::{ListQuery, ToolError, Version};
use tools::classes::EditClasses as _;
use tools::subjects::{EditSubjects as _, Subjects as _};
use tools::teaching::{EditTeaching as _, Teaching as _, TeachingFilter};

use super::{LAKESIDE, MAIN, Rights, S1_EAST, any, reading, writing};
use crate::{
    authz::authority::{Condition, Field},
    db::{Database, testing::on_both},
    demo,
};

const PHYSICS: &str = "naalya-subject-phy";
const S2_EAST: &str = "naalya-class-s2-east";
const PETER: &str = "naalya-staff-peter.mukasa";

fn names(subjects: &[tools::subjects::Subject]) -> Vec<&str> {
    subjects.iter().map(|subject| subject.name.as_str()).collect()
}

on_both! {
    async fn a_subject_is_created_renamed_moved_and_archived(database: Database) {
        demo::plant(&database).await.expect("planted");
        let school = writing(&database, Rights::all()).await;
        let sciences = "naalya-campus-main-department-sciences".to_owned();
        let made = school.create_subject(" Computer  Studies ".to_owned(), "ICT".to_owned(), Some(sciences)).await.expect("created");
        assert_eq!((made.name.as_str(), made.code.as_str(), made.version.number()), ("Computer Studies", "ICT", 1));
        assert_eq!(made.departments, ["Sciences (Main Campus)"]);
        let renamed = school.rename_subject(made.id.clone(), "Computing".to_owned(), Some(made.version)).await.expect("renamed");
        assert_eq!((renamed.name.as_str(), renamed.version.number()), ("Computing", 2));
        let late = school.rename_subject(made.id.clone(), "ICT".to_owned(), Some(made.version)).await.expect_err("stale");
        assert!(matches!(&late, ToolError::Stale(sentence) if sentence.contains("\"Computing\" since you looked")), "{late}");
        // A department of the same campus takes the place, one of another campus comes beside.
        for (department, expected) in [
            ("naalya-campus-main-department-humanities", vec!["Humanities (Main Campus)"]),
            ("naalya-campus-lakeside-department-sciences", vec!["Sciences (Lakeside Campus)", "Humanities (Main Campus)"]),
        ] {
            let moved = school.move_subject(made.id.clone(), department.to_owned()).await.expect("moved");
            assert_eq!(moved.departments, expected);
        }
        school.archive_subject(made.id.clone()).await.expect("archived");
        let gone = school.archive_subject(made.id.clone()).await.expect_err("gone");
        assert_eq!(gone, ToolError::NotFound { what: "subject", id: Some(made.id) });
        let again = school.create_subject("Computing".to_owned(), "CPT".to_owned(), None).await;
        assert_eq!(again.expect("the name is free again").version, Version::new(1).expect("a version"));
    }

    async fn what_the_school_has_is_not_added_twice_and_what_is_taught_not_archived(database: Database) {
        demo::plant(&database).await.expect("planted");
        // A refused statement ends a transaction on PostgreSQL, so each has its own.
        for (name, code) in [("mathematics", "X"), ("New", "MTC")] {
            let school = writing(&database, Rights::all()).await;
            let taken = school.create_subject(name.to_owned(), code.to_owned(), None).await.expect_err("taken");
            assert!(matches!(taken, ToolError::Conflict(_)), "{taken}");
        }
        let school = writing(&database, Rights::all()).await;
        let taught = school.archive_subject(PHYSICS.to_owned()).await.expect_err("taught");
        assert_eq!(taught, ToolError::refused("Physics is taught in S2 East; unassign its teachers first."));
        let blank = school.create_subject("\u{200b}".to_owned(), "Y".to_owned(), None).await.expect_err("no name");
        assert_eq!(blank, ToolError::refused("A subject needs a name."));
    }

    async fn a_class_takes_what_it_is_offered_and_what_is_taught_in_it(database: Database) {
        demo::plant(&database).await.expect("planted");
        let school = writing(&database, Rights::all()).await;
        let of = async |class: &str| school.subjects(None, Some(class.to_owned()), ListQuery::default()).await.expect("listed");
        assert_eq!(names(of(S1_EAST).await.items()), ["Biology", "English", "Mathematics"]);
        let kiswahili = "naalya-subject-kis".to_owned();
        let added = school.add_class_subject(S1_EAST.to_owned(), kiswahili.clone()).await.expect("offered");
        assert_eq!((added.class_name.as_str(), added.subject.as_str()), ("S1 East", "Kiswahili"));
        assert_eq!(names(of(S1_EAST).await.items()), ["Biology", "English", "Kiswahili", "Mathematics"]);
        let twice = school.add_class_subject(S1_EAST.to_owned(), kiswahili.clone()).await.expect_err("offered already");
        assert_eq!(twice, ToolError::conflict("S1 East takes Kiswahili already."));
        school.remove_class_subject(S1_EAST.to_owned(), kiswahili.clone()).await.expect("ended");
        let gone = school.remove_class_subject(S1_EAST.to_owned(), kiswahili).await.expect_err("not offered");
        assert_eq!(gone, ToolError::conflict("S1 East does not take Kiswahili."));
        let taught = school.remove_class_subject(S2_EAST.to_owned(), PHYSICS.to_owned()).await.expect_err("taught");
        assert_eq!(taught, ToolError::refused("Physics is taught in S2 East by Peter Mukasa; end that first."));
    }

    async fn a_teacher_is_assigned_and_unassigned(database: Database) {
        demo::plant(&database).await.expect("planted");
        let school = writing(&database, Rights::all()).await;
        let of_peter = TeachingFilter { teacher_id: Some(PETER.to_owned()), ..TeachingFilter::default() };
        let listed = school.teaching(of_peter.clone(), None, ListQuery::default()).await.expect("listed");
        let pairs: Vec<_> = listed.items().iter().map(|row| (row.class_name.as_str(), row.subject.as_str())).collect();
        assert_eq!(pairs, [("S1 East", "Mathematics"), ("S1 West", "Mathematics"), ("S2 East", "Physics")]);
        school.unassign_teacher(PETER.to_owned(), S2_EAST.to_owned(), PHYSICS.to_owned()).await.expect("ended");
        let twice = school.unassign_teacher(PETER.to_owned(), S2_EAST.to_owned(), PHYSICS.to_owned()).await.expect_err("ended");
        assert_eq!(twice, ToolError::conflict("Peter Mukasa does not teach Physics in S2 East."));
        school.assign_teacher(PETER.to_owned(), S2_EAST.to_owned(), "PHY".to_owned()).await.expect("assigned");
        assert_eq!(school.teaching(of_peter, None, ListQuery::default()).await.expect("listed").total(), 3);
    }

    async fn assignments_and_subjects_are_seen_as_far_as_the_rights_reach(database: Database) {
        demo::plant(&database).await.expect("planted");
        let all = TeachingFilter::default;
        for (condition, pinned, assignments, subjects) in [
            (Condition::Everything, None, 16, 9),
            (Condition::Everything, Some(LAKESIDE), 6, 9),
            (any(Field::Campus, &[MAIN]), None, 10, 9),
            (any(Field::Campus, &[MAIN]), Some(LAKESIDE), 0, 9),
            (any(Field::Class, &[S1_EAST]), None, 3, 0),
            (any(Field::Assignment, &["naalya-assignment-s2-east-phy"]), None, 1, 0),
            (any(Field::Campus, &["riverbend-campus-river"]), None, 0, 0),
            (Condition::Nothing, None, 0, 0),
        ] {
            let what = format!("{condition:?} {pinned:?}");
            let school = reading(&database, pinned, Rights::of(condition, Condition::Nothing)).await;
            assert_eq!(school.teaching(all(), None, ListQuery::default()).await.expect("listed").total(), assignments, "{what}");
            assert_eq!(school.subjects(None, None, ListQuery::default()).await.expect("listed").total(), subjects, "{what}");
        }
    }

    async fn a_subject_shows_its_departments_on_the_campus_in_use(database: Database) {
        demo::plant(&database).await.expect("planted");
        for (pinned, expected) in [
            (None, vec!["Sciences (Lakeside Campus)", "Sciences (Main Campus)"]),
            (Some(MAIN), vec!["Sciences (Main Campus)"]),
        ] {
            let school = reading(&database, pinned, Rights::all()).await;
            let found = school.find_subjects("MTC".to_owned()).await.expect("found");
            assert_eq!(names(&found), ["Mathematics"]);
            assert_eq!(found[0].departments, expected);
        }
    }
}
