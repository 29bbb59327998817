//! Request and result.

use agent_contract::{AgentCallScope, AgentToolRequest, AgentToolResult, RequestFault, ToolError};
use serde_json::{Value, json};

fn request() -> Value {
    json!({
        "identity": {
            "sub": "usr_1", "email": "grace@naalya.example", "type": "staff",
            "profileId": "prf_1", "schoolId": "sch_1",
        },
        "scope": {"mode": "campus", "campusId": "cmp_1"},
        "args": {"name": "Mathematics"},
    })
}

#[test]
fn a_request_survives_the_wire() {
    let parsed = AgentToolRequest::from_data(request()).unwrap();
    assert_eq!(parsed.identity.sub, "usr_1");
    assert_eq!(parsed.scope, AgentCallScope::campus("cmp_1"));
    assert_eq!(parsed.args, json!({"name": "Mathematics"}));
    assert_eq!(serde_json::to_value(&parsed).unwrap(), request());
}

#[test]
fn each_fault_of_a_request_is_named() {
    let with = |key: &str, value: Value| {
        let mut json = request();
        json[key] = value;
        json
    };
    let without = |key: &str| {
        let mut json = request();
        json.as_object_mut().unwrap().remove(key);
        json
    };
    let mut nameless = request();
    nameless["identity"]["sub"] = json!("");
    let mut control = request();
    control["identity"]["schoolId"] = json!("sch\u{0}1");
    let rows = [
        (json!(null), RequestFault::NoRequest),
        (json!([request()]), RequestFault::NoRequest),
        (json!("{}"), RequestFault::NoRequest),
        (json!({}), RequestFault::NoIdentity),
        (without("identity"), RequestFault::NoIdentity),
        (with("identity", Value::Null), RequestFault::NoIdentity),
        (with("identity", json!("usr_1")), RequestFault::Identity),
        (with("identity", json!({"sub": "usr_1"})), RequestFault::Identity),
        (nameless, RequestFault::EmptyIdentityField("sub")),
        (control, RequestFault::Identity),
        (with("scope", json!({"mode": "campus", "campusId": "c\u{0}"})), RequestFault::Scope),
        (without("scope"), RequestFault::NoScope),
        (with("scope", json!({"mode": "campus"})), RequestFault::Scope),
    ];
    for (data, fault) in rows {
        assert_eq!(AgentToolRequest::from_data(data.clone()), Err(fault), "{data}");
    }
}

#[test]
fn absent_arguments_are_null_and_unknown_keys_are_ignored() {
    let mut json = request();
    json.as_object_mut().unwrap().remove("args");
    json["trace"] = json!("kept by somebody else");
    assert_eq!(AgentToolRequest::from_data(json).unwrap().args, Value::Null);
}

#[test]
fn a_result_is_data_with_its_sentence_or_an_error() {
    let rows = [
        (AgentToolResult::ok(json!([1]), "all"), json!({"data": [1], "scopeContext": "all"})),
        (AgentToolResult::ok(Value::Null, "all"), json!({"data": null, "scopeContext": "all"})),
        (AgentToolResult::err("no"), json!({"error": "no"})),
    ];
    for (result, wire) in rows {
        assert_eq!(serde_json::to_value(&result).unwrap(), wire);
        assert_eq!(serde_json::from_value::<AgentToolResult>(wire).unwrap(), result);
    }
}

#[test]
fn what_is_both_is_an_error_and_what_is_neither_is_no_result() {
    let both = json!({"data": 1, "scopeContext": "all", "error": "no"});
    let both: AgentToolResult = serde_json::from_value(both).unwrap();
    assert_eq!(both.error(), Some("no"));
    for neither in [json!({}), json!({"data": 1}), json!({"scopeContext": "all"}), json!("ok")] {
        assert!(serde_json::from_value::<AgentToolResult>(neither).is_err());
    }
}

#[test]
fn an_error_of_a_tool_becomes_its_sentence() {
    let result: AgentToolResult = ToolError::denied("you may not create departments").into();
    assert_eq!(result.error(), Some("Permission denied: you may not create departments"));
}
