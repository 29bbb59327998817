//! What a tool call spends on authorization: CPU time of its thread, best of several runs.
//!
//!     cargo bench -p server --bench authorization
//!
//! A call makes the caller's rights from live rows, passes the posture gate, prints the condition of a list where there
//! is one, and asks the engine once for each record that it finds and once more for each that it changes. The budget is
//! 0.2 ms a call; the last column is the share of it.
#![expect(clippy::print_stdout, reason = "figures are what a benchmark is for")]

use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

use agent_contract::{Action, Resource};
use rustix::time::{ClockId, clock_gettime};
use server::authz::{Authority as _, Caller, Policy, RecordRef, Rights, Verdict};

const BUDGET: Duration = Duration::from_micros(200);
const RUNS: usize = 7;
const CALLS: u32 = 500;

fn main() {
    let policy = Arc::new(Policy::load().expect("the policy loads"));
    println!("{:<44} {:>9} {:>8}", "a call that", "µs CPU", "budget");
    for (who, caller) in [("head teacher", head_teacher()), ("teacher of 30 classes", teacher())] {
        let student = record(Resource::Student);
        let class = record(Resource::Class);
        let rights = || Rights::new(Arc::clone(&policy), caller.clone());
        let list = || {
            let rights = rights();
            let _ = black_box(rights.demand(Action::Read, Resource::Student));
            black_box(rights.condition(Action::Read, Resource::Student));
        };
        let find = || {
            let rights = rights();
            let _ = black_box(rights.demand(Action::Read, Resource::Student));
            assert_eq!(rights.decide(Action::Read, black_box(&student)), Verdict::Allow);
        };
        let change = || {
            let rights = rights();
            let _ = black_box(rights.demand(Action::Update, Resource::Class));
            assert_eq!(rights.decide(Action::Read, black_box(&class)), Verdict::Allow);
            let _ = black_box(rights.decide(Action::Update, black_box(&class)));
        };
        line(&format!("lists, {who}"), list);
        line(&format!("finds a record, {who}"), find);
        line(&format!("finds and changes a record, {who}"), change);
    }
}

fn line(what: &str, call: impl Fn()) {
    let best = (0..RUNS).map(|_| spent(&call)).min().unwrap_or_default() / CALLS;
    let share = best.as_secs_f64() / BUDGET.as_secs_f64() * 100.0;
    println!("{what:<44} {:>9.1} {share:>7.0}%", best.as_secs_f64() * 1e6);
}

fn spent(call: impl Fn()) -> Duration {
    let begin = thread_time();
    for _ in 0..CALLS {
        call();
    }
    thread_time().saturating_sub(begin)
}

fn thread_time() -> Duration {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    let seconds = u64::try_from(now.tv_sec).unwrap_or_default();
    Duration::new(seconds, u32::try_from(now.tv_nsec).unwrap_or_default())
}

fn ids(kind: &str, count: usize) -> Vec<String> {
    (0..count).map(|n| format!("{kind}-{n:03}")).collect()
}

fn head_teacher() -> Caller {
    Caller::of_school("school").with_roles(["head_teacher"]).on_campuses(ids("campus", 4))
}

/// Somebody with more places than anybody has.
fn teacher() -> Caller {
    Caller::of_school("school")
        .with_roles(["class_teacher", "teacher"])
        .on_campuses(ids("campus", 4))
        .class_teacher_of(ids("class", 2))
        .teaching(ids("assignment", 30))
}

/// A record that is found last in every list of places.
fn record(resource: Resource) -> RecordRef {
    RecordRef {
        resource,
        school_id: "school".to_owned(),
        id: "record".to_owned(),
        campus_id: Some("campus-003".to_owned()),
        class_id: Some("class-001".to_owned()),
        assignment_ids: vec!["assignment-029".to_owned()],
    }
}
