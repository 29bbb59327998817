//! Everything that is neither a person's nor a turn's.

use axum::http::header;
use serde_json::json;
use tools::agent_tools;

use super::hall::{GRACE, Hall, RUTH, Reply, request, saying};

async fn get(hall: &Hall, path: &str) -> Reply {
    hall.send(request("GET", path, None, None)).await
}

#[tokio::test]
async fn the_page_is_there_and_may_run_nothing_that_is_not_ours() {
    let hall = Hall::open().await;
    let page = get(&hall, "/").await;
    assert_eq!(
        (page.status.as_u16(), &page.headers[header::CONTENT_TYPE]),
        (200, &"text/html; charset=utf-8".parse().unwrap())
    );
    assert!(page.text.starts_with("<!doctype html>"));
    let policy = page.headers[header::CONTENT_SECURITY_POLICY].to_str().unwrap();
    assert!(policy.starts_with("default-src 'none'; script-src 'self'"), "{policy}");
    assert!(!policy.contains("unsafe"), "{policy}");

    // Whatever the page names, the server has.
    for part in page.text.split('"').filter(|part| part.starts_with("/hub/")) {
        assert_eq!(get(&hall, part).await.status, 200, "{part}");
    }
    let script = get(&hall, "/hub/app.js").await;
    assert_eq!(script.headers[header::CONTENT_TYPE], "text/javascript; charset=utf-8");
    get(&hall, "/hub/..%2f..%2fCargo.toml").await.problem(404);
}

#[tokio::test]
async fn every_answer_says_what_a_browser_may_do_with_it() {
    let hall = Hall::open().await;
    for path in ["/", "/api/me", "/healthz", "/nowhere"] {
        let headers = get(&hall, path).await.headers;
        assert_eq!(headers[header::X_CONTENT_TYPE_OPTIONS], "nosniff", "{path}");
        assert_eq!(headers[header::X_FRAME_OPTIONS], "DENY", "{path}");
        assert_eq!(headers[header::REFERRER_POLICY], "no-referrer", "{path}");
        assert!(headers.contains_key(header::CONTENT_SECURITY_POLICY), "{path}");
    }
    assert_eq!(get(&hall, "/api/me").await.headers[header::CACHE_CONTROL], "no-store");
}

#[tokio::test]
async fn unknown_addresses_and_methods_are_problems() {
    let hall = Hall::open().await;
    get(&hall, "/api/nothing").await.problem(404);
    hall.send(request("DELETE", "/api/me", None, None)).await.problem(405);
}

#[tokio::test]
async fn alive_and_ready() {
    let hall = Hall::open().await;
    assert_eq!(get(&hall, "/healthz").await.text, "ok");
    let ready = get(&hall, "/readyz").await;
    assert_eq!((ready.status.as_u16(), &ready.json()["status"]), (200, &"ready".into()));
    hall.database.close().await;
    let closed = get(&hall, "/readyz").await;
    assert_eq!((closed.status.as_u16(), &closed.json()["database"]), (503, &false.into()));
}

#[tokio::test]
async fn a_server_that_drains_says_so_and_begins_nothing() {
    let hall = Hall::open().await;
    let running = hall.chat(GRACE, saying("t1", "hello")).await;
    let mut run = hall.taken().await;
    let bearer = hall.bearer(GRACE).await;
    hall.draining.cancel();
    let ready = get(&hall, "/readyz").await;
    assert_eq!((ready.status.as_u16(), &ready.json()["status"]), (503, &"draining".into()));
    assert_eq!(get(&hall, "/healthz").await.status, 200);
    for (method, path, body) in
        [("GET", "/api/me", None), ("POST", "/api/naalya-ai/chat", Some(saying("t2", "hello")))]
    {
        let refused = hall.send(request(method, path, Some(&bearer), body.as_ref())).await;
        assert!(refused.headers.contains_key(header::RETRY_AFTER), "{path}");
        refused.problem(503);
    }
    assert!(hall.nothing_taken().await);
    run.answer("Here I am.").await;
    assert_eq!(running.await.unwrap().said(), "Here I am.");
}

#[tokio::test]
async fn every_tool_has_its_label() {
    let hall = Hall::open().await;
    let known = get(&hall, "/api/tools/labels").await.json();
    for def in agent_tools::DEFS {
        assert_eq!(known["labels"][def.name], def.label, "{}", def.name);
    }
    assert_eq!(known["labels"]["create_department"], "Creating a department");
    assert_eq!(known["verbs"]["recompute"], "Recomputing");
    assert_eq!(known["verbs"]["upsert"], "Saving");
}

/// The shape that `docs/tool-registry.md` explains, for whoever is signed in.
#[tokio::test]
async fn the_tools_are_listed_for_people_who_are_signed_in() {
    let hall = Hall::open().await;
    get(&hall, "/api/tools").await.problem(401);
    let listed = hall.get(RUTH, "/api/tools").await.json();
    assert_eq!(listed["format"], 1);
    let listed = listed["tools"].as_array().unwrap();
    assert_eq!(listed.len(), agent_tools::DEFS.len());
    let create = &listed[0];
    assert_eq!(
        (&create["name"], &create["event"]),
        (&json!("create_department"), &json!("create.department"))
    );
    assert_eq!(create["gate"]["right"], "department:create");
    assert_eq!(create["examples"][0]["result"]["data"]["name"], "Mathematics");
}
