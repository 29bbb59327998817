//! The runtime context, row by row as the seeds describe it.

use agent_contract::{
    AgentRunMode, AgentRuntimeContext, AgentRuntimeContextInput, Capabilities, ContextError,
    Timestamp, resolve_runtime_context,
};
use proptest::prelude::*;
use serde_json::{Value, json};

/// The smallest context there is.
fn least() -> Value {
    json!({
        "userDetails": {
            "name": "Grace Namutebi",
            "email": "grace@naalya.example",
            "userId": "usr_1",
            "profileId": "prf_1",
            "userType": "staff",
            "schoolId": "sch_1",
        },
        "runMode": {"mode": "school"},
    })
}

fn with(key: &str, value: Value) -> Value {
    let mut json = least();
    json[key] = value;
    json
}

fn on_campus(key: &str, value: Value) -> Value {
    let mut json = with(key, value);
    json["runMode"] = json!({"mode": "campus", "campus": {"id": "cmp_1", "name": "Main Campus"}});
    json
}

fn parse(json: Value) -> AgentRuntimeContext {
    resolve_runtime_context(json).unwrap()
}

fn refusal(json: Value) -> ContextError {
    resolve_runtime_context(json).unwrap_err()
}

#[test]
fn an_old_payload_gets_every_default() {
    let context = parse(least());
    assert_eq!(context.run_mode, AgentRunMode::School);
    assert_eq!(context.capabilities, Capabilities::default());
    assert_eq!(context.time_zone, None);
    assert_eq!(context.user_permissions, []);
    assert_eq!(context.current_academic_year, None);
    assert_eq!(context.terms, []);
    assert_eq!(context.teaching_map, None);
    assert_eq!(context.attachments, []);
}

#[test]
fn capabilities_are_false_unless_said() {
    let none = Capabilities::default();
    assert!(!none.is_class_teacher && !none.is_subject_teacher && !none.is_director_of_studies);
    let some = parse(with("capabilities", json!({"isClassTeacher": true}))).capabilities;
    assert_eq!(some, Capabilities { is_class_teacher: true, ..none });
}

#[test]
fn the_run_mode_is_closed_and_a_campus_mode_has_its_campus() {
    let campus = json!({"id": "cmp_1", "name": "Main Campus"});
    let accepted = parse(with("runMode", json!({"mode": "campus", "campus": campus})));
    assert_eq!(accepted.run_mode.campus().map(|campus| campus.id.as_str()), Some("cmp_1"));

    for refused in [
        json!({"mode": "campus"}),
        json!({"mode": "campus", "campus": null}),
        json!({"mode": "campus", "campus": "cmp_1"}),
        json!({"mode": "campus", "campus": {"id": "cmp_1"}}),
        json!({"mode": "campus", "campus": {"id": "", "name": "Main Campus"}}),
        json!({"mode": "district"}),
        json!({"campus": campus}),
        json!("school"),
        Value::Null,
    ] {
        refusal(with("runMode", refused));
    }
}

#[test]
fn the_time_is_text_or_milliseconds() {
    let noon: Timestamp = "2026-02-01T12:00:00Z".parse().unwrap();
    for written in [
        json!("2026-02-01T12:00:00.000Z"),
        json!("2026-02-01T15:00:00+03:00"),
        json!(1_769_947_200_000_i64),
    ] {
        assert_eq!(parse(with("currentTime", written)).current_time, noon);
    }
    for wrong in [json!("yesterday"), json!("2026-02-01"), json!(""), json!({}), json!(true)] {
        refusal(with("currentTime", wrong));
    }
}

#[test]
fn an_absent_time_is_the_moment_of_each_parse() {
    let before = Timestamp::now();
    let first = parse(least()).current_time;
    let between = Timestamp::now();
    let second = parse(least()).current_time;
    assert!(before <= first && first <= between);
    assert!(between <= second && second <= Timestamp::now());
}

#[test]
fn a_zone_is_an_iana_name_or_absent() {
    let zone = parse(with("timeZone", json!("Africa/Kampala"))).time_zone.unwrap();
    assert_eq!(zone.name(), "Africa/Kampala");
    for wrong in ["Africa/Naalya", "EAT+3", "", "+03:00", "../etc/passwd"] {
        let error = refusal(with("timeZone", json!(wrong)));
        assert_eq!(error, ContextError::Zone(wrong.into()));
    }
}

#[test]
fn terms_come_in_the_order_of_their_numbers() {
    let term = |number: u32, starts: &str, ends: &str| {
        json!({
            "id": format!("trm_{number}"), "name": format!("Term {number}"), "termNumber": number,
            "startsOn": starts, "endsOn": ends, "isCurrent": number == 1,
        })
    };
    let terms = json!([
        term(3, "2026-09-14", "2026-12-04"),
        term(1, "2026-02-02", "2026-05-01"),
        term(2, "2026-05-25", "2026-08-21"),
    ]);
    let numbers = |context: AgentRuntimeContext| {
        context.terms.iter().map(|term| term.term_number).collect::<Vec<_>>()
    };
    assert_eq!(numbers(parse(on_campus("terms", terms.clone()))), [1, 2, 3]);
    assert_eq!(numbers(parse(with("terms", terms))), [0; 0], "no pinned campus, no terms");

    let error = refusal(on_campus("terms", json!([term(1, "2026-02-30", "2026-05-01")])));
    assert_eq!(
        error.to_string(),
        "the runtime context's terms.startsOn is wrong: \
         expected a date such as 2026-02-01, got \"2026-02-30\""
    );
}

#[test]
fn a_teaching_map_is_there_only_for_teachers() {
    let map = json!([
        {"classId": "cls_1", "className": "Primary 5 East", "duty": "class_teacher"},
        {"classId": "cls_2", "className": "Primary 6 West", "duty": "subject_teacher",
         "subjectId": "sub_1", "subjectName": "Mathematics"},
    ]);
    let context = parse(with("teachingMap", map.clone()));
    assert_eq!(serde_json::to_value(&context.teaching_map).unwrap(), map);
    assert_eq!(parse(with("teachingMap", json!([]))).teaching_map, None);
    let written = serde_json::to_value(parse(least())).unwrap();
    assert!(written.get("teachingMap").is_none(), "omitted, not sent empty");
    refusal(with("teachingMap", json!([{"classId": "c", "className": "C", "duty": "janitor"}])));
}

#[test]
fn permissions_keep_their_conditions() {
    let rules = json!([
        {"action": "read", "resource": "department"},
        {"action": "update", "resource": "class", "condition": {"campusId": "cmp_1"}},
    ]);
    let context = parse(with("userPermissions", rules.clone()));
    assert_eq!(serde_json::to_value(context.user_permissions).unwrap(), rules);
}

#[test]
fn the_year_and_the_attachments_come_through() {
    let year = json!({"name": "Academic year 2026", "year": 2026, "campusAcademicYearId": "cay_1"});
    let context = parse(with("currentAcademicYear", year.clone()));
    assert_eq!(serde_json::to_value(context.current_academic_year).unwrap(), year);

    let files = json!([{"id": "att_1", "filename": "p5.csv", "mediaType": "text/csv", "size": 12}]);
    let context = parse(with("attachments", files.clone()));
    assert_eq!(serde_json::to_value(context.attachments).unwrap(), files);
}

#[test]
fn unknown_keys_are_ignored_at_every_depth() {
    let mut json = on_campus("mood", json!("sunny"));
    json["userDetails"]["shoeSize"] = json!(41);
    json["runMode"]["campus"]["colour"] = json!("green");
    json["capabilities"] = json!({"isBursar": true});
    parse(json);
}

#[test]
fn a_person_has_an_account_an_address_and_a_profile() {
    for key in ["userId", "email", "profileId"] {
        let mut json = least();
        json["userDetails"][key] = json!("");
        assert!(matches!(refusal(json), ContextError::Empty(field) if field.ends_with(key)));

        let mut json = least();
        json["userDetails"].as_object_mut().unwrap().remove(key);
        assert!(matches!(refusal(json), ContextError::Shape(_)), "{key} may not be absent");
    }
}

#[test]
fn what_is_no_object_is_no_context() {
    for json in [json!(null), json!([]), json!("context"), json!(1), json!({})] {
        assert!(matches!(refusal(json), ContextError::Shape(_)));
    }
}

/// Some text, some list, some flag: any context that a server could mint.
fn any_context() -> impl Strategy<Value = AgentRuntimeContext> {
    let text = || "\\PC{1,12}";
    let term = (1_u32..9, text(), 1_u32..28, any::<bool>()).prop_map(|(number, name, day, now)| {
        json!({
            "id": format!("trm_{number}"), "name": name, "termNumber": number,
            "startsOn": format!("2026-02-{day:02}"), "endsOn": format!("2026-05-{day:02}"),
            "isCurrent": now,
        })
    });
    let duty =
        (text(), text(), prop::option::of(text())).prop_map(|(id, name, subject)| match subject {
            None => json!({"classId": id, "className": name, "duty": "class_teacher"}),
            Some(subject) => json!({
                "classId": id, "className": name, "duty": "subject_teacher",
                "subjectId": "sub_1", "subjectName": subject,
            }),
        });
    let rule = (text(), text(), prop::option::of(text())).prop_map(|(action, resource, campus)| {
        match campus {
            None => json!({"action": action, "resource": resource}),
            Some(id) => {
                json!({"action": action, "resource": resource, "condition": {"campusId": id}})
            }
        }
    });
    let file = (text(), text(), any::<u64>()).prop_map(|(id, name, size)| {
        json!({"id": id, "filename": name, "mediaType": "text/csv", "size": size})
    });
    let zone =
        prop::option::of(prop::sample::select(vec!["Africa/Kampala", "UTC", "Asia/Kolkata"]));
    (
        prop::option::of(text()),
        any::<[bool; 3]>(),
        zone,
        0_i64..4_000_000_000_000,
        prop::collection::vec(term, 0..4),
        prop::collection::vec(duty, 0..4),
        prop::collection::vec(rule, 0..4),
        prop::collection::vec(file, 0..3),
    )
        .prop_map(|(campus, capabilities, zone, time, terms, duties, rules, files)| {
            let mut json = least();
            if let Some(name) = campus {
                json["runMode"] =
                    json!({"mode": "campus", "campus": {"id": "cmp_1", "name": name}});
            }
            json["capabilities"] = json!({
                "isClassTeacher": capabilities[0], "isSubjectTeacher": capabilities[1],
                "isDirectorOfStudies": capabilities[2],
            });
            json["timeZone"] = json!(zone);
            json["currentTime"] = json!(time);
            json["terms"] = json!(terms);
            json["teachingMap"] = json!(duties);
            json["userPermissions"] = json!(rules);
            json["attachments"] = json!(files);
            parse(json)
        })
}

proptest! {
    #[test]
    fn a_parsed_context_written_and_parsed_is_the_same(context in any_context()) {
        let json = serde_json::to_value(&context).unwrap();
        prop_assert_eq!(&resolve_runtime_context(json).unwrap(), &context);
        let input = AgentRuntimeContextInput::from(context.clone());
        prop_assert_eq!(&resolve_runtime_context(input).unwrap(), &context);
    }

    #[test]
    fn the_wire_form_survives_the_wire(context in any_context()) {
        let input = AgentRuntimeContextInput::from(context);
        let json = serde_json::to_string(&input).unwrap();
        prop_assert_eq!(serde_json::from_str::<AgentRuntimeContextInput>(&json).unwrap(), input);
    }
}
