//! Records over REST: every address of the table, who may, and versions.

use agent_contract::{Posture, SchoolId};
use axum::body::Body;
use axum::http::{Request, header};
use serde_json::{Value, json};
use tools::agent_tools::ToolName;

use super::hall::{GRACE, Hall, LAKESIDE, MAIN, RUTH, Reply, SARAH, request};
use crate::audit::{Chain, verify};
use crate::demo::showing;
use crate::http::records::{ENDPOINTS, Endpoint, Verb};

async fn changes(hall: &Hall) -> i64 {
    match verify(&hall.database, &SchoolId::new("naalya").unwrap()).await.unwrap() {
        Chain::Whole { rows, .. } => rows,
        Chain::Broken { seq, fault } => panic!("the chain breaks at {seq}: {fault:?}"),
    }
}

async fn send(hall: &Hall, email: &str, method: &str, path: &str, body: Option<&Value>) -> Reply {
    let bearer = hall.bearer(email).await;
    hall.send(request(method, path, Some(&bearer), body)).await
}

async fn matching(
    hall: &Hall,
    email: &str,
    method: &str,
    path: &str,
    tag: &str,
    body: &Value,
) -> Reply {
    let bearer = hall.bearer(email).await;
    let request = Request::builder()
        .method(method)
        .uri(path)
        .header(header::AUTHORIZATION, format!("Bearer {bearer}"))
        .header(header::CONTENT_TYPE, "application/json")
        .header(header::IF_MATCH, tag)
        .body(Body::from(body.to_string()))
        .unwrap();
    hall.send(request).await
}

/// The address with the arguments in it, and those that are left for the query or the body.
fn addressed(endpoint: &Endpoint, arguments: &Value) -> (String, Value) {
    let mut left = arguments.as_object().unwrap().clone();
    let mut path = endpoint.path.to_owned();
    for (name, value) in arguments.as_object().unwrap() {
        let slot = format!("{{{name}}}");
        if path.contains(&slot) {
            path = path.replace(&slot, &text(value));
            left.remove(name);
        }
    }
    if endpoint.method == Verb::Get && !left.is_empty() {
        let pairs: Vec<_> =
            left.iter().map(|(name, value)| format!("{name}={}", text(value))).collect();
        return (format!("{path}?{}", pairs.join("&")), json!({}));
    }
    (path, Value::Object(left))
}

/// A value as it stands in an address.
fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.replace(' ', "%20"),
        other => other.to_string(),
    }
}

fn word(verb: Verb) -> &'static str {
    match verb {
        Verb::Get => "GET",
        Verb::Post => "POST",
        Verb::Put => "PUT",
        Verb::Patch => "PATCH",
        Verb::Delete => "DELETE",
    }
}

/// The examples of each tool, sent to its address by whom the documentation shows: so every address is met, its
/// arguments are those of its tool, and each change is one audit row.
#[tokio::test]
async fn every_address_answers_the_example_of_its_tool() {
    let mut hall = Hall::open().await;
    for endpoint in ENDPOINTS {
        let def = endpoint.tool.definition();
        for example in def.examples.iter().take(1).copied() {
            let shown = showing(def, example).expect("somebody may");
            let mut arguments = shown.arguments.clone();
            // What is shown on a campus in use names it here.
            if shown.mode.starts_with("campus:") && def.field("campusId").is_some() {
                let campus = if shown.mode.ends_with("Lakeside Campus") { LAKESIDE } else { MAIN };
                arguments["campusId"] = json!(campus);
            }
            let (path, left) = addressed(endpoint, &arguments);
            assert!(!path.contains('{'), "{path}: an argument of the address is in no example");
            let before = changes(&hall).await;
            let body = left.as_object().filter(|left| !left.is_empty()).map(|_| &left);
            let reply = send(&hall, &shown.email, word(endpoint.method), &path, body).await;
            assert!(reply.status.is_success(), "{} {path}: {}", word(endpoint.method), reply.text);
            let written = i64::from(endpoint.method != Verb::Get);
            assert_eq!(changes(&hall).await, before + written, "{path}");
            // No example meets what another changed.
            if written == 1 {
                hall = Hall::open().await;
            }
        }
    }
}

#[tokio::test]
async fn nobody_and_nobody_with_a_right_are_told_apart() {
    let hall = Hall::open().await;
    for endpoint in ENDPOINTS {
        let path = endpoint.path.replace(['{', '}'], "");
        let method = word(endpoint.method);
        hall.send(request(method, &path, None, None)).await.problem(401);
        if let Some(Posture::Casl { .. }) = endpoint.tool.definition().posture {
            continue;
        }
        // One's own is there for everybody.
        if endpoint.path.starts_with("/api/me/") {
            continue;
        }
        // Grace teaches nothing, whatever else she may do.
        let refused = send(&hall, GRACE, method, &path, Some(&json!({}))).await;
        assert!([403, 422, 428].contains(&refused.status.as_u16()), "{path}: {}", refused.text);
    }
    let moses = "moses.kato@naalya.example";
    send(&hall, moses, "GET", "/api/subjects", None).await.problem(403);
    let (unit, mark) = ("naalya-assessment-s1-east-eng-unit-2", json!({ "score": 50 }));
    let path = format!("/api/assessments/{unit}/marks/naalya-student-001");
    let denied = send(&hall, GRACE, "POST", &path, Some(&mark)).await.problem(403);
    assert_eq!(denied, "Permission denied: this is no assessment of a subject that you teach");
    send(&hall, RUTH, "POST", &path, Some(&mark)).await.json();
}

#[tokio::test]
async fn a_version_is_an_etag_and_guards_against_lost_updates() {
    let hall = Hall::open().await;
    let path = "/api/classes/naalya-class-s1-east";
    let read = send(&hall, GRACE, "GET", path, None).await;
    assert_eq!(read.headers[header::ETAG], "\"1\"");
    let capacity = |n: i64| json!({ "capacity": n });
    let first = matching(&hall, GRACE, "PATCH", path, "\"1\"", &capacity(40)).await;
    assert_eq!(
        (first.status.as_u16(), &first.headers[header::ETAG]),
        (200, &"\"2\"".parse().unwrap())
    );
    let late = matching(&hall, GRACE, "PATCH", path, "\"1\"", &capacity(50)).await.problem(412);
    assert!(late.contains("since you looked"), "{late}");
    for bad in ["1", "W/\"2\"", "\"x\""] {
        matching(&hall, GRACE, "PATCH", path, bad, &capacity(50)).await.problem(412);
    }
    let twice = json!({ "capacity": 50, "version": 2 });
    matching(&hall, GRACE, "PATCH", path, "\"2\"", &twice).await.problem(400);
    let any = matching(&hall, GRACE, "PATCH", path, "*", &capacity(45)).await.json();
    assert_eq!(any["capacity"], 45);

    // A correction without a version is asked for one.
    let mark = "/api/assessments/naalya-assessment-s1-east-eng-mid-2/marks/naalya-student-001";
    let score = json!({ "score": 70.5 });
    send(&hall, RUTH, "PUT", mark, Some(&score)).await.problem(428);
    let corrected = matching(&hall, RUTH, "PUT", mark, "\"1\"", &score).await;
    assert_eq!(
        (&corrected.json()["score"], &corrected.headers[header::ETAG]),
        (&json!(70.5), &"\"2\"".parse().unwrap())
    );
}

#[tokio::test]
async fn an_argument_is_given_once_and_as_the_tool_takes_it() {
    let hall = Hall::open().await;
    let path = "/api/classes/naalya-class-s1-east";
    for (method, path, body, status) in [
        ("PATCH", path, json!({ "classId": "naalya-class-s1-west", "capacity": 40 }), 400),
        ("PATCH", path, json!({ "capacity": 0 }), 422),
        ("PATCH", path, json!({ "size": 40 }), 422),
        ("PATCH", path, json!({ "capacity": 40, "schoolId": "riverbend" }), 422),
        ("PATCH", path, json!([40]), 422),
        ("PATCH", "/api/classes/riverbend-class-form-one", json!({ "capacity": 40 }), 404),
        ("POST", "/api/subjects", json!({ "name": "x".repeat(61), "code": "X" }), 422),
    ] {
        send(&hall, GRACE, method, path, Some(&body)).await.problem(status);
    }
    for (path, status) in [
        ("/api/assessments?termNumber=two", 422),
        ("/api/assessments?termNumber=1&termNumber=2", 400),
        ("/api/assessments?other=1", 422),
        ("/api/subjects/matches", 422),
        ("/api/classes/a%00b", 422),
        ("/api/classes/%ff", 400),
    ] {
        hall.get(GRACE, path).await.problem(status);
    }
    hall.get(SARAH, "/api/streams?campusId=naalya-campus-main").await.problem(404);
    let lakeside = hall.get(GRACE, &format!("/api/streams?campusId={LAKESIDE}")).await.json();
    assert_eq!(lakeside.as_array().unwrap().len(), 4);
    let first = hall.get(GRACE, "/api/assessments?termNumber=1&limit=3&sort=class").await.json();
    assert_eq!((&first["total"], first["items"].as_array().unwrap().len()), (&json!(7), 3));
}

#[test]
fn every_slot_of_an_address_is_an_argument_of_its_tool() {
    for Endpoint { path, tool, .. } in ENDPOINTS {
        let slots = path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
        for slot in slots {
            let known = tool.definition().fields.iter().any(|field| field.wire == slot);
            assert!(known, "{path}: {slot} is no argument of {tool}");
        }
    }
    assert!(ENDPOINTS.iter().any(|endpoint| endpoint.tool == ToolName::RecordMarks));
}
