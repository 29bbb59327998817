//! What a caller may send and must not get through with: one clear error each, nothing written, nothing leaked, and a
//! line in the security log where no honest peer would send it.

use std::fmt::Write as _;

use agent_contract::wire::{HEADER_CONTRACT, HEADER_CTX, HEADER_DEADLINE, encode_request};
use agent_contract::{
    AgentRunMode, NO_TENANT_SCOPE_ERROR, Timestamp, ToolEndpoint as _, TurnId, WireMessage,
};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::bench::{Bench, Caller, GRACE, LAKESIDE, MAIN, PETER, RIVER, campus, envelope};
use crate::identity::{ContextTokens, KeyPurpose, KeyRing, TurnClaims};
use crate::rpc::Executor;

const CREATE: &str = "create.department";

/// One thing to try.
struct Case {
    what: &'static str,
    message: WireMessage,
    error: &'static str,
    smell: Option<&'static str>,
}

fn case(
    what: &'static str,
    message: WireMessage,
    error: &'static str,
    smell: impl Into<Option<&'static str>>,
) -> Case {
    Case { what, message, error, smell: smell.into() }
}

/// Tries each, and holds the database and the security log against it.
async fn refuse(bench: &Bench, executor: &Executor, cases: Vec<Case>) {
    let before = bench.rows().await;
    let mut smells = bench.smells().await;
    let mut wrong = String::new();
    for Case { what, message, error, smell } in cases {
        let answer = envelope(executor, message).await;
        if answer != json!({ "error": error }) {
            let _ = write!(wrong, "\n{what}: {answer}");
        }
        smells.extend(smell.map(ToOwned::to_owned));
        let now = bench.smells().await;
        if now != smells {
            let _ = write!(wrong, "\n{what}: smells {now:?}, not {smells:?}");
            smells = now;
        }
    }
    assert_eq!(wrong, "");
    assert_eq!(bench.rows().await, before);
}

fn ok_args() -> Value {
    json!({ "name": "Mathematics" })
}

async fn grace(bench: &Bench) -> Caller {
    bench.caller(GRACE, campus(MAIN, "Main Campus")).await
}

#[tokio::test(flavor = "multi_thread")]
async fn bodies_that_lack_or_contradict() {
    let bench = Bench::new().await;
    let grace = grace(&bench).await;
    let peter = bench.person(PETER).await;
    let changed = |change: &dyn Fn(&mut Value)| {
        let mut data = grace.data(ok_args());
        change(&mut data);
        grace.message(CREATE, "bad", &data)
    };
    let contradicts = "the call contradicts its signed context, so it was not run";
    let remove = |data: &mut Value, key: &str| drop(data.as_object_mut().unwrap().remove(key));
    let cases = vec![
        case(
            "no data",
            grace.message(CREATE, "bad", &Value::Null),
            "the call carries no request",
            "no_identity",
        ),
        case(
            "a text for data",
            grace.message(CREATE, "bad", &json!("x")),
            "the call carries no request",
            "no_identity",
        ),
        case(
            "no identity",
            changed(&|data| remove(data, "identity")),
            "the call says not who makes it",
            "no_identity",
        ),
        case(
            "an identity that is a text",
            changed(&|data| data["identity"] = "grace".into()),
            "the call's identity is malformed",
            "no_identity",
        ),
        case(
            "an identity without an id",
            changed(&|data| data["identity"]["sub"] = "".into()),
            "the call's identity has an empty sub",
            "no_identity",
        ),
        case(
            "no scope",
            changed(&|data| remove(data, "scope")),
            "the call says not which campus it is pinned to",
            "no_identity",
        ),
        case(
            "a campus scope without its campus",
            changed(&|data| data["scope"] = json!({ "mode": "campus" })),
            "the call's scope is malformed",
            "no_identity",
        ),
        case(
            "somebody else's identity",
            changed(&|data| data["identity"] = json!(peter)),
            contradicts,
            "contradiction",
        ),
        case(
            "the right person at another school",
            changed(&|data| data["identity"]["schoolId"] = "riverbend".into()),
            contradicts,
            "contradiction",
        ),
        case(
            "another campus than the signed one",
            changed(&|data| data["scope"]["campusId"] = LAKESIDE.into()),
            contradicts,
            "contradiction",
        ),
        case(
            "the school where a campus was signed",
            changed(&|data| data["scope"] = json!({ "mode": "school" })),
            contradicts,
            "contradiction",
        ),
    ];
    refuse(&bench, &bench.executor, cases).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn tokens_that_do_not_hold() {
    let bench = Bench::new().await;
    let grace = grace(&bench).await;
    let peter = bench.caller(PETER, campus(MAIN, "Main Campus")).await;
    let with = |token: &str| grace.call(CREATE, "bad", ok_args()).with_header(HEADER_CTX, token);
    let signed = |turn: &TurnId, at: Timestamp| bench.token(&grace.identity, &grace.mode, turn, at);
    let now = Timestamp::now();
    let hour_ago = Timestamp::from_millisecond(now.as_millisecond() - 3_600_000).unwrap();
    let closed = bench.turn(&grace.identity).await;
    bench.run(&format!(
        "UPDATE turn SET state = 'closed', end_reason = 'done', closed_at_us = 1 WHERE id = '{closed}'"
    ))
    .await;

    let elsewhere = TempDir::new().unwrap();
    let foreign = ContextTokens::new(KeyRing::open(elsewhere.path(), KeyPurpose::Context).unwrap());
    let claims = TurnClaims {
        identity: grace.identity.clone(),
        run_mode: grace.mode.clone(),
        thread_id: agent_contract::ThreadId::mint(),
        turn_id: grace.turn.clone(),
        tools: String::new(),
    };
    let foreign = foreign.mint(claims, now, std::time::Duration::from_mins(1)).unwrap().token;

    let not_genuine = "the call's signed context is not genuine";
    let over = "this turn is over, so nothing more can be done in it";
    let cases = vec![
        case(
            "none",
            with(""),
            "the call carries no signed context, so it cannot be known who makes it",
            "no_token",
        ),
        case("no token at all", with("hello"), not_genuine, "bad_token"),
        case("of another key", with(&foreign), not_genuine, "bad_token"),
        case(
            "expired",
            with(&signed(&grace.turn, hour_ago)),
            "the time of this turn is over; please send the message again",
            None,
        ),
        case("of a closed turn", with(&signed(&closed, now)), over, "dead_turn"),
        case("of a turn that never was", with(&signed(&TurnId::mint(), now)), over, "dead_turn"),
        case("of somebody else's turn", with(&signed(&peter.turn, now)), over, "dead_turn"),
    ];
    refuse(&bench, &bench.executor, cases).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn callers_who_are_not_there() {
    let bench = Bench::new().await;
    let plain = bench.plain();
    let grace = bench.person(GRACE).await;
    bench.run("UPDATE account SET disabled = TRUE WHERE email = 'moses.kato@naalya.example'").await;
    let moses = bench.person("moses.kato@naalya.example").await;
    let school = || json!({ "mode": "school" });
    let call = |identity: &Value, scope: Value| {
        let data = json!({ "identity": identity, "scope": scope, "args": ok_args() });
        WireMessage::new(encode_request(CREATE, &data, "nest"))
    };
    let like_grace = |key: &str, value: Value| {
        let mut identity = json!(grace);
        identity[key] = value;
        identity
    };
    let nobody = "Permission denied: this account cannot use this school";
    let cases = vec![
        case(
            "an unknown account",
            call(&like_grace("sub", "usr_nobody".into()), school()),
            nobody,
            "no_caller",
        ),
        case("a disabled account", call(&json!(moses), school()), nobody, "no_caller"),
        case(
            "at another school",
            call(&like_grace("schoolId", "riverbend".into()), school()),
            nobody,
            "no_caller",
        ),
        case(
            "at no known school",
            call(&like_grace("schoolId", "nowhere".into()), school()),
            nobody,
            "no_caller",
        ),
        case(
            "under another profile",
            call(&like_grace("profileId", "x".into()), school()),
            nobody,
            "no_caller",
        ),
        case(
            "with another address",
            call(&like_grace("email", "x@y.example".into()), school()),
            nobody,
            "no_caller",
        ),
        case(
            "without a school",
            call(&like_grace("schoolId", Value::Null), school()),
            NO_TENANT_SCOPE_ERROR,
            None,
        ),
        case(
            "on a campus of another school",
            call(&json!(grace), json!({ "mode": "campus", "campusId": RIVER })),
            "there is no such campus: riverbend-campus-river",
            "foreign_campus",
        ),
    ];
    refuse(&bench, &plain, cases).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_that_this_turn_does_not_offer() {
    let bench = Bench::new().await;
    let grace = bench.caller(GRACE, AgentRunMode::School).await;
    let past = grace.call(CREATE, "bad", ok_args()).with_header(HEADER_DEADLINE, "1000");
    let mut late = past.clone();
    late.redelivered = true;
    let cases = vec![
        case(
            "a tool of campus mode",
            grace.call("list.terms", "bad", json!({})),
            "the tool list_terms is not there in school mode",
            "not_offered",
        ),
        case(
            "with a deadline that is no instant",
            grace
                .call(CREATE, "bad", ok_args())
                .with_header(HEADER_DEADLINE, "2020-01-01T00:00:00Z"),
            "the header x-rover-deadline must be milliseconds since 1970, e.g. 1769934600123",
            "unreadable",
        ),
        case(
            "past its deadline",
            past,
            "the time for this call ran out; nothing was changed",
            None,
        ),
        case(
            "past its deadline, delivered again",
            late,
            "the time for this call ran out; it was delivered twice, and the first delivery may have been carried \
             out, so check before repeating",
            None,
        ),
        case(
            "a campus of another school",
            grace.call(CREATE, "bad", json!({ "name": "Mathematics", "campusId": RIVER })),
            "there is no such campus: riverbend-campus-river",
            "foreign_campus",
        ),
        case(
            "a campus that nobody has",
            grace.call(CREATE, "bad", json!({ "name": "Mathematics", "campusId": "nowhere" })),
            "there is no such campus: nowhere",
            "foreign_campus",
        ),
    ];
    refuse(&bench, &bench.executor, cases).await;

    let other =
        grace.call("list.departments", "bad", json!({})).with_header(HEADER_CONTRACT, "0000");
    let answer = envelope(&bench.executor, other).await;
    let error = answer["error"].as_str().unwrap();
    assert!(
        error.starts_with("the tool list_departments is at version 0000 in the worker and at "),
        "{error}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn arguments_that_do_not_fit() {
    let bench = Bench::new().await;
    let grace = grace(&bench).await;
    let call = |args: Value| grace.call(CREATE, "bad", args);
    let deep = (0..40).fold(json!("x"), |inner, _| json!({ "name": inner }));
    let cases = vec![
        case(
            "a list",
            call(json!(["Mathematics"])),
            "the arguments do not fit this tool:\nargs: expected object, got an array of 1",
            None,
        ),
        case(
            "a number",
            call(json!(7)),
            "the arguments do not fit this tool:\nargs: expected object, got number 7",
            None,
        ),
        case(
            "nothing where a name is needed",
            call(json!({})),
            "the arguments do not fit this tool:\nargs.name: expected string, got nothing",
            None,
        ),
        case(
            "one too many",
            call(json!({ "name": "Mathematics", "colour": "red" })),
            "the arguments do not fit this tool:\nargs.colour: expected one of the fields name, campusId, got an unknown field",
            None,
        ),
        case(
            "the wrong type",
            call(json!({ "name": 5 })),
            "the arguments do not fit this tool:\nargs.name: expected string, got number 5",
            None,
        ),
        case(
            "nested too deeply",
            call(deep),
            "the arguments do not fit this tool:\nargs: expected at most 32 levels of nesting, got 40",
            None,
        ),
        case(
            "300 KiB",
            call(json!({ "name": "x".repeat(300 * 1024) })),
            "the arguments do not fit this tool:\nargs: expected at most 256 KiB, got 300 KiB",
            None,
        ),
        case(
            "10 MB",
            call(json!({ "name": "x".repeat(10 * 1024 * 1024) })),
            "the call is too large: 10240 KiB, and 512 KiB are allowed",
            "oversize",
        ),
    ];
    refuse(&bench, &bench.executor, cases).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn bytes_that_no_honest_writer_makes() {
    let bench = Bench::new().await;
    let grace = grace(&bench).await;
    let raw = |body: Vec<u8>| WireMessage::new(body).with_header(HEADER_CTX, grace.token.clone());
    let invalid = [
        &br#"{"pattern":"create.department","id":"i","data":{"args":{"name":""#[..],
        &[0xff, 0xfe],
        br#""}}}"#,
    ]
    .concat();
    let abyss = format!(
        r#"{{"pattern":"create.department","id":"i","data":{}{}}}"#,
        "[".repeat(5000),
        "]".repeat(5000)
    );
    let cases = vec![
        case("invalid UTF-8", raw(invalid), "the call holds bytes that are no text", "unreadable"),
        case(
            "an abyss",
            raw(abyss.into_bytes()),
            "the call is nested too deeply, or holds text or numbers that cannot be read",
            "unreadable",
        ),
    ];
    refuse(&bench, &bench.executor, cases).await;
}

/// Another school's records do not exist, whoever asks and however.
#[tokio::test(flavor = "multi_thread")]
async fn another_schools_records_do_not_exist() {
    let bench = Bench::new().await;
    let grace = bench.caller(GRACE, AgentRunMode::School).await;
    let hydrology =
        "SELECT id FROM department WHERE school_id = 'riverbend' AND name = 'Hydrology'";
    let hydrology = bench.sql().await.texts(hydrology).await.remove(0);
    let before = bench.rows().await;
    for (event, args) in [
        ("rename.department", json!({ "departmentId": hydrology, "name": "Ours" })),
        ("archive.department", json!({ "departmentId": hydrology })),
    ] {
        let foreign = envelope(&bench.executor, grace.call(event, event, args.clone())).await;
        let mut missing = args;
        missing["departmentId"] = "no-such-id".into();
        let missing = envelope(&bench.executor, grace.call(event, "missing", missing)).await;
        let told = |answer: &Value, id: &str| answer["error"].as_str().unwrap().replace(id, "…");
        assert_eq!(told(&foreign, &hydrology), told(&missing, "no-such-id"));
    }
    let found = grace.call("find.departments", "find", json!({ "name": "Hydrology" }));
    let found = envelope(&bench.executor, found).await.to_string();
    assert!(!found.contains("riverbend") && !found.contains(&hydrology), "{found}");
    assert_eq!(bench.rows().await, before);
}

/// The process is alive afterwards, and an honest call gets through.
#[tokio::test(flavor = "multi_thread")]
async fn rubbish_is_survived() {
    let bench = Bench::new().await;
    let grace = grace(&bench).await;
    for body in
        [vec![0; 1024], b"{".to_vec(), b"null".to_vec(), "\u{0}".into(), vec![b'['; 100_000]]
    {
        assert!(bench.executor.handle(WireMessage::new(body)).await.is_none());
    }
    let answer = envelope(&bench.executor, grace.call(CREATE, "good", ok_args())).await;
    assert_eq!(answer["data"]["name"], "Mathematics");
}
