//! What somebody can try who reads the queues, or holds a worker of his own: each fails closed, changes nothing and
//! leaves exactly one line. `docs/securing-the-wire.md` lists them.

use std::sync::Arc;
use std::time::Duration;

use agent_contract::wire::{
    HEADER_CALL, HEADER_CONTRACT, HEADER_CTX, HEADER_DEADLINE, HEADER_OUTCOME, HEADER_PROOF,
    encode_request,
};
use agent_contract::{
    AgentRunMode, KeyId, OutgoingCall, Timestamp, ToolEndpoint as _, TurnId, WireMessage, WorkerKey,
};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::bad_input::{case, refuse};
use super::bench::{
    Bench, Caller, GRACE, LAKESIDE, MAIN, PETER, campus, claims, envelope, offer, response,
};
use crate::identity::{Claim, ContextTokens, KeyPurpose, KeyRing, Runs, TurnOffer};
use crate::rpc::Executor;

const CREATE: &str = "create.department";
const LIST: &str = "list.departments";
const REPLIES: &str = "amq.rabbitmq.reply-to.the-worker";

const UNSIGNED: &str = "the call is not signed by an enrolled worker, so it was not run";
const ANOTHERS: &str = "another worker has this turn, so the call was not run";
const CONTRADICTS: &str = "the call contradicts its signed context, so it was not run";
const NOT_GENUINE: &str = "the call's signed context is not genuine";
const OVER: &str = "this turn is over, so nothing more can be done in it";

/// A school, an executor that asks for proofs, two enrolled workers and one that is not.
struct Siege {
    bench: Bench,
    executor: Executor,
    worker: Arc<WorkerKey>,
    second: Arc<WorkerKey>,
    stranger: Arc<WorkerKey>,
}

impl Siege {
    async fn new() -> Self {
        let bench = Bench::new().await;
        let [worker, second, stranger] = [(); 3].map(|()| Arc::new(WorkerKey::generate()));
        let executor = bench.asking(&[&worker, &second]);
        Self { bench, executor, worker, second, stranger }
    }

    /// Somebody on the main campus, in a turn of their own.
    async fn caller(&self, email: &str) -> Caller {
        self.bench.caller(email, main()).await
    }

    /// A whole call, as an honest worker sends it.
    fn honest(&self, caller: &Caller, id: &str) -> WireMessage {
        signed(&self.worker, call(caller, CREATE, id))
    }

    /// The same under another token.
    fn under(&self, caller: &Caller, token: &str) -> WireMessage {
        signed(&self.worker, call(caller, CREATE, "bad").with_header(HEADER_CTX, token))
    }
}

fn main() -> AgentRunMode {
    campus(MAIN, "Main Campus")
}

fn args() -> Value {
    json!({ "name": "Mathematics" })
}

fn call(caller: &Caller, event: &str, id: &str) -> WireMessage {
    let args = if event == LIST { json!({}) } else { args() };
    complete(caller.call(event, id, args))
}

/// With everything that a worker sends along and signs.
fn complete(call: WireMessage) -> WireMessage {
    let deadline = Timestamp::now().after(Duration::from_mins(1)).as_millisecond();
    call.with_header(HEADER_DEADLINE, deadline.to_string())
}

fn signed(key: &Arc<WorkerKey>, call: WireMessage) -> WireMessage {
    OutgoingCall::new(call, Some(Arc::clone(key))).addressed(REPLIES)
}

fn without(mut message: WireMessage, header: &str) -> WireMessage {
    message.headers.remove(header).expect("it was there");
    message
}

/// An honest call that somebody caught on its way and changed in one place.
#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_was_changed_on_its_way() {
    let siege = Siege::new().await;
    let grace = siege.caller(GRACE).await;
    let again = siege.caller(GRACE).await;
    let honest = || siege.honest(&grace, "bad");
    let body = |event: &str, data: &Value| encode_request(event, data, "packet");
    let later = Timestamp::now().after(Duration::from_secs(90)).as_millisecond().to_string();
    let spoofed = signed(&siege.stranger, call(&grace, CREATE, "bad"));
    let spoofed = spoofed.header(HEADER_PROOF).unwrap().split_once('.').unwrap().1.to_owned();
    let spoofed = format!("{}.{spoofed}", siege.worker.id());
    let cases = [
        (
            "the reply is to go to a queue of his own",
            WireMessage { reply_to: Some("amq.rabbitmq.reply-to.thief".to_owned()), ..honest() },
        ),
        ("the reply is to go nowhere", WireMessage { reply_to: None, ..honest() }),
        (
            "other arguments",
            WireMessage {
                body: body(CREATE, &grace.data(json!({ "name": "Chemistry" }))),
                ..honest()
            },
        ),
        ("another tool", WireMessage { body: body(LIST, &grace.data(json!({}))), ..honest() }),
        (
            "another campus",
            WireMessage {
                body: body(CREATE, &{
                    let mut data = grace.data(args());
                    data["scope"]["campusId"] = LAKESIDE.into();
                    data
                }),
                ..honest()
            },
        ),
        ("another call id", honest().with_header(HEADER_CALL, "another")),
        ("no call id", without(honest(), HEADER_CALL)),
        ("a later deadline", honest().with_header(HEADER_DEADLINE, later)),
        ("no deadline", without(honest(), HEADER_DEADLINE)),
        ("another version of the tool", honest().with_header(HEADER_CONTRACT, "0123456789abcdef")),
        ("the token of another turn", honest().with_header(HEADER_CTX, &again.token)),
        ("the key of one, the signature of another", honest().with_header(HEADER_PROOF, spoofed)),
        ("no proof at all, but some text", honest().with_header(HEADER_PROOF, "hello")),
        ("a proof of no key", honest().with_header(HEADER_PROOF, ".00")),
    ];
    let cases = cases.map(|(what, message)| case(what, message, UNSIGNED, "bad_proof")).into();
    refuse(&siege.bench, &siege.executor, cases).await;
    // The honest one is still good: nothing that was tried used it up.
    let answer = envelope(&siege.executor, honest()).await;
    assert_eq!(answer["data"]["name"], "Mathematics", "{answer}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stolen_token() {
    let siege = Siege::new().await;
    let (grace, peter) = (siege.caller(GRACE).await, siege.caller(PETER).await);
    let unsigned = call(&grace, CREATE, "bad");
    // From here on Grace's turn is the first worker's.
    let read = signed(&siege.worker, call(&grace, LIST, "read"));
    assert!(envelope(&siege.executor, read).await["data"].is_array());
    let theirs = complete(peter.call(CREATE, "bad", args()).with_header(HEADER_CTX, &grace.token));
    let cases = vec![
        case("without a proof", unsigned.clone(), UNSIGNED, "no_proof"),
        case(
            "with an empty proof",
            unsigned.clone().with_header(HEADER_PROOF, ""),
            UNSIGNED,
            "no_proof",
        ),
        case(
            "signed with a key that nobody enrolled",
            signed(&siege.stranger, unsigned.clone()),
            UNSIGNED,
            "unknown_worker",
        ),
        case(
            "signed by another enrolled worker",
            signed(&siege.second, unsigned),
            ANOTHERS,
            "other_worker",
        ),
        case("for another person", signed(&siege.worker, theirs), CONTRADICTS, "contradiction"),
    ];
    refuse(&siege.bench, &siege.executor, cases).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_that_is_not_of_the_run_in_hand() {
    let siege = Siege::new().await;
    let grace = siege.caller(GRACE).await;
    let peter = siege.caller(PETER).await;
    let bench = &siege.bench;
    let now = Timestamp::now();
    let away = |minutes: i64| {
        Timestamp::from_millisecond(now.as_millisecond() + minutes * 60_000).expect("a moment")
    };
    let mint = |tokens: &ContextTokens, at: Timestamp| {
        let claims = claims(&grace.identity, &grace.mode, &grace.turn);
        tokens.mint(claims, at, Duration::from_mins(5)).expect("it is minted").token
    };
    let elsewhere = TempDir::new().unwrap();
    let foreign = ContextTokens::new(KeyRing::open(elsewhere.path(), KeyPurpose::Context).unwrap());
    let foreign = mint(&foreign, now);
    let (head, footer) = grace.token.rsplit_once('.').unwrap();
    let (foreign_head, foreign_footer) = foreign.rsplit_once('.').unwrap();
    let unsigned = URL_SAFE_NO_PAD.encode(json!({ "alg": "none", "typ": "JWT" }).to_string());
    let said = URL_SAFE_NO_PAD.encode(json!(grace.identity).to_string());

    let mut ended = Vec::new();
    for (state, reason) in [("closed", "'done'"), ("closed", "'stopped'"), ("waiting", "NULL")] {
        let caller = siege.caller(GRACE).await;
        let honest = signed(&siege.worker, call(&caller, LIST, "read"));
        assert!(envelope(&siege.executor, honest).await["data"].is_array());
        // The turn ends between two calls.
        let turn = &caller.turn;
        bench
            .run(&format!(
                "UPDATE turn SET state = '{state}', end_reason = {reason} WHERE id = '{turn}'"
            ))
            .await;
        ended.push(caller);
    }
    let earlier = siege.caller(GRACE).await;
    let next = bench.token(&earlier.identity, &earlier.mode, &earlier.turn, now);
    bench.begin(&earlier.identity, &earlier.turn, &next, &offer(&earlier.mode)).await;

    let time = "the time of this turn is over; please send the message again";
    let none = "the call carries no signed context, so it cannot be known who makes it";
    let nowhere = bench.token(&grace.identity, &grace.mode, &TurnId::mint(), now);
    let theirs = bench.token(&grace.identity, &grace.mode, &peter.turn, now);
    let again = bench.token(&grace.identity, &grace.mode, &grace.turn, now);
    let staging = mint(&bench.elsewhere("staging"), now);
    let cases: Vec<(&'static str, &Caller, String, &'static str, &'static str)> = vec![
        ("none", &grace, String::new(), none, "no_token"),
        ("expired", &grace, mint(&bench.tokens, away(-60)), time, "dead_turn"),
        ("not yet valid", &grace, mint(&bench.tokens, away(60)), NOT_GENUINE, "bad_token"),
        ("of a key that is not known", &grace, foreign.clone(), NOT_GENUINE, "bad_token"),
        ("of another environment", &grace, staging, NOT_GENUINE, "bad_token"),
        (
            "the footer of another",
            &grace,
            format!("{head}.{foreign_footer}"),
            NOT_GENUINE,
            "bad_token",
        ),
        (
            "another under our footer",
            &grace,
            format!("{foreign_head}.{footer}"),
            NOT_GENUINE,
            "bad_token",
        ),
        ("without its footer", &grace, head.to_owned(), NOT_GENUINE, "bad_token"),
        ("a JWT of no algorithm", &grace, format!("{unsigned}.{said}."), NOT_GENUINE, "bad_token"),
        (
            "as if it were encrypted",
            &grace,
            grace.token.replace("public", "local"),
            NOT_GENUINE,
            "bad_token",
        ),
        (
            "of an older version",
            &grace,
            grace.token.replace("v4.", "v2."),
            NOT_GENUINE,
            "bad_token",
        ),
        ("of a turn that never was", &grace, nowhere, OVER, "dead_turn"),
        ("of somebody else's turn", &grace, theirs, OVER, "dead_turn"),
        ("signed for this turn, and never handed out", &grace, again, OVER, "dead_turn"),
        ("of a turn that is done", &ended[0], ended[0].token.clone(), OVER, "dead_turn"),
        ("of a turn that was stopped", &ended[1], ended[1].token.clone(), OVER, "dead_turn"),
        ("of a turn that waits", &ended[2], ended[2].token.clone(), OVER, "dead_turn"),
        ("of an earlier run of the turn", &earlier, earlier.token.clone(), OVER, "dead_turn"),
    ];
    let cases = cases.into_iter().map(|(what, caller, token, error, smell)| {
        case(what, siege.under(caller, &token), error, smell)
    });
    refuse(bench, &siege.executor, cases.collect()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tool_that_the_turn_was_not_offered() {
    let siege = Siege::new().await;
    let grace = siege.caller(GRACE).await;
    let begin = |offer: TurnOffer| {
        let (siege, grace) = (&siege, grace.clone());
        async move {
            let mut claims = claims(&grace.identity, &grace.mode, &grace.turn);
            claims.tools = offer.hash();
            let now = Timestamp::now();
            let token = siege.bench.tokens.mint(claims, now, Duration::from_mins(5)).unwrap().token;
            siege.bench.begin(&grace.identity, &grace.turn, &token, &offer).await;
            Caller { token, ..grace }
        }
    };
    // A subject teacher's agents have no tool that makes a department.
    let narrow = TurnOffer::read(r#"["list.departments"]"#).unwrap();
    let teacher = begin(narrow).await;
    let not_offered = "the tool create_department was not offered in this turn";
    let cases = vec![case("outside", siege.honest(&teacher, "bad"), not_offered, "not_offered")];
    refuse(&siege.bench, &siege.executor, cases).await;
    let read = signed(&siege.worker, call(&teacher, LIST, "read"));
    assert!(envelope(&siege.executor, read).await["data"].is_array());

    // Whoever could write into the row widens nothing: its hash is signed.
    let turn = &teacher.turn;
    let wide = offer(&teacher.mode).stored();
    siege
        .bench
        .run(&format!("UPDATE turn_token SET offer = '{wide}' WHERE turn_id = '{turn}'"))
        .await;
    let cases = vec![case("widened", siege.honest(&teacher, "bad"), CONTRADICTS, "contradiction")];
    refuse(&siege.bench, &siege.executor, cases).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_is_sent_again() {
    let siege = Siege::new().await;
    let (grace, peter) = (siege.caller(GRACE).await, siege.caller(PETER).await);
    let write = siege.honest(&grace, "once");
    let first = siege.executor.handle(write.clone()).await.unwrap();
    let rows = siege.bench.rows().await;
    // The same bytes again: the stored outcome, and its reply goes where the first one's went.
    let again = siege.executor.handle(write).await.unwrap();
    assert_eq!(again.headers[HEADER_OUTCOME], "replayed");
    assert_eq!(response(&again), response(&first));
    // A read is run again: it changes nothing, and only the worker that asked hears the answer.
    let read = signed(&siege.worker, call(&grace, LIST, "read"));
    let answer = envelope(&siege.executor, read.clone()).await;
    assert_eq!(envelope(&siege.executor, read.clone()).await, answer);
    assert_eq!(siege.bench.rows().await, rows);
    assert_eq!(siege.bench.smells().await, [""; 0]);

    // Somebody else gets no outcome for the id, and nobody anything once the turn is over.
    let taken = siege.honest(&peter, "once");
    let answer = envelope(&siege.executor, taken).await;
    assert!(answer["error"].is_string(), "{answer}");
    assert_eq!(siege.bench.smells().await, ["reused_call"]);
    let turn = &grace.turn;
    siege
        .bench
        .run(&format!("UPDATE turn SET state = 'closed', end_reason = 'done' WHERE id = '{turn}'"))
        .await;
    let cases = vec![case("after the end", read, OVER, "dead_turn")];
    refuse(&siege.bench, &siege.executor, cases).await;
}

/// A turn has one worker; when that one is lost, the next has it, and the first has it no more.
#[tokio::test(flavor = "multi_thread")]
async fn a_turn_that_was_handed_over() {
    let siege = Siege::new().await;
    let grace = siege.caller(GRACE).await;
    let runs = Runs::new(siege.bench.database.clone());
    let by = |key: &Arc<WorkerKey>, id: &str| signed(key, call(&grace, LIST, id));
    assert!(envelope(&siege.executor, by(&siege.worker, "1")).await["data"].is_array());
    let run = runs.of(&grace.turn).await.unwrap().remove(0);
    assert_eq!(run.worker, Some(siege.worker.id()));

    let (first, second): (KeyId, KeyId) = (siege.worker.id(), siege.second.id());
    let hand = async |to: &KeyId, mark: &str| {
        runs.hand_over(&grace.turn, &run.jti, to, mark).await.unwrap()
    };
    assert_eq!(hand(&second, "mark-1").await, Claim::Holds);
    assert!(envelope(&siege.executor, by(&siege.second, "2")).await["data"].is_array());
    let cases = vec![case("the lost one", by(&siege.worker, "3"), ANOTHERS, "other_worker")];
    refuse(&siege.bench, &siege.executor, cases).await;

    // It may come back to the first, but not by what was said before.
    assert_eq!(hand(&first, "mark-2").await, Claim::Holds);
    assert_eq!(hand(&second, "mark-1").await, Claim::IsOf(first));
    let turn = &grace.turn;
    siege
        .bench
        .run(&format!("UPDATE turn SET state = 'closed', end_reason = 'done' WHERE id = '{turn}'"))
        .await;
    assert_eq!(hand(&second, "mark-3").await, Claim::Late);
}
