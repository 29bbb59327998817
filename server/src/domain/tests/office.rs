//! The school's office: guardians, records, staff, campuses, terms, attendance over time and announcements.

use std::sync::Arc;

use agent_contract::{Date, ListQuery, ToolError, Version};
use tools::{
    announcements::{AnnouncementState, Announcements, Audience, EditAnnouncements},
    attendance::{Attendance as _, AttendanceFilter},
    campuses::{Campuses, EditCampuses},
    guardians::{Contact, EditGuardians, GuardianRelation, Guardians},
    staff::{EditStaff as _, StaffRoleArg},
    students::{EditStudents, StudentChange, Students as _},
    terms::{EditTerms, Terms},
};

use super::{LAKESIDE, MAIN, Rights, S1_EAST, any, campus, identity, reading, scope};
use crate::{
    authz::authority::{Condition, Field},
    db::{Database, Frame as _, WriteFrame, testing::on_both},
    demo,
    domain::School,
};

const STUDENT: &str = "naalya-student-001";
const S1_WEST: &str = "naalya-class-s1-west";

/// Somebody of the demo school at work, with these rights.
async fn at_work(database: &Database, handle: &str, rights: Rights) -> School<WriteFrame> {
    let mut frame = database.write(&scope(None)).await.expect("a write frame");
    frame.caller(&identity(handle)).await.expect("asked").expect("a live caller");
    frame.bind(Arc::new(rights));
    School::new(frame)
}

fn version(number: i64) -> Option<Version> {
    Version::new(number).ok()
}

fn day(text: &str) -> Date {
    text.parse().expect("a day")
}

fn called(name: &str) -> Contact {
    Contact { name: Some(name.to_owned()), ..Contact::default() }
}

on_both! {
    async fn a_guardian_comes_with_a_student_and_may_have_more(database: Database) {
        demo::plant(&database).await.expect("planted");
        let school = at_work(&database, "grace.namutebi", Rights::all()).await;
        let mother = school.of_student(STUDENT.to_owned()).await.expect("listed");
        assert_eq!(mother.iter().map(|row| row.priority).collect::<Vec<_>>(), [1]);
        let made = EditGuardians::create(&school, called("Rose  Nabukenya"), STUDENT.to_owned(), GuardianRelation::Relative, None)
            .await.expect("created");
        assert_eq!((made.name.as_str(), made.priority, made.relation), ("Rose Nabukenya", 2, GuardianRelation::Relative));
        school.assign("naalya-student-002".to_owned(), made.id.clone(), GuardianRelation::Mother, Some(1)).await.expect("assigned");
        let found = Guardians::find(&school, "Nabukenia".to_owned(), None).await.expect("found");
        assert_eq!((found.len(), found[0].students.len()), (1, 2));
        let phone = Contact { phone: Some("+256 772 1".to_owned()), ..Contact::default() };
        let updated = EditGuardians::update(&school, made.id.clone(), phone, version(1)).await.expect("updated");
        assert_eq!((updated.name.as_str(), updated.phone.as_deref(), updated.version.number()), ("Rose Nabukenya", Some("+256 772 1"), 2));
        let late = EditGuardians::update(&school, made.id.clone(), called("X"), version(1)).await.expect_err("late");
        assert!(matches!(late, ToolError::Stale(_)), "{late}");
        let cleared = Contact { phone: Some(" ".to_owned()), ..Contact::default() };
        assert_eq!(EditGuardians::update(&school, made.id.clone(), cleared, None).await.expect("cleared").phone, None);
        school.unassign(STUDENT.to_owned(), made.id.clone()).await.expect("taken away");
        let twice = school.unassign(STUDENT.to_owned(), made.id).await.expect_err("not any more");
        assert!(matches!(twice, ToolError::Refused(_)), "{twice}");
    }

    async fn a_guardian_is_seen_where_a_student_of_theirs_is(database: Database) {
        demo::plant(&database).await.expect("planted");
        for (rights, sees) in [
            (Rights::all(), true),
            (Rights::campus(MAIN), true),
            (Rights::campus(LAKESIDE), false),
            (Rights::of(any(Field::Class, &[S1_EAST]), Condition::Nothing), true),
            (Rights::of(any(Field::Class, &[S1_WEST]), Condition::Nothing), false),
        ] {
            let school = reading(&database, None, rights).await;
            let mothers = Guardians::find(&school, "Rose Nakato".to_owned(), None).await.expect("searched");
            assert_eq!(mothers.iter().any(|row| row.id == "naalya-guardian-001"), sees);
            assert_eq!(school.of_student(STUDENT.to_owned()).await.is_ok(), sees);
        }
    }

    async fn a_record_keeps_the_classes_of_a_student_with_their_days(database: Database) {
        demo::plant(&database).await.expect("planted");
        let school = at_work(&database, "grace.namutebi", Rights::all()).await;
        let before = school.record(STUDENT.to_owned()).await.expect("a record");
        assert_eq!((before.enrolments.len(), before.version.number()), (1, 1));
        school.move_to(STUDENT.to_owned(), S1_WEST.to_owned()).await.expect("moved");
        let after = school.record(STUDENT.to_owned()).await.expect("a record");
        let told: Vec<_> = after.enrolments.iter().map(|row| (row.class_name.as_str(), row.until.is_some())).collect();
        assert_eq!(told, [("S1 West", false), ("S1 East", true)]);
        assert_eq!(after.enrolments[1].from, before.enrolments[0].from);
        EditStudents::withdraw(&school, STUDENT.to_owned()).await.expect("withdrawn");
        let gone = school.record(STUDENT.to_owned()).await.expect("a record");
        assert!(gone.enrolments.iter().all(|row| row.until.is_some()), "{gone:?}");

        let change = StudentChange { date_of_birth: Some(day("2013-04-05")), ..StudentChange::default() };
        let changed = EditStudents::update(&school, STUDENT.to_owned(), change.clone(), version(1)).await.expect("changed");
        assert_eq!((changed.date_of_birth, changed.name, changed.version.number()), (Some(day("2013-04-05")), before.name, 2));
        let late = EditStudents::update(&school, STUDENT.to_owned(), change, version(1)).await.expect_err("late");
        assert!(matches!(late, ToolError::Stale(_)), "{late}");
        let ahead = StudentChange { date_of_birth: Some(day("2999-01-01")), ..StudentChange::default() };
        assert!(EditStudents::update(&school, STUDENT.to_owned(), ahead, None).await.is_err());
    }

    async fn staff_are_added_changed_and_taken_out_of_service(database: Database) {
        demo::plant(&database).await.expect("planted");
        let school = at_work(&database, "grace.namutebi", Rights::all()).await;
        let roles = vec![StaffRoleArg::Teacher, StaffRoleArg::Teacher];
        let made = school.add("Esther Nansubuga".to_owned(), "Esther@Naalya.example".to_owned(), roles, &campus(MAIN)).await.expect("added");
        assert_eq!((made.email.as_str(), made.roles.clone(), made.active), ("esther@naalya.example", vec!["Teacher".to_owned()], true));
        for (email, told) in [("esther@naalya.example", "has the address"), ("nobody", "looks like")] {
            let fault = school.add("E N".to_owned(), email.to_owned(), vec![StaffRoleArg::Teacher], &campus(MAIN)).await.expect_err(email);
            assert!(fault.to_string().contains(told), "{fault}");
            if matches!(fault, ToolError::Conflict(_)) && !told.is_empty() {
                break; // PostgreSQL ends a transaction at the first broken key.
            }
        }
        drop(school);
        let school = at_work(&database, "grace.namutebi", Rights::all()).await;
        let peter = "naalya-staff-peter.mukasa";
        let two = vec![StaffRoleArg::Teacher, StaffRoleArg::ClassTeacher];
        let set = school.set_roles(peter.to_owned(), two, version(1)).await.expect("set");
        assert_eq!((set.roles, set.version.number()), (vec!["Class teacher".to_owned(), "Teacher".to_owned()], 2));
        let out = school.set_active(peter.to_owned(), false, version(2)).await.expect("out");
        assert!(!out.active);
        let again = school.set_active(peter.to_owned(), false, None).await.expect_err("out already");
        assert!(matches!(again, ToolError::Conflict(_)), "{again}");
        assert!(school.set_active(peter.to_owned(), true, version(3)).await.expect("back").active);
        let own = "naalya-staff-grace.namutebi";
        assert!(school.set_active(own.to_owned(), false, None).await.is_err());
        assert!(school.set_roles(own.to_owned(), vec![StaffRoleArg::Bursar], None).await.is_err());
        drop(school);
        let other = at_work(&database, "daniel.okello", Rights::all()).await;
        let only = other.set_active(own.to_owned(), false, None).await.expect_err("the only one");
        assert_eq!(only, ToolError::refused("Grace Namutebi is the only head teacher."));
    }

    async fn a_closed_campus_is_out_of_sight(database: Database) {
        demo::plant(&database).await.expect("planted");
        let school = at_work(&database, "grace.namutebi", Rights::all()).await;
        let renamed = EditCampuses::rename(&school, &campus(LAKESIDE), "Lakeview Campus".to_owned(), version(1)).await.expect("renamed");
        assert_eq!((renamed.name.as_str(), renamed.version.number()), ("Lakeview Campus", 2));
        let full = EditCampuses::close(&school, &campus(LAKESIDE), day("2020-01-01"), None).await.expect_err("students");
        assert_eq!(full, ToolError::refused("29 students attend on Lakeview Campus; move or withdraw them first."));
        let planned = EditCampuses::close(&school, &campus(LAKESIDE), day("2036-12-31"), version(2)).await.expect("planned");
        assert_eq!(planned.closes_on, Some(day("2036-12-31")));
        assert_eq!(Campuses::list(&school).await.expect("listed").len(), 2);
        for n in 32..=60 {
            EditStudents::withdraw(&school, format!("naalya-student-{n:03}")).await.expect("withdrawn");
        }
        EditCampuses::close(&school, &campus(LAKESIDE), day("2020-01-01"), None).await.expect("closed");
        let names: Vec<String> = Campuses::list(&school).await.expect("listed").into_iter().map(|row| row.name).collect();
        assert_eq!(names, ["Main Campus"]);
        assert!(matches!(EditCampuses::close(&school, &campus(LAKESIDE), day("2020-01-01"), None).await, Err(ToolError::NotFound { .. })));
    }

    async fn a_closed_term_is_not_written(database: Database) {
        demo::plant(&database).await.expect("planted");
        let school = at_work(&database, "grace.namutebi", Rights::all()).await;
        let current = school.current(&campus(MAIN)).await.expect("a term");
        let closed = EditTerms::close(&school, &campus(MAIN), current.term_number, Some(current.version)).await.expect("closed");
        assert!(closed.is_closed);
        let locked = crate::domain::calendar::not_closed(&mut school.frame().session().lock().await, MAIN, current.starts_on).await;
        assert!(locked.expect_err("closed").to_string().contains("is closed"));
        crate::domain::calendar::not_closed(&mut school.frame().session().lock().await, LAKESIDE, current.starts_on).await.expect("another campus");
        assert!(EditTerms::close(&school, &campus(MAIN), current.term_number, None).await.is_err());
        let dates = (current.starts_on, current.ends_on);
        assert!(school.set_dates(&campus(MAIN), current.term_number, dates.0, dates.1, None).await.is_err());
        assert!(!school.open(&campus(MAIN), current.term_number, None).await.expect("open again").is_closed);
        crate::domain::calendar::not_closed(&mut school.frame().session().lock().await, MAIN, current.starts_on).await.expect("open");
        let fourth = school.open(&campus(MAIN), 4, Some((day("2036-01-07"), day("2036-03-28")))).await.expect("opened");
        assert_eq!((fourth.name.as_str(), fourth.is_current), ("Term 4", false));
        assert!(school.open(&campus(MAIN), 3, None).await.is_err(), "it is open");
        let year = school.create_year(2037, day("2037-02-02"), day("2037-12-04")).await.expect("a year");
        assert!(!year.is_current);
        assert_eq!(school.years().await.expect("years").len(), 2);
        assert!(matches!(school.create_year(2037, day("2037-02-02"), day("2037-12-04")).await, Err(ToolError::Conflict(_))));
    }

    async fn attendance_is_told_by_student_and_by_day(database: Database) {
        demo::plant(&database).await.expect("planted");
        let school = reading(&database, None, Rights::all()).await;
        let filter = AttendanceFilter { from: Some(day("2026-09-14")), until: Some(day("2026-09-14")), ..AttendanceFilter::default() };
        let days = school.days(filter.clone(), ListQuery::default()).await.expect("days");
        assert_eq!((days.total(), days.items()[0].class_name.as_str()), (3, "S1 East"));
        let total: i64 = days.items().iter().map(|row| row.present + row.absent + row.late).sum();
        assert_eq!(total, 24);
        let own = AttendanceFilter { class_id: Some(S1_EAST.to_owned()), ..filter };
        assert_eq!(school.days(own, ListQuery::default()).await.expect("days").total(), 1);
        for n in 1..=8 {
            let of = school.student_days(format!("naalya-student-{n:03}"), Some(day("2026-09-14")), Some(day("2026-09-14"))).await.expect("told");
            assert_eq!(of.present + of.absent + of.late, 1, "{of:?}");
            assert_eq!(of.missed.len(), usize::from(of.present == 0), "{of:?}");
        }
        assert!(school.student_days(STUDENT.to_owned(), Some(day("2026-09-15")), Some(day("2026-09-14"))).await.is_err());
        let elsewhere = reading(&database, None, Rights::campus(LAKESIDE)).await;
        assert!(matches!(elsewhere.student_days(STUDENT.to_owned(), None, None).await, Err(ToolError::NotFound { .. })));
        assert_eq!(elsewhere.days(AttendanceFilter { from: Some(day("2026-09-14")), until: Some(day("2026-09-14")), ..AttendanceFilter::default() }, ListQuery::default()).await.expect("days").total(), 1);
    }

    async fn an_announcement_is_its_writers_until_it_is_published(database: Database) {
        demo::plant(&database).await.expect("planted");
        let for_class_teachers = Audience { campus: Some(campus(MAIN)), role: Some(StaffRoleArg::ClassTeacher), ..Audience::default() };
        let grace = at_work(&database, "grace.namutebi", Rights::all()).await;
        let made = EditAnnouncements::create(&grace, "Registers".to_owned(), "By Thursday.".to_owned(), for_class_teachers).await.expect("written");
        assert_eq!((made.audience.as_str(), made.state), ("Main Campus: Class teacher", AnnouncementState::Draft));
        let listed = Announcements::list(&grace, AnnouncementState::Published, None, ListQuery::default()).await.expect("listed");
        assert_eq!(listed.total(), 1, "the welcome of the demo");
        let out = grace.publish(made.id.clone(), version(1)).await.expect("published");
        assert_eq!((out.state, out.published_at.is_some(), out.version.number()), (AnnouncementState::Published, true, 2));
        assert!(matches!(grace.publish(made.id.clone(), None).await, Err(ToolError::Conflict(_))));
        assert!(matches!(grace.withdraw_announcement(&made.id, version(1)).await, Err(ToolError::Stale(_))));
        let back = grace.withdraw_announcement(&made.id, version(2)).await.expect("withdrawn");
        assert_eq!(back.state, AnnouncementState::Withdrawn);
        assert!(matches!(grace.publish(made.id, None).await, Err(ToolError::Refused(_))));
    }

    async fn an_announcement_is_for_its_audience(database: Database) {
        demo::plant(&database).await.expect("planted");
        let daniel = at_work(&database, "daniel.okello", Rights::all()).await;
        let seen = Announcements::list(&daniel, AnnouncementState::Draft, None, ListQuery::default()).await.expect("listed");
        assert_eq!(seen.total(), 0, "a draft is its writer's");
        let draft = daniel.publish("naalya-announcement-draft".to_owned(), None).await.expect_err("not his");
        assert!(matches!(draft, ToolError::NotFound { .. }), "{draft}");
        drop(daniel);
        // Who writes for one campus takes nothing back that is for the whole school, and writes nothing for it.
        let florence = at_work(&database, "florence.auma", Rights::campus(MAIN)).await;
        let welcome = Announcements::list(&florence, AnnouncementState::Published, None, ListQuery::default()).await.expect("listed");
        assert_eq!(welcome.items()[0].audience, "The whole school");
        let not_hers = florence.withdraw_announcement("naalya-announcement-welcome", None).await.expect_err("the school's");
        assert!(matches!(not_hers, ToolError::Denied(_)), "{not_hers}");
        let wide = EditAnnouncements::create(&florence, "A".to_owned(), "B".to_owned(), Audience::default()).await.expect_err("too wide");
        assert!(matches!(wide, ToolError::Denied(_)), "{wide}");
        let here = Audience { campus: Some(campus(MAIN)), ..Audience::default() };
        EditAnnouncements::create(&florence, "A".to_owned(), "B".to_owned(), here).await.expect("her campus");
    }
}

impl School<WriteFrame> {
    async fn withdraw_announcement(
        &self,
        id: &str,
        seen: Option<Version>,
    ) -> Result<tools::announcements::Announcement, ToolError> {
        EditAnnouncements::withdraw(self, id.to_owned(), seen).await
    }
}
