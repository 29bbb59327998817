//! Students: enrolled, moved with leave at both ends, withdrawn.

use agent_contract::{ListQuery, ToolError};
use tools::students::{EditStudents as _, StudentFilter, StudentStatus, Students as _};

use super::{LAKESIDE, MAIN, Rights, S1_EAST, any, campus, writing};
use crate::{
    authz::authority::{Condition, Field},
    db::{Database, Frame as _, statements::Raw, testing::on_both, values},
    demo,
};

const S1_WEST: &str = "naalya-class-s1-west";
const S1_NORTH: &str = "naalya-class-s1-north";
const FIRST: &str = "naalya-student-001";

fn of_class(id: &str) -> StudentFilter {
    StudentFilter { class_id: Some(id.to_owned()), ..StudentFilter::default() }
}

on_both! {
    async fn a_student_is_enrolled_moved_and_withdrawn(database: Database) {
        demo::plant(&database).await.expect("planted");
        let school = writing(&database, Rights::all()).await;
        let new = school.enrol("Amina  Nansamba".to_owned(), S1_EAST.to_owned()).await.expect("enrolled");
        assert_eq!((new.name.as_str(), new.class_name.as_deref()), ("Amina Nansamba", Some("S1 East")));
        assert!(new.admission_number.ends_with("/0061"), "{}", new.admission_number);
        let moved = school.move_to(new.id.clone(), S1_NORTH.to_owned()).await.expect("moved");
        assert_eq!((moved.class_name.as_deref(), moved.campus_name.as_str()), (Some("S1 North"), "Lakeside Campus"));
        let again = school.move_to(new.id.clone(), S1_NORTH.to_owned()).await.expect_err("there already");
        assert_eq!(again, ToolError::conflict("Amina Nansamba is already in S1 North."));
        let gone = school.withdraw(new.id.clone()).await.expect("withdrawn");
        assert_eq!((gone.status, gone.class_id), (StudentStatus::Withdrawn, None));
        let twice = school.withdraw(new.id.clone()).await.expect_err("gone");
        assert_eq!(twice, ToolError::conflict("Amina Nansamba has left already."));
        let nowhere = school.move_to(new.id, S1_EAST.to_owned()).await.expect_err("gone");
        assert_eq!(nowhere, ToolError::refused("Amina Nansamba is not enrolled in a class this year."));
        assert_eq!(school.list(StudentFilter::default(), ListQuery::default()).await.expect("listed").total(), 60);
    }

    async fn a_move_needs_leave_at_both_ends(database: Database) {
        demo::plant(&database).await.expect("planted");
        let rights = || Rights::of(any(Field::Campus, &[MAIN]), any(Field::Class, &[S1_EAST]));
        let school = writing(&database, rights()).await;
        let there = school.move_to(FIRST.to_owned(), S1_WEST.to_owned()).await.expect_err("not there");
        assert_eq!(there, ToolError::denied("you may not move this student there"));
        let hidden = school.move_to(FIRST.to_owned(), S1_NORTH.to_owned()).await.expect_err("hidden");
        assert_eq!(hidden, ToolError::NotFound { what: "class", id: Some(S1_NORTH.to_owned()) });
        let not_own = school.withdraw("naalya-student-009".to_owned()).await.expect_err("not in S1 East");
        assert_eq!(not_own, ToolError::denied("you may not change this student"));
        let other = school.enrol("X Y".to_owned(), S1_WEST.to_owned()).await.expect_err("not there");
        assert_eq!(other, ToolError::denied("you may not add a student there"));
    }

    async fn students_are_found_by_name_within_what_may_be_seen(database: Database) {
        demo::plant(&database).await.expect("planted");
        let school = writing(&database, Rights::of(any(Field::Class, &[S1_EAST]), Condition::Nothing)).await;
        assert_eq!(school.list(of_class(S1_EAST), ListQuery::default()).await.expect("listed").total(), 8);
        let hidden = school.list(of_class(S1_WEST), ListQuery::default()).await.expect_err("hidden");
        assert_eq!(hidden, ToolError::NotFound { what: "class", id: Some(S1_WEST.to_owned()) });
        let amina = school.find("Amina".to_owned(), None).await.expect("found");
        assert_eq!(amina.iter().map(|row| row.id.as_str()).collect::<Vec<_>>(), [FIRST]);
        assert!(school.find("Zawadi".to_owned(), None).await.expect("none").is_empty());
    }

    async fn a_search_among_very_many_is_refused_and_told_how_it_can_be_made(database: Database) {
        demo::plant(&database).await.expect("planted");
        let school = writing(&database, Rights::all()).await;
        for sql in [
            "INSERT INTO main.student (school_id, id, campus_id, admission_number, full_name) \
             WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000) \
             SELECT 'naalya', 'many-' || i, 'naalya-campus-main', 'many/' || i, 'Many ' || i FROM n",
            "INSERT INTO main.enrolment (school_id, student_id, class_id, academic_year_id) \
             SELECT 'naalya', s.id, c.id, c.academic_year_id FROM student s JOIN class c ON c.id = 'naalya-class-s1-east' \
             WHERE s.id LIKE 'many-%'",
        ] {
            let mut db = school.frame.session().lock().await;
            assert_eq!(db.execute(Raw(sql.to_owned()), values![]).await.expect("inserted"), 10_000);
        }
        let refused = school.find("Many 7".to_owned(), None).await.expect_err("too many");
        assert!(refused.to_string().contains("more than 10000"), "{refused}");
        let lakeside = campus(LAKESIDE);
        let found = school.find("Many 7".to_owned(), Some(&lakeside)).await.expect("looked through");
        assert!(found.is_empty(), "{found:?}");
    }
}
