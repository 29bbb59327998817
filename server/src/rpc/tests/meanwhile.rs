//! What changes between two calls of one turn: the next call already obeys, whatever its token says.

use agent_contract::AgentRunMode;
use serde_json::{Value, json};

use super::bench::{Bench, Caller, LAKESIDE, MAIN, RUTH, SARAH, campus, envelope};

/// A call that works, a change that takes its ground away, and what the same call is told then.
struct Case {
    what: &'static str,
    email: &'static str,
    mode: AgentRunMode,
    event: &'static str,
    args: Value,
    change: &'static str,
    then: &'static str,
}

const NOBODY: &str = "Permission denied: this account cannot use this school";

fn cases() -> Vec<Case> {
    let lakeside = || campus(LAKESIDE, "Lakeside Campus");
    let add = |name: &str| json!({ "name": name });
    let listing = |email, mode, change, then, what| Case {
        what,
        email,
        mode,
        event: "list.departments",
        args: json!({}),
        change,
        then,
    };
    vec![
        listing(
            SARAH,
            lakeside(),
            "DELETE FROM staff_role WHERE staff_id = 'naalya-staff-sarah.nabirye'",
            "there is no such campus",
            "the only role is taken away",
        ),
        Case {
            what: "the role that may is taken away, and another stays",
            email: SARAH,
            mode: lakeside(),
            event: "create.department",
            args: add("Astronomy"),
            change: "UPDATE staff_role SET role = 'teacher' WHERE staff_id = 'naalya-staff-sarah.nabirye'",
            then: "Permission denied: you may not create departments",
        },
        listing(
            SARAH,
            lakeside(),
            "UPDATE account SET disabled = TRUE WHERE email = 'sarah.nabirye@naalya.example'",
            NOBODY,
            "the account is switched off",
        ),
        listing(
            SARAH,
            lakeside(),
            "UPDATE staff SET active = FALSE WHERE id = 'naalya-staff-sarah.nabirye'",
            NOBODY,
            "the person no longer works here",
        ),
        listing(
            SARAH,
            lakeside(),
            "UPDATE account SET school_id = 'riverbend' WHERE email = 'sarah.nabirye@naalya.example'",
            NOBODY,
            "the account moves to another school",
        ),
        listing(
            SARAH,
            lakeside(),
            "UPDATE account SET email = 'other@naalya.example' WHERE email = 'sarah.nabirye@naalya.example'",
            NOBODY,
            "the address changes hands",
        ),
        listing(
            SARAH,
            lakeside(),
            "UPDATE staff_campus SET campus_id = 'naalya-campus-main' WHERE staff_id = 'naalya-staff-sarah.nabirye'",
            "there is no such campus",
            "the person moves to another campus",
        ),
        Case {
            what: "the class gets another class teacher",
            email: RUTH,
            mode: campus(MAIN, "Main Campus"),
            event: "record.attendance",
            args: json!({ "classId": "naalya-class-s1-east" }),
            change: "UPDATE class SET class_teacher_id = 'naalya-staff-james.ssempijja' WHERE id = 'naalya-class-s1-east'",
            then: "Permission denied: you are not the class teacher of this class",
        },
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn the_next_call_of_the_same_turn_obeys_what_changed() {
    for Case { what, email, mode, event, args, change, then } in cases() {
        let bench = Bench::new().await;
        let caller: Caller = bench.caller(email, mode).await;
        let first = envelope(&bench.executor, caller.call(event, "first", args.clone())).await;
        assert!(first.get("data").is_some(), "{what}: {first}");
        bench.run(change).await;
        let before = bench.rows().await;
        let mut args = args;
        if let Some(name) = args.get_mut("name") {
            *name = json!("Geology");
        }
        let next = envelope(&bench.executor, caller.call(event, "next", args)).await;
        let told = next["error"].as_str().unwrap_or_else(|| panic!("{what}: {next}"));
        assert!(told.starts_with(then), "{what}: {told}");
        assert_eq!(bench.rows().await, before, "{what}: nothing is written");
    }
}
