//! Streams: sizes, changes of a class, and moves within a year group.

use agent_contract::ToolError;
use tools::streams::{ClassChange, EditStreams as _, Streams as _};
use tools::students::EditStudents as _;

use super::{LAKESIDE, Rights, S1_EAST, any, reading, writing};
use crate::{
    authz::authority::Field,
    db::{Database, testing::on_both},
    demo,
};

const S1_WEST: &str = "naalya-class-s1-west";
const FIRST: &str = "naalya-student-001";

on_both! {
    async fn streams_of_a_year_group_are_listed_with_their_sizes(database: Database) {
        demo::plant(&database).await.expect("planted");
        let school = reading(&database, None, Rights::all()).await;
        let streams = school.streams(Some(" s1 ".to_owned()), None).await.expect("listed");
        let sizes: Vec<_> = streams.iter().map(|row| (row.name.as_str(), row.year_group.as_str(), row.students)).collect();
        assert_eq!(sizes, [("S1 East", "S1", 8), ("S1 North", "S1", 8), ("S1 South", "S1", 7), ("S1 West", "S1", 8)]);
        assert_eq!(school.streams(None, None).await.expect("listed").len(), 8);
        assert!(school.streams(Some("S9".to_owned()), None).await.expect("none").is_empty());
        let lakeside = reading(&database, Some(LAKESIDE), Rights::all()).await;
        assert_eq!(lakeside.streams(None, None).await.expect("listed").len(), 4);
    }

    async fn a_class_is_changed_and_its_version_counts(database: Database) {
        demo::plant(&database).await.expect("planted");
        let school = writing(&database, Rights::all()).await;
        let before = school.class_details(S1_EAST.to_owned()).await.expect("read");
        assert_eq!((before.version.number(), before.capacity, before.class_teacher.as_deref()), (1, None, Some("Ruth Akello")));
        let subjects: Vec<_> = before.subjects.iter().map(|row| (row.subject.as_str(), row.teachers.join(", "))).collect();
        assert_eq!(subjects, [
            ("Biology", "Henry Tumusiime".to_owned()),
            ("English", "Ruth Akello".to_owned()),
            ("Mathematics", "Peter Mukasa".to_owned()),
        ]);
        let change = ClassChange {
            name: Some("S1 Nile".to_owned()),
            class_teacher_id: Some("naalya-staff-peter.mukasa".to_owned()),
            capacity: Some(8),
            version: Some(before.version),
        };
        let after = school.update_class(S1_EAST.to_owned(), change.clone()).await.expect("changed");
        assert_eq!((after.name.as_str(), after.stream.as_deref(), after.version.number()), ("S1 Nile", Some("Nile"), 2));
        assert_eq!((after.class_teacher.as_deref(), after.capacity), (Some("Peter Mukasa"), Some(8)));
        let late = school.update_class(S1_EAST.to_owned(), change).await.expect_err("stale");
        assert!(matches!(late, ToolError::Stale(_)), "{late}");
        for (change, sentence) in [
            (ClassChange { capacity: Some(7), ..ClassChange::default() }, "S1 Nile has 8 students, so its capacity cannot be 7."),
            (ClassChange { class_teacher_id: Some("naalya-staff-moses.kato".to_owned()), ..ClassChange::default() }, "Moses Kato is not a teacher."),
        ] {
            let refused = school.update_class(S1_EAST.to_owned(), change).await;
            assert_eq!(refused.expect_err(sentence), ToolError::refused(sentence));
        }
        let full = school.enrol("Amina Nansamba".to_owned(), S1_EAST.to_owned()).await.expect_err("full");
        assert_eq!(full, ToolError::refused("S1 Nile is full: it has room for 8 and 8 are enrolled."));
    }

    async fn a_student_moves_within_the_year_group(database: Database) {
        demo::plant(&database).await.expect("planted");
        let school = writing(&database, Rights::all()).await;
        let moved = school.move_to_stream(FIRST.to_owned(), "west".to_owned()).await.expect("moved");
        assert_eq!(moved.class_name.as_deref(), Some("S1 West"));
        let there = school.move_to_stream(FIRST.to_owned(), "West".to_owned()).await.expect_err("there");
        assert_eq!(there, ToolError::conflict("Amina Nakato is already in S1 West."));
        // North is a stream of S1 too, on the other campus.
        let none = school.move_to_stream(FIRST.to_owned(), "North".to_owned()).await.expect_err("elsewhere");
        assert_eq!(none, ToolError::refused("S1 has no stream \"North\" at Main Campus; there are: East, West."));
        let full = ClassChange { capacity: Some(8), ..ClassChange::default() };
        school.update_class(S1_EAST.to_owned(), full).await.expect("limited");
        school.move_to_stream(FIRST.to_owned(), "East".to_owned()).await.expect("there is one place");
        let refused = school.move_to_stream("naalya-student-009".to_owned(), "East".to_owned()).await.expect_err("full");
        assert_eq!(refused, ToolError::refused("S1 East is full: it has room for 8 and 8 are enrolled."));
    }

    async fn a_move_needs_leave_at_both_ends_and_names_no_hidden_class(database: Database) {
        demo::plant(&database).await.expect("planted");
        let own = || any(Field::Class, &[S1_EAST]);
        let school = writing(&database, Rights::of(own(), own())).await;
        let hidden = school.move_to_stream(FIRST.to_owned(), "West".to_owned()).await.expect_err("hidden");
        assert_eq!(hidden, ToolError::refused("S1 has no stream \"West\" at Main Campus; there are: East."));
        drop(school);
        let seeing = Rights::of(any(Field::Class, &[S1_EAST, S1_WEST]), own());
        let school = writing(&database, seeing).await;
        let denied = school.move_to_stream(FIRST.to_owned(), "West".to_owned()).await.expect_err("not there");
        assert_eq!(denied, ToolError::denied("you may not move this student there"));
    }
}
