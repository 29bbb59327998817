//! Departments over REST: the tools' service, one audit row a change, and each change once.

use agent_contract::SchoolId;
use axum::body::Body;
use axum::http::{HeaderValue, Request, header};
use serde_json::{Value, json};

use super::hall::{GRACE, Hall, LAKESIDE, MAIN, RUTH, Reply, SARAH, request};
use crate::audit::{Chain, verify};

const PATH: &str = "/api/departments";

/// How many changes the school's audit chain holds.
async fn changes(hall: &Hall) -> i64 {
    match verify(&hall.database, &SchoolId::new("naalya").unwrap()).await.unwrap() {
        Chain::Whole { rows, .. } => rows,
        Chain::Broken { seq, fault } => panic!("the chain breaks at {seq}: {fault:?}"),
    }
}

async fn send(hall: &Hall, email: &str, method: &str, path: &str, body: Option<&Value>) -> Reply {
    let bearer = hall.bearer(email).await;
    let mut request = request(method, path, Some(&bearer), body);
    request.headers_mut().insert(header::IF_MATCH, HeaderValue::from_static("*"));
    hall.send(request).await
}

async fn create_with_key(hall: &Hall, email: &str, key: &str, body: &Value) -> Reply {
    let bearer = hall.bearer(email).await;
    let request = Request::post(PATH)
        .header(header::AUTHORIZATION, format!("Bearer {bearer}"))
        .header(header::CONTENT_TYPE, "application/json")
        .header("idempotency-key", key)
        .body(Body::from(body.to_string()))
        .unwrap();
    hall.send(request).await
}

#[tokio::test]
async fn a_department_lives_and_ends_with_one_audit_row_a_change() {
    let hall = Hall::open().await;
    let before = changes(&hall).await;
    let made = hall.post(GRACE, PATH, &json!({ "name": "Mathematics", "campusId": MAIN })).await;
    assert_eq!(made.status, 201, "{}", made.text);
    let made = made.json();
    assert_eq!(
        (&made["name"], &made["campusName"]),
        (&json!("Mathematics"), &json!("Main Campus"))
    );
    let path = format!("{PATH}/{}", made["id"].as_str().unwrap());
    assert_eq!(changes(&hall).await, before + 1);
    assert_eq!(send(&hall, GRACE, "GET", &path, None).await.json(), made);

    let renamed = send(&hall, GRACE, "PATCH", &path, Some(&json!({ "name": "Maths" }))).await;
    assert_eq!((renamed.status.as_u16(), &renamed.json()["name"]), (200, &json!("Maths")));
    assert_eq!(changes(&hall).await, before + 2);

    let archived = send(&hall, GRACE, "DELETE", &path, None).await;
    assert_eq!(archived.json()["deleted"]["name"], "Maths");
    assert_eq!(changes(&hall).await, before + 3);
    send(&hall, GRACE, "GET", &path, None).await.problem(404);
    send(&hall, GRACE, "DELETE", &path, None).await.problem(404);
    assert_eq!(changes(&hall).await, before + 3);
}

#[tokio::test]
async fn a_list_is_what_the_person_may_see() {
    let hall = Hall::open().await;
    let names = async |email: &str, query: &str| -> Vec<String> {
        let listed = send(&hall, email, "GET", &format!("{PATH}{query}"), None).await.json();
        let listed = listed["items"].as_array().unwrap().clone();
        listed
            .iter()
            .map(|row| format!("{} {}", row["campusName"], row["name"]).replace('"', ""))
            .collect()
    };
    let lakeside = ["Lakeside Campus Languages", "Lakeside Campus Sciences"];
    assert_eq!(names(SARAH, "").await, lakeside);
    assert_eq!(names(GRACE, &format!("?campusId={LAKESIDE}")).await, lakeside);
    assert_eq!(names(GRACE, "").await.len(), 5);
    send(&hall, SARAH, "GET", &format!("{PATH}?campusId={MAIN}"), None).await.problem(404);
    send(&hall, GRACE, "GET", &format!("{PATH}?campusId=riverbend-campus-main"), None)
        .await
        .problem(404);
}

#[tokio::test]
async fn the_same_key_is_the_same_change() {
    let hall = Hall::open().await;
    let before = changes(&hall).await;
    let body = json!({ "name": "Mathematics", "campusId": MAIN });
    let first = create_with_key(&hall, GRACE, "k-1", &body).await;
    let again = create_with_key(&hall, GRACE, "k-1", &body).await;
    assert_eq!((first.status.as_u16(), &first.text), (201, &again.text));
    assert_eq!(again.status, 201);
    assert_eq!(changes(&hall).await, before + 1);

    let other = json!({ "name": "Physics", "campusId": MAIN });
    let taken = create_with_key(&hall, GRACE, "k-1", &other).await.problem(409);
    assert!(taken.contains("used for another call"), "{taken}");
    let hers = json!({ "name": "Physics", "campusId": LAKESIDE });
    let sarah = create_with_key(&hall, SARAH, "k-1", &hers).await;
    assert_eq!(sarah.status, 201, "a key is one person's: {}", sarah.text);
    assert_eq!(changes(&hall).await, before + 2);
    create_with_key(&hall, GRACE, &"k".repeat(256), &body).await.problem(400);
}

#[tokio::test]
async fn what_is_refused_changes_nothing() {
    let hall = Hall::open().await;
    let before = changes(&hall).await;
    let table = [
        (RUTH, json!({ "name": "Mathematics", "campusId": MAIN }), 403),
        (SARAH, json!({ "name": "Mathematics", "campusId": MAIN }), 404),
        (GRACE, json!({ "name": "Mathematics", "campusId": "riverbend-campus-main" }), 404),
        (GRACE, json!({ "name": "Mathematics", "campusId": "" }), 422),
        (GRACE, json!({ "name": "  ", "campusId": MAIN }), 422),
        (GRACE, json!({ "name": "", "campusId": MAIN }), 422),
        (GRACE, json!({ "name": "x".repeat(81), "campusId": MAIN }), 422),
        (GRACE, json!({ "name": "sciences", "campusId": MAIN }), 409),
        (GRACE, json!({ "name": "Mathematics" }), 422),
        (GRACE, json!({ "name": "Mathematics", "campusId": MAIN, "schoolId": "riverbend" }), 422),
        (GRACE, json!({ "name": 5, "campusId": MAIN }), 422),
        (GRACE, json!({ "name": "N\u{0}ul", "campusId": MAIN }), 422),
        (GRACE, json!({ "name": "\u{7}bell", "campusId": MAIN }), 422),
        (GRACE, json!({ "name": "Mathematics", "campusId": "a\u{0}" }), 422),
        (GRACE, json!({ "name": "\u{200b}", "campusId": MAIN }), 422),
        (GRACE, json!({ "name": "\u{202e}", "campusId": MAIN }), 422),
        (GRACE, json!(["Mathematics", MAIN]), 422),
    ];
    for (email, body, status) in table {
        let detail = hall.post(email, PATH, &body).await.problem(status);
        for internal in ["SELECT", "INSERT", "sqlx", "grant(", "src/", "::"] {
            assert!(!detail.contains(internal), "{detail}");
        }
    }
    let bearer = hall.bearer(GRACE).await;
    let raw = |body: &'static str, kind: &'static str| {
        Request::post(PATH)
            .header(header::AUTHORIZATION, format!("Bearer {bearer}"))
            .header(header::CONTENT_TYPE, kind)
            .body(Body::from(body))
            .unwrap()
    };
    let malformed = hall.send(raw("{", "application/json")).await.problem(400);
    assert_eq!(malformed, "the body is not JSON");
    hall.send(raw("name=x", "application/x-www-form-urlencoded")).await.problem(415);
    let large = json!({ "name": "x".repeat(70_000), "campusId": MAIN });
    let too_large = hall.post(GRACE, PATH, &large).await.problem(413);
    assert_eq!(too_large, "the body is too large: at most 64 KB are taken here");
    assert_eq!(changes(&hall).await, before);
}

#[tokio::test]
async fn an_address_that_is_no_text_is_a_problem() {
    let hall = Hall::open().await;
    for path in [
        "/api/departments/%ff",
        "/api/departments/a%00b",
        "/api/turns/%00",
        "/api/naalya-ai/threads/%ff",
        "/api/naalya-ai/chat/%ff/stream",
        "/api/departments?campusId=%ff&other=1",
    ] {
        hall.get(GRACE, path).await.problem(400);
    }
    hall.get(GRACE, "/api/departments?campusId=a%00b").await.problem(422);
}
