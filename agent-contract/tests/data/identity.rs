//! The rename from details to identity, its JSON, and the payload made of it.

use agent_contract::{
    AgentIdentity, AgentUserDetails, Timestamp, UserType, identity_from_user_details,
    resolve_identity, resolve_runtime_context, to_jwt_payload,
};
use serde_json::{Value, json};

fn details() -> Value {
    json!({
        "name": "Grace Namutebi",
        "email": "grace@naalya.example",
        "userId": "usr_1",
        "profileId": "prf_1",
        "userType": "staff",
        "schoolId": "sch_1",
        "campusId": "cmp_1",
    })
}

fn parsed(json: Value) -> AgentUserDetails {
    serde_json::from_value(json).unwrap()
}

#[test]
fn user_id_becomes_sub_and_user_type_becomes_type() {
    let identity = identity_from_user_details(&parsed(details()));
    assert_eq!(
        serde_json::to_value(&identity).unwrap(),
        json!({
            "sub": "usr_1",
            "email": "grace@naalya.example",
            "type": "staff",
            "profileId": "prf_1",
            "schoolId": "sch_1",
            "campusId": "cmp_1",
        })
    );
}

#[test]
fn what_is_absent_stays_absent() {
    let mut person = details();
    person.as_object_mut().unwrap().retain(|key, _| key != "schoolId" && key != "campusId");
    let json = serde_json::to_value(identity_from_user_details(&parsed(person))).unwrap();
    assert_eq!(
        json,
        json!({
            "sub": "usr_1",
            "email": "grace@naalya.example",
            "type": "staff",
            "profileId": "prf_1",
        })
    );
}

#[test]
fn the_worker_echoes_the_identity_of_the_context() {
    let context = json!({ "userDetails": details(), "runMode": { "mode": "school" } });
    let context = resolve_runtime_context(context).unwrap();
    assert_eq!(resolve_identity(&context), identity_from_user_details(&parsed(details())));
}

#[test]
fn the_payload_is_the_identity_with_synthetic_times() {
    let identity = identity_from_user_details(&parsed(details()));
    let now: Timestamp = "2026-02-01T08:30:00.900Z".parse().unwrap();
    let mut payload = serde_json::to_value(to_jwt_payload(&identity, now)).unwrap();
    let times = payload.as_object_mut().unwrap();
    assert_eq!(times.remove("iat"), Some(json!(1_769_934_600)));
    let exp = times.remove("exp").and_then(|exp| exp.as_i64()).unwrap();
    assert!(exp > 1_769_934_600, "a payload made now must not be expired now");
    assert_eq!(payload, serde_json::to_value(identity).unwrap());
}

#[test]
fn every_kind_of_account_has_its_word() {
    let rows = [
        (UserType::Staff, "staff"),
        (UserType::Guardian, "guardian"),
        (UserType::Student, "student"),
        (UserType::Platform, "platform"),
    ];
    for (kind, word) in rows {
        assert_eq!(serde_json::to_value(kind).unwrap(), json!(word));
    }
    assert!(serde_json::from_value::<UserType>(json!("root")).is_err());
}

#[test]
fn an_empty_school_is_no_tenant() {
    let with = |school: Value| {
        let mut person = details();
        person["schoolId"] = school;
        identity_from_user_details(&parsed(person))
    };
    assert_eq!(with(json!("sch_1")).tenant(), Some("sch_1"));
    assert_eq!(with(json!("")).tenant(), None);
    assert_eq!(with(Value::Null).tenant(), None);
}

#[test]
fn unknown_keys_are_ignored_and_missing_ones_are_not() {
    let mut json = serde_json::to_value(identity_from_user_details(&parsed(details()))).unwrap();
    json["issuedBy"] = json!("a newer server");
    assert!(serde_json::from_value::<AgentIdentity>(json.clone()).is_ok());
    for key in ["sub", "email", "type", "profileId"] {
        let mut less = json.clone();
        less.as_object_mut().unwrap().remove(key);
        assert!(serde_json::from_value::<AgentIdentity>(less).is_err(), "{key} may not be absent");
    }
}
