//! Lists show what may be seen on the campus in use, and a lookup agrees with the list about every
//! record.

use agent_contract::{ListQuery, PageSize};
use tools::{
    attendance::Attendance as _,
    campuses::Campuses,
    classes::Classes,
    staff::Staff,
    students::{StudentFilter, StudentSort, Students},
};

use super::{LAKESIDE, MAIN, Rights, S1_EAST, any, reading};
use crate::{
    authz::authority::{Clause, Condition, Field},
    db::{Database, testing::on_both},
    demo,
};

/// A page of as many as there can be.
fn widest() -> ListQuery<StudentSort> {
    ListQuery::new(None, None, PageSize::new(PageSize::MOST).ok(), None).expect("a query")
}

fn reads(condition: Condition) -> Rights {
    Rights::of(condition, Condition::Nothing)
}

/// What each condition lets through: classes and students, in the school and on one campus.
fn cases() -> Vec<(&'static str, Condition, Option<&'static str>, i64, i64)> {
    let assignment = "naalya-assignment-s2-east-phy";
    let either = Condition::AnyOf(vec![
        Clause { field: Field::Class, values: vec![S1_EAST.to_owned()] },
        Clause { field: Field::Assignment, values: vec![assignment.to_owned()] },
    ]);
    vec![
        ("everything", Condition::Everything, None, 8, 60),
        ("everything on a campus", Condition::Everything, Some(LAKESIDE), 4, 29),
        ("nothing", Condition::Nothing, None, 0, 0),
        ("no clause", Condition::AnyOf(Vec::new()), None, 0, 0),
        ("a clause of no values", any(Field::Campus, &[]), None, 0, 0),
        ("a campus", any(Field::Campus, &[MAIN]), None, 4, 31),
        ("both campuses", any(Field::Campus, &[MAIN, LAKESIDE]), None, 8, 60),
        ("another campus than the one in use", any(Field::Campus, &[MAIN]), Some(LAKESIDE), 0, 0),
        ("a class", any(Field::Class, &[S1_EAST]), None, 1, 8),
        ("a teaching assignment", any(Field::Assignment, &[assignment]), None, 1, 8),
        ("a class or an assignment", either.clone(), None, 2, 16),
        ("the same on the other campus", either, Some(LAKESIDE), 0, 0),
        ("the other school's campus", any(Field::Campus, &["riverbend-campus-river"]), None, 0, 0),
        ("a quote", any(Field::Campus, &["' OR TRUE --"]), None, 0, 0),
    ]
}

on_both! {
    async fn a_list_shows_what_the_condition_and_the_campus_let_through(database: Database) {
        demo::plant(&database).await.expect("planted");
        for (what, condition, pinned, classes, students) in cases() {
            let school = reading(&database, pinned, reads(condition)).await;
            let found = i64::try_from(school.list_classes().await).expect("few");
            assert_eq!(found, classes, "classes: {what}");
            let listed = Students::list(&school, StudentFilter::default(), widest()).await.expect("listed");
            assert_eq!((listed.total(), listed.items().len()), (students, usize::try_from(students).expect("few")), "students: {what}");
        }
    }

    async fn a_lookup_agrees_with_the_list(database: Database) {
        demo::plant(&database).await.expect("planted");
        let everyone = reading(&database, None, Rights::all()).await;
        let all = Students::list(&everyone, StudentFilter::default(), widest()).await.expect("listed");
        assert_eq!(all.items().len(), 60);
        for (what, condition, pinned, _, students) in cases() {
            let school = reading(&database, pinned, reads(condition)).await;
            let mut found = 0;
            for student in all.items() {
                found += i64::from(school.sees_student(&student.id).await);
            }
            assert_eq!(found, students, "{what}");
        }
    }

    async fn staff_hang_on_every_campus_they_work_on(database: Database) {
        demo::plant(&database).await.expect("planted");
        for (rights, pinned, expected) in [
            (Rights::all(), None, 13),
            (Rights::campus(LAKESIDE), None, 8),
            (Rights::all(), Some(LAKESIDE), 8),
            (Rights::campus(MAIN), Some(LAKESIDE), 5),
        ] {
            let school = reading(&database, pinned, rights).await;
            let listed = Staff::list(&school, None, None, ListQuery::default()).await.expect("listed");
            assert_eq!(listed.total(), expected, "{pinned:?} {listed:?}");
        }
    }

    async fn campuses_are_compared_in_numbers(database: Database) {
        demo::plant(&database).await.expect("planted");
        let school = reading(&database, None, Rights::all()).await;
        let figures = school.compare().await.expect("compared");
        let numbers: Vec<_> = figures
            .iter()
            .map(|row| (row.name.as_str(), row.departments, row.classes, row.students, row.staff))
            .collect();
        assert_eq!(numbers, [("Lakeside Campus", 2, 4, 29, 8), ("Main Campus", 3, 4, 31, 10)]);
        let one = reading(&database, None, Rights::campus(MAIN)).await;
        assert_eq!(one.compare().await.expect("compared").len(), 1);
        assert_eq!(school_names(&database).await, ["Lakeside Campus", "Main Campus"]);
    }

    async fn the_summary_of_attendance_has_a_line_for_each_class(database: Database) {
        demo::plant(&database).await.expect("planted");
        let school = reading(&database, None, Rights::all()).await;
        let lines = school.summary(None, None).await.expect("summed up");
        assert_eq!(lines.len(), 8);
        assert!(lines.iter().all(|line| line.present + line.absent + line.late == 0), "nothing is recorded today");
        let own = reading(&database, None, reads(any(Field::Class, &[S1_EAST]))).await;
        assert_eq!(own.summary(None, None).await.expect("summed up").len(), 1);
    }
}

async fn school_names(database: &Database) -> Vec<String> {
    let school = reading(database, None, Rights::all()).await;
    let listed = Campuses::list(&school).await.expect("listed");
    listed.into_iter().map(|campus| campus.name).collect()
}

impl<F: crate::db::Frame> crate::domain::School<F> {
    async fn list_classes(&self) -> usize {
        Classes::list(self, None).await.expect("listed").len()
    }

    async fn sees_student(&self, id: &str) -> bool {
        use crate::domain::students::StudentRow;
        self.frame().session().lock().await.find::<StudentRow>(id).await.is_ok()
    }
}
