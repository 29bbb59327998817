//! The rules, read once from the environment.

use std::process::exit;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::Point;

const VARIABLE: &str = "ROVER_FAILPOINTS";

static RULES: LazyLock<Vec<Rule>> = LazyLock::new(|| {
    let text = std::env::var(VARIABLE).unwrap_or_default();
    let rules = text.split(';').filter(|rule| !rule.is_empty());
    rules
        .map(|rule| {
            // A test whose fault does not happen proves nothing.
            Rule::parse(rule).unwrap_or_else(|| {
                eprintln!("{VARIABLE}: `{rule}` is none; write such as `before_commit=abort@2`");
                exit(2)
            })
        })
        .collect()
});

struct Rule {
    point: Point,
    act: Act,
    /// Only this time; none for every time.
    only: Option<u64>,
    passed: AtomicU64,
}

#[derive(Clone, Copy)]
enum Act {
    Abort,
    Stall(Duration),
    Error,
}

pub(crate) async fn reach(point: Point) -> bool {
    let mut fails = false;
    for rule in RULES.iter().filter(|rule| rule.point == point) {
        let passed = rule.passed.fetch_add(1, Ordering::Relaxed) + 1;
        if rule.only.is_some_and(|only| only != passed) {
            continue;
        }
        match rule.act {
            // As SIGKILL does, without a last word to anybody.
            Act::Abort => std::process::abort(),
            Act::Stall(pause) => tokio::time::sleep(pause).await,
            Act::Error => fails = true,
        }
    }
    fails
}

impl Rule {
    fn parse(text: &str) -> Option<Self> {
        let (point, act) = text.split_once('=')?;
        let (act, only) = match act.split_once('@') {
            Some((act, only)) => (act, Some(only.parse().ok()?)),
            None => (act, None),
        };
        let point = match point {
            "before_publish" => Point::BeforePublish,
            "after_publish" => Point::AfterPublish,
            "delivered" => Point::Delivered,
            "claim" => Point::Claim,
            "handler" => Point::Handler,
            "before_commit" => Point::BeforeCommit,
            "after_commit" => Point::AfterCommit,
            "before_ack" => Point::BeforeAck,
            _ => return None,
        };
        let act = match act.split_once(':') {
            None if act == "abort" => Act::Abort,
            None if act == "error" => Act::Error,
            Some(("stall", pause)) => Act::Stall(Duration::from_millis(pause.parse().ok()?)),
            _ => return None,
        };
        Some(Self { point, act, only, passed: AtomicU64::new(0) })
    }
}
