//! How much Rover does for one person and one school: who is stopped, by what, for how long, and who is not.

use std::num::{NonZeroU32, NonZeroU64};

use agent_contract::TurnEventKind;
use axum::http::header;

use super::hall::{DANIEL, GRACE, Hall, RUTH, Reply, saying};
use crate::chat::{Allowance, TurnLimits};
use crate::http::Edge;

const TURNS: Allowance = Allowance { turns_per_minute: NonZeroU32::new(2), tokens_per_day: None };
const TOKENS: Allowance =
    Allowance { turns_per_minute: None, tokens_per_day: NonZeroU64::new(1000) };

async fn limited(limits: TurnLimits) -> Hall {
    Hall::facing(Edge::default(), limits).await
}

fn person(person: Allowance) -> TurnLimits {
    TurnLimits { person, ..TurnLimits::default() }
}

/// A whole turn of somebody, in a conversation of its own, that costs so many tokens.
async fn a_turn(hall: &Hall, email: &str, thread: &str, tokens: u64) {
    let reading = hall.chat(email, saying(thread, "hello")).await;
    let mut run = hall.taken().await;
    run.step().await;
    let (input_tokens, output_tokens) = (tokens / 2, tokens - tokens / 2);
    run.say(TurnEventKind::Usage { model: "m".into(), input_tokens, output_tokens }).await;
    run.answer("Hello.").await;
    reading.await.unwrap();
}

/// Asked once more: the sentence, and how many seconds to wait.
async fn refused(hall: &Hall, email: &str) -> (String, u64) {
    let reply: Reply = hall.post(email, "/api/naalya-ai/chat", &saying("one-more", "hello")).await;
    let sentence = reply.problem(429);
    let wait = reply.headers[header::RETRY_AFTER].to_str().unwrap().parse().unwrap();
    assert!(hall.nothing_taken().await, "a refused post begins nothing");
    (sentence, wait)
}

/// Puts every turn so far back in time.
async fn seconds_pass(hall: &Hall, seconds: i64) {
    let micros = seconds * 1_000_000;
    let moved = format!("UPDATE turn SET opened_at_us = opened_at_us - {micros}");
    hall.sql().await.run(&moved).await;
}

#[tokio::test]
async fn a_person_begins_so_many_turns_a_minute() {
    let hall = limited(person(TURNS)).await;
    a_turn(&hall, GRACE, "t1", 0).await;
    seconds_pass(&hall, 40).await;
    a_turn(&hall, GRACE, "t2", 0).await;
    let (sentence, wait) = refused(&hall, GRACE).await;
    let beginning = "you have sent Rover many messages within a minute; try again in ";
    assert!(sentence.starts_with(beginning), "{sentence}");
    assert!((1..=20).contains(&wait), "the first of the two is 40 s old: {wait}");
    a_turn(&hall, RUTH, "t3", 0).await;
    // A minute after the first, there is room for one.
    seconds_pass(&hall, 20).await;
    a_turn(&hall, GRACE, "t4", 0).await;
    refused(&hall, GRACE).await;
}

#[tokio::test]
async fn a_school_begins_so_many_turns_a_minute_together() {
    let hall = limited(TurnLimits { school: TURNS, ..TurnLimits::default() }).await;
    a_turn(&hall, GRACE, "t1", 0).await;
    a_turn(&hall, RUTH, "t2", 0).await;
    let (sentence, _) = refused(&hall, DANIEL).await;
    assert!(sentence.starts_with("your school has sent Rover many messages"), "{sentence}");
    seconds_pass(&hall, 61).await;
    a_turn(&hall, DANIEL, "t3", 0).await;
}

#[tokio::test]
async fn a_person_uses_so_many_tokens_a_day() {
    let hall = limited(person(TOKENS)).await;
    a_turn(&hall, GRACE, "t1", 900).await;
    seconds_pass(&hall, 20 * 3600).await;
    // The turn that crosses the limit comes to its end.
    a_turn(&hall, GRACE, "t2", 500).await;
    let (sentence, wait) = refused(&hall, GRACE).await;
    assert_eq!(sentence, "you have used up what Rover may do within a day; try again in 4 hours");
    assert!((3 * 3600..=4 * 3600).contains(&wait), "until the first is a day old: {wait}");
    a_turn(&hall, RUTH, "t3", 0).await;
    seconds_pass(&hall, 4 * 3600 + 1).await;
    a_turn(&hall, GRACE, "t4", 0).await;
}

#[tokio::test]
async fn a_school_uses_so_many_tokens_a_day_together() {
    let hall = limited(TurnLimits { school: TOKENS, ..TurnLimits::default() }).await;
    a_turn(&hall, GRACE, "t1", 500).await;
    a_turn(&hall, RUTH, "t2", 500).await;
    let (sentence, _) = refused(&hall, DANIEL).await;
    assert!(sentence.starts_with("your school has used up"), "{sentence}");
}

/// Many posts at once pass one after the other, so no more of them begin than may.
#[tokio::test(flavor = "multi_thread")]
async fn posts_at_the_same_moment_are_counted_one_by_one() {
    let hall = limited(person(TURNS)).await;
    let bearer = hall.bearer(GRACE).await;
    let posts = (0..8).map(|n| {
        let body = saying(&format!("t{n}"), "hello");
        hall.status(super::hall::request("POST", "/api/naalya-ai/chat", Some(&bearer), Some(&body)))
    });
    let answers = futures_util::future::join_all(posts).await;
    let begun = answers.iter().filter(|status| **status == 200).count();
    let told = answers.iter().filter(|status| **status == 429).count();
    assert_eq!((begun, told), (2, 6), "{answers:?}");
}

#[tokio::test]
async fn without_a_limit_nobody_is_stopped() {
    let hall = limited(TurnLimits::default()).await;
    for thread in ["t1", "t2", "t3", "t4"] {
        a_turn(&hall, GRACE, thread, 10_000).await;
    }
}
