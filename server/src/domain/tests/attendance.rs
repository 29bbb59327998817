//! The register belongs to the class teacher, and the class comes from the proof.

use agent_contract::{Relation, ToolError};
use tools::attendance::{AttendanceStatus, OwnClassAttendance as _, RecordOwnClassAttendance as _};

use super::{LAKESIDE, S1_EAST, acting};
use crate::{
    db::{Database, testing::on_both},
    demo,
};

fn own(class: &str) -> Relation {
    Relation::ClassTeacherOf { class_id: class.to_owned() }
}

fn student(n: usize) -> String {
    format!("naalya-student-{n:03}")
}

on_both! {
    async fn a_class_teacher_records_and_reads_the_register(database: Database) {
        demo::plant(&database).await.expect("planted");
        let cx = acting(&database, "ruth.akello", None).await;
        let proof = cx.prove(own(S1_EAST)).await.expect("class teacher");
        let empty = cx.services().marks(&proof, None).await.expect_err("nothing yet");
        assert!(empty.to_string().starts_with("No attendance is recorded for this class on "), "{empty}");
        let first = cx.services().record(&proof, None, vec![student(1)], vec![student(2)]).await.expect("recorded");
        assert_eq!((first.present, first.absent, first.late), (6, 1, 1));
        let second = cx.services().record(&proof, None, vec![], vec![student(1)]).await.expect("replaced");
        assert_eq!((second.present, second.absent, second.late), (7, 0, 1));
        let marks = cx.services().marks(&proof, None).await.expect("read");
        assert_eq!(marks.len(), 8);
        let late: Vec<&str> = marks
            .iter()
            .filter(|mark| mark.status == AttendanceStatus::Late)
            .map(|mark| mark.student_id.as_str())
            .collect();
        assert_eq!(late, [student(1)]);
    }

    async fn a_register_takes_only_its_own_students_and_days_that_came(database: Database) {
        demo::plant(&database).await.expect("planted");
        let cx = acting(&database, "ruth.akello", None).await;
        let proof = cx.prove(own(S1_EAST)).await.expect("class teacher");
        let tomorrow = Some("2999-01-01".parse().expect("a date"));
        for (date, absent, late, sentence) in [
            (None, vec![student(9)], vec![], "there is no such student of this class: naalya-student-009"),
            (None, vec![], vec!["riverbend-student-001".to_owned()], "there is no such student of this class: riverbend-student-001"),
            (None, vec![student(1)], vec![student(1)], "A student cannot be absent and late on one day."),
            (tomorrow, vec![], vec![], "2999-01-01 has not come yet, so nobody can have attended."),
        ] {
            let refused = cx.services().record(&proof, date, absent, late).await;
            assert_eq!(refused.expect_err(sentence).to_string(), sentence);
        }
    }

    async fn nobody_else_can_prove_it(database: Database) {
        demo::plant(&database).await.expect("planted");
        for (handle, pinned, class) in [
            ("ruth.akello", None, "naalya-class-s1-west"),
            ("ruth.akello", None, "riverbend-class-form-one"),
            ("ruth.akello", Some(LAKESIDE), S1_EAST),
            ("peter.mukasa", None, S1_EAST),
            ("grace.namutebi", None, S1_EAST),
        ] {
            let cx = acting(&database, handle, pinned).await;
            let refused = cx.prove(own(class)).await.expect_err("not theirs");
            assert_eq!(refused, ToolError::denied("you are not the class teacher of this class"), "{handle} {class}");
        }
        let cx = acting(&database, "peter.mukasa", None).await;
        assert!(cx.prove(Relation::Teaches { class_id: S1_EAST.to_owned() }).await.is_ok());
        let taught = cx.prove(Relation::Teaches { class_id: S1_EAST.to_owned() }).await.expect("teaches");
        let wrong = cx.services().marks(&taught, None).await;
        assert_eq!(wrong.expect_err("the wrong proof"), ToolError::Internal);
    }
}
