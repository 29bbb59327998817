//! What a list shows, which the database filters, is what the caller's rights let through in memory: for random
//! callers over random rows, on both databases. The two sides share nothing but the grants.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::Arc;

use agent_contract::{Action, ListQuery, Page, PageSize, SortKey, StaffRole};
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;
use sqlx::FromRow;
use tools::{
    campuses::Campuses,
    classes::Classes,
    departments::Departments,
    staff::Staff,
    students::{StudentFilter, Students},
};

use super::scope;
use crate::{
    authz::{Ability, Caller, Policy, RecordRef, Rights},
    db::{Database, Frame as _, Record, WriteFrame, statements::Raw, testing::on_both, values},
    demo,
    domain::{
        School, campuses::CampusRow, classes::ClassRow, departments::DepartmentRow,
        staff::StaffRow, students::StudentRow,
    },
};

const SCHOOL: &str = "naalya";
/// Rows of each kind that are planted beside the demo's.
const ROWS: usize = 25;
/// Callers that look at them.
const CALLERS: usize = 150;

#[derive(FromRow)]
struct Id {
    id: String,
}

/// Where records and people can hang.
struct Places {
    campuses: Vec<String>,
    classes: Vec<String>,
    assignments: Vec<String>,
}

/// The records of one list, as memory knows them: id, and every place of each.
type Records = Vec<(String, Vec<RecordRef>)>;

on_both! {
    async fn a_list_is_what_the_rights_let_through_in_memory(database: Database) {
        assert!(demo::plant(&database).await.expect("planted"));
        let policy = Arc::new(Policy::load().expect("a policy"));
        let mut random = TestRunner::new(ProptestConfig::default());
        // Nothing of this is committed: the frame sees its own rows.
        let frame = database.write(&scope(None)).await.expect("a frame");
        let places = places(&frame).await;
        plant(&frame, &places, &mut random).await;
        let mut school = School::new(frame);

        let everyone = Caller::of_school(SCHOOL).with_roles(["head_teacher"]);
        school = bound(school, &policy, everyone);
        let all = records(&school).await;
        assert!(all.iter().all(|records| records.len() >= 2), "there is something to hide");

        let (mut shown, mut hidden) = (0, 0);
        for _ in 0..CALLERS {
            let caller = draw(&callers(&places), &mut random);
            let ability = Ability::new(caller.clone());
            school = bound(school, &policy, caller.clone());
            for (records, listed) in all.iter().zip(lists(&school).await) {
                let allowed: BTreeSet<_> = records
                    .iter()
                    .filter(|(_, places)| places.iter().any(|place| ability.allows(Action::Read, place)))
                    .map(|(id, _)| id.clone())
                    .collect();
                shown += allowed.len();
                hidden += records.len() - allowed.len();
                assert_eq!(listed, allowed, "{caller:?}");
            }
        }
        assert!(shown > 1000 && hidden > 1000, "{shown} shown, {hidden} hidden: too few to prove anything");
    }
}

/// What each list shows, in one order, on pages of as many as there can be.
async fn lists(school: &School<WriteFrame>) -> [BTreeSet<String>; 5] {
    let campuses = Campuses::list(school).await.expect("listed");
    let departments = Departments::list(school, None, widest()).await.expect("listed");
    let classes = Classes::list(school, None).await.expect("listed");
    let staff = Staff::list(school, None, None, widest()).await.expect("listed");
    let students =
        Students::list(school, StudentFilter::default(), widest()).await.expect("listed");
    [
        campuses.into_iter().map(|row| row.id).collect(),
        ids(&departments, |row| &row.id),
        classes.into_iter().map(|row| row.id).collect(),
        ids(&staff, |row| &row.id),
        ids(&students, |row| &row.id),
    ]
}

fn widest<S: SortKey>() -> ListQuery<S> {
    ListQuery::new(None, None, PageSize::new(PageSize::MOST).ok(), None).expect("a query")
}

/// The ids of a page that holds the whole list.
fn ids<T>(page: &Page<T>, id: impl Fn(&T) -> &String) -> BTreeSet<String> {
    let ids: BTreeSet<_> = page.items().iter().map(|row| id(row).clone()).collect();
    assert_eq!(Ok(page.total()), i64::try_from(ids.len()), "the total counts what is shown");
    ids
}

/// What the lists hold for somebody who sees everything, with the places of each record.
async fn records(school: &School<WriteFrame>) -> [Records; 5] {
    let [campuses, departments, classes, staff, students] = lists(school).await;
    [
        places_of::<CampusRow>(school, campuses).await,
        places_of::<DepartmentRow>(school, departments).await,
        places_of::<ClassRow>(school, classes).await,
        places_of::<StaffRow>(school, staff).await,
        places_of::<StudentRow>(school, students).await,
    ]
}

async fn places_of<T: Record>(school: &School<WriteFrame>, ids: BTreeSet<String>) -> Records {
    let mut db = school.frame().session().lock().await;
    let mut records = Vec::new();
    for id in ids {
        let row: T = db.optional(T::FIND, values![&id]).await.expect("asked").expect("it is there");
        let hangs = |place: crate::db::Place| RecordRef {
            resource: T::RESOURCE,
            school_id: SCHOOL.to_owned(),
            id: id.clone(),
            campus_id: place.campus_id,
            class_id: place.class_id,
            assignment_ids: place.assignment_ids,
        };
        records.push((id.clone(), row.places().into_iter().map(hangs).collect()));
    }
    records
}

fn bound(school: School<WriteFrame>, policy: &Arc<Policy>, caller: Caller) -> School<WriteFrame> {
    let mut frame = school.into_frame();
    frame.bind(Arc::new(Rights::new(Arc::clone(policy), caller)));
    School::new(frame)
}

async fn places(frame: &WriteFrame) -> Places {
    let mut db = frame.session().lock().await;
    let mut ids = async |table: &str| -> Vec<String> {
        let rows: Vec<Id> = db
            .all(Raw(format!("SELECT id FROM {table} ORDER BY id")), values![])
            .await
            .expect("asked");
        rows.into_iter().map(|row| row.id).collect()
    };
    Places {
        campuses: ids("campus").await,
        classes: ids("class").await,
        assignments: ids("teaching_assignment").await,
    }
}

/// Departments in and out of use, staff of no campus, one or all, students with and without a class.
async fn plant(frame: &WriteFrame, places: &Places, random: &mut TestRunner) {
    let campus = select(places.campuses.clone());
    let some = subsequence(places.campuses.clone(), 0..=places.campuses.len());
    let class = prop::option::weighted(0.8, select(places.classes.clone()));
    let flag = any::<bool>();
    let mut db = frame.session().lock().await;
    let mut run = async |sql: &str| {
        db.execute(Raw(sql.to_owned()), values![])
            .await
            .unwrap_or_else(|fault| panic!("{sql}: {fault}"));
    };
    for n in 0..ROWS {
        let (here, archived) = (draw(&campus, random), draw(&flag, random));
        let archived = if archived { "1" } else { "NULL" };
        run(&format!(
            "INSERT INTO main.department (school_id, id, campus_id, name, archived_at_us) \
                      VALUES ('{SCHOOL}', 'dep-{n}', '{here}', 'Department {n}', {archived})"
        ))
        .await;
        let active = if draw(&flag, random) { "TRUE" } else { "FALSE" };
        run(&format!("INSERT INTO main.staff (school_id, id, full_name, email, active) \
                      VALUES ('{SCHOOL}', 'sta-{n}', 'Person {n}', 'person-{n}@naalya.example', {active})")).await;
        for works in draw(&some, random) {
            run(&format!(
                "INSERT INTO main.staff_campus (school_id, staff_id, campus_id) \
                          VALUES ('{SCHOOL}', 'sta-{n}', '{works}')"
            ))
            .await;
        }
        let here = draw(&campus, random);
        run(&format!(
            "INSERT INTO main.student (school_id, id, campus_id, admission_number, full_name) \
                      VALUES ('{SCHOOL}', 'stu-{n}', '{here}', 'x/{n}', 'Student {n}')"
        ))
        .await;
        if let Some(class) = draw(&class, random) {
            let ended = if draw(&flag, random) { "'2026-01-01'" } else { "NULL" };
            let mut sql = String::new();
            let _ = write!(
                sql,
                "INSERT INTO main.enrolment (school_id, student_id, class_id, academic_year_id, ended_on) \
                                 SELECT '{SCHOOL}', 'stu-{n}', c.id, c.academic_year_id, {ended} FROM class c WHERE c.id = '{class}'"
            );
            run(&sql).await;
        }
    }
}

fn callers(places: &Places) -> impl Strategy<Value = Caller> + use<> {
    let some = |ids: &[String]| subsequence(ids.to_vec(), 0..=ids.len().min(3));
    let roles = subsequence(StaffRole::ALL.to_vec(), 0..=2);
    (roles, some(&places.campuses), some(&places.classes), some(&places.assignments)).prop_map(
        |(roles, campuses, classes, assignments)| {
            Caller::of_school(SCHOOL)
                .with_roles(roles.into_iter().map(StaffRole::as_str))
                .on_campuses(campuses)
                .class_teacher_of(classes)
                .teaching(assignments)
        },
    )
}

fn draw<S: Strategy>(strategy: &S, random: &mut TestRunner) -> S::Value {
    strategy.new_tree(random).expect("a value").current()
}
