//! Departments: one name a campus, hidden means absent, and no change without leave for that very
//! record.

use agent_contract::{ListQuery, ToolError, Version};
use tools::departments::{Departments as _, EditDepartments as _};

use super::{LAKESIDE, MAIN, Rights, campus, reading, scope, writing};
use crate::{
    db::{Database, Frame as _, testing::on_both},
    demo,
    domain::School,
};

const SCIENCES: &str = "naalya-campus-main-department-sciences";
const ELSEWHERE: &str = "naalya-campus-lakeside-department-sciences";
const FOREIGN: &str = "riverbend-campus-river-department-hydrology";

on_both! {
    async fn a_department_is_created_renamed_and_archived(database: Database) {
        demo::plant(&database).await.expect("planted");
        let school = writing(&database, Rights::all()).await;
        let made = school.create(" Fine   Arts ".to_owned(), &campus(MAIN)).await.expect("created");
        assert_eq!((made.name.as_str(), made.campus_name.as_str(), made.version.number()), ("Fine Arts", "Main Campus", 1));
        let renamed = school.rename(made.id.clone(), "Arts".to_owned(), None).await.expect("renamed");
        assert_eq!((renamed.name.as_str(), renamed.version.number()), ("Arts", 2));
        let listed = school.list(Some(&campus(MAIN)), ListQuery::default()).await.expect("listed");
        let names: Vec<&str> = listed.items().iter().map(|row| row.name.as_str()).collect();
        assert_eq!(names, ["Arts", "Humanities", "Languages", "Sciences"]);
        let gone = school.archive(made.id.clone(), None).await.expect("archived");
        assert_eq!(gone.value().name, "Arts");
        let absent = school.department(&made.id).await.expect_err("archived");
        assert_eq!(absent, ToolError::NotFound { what: "department", id: Some(made.id) });
        school.create("arts".to_owned(), &campus(MAIN)).await.expect("the name is free again");
    }

    async fn a_change_of_what_was_changed_meanwhile_is_refused(database: Database) {
        demo::plant(&database).await.expect("planted");
        let school = writing(&database, Rights::all()).await;
        let seen = Some(Version::new(1).expect("a version"));
        let first = school.rename(SCIENCES.to_owned(), "Science".to_owned(), seen).await.expect("still at 1");
        assert_eq!(first.version.number(), 2);
        let late = ToolError::stale(
            "Somebody else changed the department \"Science\" since you looked: it is at version 2 by now, not 1. \
             Look at it again first.",
        );
        assert_eq!(school.rename(SCIENCES.to_owned(), "Physics".to_owned(), seen).await.expect_err("late"), late);
        assert_eq!(school.archive(SCIENCES.to_owned(), seen).await.expect_err("late"), late);
        assert_eq!(school.department(SCIENCES).await.expect("kept").name, "Science");
    }

    async fn a_name_is_taken_once_on_each_campus(database: Database) {
        demo::plant(&database).await.expect("planted");
        for (name, on, taken) in [
            ("sciences", MAIN, Some("Main Campus already has a department called \"sciences\".")),
            ("Humanities", LAKESIDE, None),
        ] {
            let school = writing(&database, Rights::all()).await;
            let done = school.create(name.to_owned(), &campus(on)).await;
            assert_eq!(done.err().map(|error| error.to_string()).as_deref(), taken, "{name}");
        }
        let school = writing(&database, Rights::all()).await;
        let taken = school.rename(SCIENCES.to_owned(), "LANGUAGES".to_owned(), None).await.expect_err("taken");
        assert_eq!(taken, ToolError::conflict("Main Campus already has a department called \"LANGUAGES\"."));
        drop(school);
        let school = writing(&database, Rights::all()).await;
        let blank = school.rename(SCIENCES.to_owned(), "  ".to_owned(), None).await.expect_err("blank");
        assert_eq!(blank, ToolError::refused("A department needs a name."));
    }

    async fn hidden_foreign_and_missing_departments_are_one_answer(database: Database) {
        demo::plant(&database).await.expect("planted");
        let school = writing(&database, Rights::campus(MAIN)).await;
        for id in [ELSEWHERE, FOREIGN, "no-such-department", ""] {
            let absent = ToolError::NotFound { what: "department", id: Some(id.to_owned()) };
            assert_eq!(school.department(id).await.expect_err(id), absent);
            assert_eq!(school.rename(id.to_owned(), "X".to_owned(), None).await.expect_err(id), absent);
            assert_eq!(school.archive(id.to_owned(), None).await.expect_err(id), absent);
        }
        for id in [LAKESIDE, "riverbend-campus-river", "no-such-campus"] {
            let absent = ToolError::NotFound { what: "campus", id: Some(id.to_owned()) };
            assert_eq!(school.create("X".to_owned(), &campus(id)).await.expect_err(id), absent);
            assert_eq!(school.list(Some(&campus(id)), ListQuery::default()).await.expect_err(id), absent);
        }
    }

    async fn the_campus_in_use_hides_the_other(database: Database) {
        demo::plant(&database).await.expect("planted");
        let school = reading(&database, Some(LAKESIDE), Rights::all()).await;
        let listed = school.list(None, ListQuery::default()).await.expect("listed");
        assert!(listed.items().iter().all(|row| row.campus_id == LAKESIDE) && listed.total() == 2, "{listed:?}");
        assert!(matches!(school.department(SCIENCES).await, Err(ToolError::NotFound { .. })));
        assert!(school.department(ELSEWHERE).await.is_ok());
    }

    async fn what_may_be_read_may_not_yet_be_changed(database: Database) {
        demo::plant(&database).await.expect("planted");
        let school = writing(&database, Rights::reader()).await;
        for (done, sentence) in [
            (school.rename(SCIENCES.to_owned(), "X".to_owned(), None).await.map(|_| ()), "you may not change this department"),
            (school.archive(SCIENCES.to_owned(), None).await.map(|_| ()), "you may not remove this department"),
            (school.create("X".to_owned(), &campus(MAIN)).await.map(|_| ()), "you may not add a department there"),
        ] {
            assert_eq!(done.expect_err(sentence), ToolError::denied(sentence));
        }
        assert_eq!(school.department(SCIENCES).await.expect("unchanged").version.number(), 1);
    }

    async fn a_broken_policy_or_none_lets_nothing_through(database: Database) {
        demo::plant(&database).await.expect("planted");
        let broken = writing(&database, Rights::broken()).await;
        assert!(matches!(broken.department(SCIENCES).await, Err(ToolError::NotFound { .. })));
        assert!(broken.create("X".to_owned(), &campus(MAIN)).await.is_err());
        drop(broken);
        let unbound = School::new(database.write(&scope(None)).await.expect("a frame"));
        assert_eq!(unbound.list(None, ListQuery::default()).await.expect_err("unbound"), ToolError::Internal);
        assert_eq!(unbound.department(SCIENCES).await.expect_err("unbound"), ToolError::Internal);
        assert_eq!(unbound.create("X".to_owned(), &campus(MAIN)).await.expect_err("unbound"), ToolError::Internal);
        assert!(unbound.frame().session().live_caller().is_err());
    }

    async fn a_name_is_found_although_it_is_misspelt(database: Database) {
        demo::plant(&database).await.expect("planted");
        let school = reading(&database, None, Rights::campus(MAIN)).await;
        for (wanted, found) in [("Sceinces", vec!["Sciences"]), ("human", vec!["Humanities"]), ("Boatbuilding", vec![])] {
            let rows = school.find(wanted.to_owned(), None).await.expect("searched");
            let names: Vec<&str> = rows.iter().map(|row| row.name.as_str()).collect();
            assert_eq!(names, found, "{wanted}");
        }
    }
}
