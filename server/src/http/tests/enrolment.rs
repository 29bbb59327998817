//! Enrolment at one moment by many: everybody is enrolled, and nobody is counted twice.

use std::collections::BTreeSet;

use axum::http::StatusCode;
use futures_util::future::join_all;
use serde_json::json;

use super::hall::{GRACE, Hall, Reply, request};

const S1_EAST: &str = "naalya-class-s1-east";

/// So many requests to enrol in one class, sent together.
async fn enrol_together(hall: &Hall, count: usize) -> Vec<Reply> {
    let bearer = hall.bearer(GRACE).await;
    let requests = (0..count).map(|n| {
        let body = json!({ "name": format!("Amina Nansamba {n}"), "classId": S1_EAST });
        hall.send(request("POST", "/api/students", Some(&bearer), Some(&body)))
    });
    join_all(requests).await
}

#[tokio::test]
async fn all_who_are_enrolled_at_one_moment_get_numbers_of_their_own() {
    let hall = Hall::open().await;
    let replies = enrol_together(&hall, 20).await;
    let numbers: BTreeSet<String> = replies
        .iter()
        .map(|reply| {
            assert_eq!(reply.status, StatusCode::CREATED, "{}", reply.text);
            let number = reply.json()["admissionNumber"].as_str().unwrap().to_owned();
            number.split_once('/').unwrap().1.to_owned()
        })
        .collect();
    let expected: BTreeSet<String> = (61..=80).map(|number| format!("{number:04}")).collect();
    assert_eq!(numbers, expected);
}

#[tokio::test]
async fn a_class_takes_no_more_at_one_moment_than_it_has_room_for() {
    let hall = Hall::open().await;
    let class = hall.get(GRACE, &format!("/api/classes/{S1_EAST}")).await;
    let version = class.headers["etag"].clone();
    let bearer = hall.bearer(GRACE).await;
    let room = json!({ "capacity": 13 });
    let address = format!("/api/classes/{S1_EAST}");
    let mut change = request("PATCH", &address, Some(&bearer), Some(&room));
    change.headers_mut().insert("if-match", version);
    assert_eq!(hall.send(change).await.status, StatusCode::OK);

    let replies = enrol_together(&hall, 10).await;
    let (enrolled, refused): (Vec<_>, Vec<_>) =
        replies.iter().partition(|reply| reply.status == StatusCode::CREATED);
    // Eight are in the class already.
    assert_eq!((enrolled.len(), refused.len()), (5, 5));
    for reply in refused {
        assert!(reply.problem(422).contains("S1 East is full"), "{}", reply.text);
    }
}
