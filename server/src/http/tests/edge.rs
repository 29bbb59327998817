//! What reaches the handlers at all: from which pages, how large, and what a browser is told about it.

use axum::body::Body;
use axum::http::{HeaderMap, Request, header};

use super::hall::{GRACE, Hall, request};
use crate::chat::TurnLimits;
use crate::http::Edge;

const HUB: &str = "https://hub.school.example";
const OTHER: &str = "https://elsewhere.example";

async fn open_to(origins: &[&str]) -> Hall {
    let origins = origins.iter().map(|origin| origin.parse().unwrap()).collect();
    Hall::facing(Edge { origins, ..Edge::default() }, TurnLimits::default()).await
}

/// What a browser asks before it sends a post of a page of `origin`.
fn asks_first(origin: &str, path: &str) -> Request<Body> {
    let asked = Request::builder().method("OPTIONS").uri(path).header(header::ORIGIN, origin);
    asked
        .header(header::ACCESS_CONTROL_REQUEST_METHOD, "POST")
        .header(header::ACCESS_CONTROL_REQUEST_HEADERS, "authorization,content-type")
        .body(Body::empty())
        .unwrap()
}

fn told(headers: &HeaderMap, name: header::HeaderName) -> Option<&str> {
    headers.get(name).map(|value| value.to_str().unwrap())
}

#[tokio::test]
async fn only_pages_of_named_origins_may_call() {
    for (origins, page, may) in [
        (&[][..], HUB, false),
        (&[HUB][..], HUB, true),
        (&[HUB][..], OTHER, false),
        (&[HUB][..], "https://hub.school.example.evil.example", false),
        (&[HUB][..], "http://hub.school.example", false),
        (&[HUB][..], "null", false),
        (&[HUB, OTHER][..], OTHER, true),
    ] {
        let hall = open_to(origins).await;
        let expected = may.then_some(page);
        let first = hall.send(asks_first(page, "/api/naalya-ai/chat")).await;
        assert_eq!(told(&first.headers, header::ACCESS_CONTROL_ALLOW_ORIGIN), expected, "{page}");
        assert_eq!(told(&first.headers, header::ACCESS_CONTROL_ALLOW_CREDENTIALS), None, "{page}");
        let bearer = hall.bearer(GRACE).await;
        let mut asked = request("GET", "/api/me", Some(&bearer), None);
        asked.headers_mut().insert(header::ORIGIN, page.parse().unwrap());
        let answer = hall.send(asked).await;
        assert_eq!(answer.status, 200, "a server of its own may always ask");
        assert_eq!(told(&answer.headers, header::ACCESS_CONTROL_ALLOW_ORIGIN), expected, "{page}");
        assert!(first.headers.contains_key(header::CONTENT_SECURITY_POLICY), "{page}");
        if !origins.is_empty() {
            let varies = told(&answer.headers, header::VARY).unwrap();
            assert!(varies.contains("origin"), "a cache keeps the answers apart: {varies}");
        }
    }
}

#[tokio::test]
async fn a_page_that_may_call_is_told_with_what() {
    let hall = open_to(&[HUB]).await;
    let first = hall.send(asks_first(HUB, "/api/departments/d1")).await;
    assert_eq!(first.status, 200);
    let methods = told(&first.headers, header::ACCESS_CONTROL_ALLOW_METHODS).unwrap();
    for method in ["GET", "POST", "PUT", "PATCH", "DELETE"] {
        assert!(methods.contains(method), "{method}: {methods}");
    }
    let headers = told(&first.headers, header::ACCESS_CONTROL_ALLOW_HEADERS).unwrap();
    for name in ["authorization", "content-type", "idempotency-key", "if-match"] {
        assert!(headers.contains(name), "{name}: {headers}");
    }
}

#[tokio::test]
async fn tls_is_demanded_only_where_it_is_there() {
    for behind_tls in [false, true] {
        let edge = Edge { behind_tls, ..Edge::default() };
        let hall = Hall::facing(edge, TurnLimits::default()).await;
        let page = hall.send(request("GET", "/", None, None)).await;
        let said = told(&page.headers, header::STRICT_TRANSPORT_SECURITY);
        assert_eq!(said, behind_tls.then_some("max-age=31536000"));
    }
}

#[tokio::test]
async fn a_body_that_is_too_large_is_not_read() {
    let hall = Hall::open().await;
    let bearer = hall.bearer(GRACE).await;
    let kib = 1024;
    for (path, bytes, status) in [
        ("/api/departments", 64 * kib, 422),
        ("/api/departments", 64 * kib + 1, 413),
        ("/api/auth/sign-in", 64 * kib + 1, 413),
        ("/api/naalya-ai/chat", 8 * kib * kib, 422),
        ("/api/naalya-ai/chat", 8 * kib * kib + 1, 413),
    ] {
        let padding = " ".repeat(bytes - 2);
        let asked = Request::builder()
            .method("POST")
            .uri(path)
            .header(header::AUTHORIZATION, format!("Bearer {bearer}"))
            .header(header::CONTENT_TYPE, "application/json")
            .body(Body::from(format!("{{{padding}}}")))
            .unwrap();
        let detail = hall.send(asked).await.problem(status);
        assert_eq!(detail.contains("too large"), status == 413, "{path}, {bytes}: {detail}");
    }
}
