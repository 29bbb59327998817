//! Assessments, marks, the scale and what comes of them, over the demo school.
//!
//! S1 East has English, Mathematics and Biology. Ruth Akello teaches English there, Peter Mukasa Mathematics.

use std::sync::Arc;

use agent_contract::{Hundredths, ListQuery, Proof, Relation, ToolCx, ToolError, Version};
use tools::assessments::{
    AssessmentChange, AssessmentFilter, AssessmentState, Assessments as _, EditAssessments as _,
    NewAssessment, PublishOwnAssessment as _,
};
use tools::grading::{EditGrading as _, GradeBand, Grading as _};
use tools::marks::{MarkStanding, Marks as _, NewMark, OwnMarkSheet as _, RecordOwnMarks as _};
use tools::results::{EditResults as _, Results as _};
use tools::streams::EditStreams as _;

use super::{LAKESIDE, Rights, S1_EAST, acting, any, reading, writing};
use crate::{
    authz::authority::{Condition, Field},
    db::{
        Database, Frame as _, WriteFrame,
        testing::{behind_our_back, on_both},
    },
    demo,
    domain::School,
};

const ENGLISH: &str = "naalya-subject-eng";
const UNIT: &str = "naalya-assessment-s1-east-eng-unit-2";
const MID: &str = "naalya-assessment-s1-east-eng-mid-2";
const BEGIN: &str = "naalya-assessment-s1-east-eng-begin-2";
const END: &str = "naalya-assessment-s1-east-eng-end-1";

fn number(hundredths: i64) -> Hundredths {
    Hundredths::new(hundredths).expect("within bounds")
}

fn student(n: usize) -> String {
    format!("naalya-student-{n:03}")
}

fn mark(n: usize, score: Option<i64>) -> NewMark {
    NewMark { student_id: student(n), score: score.map(number) }
}

/// Ruth, who may do everything besides, and proof that an assessment is hers.
async fn ruth(database: &Database, assessment: &str) -> (ToolCx<School<WriteFrame>>, Proof) {
    let mut cx = acting(database, "ruth.akello", None).await.into_services().into_frame();
    cx.bind(Arc::new(Rights::all()));
    let cx = ToolCx::new(
        School::new(cx),
        super::identity("ruth.akello"),
        agent_contract::AgentCallScope::School,
    );
    let relation = Relation::Assesses { assessment_id: assessment.to_owned() };
    let proof = cx.prove(relation).await.expect("hers");
    (cx, proof)
}

on_both! {
    async fn marks_are_recorded_once_and_corrected_with_their_version(database: Database) {
        demo::plant(&database).await.expect("planted");
        let (cx, proof) = ruth(&database, UNIT).await;
        let school = cx.services();
        let done = school.record_marks(&proof, vec![mark(1, Some(6_750)), mark(2, None)]).await.expect("recorded");
        assert_eq!((done.recorded, done.unchanged, done.missing.len()), (2, 0, 6));
        let again = school.record_marks(&proof, vec![mark(1, Some(6_750)), mark(3, Some(0))]).await.expect("recorded");
        assert_eq!((again.recorded, again.unchanged, again.missing.len()), (1, 1, 5));
        let other = school.record_marks(&proof, vec![mark(4, Some(5_000)), mark(1, Some(7_000))]).await.expect_err("there");
        assert_eq!(other, ToolError::conflict(
            "Amina Nakato already has 67.5 in Unit test; nothing was recorded. Correct that mark on its own, with its version 1.",
        ));
        let one = Version::new(1).expect("a version");
        let corrected = school.update_mark(&proof, mark(1, Some(7_000)), one).await.expect("corrected");
        assert_eq!((corrected.score, corrected.version.map(Version::number)), (Some(number(7_000)), Some(2)));
        let late = school.update_mark(&proof, mark(1, Some(9_000)), one).await.expect_err("stale");
        assert!(matches!(late, ToolError::Stale(_)), "{late}");
        let listed = school.marks(UNIT.to_owned()).await.expect("listed");
        let of = |n: usize| listed.marks.iter().find(|mark| mark.student_id == student(n)).expect("a line");
        assert_eq!((of(1).score, of(1).standing), (Some(number(7_000)), MarkStanding::Marked));
        assert_eq!((of(2).score, of(2).standing), (None, MarkStanding::Absent));
        assert_eq!((of(3).score, of(3).percent), (Some(Hundredths::ZERO), Some(Hundredths::ZERO)));
        assert_eq!((of(8).score, of(8).standing, of(8).version), (None, MarkStanding::Missing, None));
        // 70 and 0; the absent and the missing are no zeroes.
        assert_eq!(listed.average, Some(number(3_500)));
    }

    async fn a_mark_that_cannot_be_is_refused_and_nothing_is_recorded(database: Database) {
        demo::plant(&database).await.expect("planted");
        for (assessment, marks, sentence) in [
            (UNIT, vec![mark(1, Some(10_001))], "Unit test is marked out of 100, so nobody can have 100.01."),
            (UNIT, vec![mark(1, Some(1)), mark(1, Some(1))], "Amina Nakato is named twice."),
            (UNIT, vec![mark(9, Some(1))], "there is no such student of this class: naalya-student-009"),
            (END, vec![mark(1, Some(1))], "End of term exam in English is closed, so its marks are settled."),
        ] {
            let (cx, proof) = ruth(&database, assessment).await;
            let refused = cx.services().record_marks(&proof, marks).await;
            assert_eq!(refused.expect_err(sentence).to_string(), sentence);
        }
        let (cx, proof) = ruth(&database, UNIT).await;
        let foreign = NewMark { student_id: "riverbend-student-001".to_owned(), score: None };
        let refused = cx.services().add_mark(&proof, foreign).await.expect_err("foreign");
        assert_eq!(refused.to_string(), "there is no such student of this class: riverbend-student-001");
        let none = cx.services().update_mark(&proof, mark(1, Some(1)), Version::new(1).expect("a version")).await;
        assert_eq!(none.expect_err("nothing").to_string(), "Amina Nakato has no mark in Unit test yet, so there is none to correct.");
    }

    async fn only_who_teaches_the_subject_in_the_class_can_prove_it(database: Database) {
        demo::plant(&database).await.expect("planted");
        let assesses = |id: &str| Relation::Assesses { assessment_id: id.to_owned() };
        let teaches = |class: &str, subject: &str| Relation::TeachesSubject {
            class_id: class.to_owned(),
            subject_id: subject.to_owned(),
        };
        let physics = "naalya-subject-phy";
        for (handle, pinned, relation) in [
            // Peter teaches Mathematics in S1 East, and is head of nothing.
            ("peter.mukasa", None, assesses(UNIT)),
            ("grace.namutebi", None, assesses(UNIT)),
            ("ruth.akello", Some(LAKESIDE), assesses(UNIT)),
            ("ruth.akello", None, assesses("naalya-assessment-s1-east-mtc-unit-2")),
            ("ruth.akello", None, assesses("no such assessment")),
            ("ruth.akello", None, assesses("riverbend-assessment-form-one-hyd-unit-2")),
            ("ruth.akello", None, teaches("naalya-class-s1-west", ENGLISH)),
            ("ruth.akello", None, teaches(S1_EAST, physics)),
            ("ruth.akello", None, teaches("riverbend-class-form-one", "riverbend-subject-hyd")),
        ] {
            let cx = acting(&database, handle, pinned).await;
            let refused = cx.prove(relation.clone()).await.expect_err("not theirs");
            assert!(matches!(refused, ToolError::Denied(_)), "{handle} {relation:?}: {refused}");
        }
        let cx = acting(&database, "peter.mukasa", None).await;
        assert!(cx.prove(teaches("naalya-class-s2-east", physics)).await.is_ok());
        drop(cx);
        let cx = acting(&database, "ruth.akello", None).await;
        let sheet = cx.prove(teaches(S1_EAST, ENGLISH)).await.expect("hers");
        let wrong = cx.services().record_marks(&sheet, vec![mark(1, None)]).await;
        assert_eq!(wrong.expect_err("the wrong proof"), ToolError::Internal);
    }

    async fn an_assessment_goes_from_open_to_published_to_closed(database: Database) {
        demo::plant(&database).await.expect("planted");
        let (cx, proof) = ruth(&database, UNIT).await;
        let school = cx.services();
        let empty = school.publish_assessment(&proof).await.expect_err("no marks");
        assert_eq!(empty, ToolError::refused("Unit test has no marks yet, so there is nothing to publish."));
        let early = school.close_assessment(UNIT.to_owned()).await.expect_err("open");
        assert_eq!(early, ToolError::refused("Unit test is not published yet; its teacher publishes it first."));
        school.add_mark(&proof, mark(1, Some(5_000))).await.expect("marked");
        let published = school.publish_assessment(&proof).await.expect("published");
        assert_eq!((published.state, published.marked), (AssessmentState::Published, 1));
        let twice = school.publish_assessment(&proof).await.expect_err("published");
        assert_eq!(twice, ToolError::conflict("Unit test is published already."));
        school.add_mark(&proof, mark(2, Some(6_000))).await.expect("a late mark");
        let closed = school.close_assessment(UNIT.to_owned()).await.expect("closed");
        assert_eq!(closed.state, AssessmentState::Closed);
        for settled in [
            school.add_mark(&proof, mark(3, Some(1))).await.map(|_| ()),
            school.update_assessment(UNIT.to_owned(), AssessmentChange::default()).await.map(|_| ()),
        ] {
            let sentence = "Unit test in English is closed, so its marks are settled.";
            assert_eq!(settled.expect_err("settled"), ToolError::refused(sentence));
        }
    }

    async fn an_assessment_is_created_and_changed_within_its_term(database: Database) {
        demo::plant(&database).await.expect("planted");
        let school = writing(&database, Rights::all()).await;
        let new = || NewAssessment {
            class_id: S1_EAST.to_owned(),
            subject_id: ENGLISH.to_owned(),
            name: "Composition".to_owned(),
            weight: 10,
            maximum: Some(number(2_000)),
            date: None,
        };
        let made = school.create_assessment(new()).await.expect("created");
        assert_eq!((made.term.as_str(), made.maximum, made.state), ("Term 2", number(2_000), AssessmentState::Open));
        let weight = AssessmentChange { weight: Some(20), version: Some(made.version), ..AssessmentChange::default() };
        let changed = school.update_assessment(made.id.clone(), weight.clone()).await.expect("changed");
        assert_eq!((changed.weight, changed.version.number()), (20, 2));
        let late = school.update_assessment(made.id, weight).await.expect_err("stale");
        assert!(matches!(late, ToolError::Stale(_)), "{late}");
        for (change, sentence) in [
            (NewAssessment { subject_id: "naalya-subject-art".to_owned(), ..new() }, "S1 East does not take Fine Art; offer it to the class first."),
            (NewAssessment { maximum: Some(Hundredths::ZERO), ..new() }, "The maximum must be above 0."),
            (NewAssessment { date: Some("2019-03-04".parse().expect("a day")), ..new() }, "2019-03-04 lies in no term of the current academic year."),
        ] {
            let refused = school.create_assessment(change).await;
            assert_eq!(refused.expect_err(sentence), ToolError::refused(sentence));
        }
        let small = AssessmentChange { maximum: Some(number(1_000)), ..AssessmentChange::default() };
        let refused = school.update_assessment(MID.to_owned(), small).await.expect_err("too small");
        assert!(refused.to_string().starts_with("A student has "), "{refused}");
        let twice = school.create_assessment(new()).await.expect_err("there");
        assert_eq!(twice, ToolError::conflict("S1 East already has an assessment called \"Composition\" in English this term."));
    }

    async fn assessments_are_seen_and_made_as_far_as_the_rights_reach(database: Database) {
        demo::plant(&database).await.expect("planted");
        // Seven subjects in three classes, four tests each.
        for (condition, pinned, filter, expected) in [
            (Condition::Everything, None, AssessmentFilter::default(), 28),
            (Condition::Everything, Some(LAKESIDE), AssessmentFilter::default(), 8),
            (any(Field::Class, &[S1_EAST]), None, AssessmentFilter::default(), 12),
            (any(Field::Assignment, &["naalya-assignment-s1-east-eng"]), None, AssessmentFilter::default(), 4),
            (Condition::Everything, None, AssessmentFilter { term_number: Some(1), ..AssessmentFilter::default() }, 7),
            (Condition::Everything, None, AssessmentFilter { state: Some(AssessmentState::Open), ..AssessmentFilter::default() }, 14),
            (Condition::Nothing, None, AssessmentFilter::default(), 0),
        ] {
            let what = format!("{condition:?} {pinned:?} {filter:?}");
            let school = reading(&database, pinned, Rights::of(condition, Condition::Nothing)).await;
            assert_eq!(school.assessments(filter, None, ListQuery::default()).await.expect("listed").total(), expected, "{what}");
        }
        let own = || any(Field::Assignment, &["naalya-assignment-s1-east-eng"]);
        let school = writing(&database, Rights::of(Condition::Everything, own())).await;
        let new = |subject: &str| NewAssessment {
            class_id: S1_EAST.to_owned(),
            subject_id: subject.to_owned(),
            name: "Quiz".to_owned(),
            weight: 5,
            maximum: None,
            date: None,
        };
        school.create_assessment(new(ENGLISH)).await.expect("a subject of their own");
        let denied = school.create_assessment(new("naalya-subject-mtc")).await.expect_err("another's");
        assert_eq!(denied, ToolError::denied("you may not add an assessment there"));
    }

    async fn results_are_computed_and_computing_again_changes_nothing(database: Database) {
        demo::plant(&database).await.expect("planted");
        let (cx, proof) = ruth(&database, BEGIN).await;
        let school = cx.services();
        // By hand: English counts one test out of 40, so 31.5 is 78.75 percent.
        let listed = school.marks(BEGIN.to_owned()).await.expect("listed");
        let version = listed.marks.iter().find(|mark| mark.student_id == student(1)).and_then(|mark| mark.version);
        school.update_mark(&proof, mark(1, Some(3_150)), version.expect("marked")).await.expect("corrected");
        assert!(school.class_report(S1_EAST.to_owned(), None).await.expect("the old one").out_of_date);
        let first = school.recompute(S1_EAST.to_owned(), None).await.expect("computed");
        assert_eq!((first.assessments, first.still_open, first.ranked + i64::try_from(first.without_marks.len()).expect("few")), (3, 6, 8));
        let report = school.class_report(S1_EAST.to_owned(), None).await.expect("reported");
        let again = school.recompute(S1_EAST.to_owned(), Some(2)).await.expect("computed again");
        let twice = school.class_report(S1_EAST.to_owned(), Some(2)).await.expect("reported again");
        assert_eq!(first, again);
        assert!(!report.out_of_date && !twice.out_of_date);
        assert_eq!((&report.ranking, &report.subjects, report.average), (&twice.ranking, &twice.subjects, twice.average));

        let card = school.student_report(student(1), None).await.expect("a card");
        let english = card.subjects.iter().find(|line| line.subject == "English").expect("English");
        assert_eq!((english.average, english.grade.as_str()), (number(7_875), "B"));
        let place = report.ranking.iter().find(|line| line.student_id == student(1)).expect("ranked");
        assert_eq!((card.average, card.position, card.ranked), (place.average, place.position, first.ranked));
        assert!(card.year_group_position >= card.position && card.year_group_ranked > card.ranked);
        let higher = report.ranking.iter().filter(|line| line.average > card.average).count();
        assert_eq!(card.position, i64::try_from(higher).expect("few") + 1);
    }

    async fn marks_move_along_with_a_student(database: Database) {
        demo::plant(&database).await.expect("planted");
        let school = writing(&database, Rights::all()).await;
        let before = school.student_report(student(1), None).await.expect("a card");
        school.move_to_stream(student(1), "West".to_owned()).await.expect("moved");
        school.recompute("naalya-class-s1-west".to_owned(), None).await.expect("computed");
        let after = school.student_report(student(1), None).await.expect("a card");
        assert_eq!((after.class_name.as_str(), after.average, &after.grade), ("S1 West", before.average, &before.grade));
        assert_eq!(after.subjects.len(), before.subjects.len());
    }

    async fn terms_are_compared_and_reports_are_for_those_who_may(database: Database) {
        demo::plant(&database).await.expect("planted");
        let school = reading(&database, None, Rights::all()).await;
        let terms = school.compare_terms(S1_EAST.to_owned()).await.expect("compared");
        assert_eq!(terms.iter().map(|term| term.term.as_str()).collect::<Vec<_>>(), ["Term 1", "Term 2"]);
        assert_eq!(terms[0].change, None);
        let apart = terms[1].average.get() - terms[0].average.get();
        let sign = if apart > 0 { "+" } else { "-" };
        assert_eq!(terms[1].change, Some(format!("{sign}{}", number(apart.abs()))));
        let not_yet = school.class_report("naalya-class-s2-east".to_owned(), None).await.expect_err("nothing");
        assert_eq!(not_yet.to_string(), "No results of S2 East are computed for Term 2; recompute the results of the class first.");
        let no_term = school.class_report(S1_EAST.to_owned(), Some(4)).await.expect_err("no term");
        assert_eq!(no_term, ToolError::refused("There is no term 4 in the current academic year."));
        let other = any(Field::Class, &["naalya-class-s1-west"]);
        let school = reading(&database, None, Rights::of(other, Condition::Nothing)).await;
        for hidden in [
            school.class_report(S1_EAST.to_owned(), None).await.map(|_| ()),
            school.compare_terms(S1_EAST.to_owned()).await.map(|_| ()),
        ] {
            assert_eq!(hidden, Err(ToolError::NotFound { what: "class", id: Some(S1_EAST.to_owned()) }));
        }
        let hidden = school.student_report(student(1), None).await.expect_err("hidden");
        assert_eq!(hidden, ToolError::NotFound { what: "student", id: Some(student(1)) });
    }

    async fn the_mark_sheet_of_a_subject_has_all_its_tests(database: Database) {
        demo::plant(&database).await.expect("planted");
        let cx = acting(&database, "ruth.akello", None).await;
        let relation = Relation::TeachesSubject { class_id: S1_EAST.to_owned(), subject_id: ENGLISH.to_owned() };
        let proof = cx.prove(relation).await.expect("hers");
        let sheet = cx.services().mark_sheet(&proof, None).await.expect("a sheet");
        assert_eq!(sheet.assessments, ["Beginning of term test", "Mid-term exam", "Unit test"]);
        assert_eq!(sheet.lines.len(), 8);
        for line in &sheet.lines {
            assert_eq!(line.scores.len(), 3, "{line:?}");
            assert!(line.scores[0].ends_with(" of 40") || line.scores[0] == "absent", "{line:?}");
            assert_eq!(line.scores[2], "-", "{line:?}");
        }
        let empty = cx.services().mark_sheet(&proof, Some(3)).await.expect_err("nothing yet");
        assert_eq!(empty, ToolError::refused("S1 East has no assessment in this subject in Term 3."));
    }

    async fn a_closed_term_takes_no_change_of_its_marks(database: Database) {
        demo::plant(&database).await.expect("planted");
        let close = "UPDATE main.term SET closed_at_us = 1 WHERE id = 'naalya-campus-main-term-2'";
        behind_our_back(&database, close).await;
        let (cx, proof) = ruth(&database, UNIT).await;
        let (school, sentence) = (cx.services(), "Term 2 is closed on Main Campus, so its marks and results are settled.");
        let one = Version::new(1).expect("a version");
        let new = NewAssessment {
            class_id: S1_EAST.to_owned(),
            subject_id: ENGLISH.to_owned(),
            name: "Quiz".to_owned(),
            weight: 5,
            maximum: None,
            date: None,
        };
        for refused in [
            school.record_marks(&proof, vec![mark(1, None)]).await.map(|_| ()),
            school.add_mark(&proof, mark(1, None)).await.map(|_| ()),
            school.update_mark(&proof, mark(1, None), one).await.map(|_| ()),
            school.create_assessment(new).await.map(|_| ()),
            school.update_assessment(UNIT.to_owned(), AssessmentChange::default()).await.map(|_| ()),
            school.close_assessment(BEGIN.to_owned()).await.map(|_| ()),
            school.recompute(S1_EAST.to_owned(), None).await.map(|_| ()),
        ] {
            assert_eq!(refused.expect_err(sentence), ToolError::refused(sentence));
        }
        school.class_report(S1_EAST.to_owned(), None).await.expect("it is still read");
        school.recompute(S1_EAST.to_owned(), Some(1)).await.expect("another term is open");
    }

    async fn the_scale_is_whole_or_refused(database: Database) {
        demo::plant(&database).await.expect("planted");
        let band = |grade: &str, from: i64| GradeBand { grade: grade.to_owned(), from: number(from), remark: String::new() };
        let school = writing(&database, Rights::all()).await;
        for (bands, sentence) in [
            (vec![band("A", 5_000)], "The lowest band must begin at 0, so that every percentage has a grade."),
            (vec![band("A", 0), band("B", 0)], "The bands A and B both begin at 0 percent."),
            (vec![band("A", 5_000), band("a", 0)], "The grade A has two bands."),
            (vec![band(" ", 0)], "Every band needs a grade."),
            (vec![band("A", 10_001), band("B", 0)], "The band A begins at 100.01 percent, which nobody reaches."),
        ] {
            let refused = school.set_grading_scale(bands, 1).await;
            assert_eq!(refused.expect_err(sentence), ToolError::refused(sentence));
        }
        let set = school.set_grading_scale(vec![band("F", 0), band("P", 5_000)], 1).await.expect("set");
        assert_eq!((set.bands.iter().map(|band| band.grade.as_str()).collect::<Vec<_>>(), set.version), (vec!["P", "F"], 2));
        assert_eq!(school.grading_scale().await.expect("read"), set);
        let late = school.set_grading_scale(vec![band("F", 0)], 1).await.expect_err("stale");
        assert!(matches!(late, ToolError::Stale(_)), "{late}");
        school.recompute(S1_EAST.to_owned(), None).await.expect("computed");
        let report = school.class_report(S1_EAST.to_owned(), None).await.expect("reported");
        assert!(report.ranking.iter().all(|line| line.grade == if line.average >= number(5_000) { "P" } else { "F" }));
    }
}
