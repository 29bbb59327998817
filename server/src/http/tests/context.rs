//! The runtime context, row by row as the seeds' table has it, against the demo school.

use agent_contract::{
    AgentRuntimeContextInput, Timestamp, identity_from_user_details, resolve_runtime_context,
};
use serde_json::{Value, json};

use super::hall::{DANIEL, GRACE, Hall, LAKESIDE, MAIN, RUTH, SARAH, on_campus, saying};

/// The context that a post of this body is dispatched with, as it crosses the wire.
async fn minted(hall: &Hall, email: &str, body: Value) -> (AgentRuntimeContextInput, Value) {
    let reading = hall.chat(email, body).await;
    let mut run = hall.taken().await;
    let context = run.request.runtime_context.clone();
    assert_eq!(
        *run.context.identity(),
        identity_from_user_details(&context.user_details),
        "the signed identity is the one that the worker will echo"
    );
    assert_eq!(*run.context.run_mode(), context.run_mode);
    assert_eq!(*run.context.turn(), run.request.turn_id);
    assert_eq!(*run.context.thread(), run.request.thread_id);
    run.answer("Hello.").await;
    reading.await.unwrap();
    let wire = serde_json::to_value(&context).unwrap();
    (context, wire)
}

#[tokio::test]
async fn a_class_teacher_on_a_campus() {
    let hall = Hall::open().await;
    let (context, wire) = minted(&hall, RUTH, on_campus("t1", "hello", MAIN)).await;

    assert_eq!(wire["userDetails"]["name"], "Ruth Akello");
    assert_eq!(wire["userDetails"]["email"], RUTH);
    assert_eq!(wire["userDetails"]["userType"], "staff");
    assert_eq!(wire["userDetails"]["schoolId"], "naalya");
    assert_eq!(wire["userDetails"]["schoolName"], "Naalya Hills School");
    assert_eq!(wire["userDetails"]["campusId"], MAIN);
    let campus = json!({ "id": MAIN, "name": "Main Campus" });
    assert_eq!(wire["runMode"], json!({ "mode": "campus", "campus": campus }));
    assert_eq!(wire["timeZone"], "Africa/Kampala");
    assert_eq!(
        wire["capabilities"],
        json!({ "isClassTeacher": true, "isSubjectTeacher": true, "isDirectorOfStudies": false })
    );
    assert!(wire["currentAcademicYear"]["campusAcademicYearId"].is_string(), "{wire}");
    let terms = wire["terms"].as_array().unwrap();
    let numbers: Vec<_> = terms.iter().map(|term| term["termNumber"].as_u64().unwrap()).collect();
    assert_eq!(numbers, [1, 2, 3]);
    let current: Vec<_> = terms.iter().map(|term| term["isCurrent"] == true).collect();
    assert_eq!(current, [false, true, false], "the demo school is always in its second term");
    assert_eq!(wire["attachments"], json!([]));

    let duties: Vec<_> = wire["teachingMap"]
        .as_array()
        .unwrap()
        .iter()
        .map(|taught| {
            let text = |key: &str| taught[key].as_str().unwrap_or("-").to_owned();
            (text("className"), text("duty"), text("subjectName"))
        })
        .collect();
    let expected = [
        ("S1 East", "class_teacher", "-"),
        ("S1 East", "subject_teacher", "English"),
        ("S2 East", "subject_teacher", "English"),
    ];
    assert_eq!(
        duties,
        expected.map(|(class, duty, subject)| (class.into(), duty.into(), subject.into()))
    );

    let now = Timestamp::now();
    let parsed = resolve_runtime_context(context).unwrap();
    let age = now.as_millisecond() - parsed.current_time.as_millisecond();
    assert!((0..60_000).contains(&age), "{age}");
}

#[tokio::test]
async fn the_permissions_are_the_policys_flattened() {
    let hall = Hall::open().await;
    let (_, ruth) = minted(&hall, RUTH, saying("t1", "hello")).await;
    let rules = ruth["userPermissions"].as_array().unwrap();
    let of = |action: &str, resource: &str| -> Vec<&Value> {
        rules
            .iter()
            .filter(|rule| rule["action"] == action && rule["resource"] == resource)
            .collect()
    };
    // grants.polar: class_teacher "department:read" campus; "student:update" class; no "department:create".
    let [department] = of("read", "department")[..] else { panic!("{rules:?}") };
    assert_eq!(department["condition"], json!({ "campusId": MAIN }));
    let [student] = of("update", "student")[..] else { panic!("{rules:?}") };
    assert!(student["condition"]["classId"].is_string(), "{student}");
    assert!(of("create", "department").is_empty());

    let (_, grace) = minted(&hall, GRACE, saying("t2", "hello")).await;
    let rules = grace["userPermissions"].as_array().unwrap();
    assert!(
        rules.contains(&json!({ "action": "create", "resource": "department" })),
        "a head teacher's reach is the school, so the rule has no condition: {rules:?}"
    );
}

#[tokio::test]
async fn a_director_of_studies_in_school_mode() {
    let hall = Hall::open().await;
    let (_, wire) = minted(&hall, DANIEL, saying("t1", "hello")).await;
    assert_eq!(wire["runMode"], json!({ "mode": "school" }));
    assert_eq!(
        wire["capabilities"],
        json!({ "isClassTeacher": false, "isSubjectTeacher": false, "isDirectorOfStudies": true })
    );
    assert_eq!(wire["terms"], json!([]), "without a pinned campus there are no terms");
    assert!(wire["currentAcademicYear"]["year"].is_i64());
    assert_eq!(wire["currentAcademicYear"].get("campusAcademicYearId"), None);
    assert_eq!(wire.get("teachingMap"), None, "left out for those who do not teach");
    assert_eq!(wire["userDetails"].get("campusId"), None, "he works on two campuses");
}

#[tokio::test]
async fn a_campus_that_is_not_open_to_the_person_begins_no_turn() {
    let hall = Hall::open().await;
    let table = [
        ("unknown", GRACE, "no-such-campus"),
        ("of another school", GRACE, "riverbend-campus-main"),
        ("not hers", SARAH, MAIN),
    ];
    let mut answers = Vec::new();
    for (what, email, campus) in table {
        let body = on_campus("t1", "hello", campus);
        let reply = hall.post(email, "/api/naalya-ai/chat", &body).await;
        answers.push(reply.problem(403));
        let threads = hall.get(email, "/api/naalya-ai/threads").await.json();
        assert_eq!(threads["threads"], json!([]), "{what}");
    }
    assert!(hall.nothing_taken().await);
    answers.dedup();
    assert_eq!(answers.len(), 1, "the three cannot be told apart: {answers:?}");
    assert!(minted(&hall, SARAH, on_campus("t1", "hello", LAKESIDE)).await.1["terms"].is_array());
}
