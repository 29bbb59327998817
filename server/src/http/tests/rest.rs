//! The school over REST: versions, pages, and the answers that hold for every address of the table.

use axum::body::Body;
use axum::http::{Request, header};
use serde_json::{Value, json};

use super::hall::{GRACE, Hall, LAKESIDE, MAIN, RUTH, Reply, SARAH, request};
use crate::http::records::{ENDPOINTS, Verb};

const STUDENT: &str = "/api/students/naalya-student-001";

async fn with(
    hall: &Hall,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: Option<&Value>,
) -> Reply {
    let bearer = hall.bearer(GRACE).await;
    let mut request = Request::builder()
        .method(method)
        .uri(path)
        .header(header::AUTHORIZATION, format!("Bearer {bearer}"));
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let request = match body {
        Some(body) => request
            .header(header::CONTENT_TYPE, "application/json")
            .body(Body::from(body.to_string())),
        None => request.body(Body::empty()),
    };
    hall.send(request.unwrap()).await
}

fn tag(reply: &Reply) -> String {
    reply.headers[header::ETAG].to_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_version_that_was_seen_guards_a_change() {
    let hall = Hall::open().await;
    let seen = with(&hall, "GET", STUDENT, &[], None).await;
    let first = tag(&seen);
    assert!(first == "\"1\"", "{first}");
    assert_eq!(with(&hall, "GET", STUDENT, &[("if-none-match", &first)], None).await.status, 304);

    let born = json!({ "dateOfBirth": "2013-04-05" });
    let changed = with(&hall, "PATCH", STUDENT, &[("if-match", &first)], Some(&born)).await;
    assert_eq!((changed.status.as_u16(), &changed.json()["version"]), (200, &json!(2)));
    assert!(tag(&changed) == "\"2\"");

    let late = with(&hall, "PATCH", STUDENT, &[("if-match", &first)], Some(&born)).await;
    assert_eq!(late.json()["type"], "urn:rover:problem:stale");
    assert!(late.problem(412).contains("since you looked"));
    assert_eq!(with(&hall, "GET", STUDENT, &[("if-none-match", &first)], None).await.status, 200);
    let whatever = with(&hall, "PATCH", STUDENT, &[("if-match", "*")], Some(&born)).await;
    assert_eq!(whatever.json()["version"], 3);
}

#[tokio::test]
async fn a_list_is_leafed_through_by_its_links() {
    let hall = Hall::open().await;
    let mut address = "/api/students?sort=class&order=descending&limit=25".to_owned();
    let mut read = Vec::new();
    loop {
        let page = hall.get(GRACE, &address).await;
        let json = page.json();
        assert_eq!(json["total"], 60, "{}", page.text);
        read.extend(json["items"].as_array().unwrap().iter().map(|row| row["id"].clone()));
        let Some(link) = page.headers.get(header::LINK) else {
            assert_eq!(json["hasMore"], false);
            break;
        };
        let link = link.to_str().unwrap();
        let (next, rel) = link.strip_prefix('<').unwrap().split_once('>').unwrap();
        assert_eq!((rel, &json["hasMore"]), ("; rel=\"next\"", &json!(true)));
        address = next.to_owned();
    }
    let count = read.len();
    read.sort_by_key(ToString::to_string);
    read.dedup();
    assert_eq!((count, read.len()), (60, 60));
}

#[tokio::test]
async fn what_does_not_fit_is_told() {
    let hall = Hall::open().await;
    for (address, status, told) in [
        ("/api/students?limit=0", 422, "limit"),
        ("/api/students?limit=many", 422, "limit"),
        ("/api/students?limit=5&limit=6", 400, "given twice"),
        ("/api/students?sort=age", 422, "sort"),
        ("/api/students?cursor=x", 422, "cursor"),
        ("/api/students?page=2", 422, "page"),
        ("/api/students?campusId=riverbend-campus-river", 404, "campus"),
        ("/api/students/riverbend-student-001", 404, "student"),
        ("/api/students/no-such-student", 404, "student"),
        ("/api/students/matches", 422, "name"),
        ("/api/classes/naalya-class-s1-east/attendance", 403, "class teacher"),
    ] {
        let detail = hall.get(GRACE, address).await.problem(status);
        assert!(detail.contains(told), "{address}: {detail}");
        assert!(!detail.contains("args"), "{address}: {detail}");
    }
}

#[tokio::test]
async fn hidden_is_answered_like_absent() {
    let hall = Hall::open().await;
    let hidden = hall.get(SARAH, STUDENT).await;
    let absent = hall.get(SARAH, "/api/students/naalya-student-999").await;
    assert_eq!(hidden.problem(404).replace("-001", ""), absent.problem(404).replace("-999", ""));
    assert!(
        hall.get(SARAH, &format!("/api/students?campusId={MAIN}"))
            .await
            .problem(404)
            .contains("campus")
    );
    let own = hall.get(SARAH, &format!("/api/students?campusId={LAKESIDE}")).await;
    assert_eq!(own.json()["total"], 29);
}

#[tokio::test]
async fn a_class_teacher_keeps_the_register_over_rest_as_in_the_chat() {
    let hall = Hall::open().await;
    let path = "/api/classes/naalya-class-s1-east/attendance";
    let bearer = hall.bearer(RUTH).await;
    let body = json!({ "absentStudentIds": ["naalya-student-003"] });
    let kept = hall.send(request("PUT", path, Some(&bearer), Some(&body))).await;
    assert_eq!(
        (&kept.json()["absent"], &kept.json()["present"]),
        (&json!(1), &json!(7)),
        "{}",
        kept.text
    );
    let read = hall.get(RUTH, path).await.json();
    assert_eq!(read.as_array().unwrap().len(), 8);
    let other = "/api/classes/naalya-class-s1-west/attendance";
    hall.send(request("PUT", other, Some(&bearer), Some(&body))).await.problem(403);
}

#[tokio::test]
async fn every_address_needs_a_signed_in_person_and_every_change_the_right() {
    let hall = Hall::open().await;
    let moses = hall.bearer("moses.kato@naalya.example").await;
    for endpoint in ENDPOINTS {
        let path: String = endpoint
            .path
            .split('/')
            .map(|part| if part.starts_with('{') { "x" } else { part })
            .collect::<Vec<_>>()
            .join("/");
        let method = endpoint.method.method();
        let method = method.as_str();
        hall.send(request(method, &path, None, Some(&json!({})))).await.problem(401);
        // The bursar changes nothing here, and what they send for it does not even fit.
        if endpoint.method != Verb::Get {
            let status =
                hall.send(request(method, &path, Some(&moses), Some(&json!({})))).await.status;
            assert!(status.is_client_error(), "{method} {path}: {status}");
        }
    }
}

#[tokio::test]
async fn the_document_has_every_address_of_the_table() {
    let hall = Hall::open().await;
    let document = hall.send(request("GET", "/openapi.json", None, None)).await.json();
    assert_eq!(document["openapi"], "3.1.0");
    for endpoint in ENDPOINTS {
        let method = endpoint.method.method().as_str().to_ascii_lowercase();
        let operation = &document["paths"][endpoint.path][&method];
        assert_eq!(operation["operationId"], endpoint.tool.as_str(), "{method} {}", endpoint.path);
    }
    // What is described is served: no address of the document is a page that is not there.
    for (path, methods) in document["paths"].as_object().unwrap() {
        let address: String = path
            .split('/')
            .map(|part| if part.starts_with('{') { "x" } else { part })
            .collect::<Vec<_>>()
            .join("/");
        for method in methods.as_object().unwrap().keys() {
            let method = method.to_uppercase();
            let reply = hall.send(request(&method, &address, None, None)).await;
            assert_ne!(reply.status, 405, "{method} {address}");
            assert!(!reply.text.contains("no such page"), "{method} {address}: {}", reply.text);
        }
    }
}
