//! Students: enrolled, moved with leave at both ends, withdrawn.

use agent_contract::{ListQuery, ToolError};
use tools::students::{EditStudents as _, StudentFilter, StudentStatus, Students as _};

use super::{MAIN, Rights, S1_EAST, any, writing};
use crate::{
    authz::authority::{Condition, Field},
    db::{Database, testing::on_both},
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
}
