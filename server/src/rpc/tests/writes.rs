//! Writes: one change, one audit row, one outcome, however often and however rudely they are asked for.

use std::sync::Arc;

use agent_contract::lock::Lock;
use agent_contract::wire::HEADER_OUTCOME;
use agent_contract::{
    AgentRunMode, Gate, Timestamp, ToolArgs, ToolCx, ToolEndpoint as _, ToolResult, TurnEventKind,
    agent_tool,
};
use futures_util::FutureExt as _;
use futures_util::future::join_all;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use tools::departments::{Department, EditDepartments};

use super::bench::{
    Bench, GRACE, LAKESIDE, MAIN, PETER, RIVER, RUTH, SARAH, campus, envelope, response,
};
use crate::chat::Threads;
use crate::domain::SchoolHost;
use crate::rpc::routes::Routes;

fn main_campus() -> AgentRunMode {
    campus(MAIN, "Main Campus")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_write_changes_one_row_and_leaves_one_audit_row() {
    let bench = Bench::new().await;
    let grace = bench.caller(GRACE, main_campus()).await;
    let before = bench.rows().await;

    let call = grace.call("create.department", "call-1", json!({ "name": "Mathematics" }));
    let reply = bench.executor.handle(call).await.unwrap();
    assert_eq!(reply.headers[HEADER_OUTCOME], "ok");
    let mut answer = response(&reply);
    let id = answer["data"]["id"].take();
    assert!(!id.as_str().unwrap().is_empty());
    let expected = json!({
        "data": {
            "id": null, "name": "Mathematics", "campusId": MAIN, "campusName": "Main Campus", "version": 1,
        },
        "scopeContext": "Data is limited to the campus \"Main Campus\". Say \"across Main Campus\", not \"across the school\".",
    });
    assert_eq!(answer, expected);

    let mut grown = before;
    for table in ["department", "audit_log", "tool_call"] {
        *grown.get_mut(table).unwrap() += 1;
    }
    assert_eq!(bench.rows().await, grown);
    assert_eq!(
        bench.count("audit_log WHERE call_id = 'call-1' AND event = 'create.department'").await,
        1
    );
    assert_eq!(bench.smells().await, [""; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_that_was_asked_to_stop_reads_and_writes_no_more() {
    let bench = Bench::new().await;
    let grace = bench.caller(GRACE, main_campus()).await;
    let now = Timestamp::now();
    Threads::new(bench.database.clone()).stop(&grace.turn, now, now).await.unwrap();
    let before = bench.rows().await;
    let call = grace.call("create.department", "call-1", json!({ "name": "Mathematics" }));
    assert_eq!(
        envelope(&bench.executor, call).await,
        json!({ "error": "the person stopped this turn, so nothing more is changed in it" })
    );
    assert_eq!(bench.rows().await, before);
    let list = grace.call("list.departments", "call-2", json!({}));
    let listed = envelope(&bench.executor, list).await;
    assert!(listed.get("data").is_some(), "{listed}");
    assert_eq!(bench.smells().await, [""; 0], "its worker may not have heard yet");
}

#[tokio::test(flavor = "multi_thread")]
async fn every_gate_leaves_one_event_in_order() {
    let bench = Bench::new().await;
    let grace = bench.caller(GRACE, main_campus()).await;
    let peter = bench.caller(PETER, main_campus()).await;
    let args = || json!({ "name": "Mathematics" });
    envelope(&bench.executor, grace.call("create.department", "call-1", args())).await;
    envelope(&bench.executor, peter.call("create.department", "call-2", args())).await;

    let gates = |events: Vec<agent_contract::TurnEvent>| -> Vec<(Gate, bool)> {
        let gate = |event: agent_contract::TurnEvent| match event.kind {
            TurnEventKind::Gate { gate, passed, .. } => Some((gate, passed)),
            _ => None,
        };
        events.into_iter().filter_map(gate).collect()
    };
    let passed: Vec<_> = Gate::ALL.map(|gate| (gate, true)).into();
    assert_eq!(gates(bench.log.events(&grace.turn).await.unwrap()), passed);

    let mut stopped: Vec<_> = passed[..8].to_vec();
    stopped.push((Gate::Posture, false));
    assert_eq!(gates(bench.log.events(&peter.turn).await.unwrap()), stopped);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_role_may_not_do_is_denied_in_a_sentence() {
    let bench = Bench::new().await;
    let peter = bench.caller(PETER, main_campus()).await;
    let before = bench.rows().await;
    let call = peter.call("create.department", "call-1", json!({ "name": "Mathematics" }));
    let reply = bench.executor.handle(call).await.unwrap();
    assert_eq!(reply.headers[HEADER_OUTCOME], "denied");
    assert_eq!(
        response(&reply),
        json!({ "error": "Permission denied: you may not create departments" })
    );
    assert_eq!(bench.rows().await, before);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_comes_again_gets_its_first_answer() {
    let bench = Bench::new().await;
    let grace = bench.caller(GRACE, main_campus()).await;
    let call = || grace.call("create.department", "call-1", json!({ "name": "Mathematics" }));
    let first = bench.executor.handle(call()).await.unwrap();
    let rows = bench.rows().await;

    // The answer stands, whatever became of the rights meanwhile; it is the answer to what was done.
    bench.run("DELETE FROM staff_role WHERE staff_id = (SELECT profile_id FROM account WHERE email = 'grace.namutebi@naalya.example')").await;
    let mut rows_then = rows.clone();
    *rows_then.get_mut("staff_role").unwrap() -= 1;
    let again = bench.executor.handle(call()).await.unwrap();
    assert_eq!(again.body, first.body);
    assert_eq!(again.headers[HEADER_OUTCOME], "replayed");
    assert_eq!(bench.rows().await, rows_then);

    // Somebody who is no longer there gets nothing.
    bench
        .run("UPDATE account SET disabled = TRUE WHERE email = 'grace.namutebi@naalya.example'")
        .await;
    let refused = envelope(&bench.executor, call()).await;
    assert_eq!(
        refused,
        json!({ "error": "Permission denied: this account cannot use this school" })
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_id_answers_one_call_of_one_person() {
    let bench = Bench::new().await;
    let grace = bench.caller(GRACE, main_campus()).await;
    let sarah = bench.caller(SARAH, campus(LAKESIDE, "Lakeside Campus")).await;
    envelope(&bench.executor, grace.call("create.department", "call-1", json!({ "name": "Art" })))
        .await;
    let rows = bench.rows().await;
    let others = [
        grace.call("create.department", "call-1", json!({ "name": "Music" })),
        grace.call("create.class", "call-1", json!({ "name": "S9" })),
        sarah.call("create.department", "call-1", json!({ "name": "Art" })),
    ];
    for other in others {
        let answer = envelope(&bench.executor, other).await;
        assert_eq!(
            answer,
            json!({ "error": "call id call-1 was used for another call; nothing was done" })
        );
    }
    assert_eq!(bench.rows().await, rows);
    assert_eq!(bench.smells().await, ["reused_call"; 3]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn eight_deliveries_at_once_make_one_change() {
    let bench = Bench::new().await;
    let grace = bench.caller(GRACE, main_campus()).await;
    let call = || grace.call("create.department", "call-1", json!({ "name": "Mathematics" }));
    let deliveries = (0..8).map(|_| bench.executor.handle(call()));
    let replies: Vec<_> = join_all(deliveries).await.into_iter().map(Option::unwrap).collect();
    assert!(replies.iter().all(|reply| reply.body == replies[0].body));
    let fresh = replies.iter().filter(|reply| reply.headers[HEADER_OUTCOME] == "ok").count();
    assert_eq!(fresh, 1);
    assert_eq!(bench.count("department WHERE name = 'Mathematics'").await, 1);
    assert_eq!(bench.count("audit_log WHERE call_id = 'call-1'").await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_caller_that_goes_away_cuts_nothing_short() {
    let bench = Bench::new().await;
    let grace = bench.caller(GRACE, main_campus()).await;
    let call = grace.call("create.department", "call-1", json!({ "name": "Mathematics" }));
    drop(bench.executor.handle(call).now_or_never());
    bench.executor.idle().await;
    assert_eq!(bench.count("department WHERE name = 'Mathematics'").await, 1);
    assert_eq!(bench.count("audit_log WHERE call_id = 'call-1'").await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_campus_in_use_wins_and_the_answer_says_so() {
    let bench = Bench::new().await;
    let grace = bench.caller(GRACE, main_campus()).await;
    let args = json!({ "name": "Mathematics", "campusId": LAKESIDE });
    let answer = envelope(&bench.executor, grace.call("create.department", "call-1", args)).await;
    assert_eq!(answer["data"]["campusId"], MAIN);
    assert_eq!(
        answer["scopeContext"],
        "Another campus was asked for, but this conversation works on the campus \"Main Campus\", and that one was \
         used. Data is limited to the campus \"Main Campus\". Say \"across Main Campus\", not \"across the school\"."
    );
}

/// It is never used, so the call goes on; but no honest turn knows the name of a campus of another school.
#[tokio::test(flavor = "multi_thread")]
async fn a_campus_of_no_school_of_theirs_is_written_down_and_not_used() {
    let bench = Bench::new().await;
    let sarah = bench.caller(SARAH, campus(LAKESIDE, "Lakeside Campus")).await;
    for (at, (event, asked, smells)) in [
        ("create.department", MAIN, 0),
        ("list.departments", MAIN, 0),
        ("create.department", RIVER, 1),
        ("list.departments", "nowhere", 2),
    ]
    .into_iter()
    .enumerate()
    {
        let mut args = json!({ "campusId": asked });
        if event.starts_with("create") {
            args["name"] = format!("Department {at}").into();
        }
        let call = sarah.call(event, &format!("call-{at}"), args);
        let answer = envelope(&bench.executor, call).await;
        let about = answer["scopeContext"].as_str().unwrap_or_else(|| panic!("{answer}"));
        assert!(about.contains("Lakeside Campus") && !about.contains(asked), "{about}");
        assert_eq!(bench.smells().await, vec!["foreign_campus"; smells], "{event} {asked}");
    }
    assert_eq!(
        bench
            .count(
                "department WHERE campus_id = 'naalya-campus-lakeside' AND name LIKE 'Department%'"
            )
            .await,
        2
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_campus_the_choice_is_named() {
    let bench = Bench::new().await;
    let args = || json!({ "name": "Mathematics" });
    for (email, error) in [
        (GRACE, "name a campus: Lakeside Campus, Main Campus"),
        (SARAH, "name a campus: Lakeside Campus"),
    ] {
        let caller = bench.caller(email, AgentRunMode::School).await;
        let answer =
            envelope(&bench.executor, caller.call("create.department", email, args())).await;
        assert_eq!(answer, json!({ "error": error }), "{email}");
    }
    let grace = bench.caller(GRACE, AgentRunMode::School).await;
    let args = json!({ "name": "Mathematics", "campusId": LAKESIDE });
    let answer = envelope(&bench.executor, grace.call("create.department", "named", args)).await;
    assert_eq!(answer["data"]["campusName"], "Lakeside Campus");
    assert_eq!(
        answer["scopeContext"],
        "Data is limited to the campus \"Lakeside Campus\". Say \"across Lakeside Campus\", not \"across the school\"."
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_is_described_as_far_as_it_reaches() {
    let bench = Bench::new().await;
    for (email, event, context) in [
        (GRACE, "list.departments", "Data covers the whole school. Say \"across the school\"."),
        (
            SARAH,
            "list.departments",
            "Data is limited to the campuses this person works on: \"Lakeside Campus\". Name them; do not say \
             \"across the school\".",
        ),
        (
            PETER,
            "list.students",
            "Data is limited to the classes this person teaches. Say \"in your classes\", not \"across the school\".",
        ),
        (
            RUTH,
            "list.my_classes",
            "Data is limited to this person's own records. Say \"your\", not \"across the school\".",
        ),
    ] {
        let caller = bench.caller(email, AgentRunMode::School).await;
        let answer = envelope(&bench.executor, caller.call(event, "read", json!({}))).await;
        assert_eq!(answer["scopeContext"], context, "{email} {event}: {answer}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_nest_worker_gets_through_where_the_operator_said_so() {
    let bench = Bench::new().await;
    let plain = bench.plain();
    let grace = bench.person(GRACE).await;
    let data = super::bench::data(
        &grace,
        json!({ "mode": "campus", "campusId": MAIN }),
        json!({ "name": "Mathematics" }),
    );
    let packet =
        agent_contract::wire::encode_request("create.department", &data, "72057659c4cba3c2b1e88");
    let reply = plain.handle(agent_contract::WireMessage::new(packet)).await.unwrap();
    assert!(reply.headers.is_empty());
    assert_eq!(response(&reply)["data"]["name"], "Mathematics");
    // The packet's own id stands in for a call id.
    assert_eq!(bench.count("audit_log WHERE call_id = '72057659c4cba3c2b1e88'").await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_never_ends_is_given_up() {
    let bench = Bench::new().await;
    let grace = bench.caller(GRACE, main_campus()).await;
    let again = || {
        // A name that is taken: refused each time, so no delivery keeps anything.
        let mut call = grace.call("create.department", "call-1", json!({ "name": "Sciences" }));
        call.redelivered = true;
        call
    };
    // What comes to an end may come as often as it likes.
    let first = envelope(&bench.executor, again()).await;
    for _ in 0..5 {
        assert_eq!(envelope(&bench.executor, again()).await, first);
    }
    // Two deliveries after the first took their servers with them.
    bench.run("UPDATE delivery SET attempts = 2 WHERE call_id = 'call-1'").await;
    let given_up = envelope(&bench.executor, again()).await;
    let sentence = "this call was given up: it was begun several times and never came to an end, so check what was \
                    done before repeating it";
    assert_eq!(given_up, json!({ "error": sentence }));
    assert_eq!(bench.smells().await, ["poison"]);
    // One that was kept after all says so, however often it came.
    let mut kept = grace.call("create.department", "call-2", json!({ "name": "Botany" }));
    let done = envelope(&bench.executor, kept.clone()).await;
    kept.redelivered = true;
    bench
        .run("INSERT INTO delivery (school_id, call_id, attempts) VALUES ('naalya', 'call-2', 4)")
        .await;
    assert_eq!(envelope(&bench.executor, kept).await, done);
}

/// What the model supplies to cause trouble.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct CreateTrouble {
    /// Name of the trouble.
    name: String,
    /// Campus of the trouble.
    #[serde(default)]
    campus_id: agent_contract::CampusArg,
}

/// Create a department and then fall over. Use it never.
#[agent_tool(
    scope = general,
    posture = casl(Create, Department),
    roles = [Rover],
    label = "Causing trouble",
    examples = [{ name: "Trouble" }],
)]
async fn create_trouble(
    cx: &ToolCx<impl EditDepartments>,
    args: CreateTrouble,
) -> ToolResult<Department> {
    let made = cx.services().create(args.name, args.campus_id.required()?).await?;
    assert!(made.name.is_empty(), "trouble");
    Ok(made)
}

agent_contract::registry! {
    mod trouble = [create_trouble];
}

#[tokio::test(flavor = "multi_thread")]
async fn a_handler_that_panics_is_answered_and_keeps_nothing() {
    let bench = Bench::new().await;
    let executor = Arc::new(
        bench.serving(Routes::of(trouble::routes::<SchoolHost>(), &Lock::of(trouble::DEFS))),
    );
    let grace = bench.caller(GRACE, main_campus()).await;
    let before = bench.rows().await;
    for id in ["call-1", "call-2"] {
        let call = grace.call("create.trouble", id, json!({ "name": "Mathematics" }));
        let answer: Value = envelope(&executor, call).await;
        let sentence = "something went wrong on the server; nothing was changed";
        assert_eq!(answer, json!({ "error": sentence }));
    }
    assert_eq!(bench.rows().await, before);
}
