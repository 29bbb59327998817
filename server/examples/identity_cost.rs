//! What it costs to know who calls: CPU per call of signing and checking a proof, beside the context token's.
//!
//! `cargo run --release -p server --example identity_cost` prints it. Time is what the processor spent on this
//! thread, so other load changes little.
#![expect(clippy::print_stdout, reason = "it prints a table")]
#![expect(clippy::unwrap_used, reason = "a measurement that cannot be made ends")]

use std::sync::Arc;
use std::time::{Duration, Instant};

use agent_contract::wire::{
    HEADER_CALL, HEADER_CTX, HEADER_DEADLINE, HEADER_PROOF, encode_request,
};
use agent_contract::{
    AgentIdentity, AgentRunMode, OutgoingCall, Statement, ThreadId, Timestamp, TurnId, UserType,
    WireMessage, WorkerKey, WorkerProof,
};
use serde_json::json;
use server::identity::{ContextTokens, KeyPurpose, KeyRing, TurnClaims};

const TIMES: u32 = 2000;

fn main() {
    let folder = tempfile::tempdir().unwrap();
    let tokens = ContextTokens::new(KeyRing::open(folder.path(), KeyPurpose::Context).unwrap());
    let now = Timestamp::now();
    let minute = Duration::from_mins(1);
    let token = tokens.mint(claims(), now, minute).unwrap().token;
    let data = json!({ "identity": identity(), "scope": { "mode": "school" }, "args": { "name": "Mathematics" } });
    let call = WireMessage::new(encode_request("create.department", &data, "1"))
        .with_header(HEADER_CTX, &token)
        .with_header(HEADER_CALL, "0".repeat(64))
        .with_header(HEADER_DEADLINE, now.as_millisecond().to_string());
    let key = Arc::new(WorkerKey::generate());
    let public = key.public();
    let sign = || OutgoingCall::new(call.clone(), Some(Arc::clone(&key))).addressed("in-process");
    let signed = sign();
    let check = || {
        let proof: WorkerProof = signed.header(HEADER_PROOF).unwrap().parse().unwrap();
        assert!(public.made(&proof, &Statement::of_call(&signed)));
    };

    let rows = [
        ("worker: sign a call", cost(|| drop(sign()))),
        ("server: check the proof", cost(check)),
        ("server: check the context token", cost(|| drop(tokens.verify(&token, now).unwrap()))),
        (
            "server: mint a context token (once a turn)",
            cost(|| {
                drop(tokens.mint(claims(), now, minute).unwrap());
            }),
        ),
    ];
    let proof = rows[0].1 + rows[1].1;
    println!(
        "{} bytes of packet, {} of token, {} of proof",
        call.body.len(),
        token.len(),
        signed.header(HEADER_PROOF).unwrap().len()
    );
    for (what, spent) in rows {
        println!("{what:<44} {:>8.1} µs CPU", micros(spent));
    }
    println!("{:<44} {:>8.1} µs CPU", "proof in all, both sides", micros(proof));
    println!(
        "{:<44} {:>8.2}",
        "proof / token check",
        proof.as_secs_f64() / rows[2].1.as_secs_f64()
    );
}

fn identity() -> AgentIdentity {
    AgentIdentity {
        sub: "usr_1".to_owned(),
        email: "grace.namutebi@naalya.example".to_owned(),
        user_type: UserType::Staff,
        profile_id: "stf_1".to_owned(),
        school_id: Some("sch_1".to_owned()),
        campus_id: None,
    }
}

fn claims() -> TurnClaims {
    TurnClaims {
        identity: identity(),
        run_mode: AgentRunMode::School,
        thread_id: ThreadId::mint(),
        turn_id: TurnId::mint(),
        tools: "0".repeat(64),
    }
}

fn cost(mut one: impl FnMut()) -> Duration {
    one();
    let began = spent();
    for _ in 0..TIMES {
        one();
    }
    spent().saturating_sub(began) / TIMES
}

/// What the processor spent on this thread; by the clock where the system does not say.
fn spent() -> Duration {
    static BEGAN: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    let said = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanos = said.and_then(|said| said.split(' ').next()?.parse().ok());
    nanos.map_or_else(|| BEGAN.get_or_init(Instant::now).elapsed(), Duration::from_nanos)
}

fn micros(spent: Duration) -> f64 {
    spent.as_secs_f64() * 1e6
}
