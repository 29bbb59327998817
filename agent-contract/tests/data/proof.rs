//! What a worker signs, and the texts of its keys.

use std::sync::Arc;

use agent_contract::wire::{
    HEADER_CALL, HEADER_CONTRACT, HEADER_CTX, HEADER_DEADLINE, HEADER_PROOF,
};
use agent_contract::{
    EventKind, KeyFault, OutgoingCall, Statement, TokenHash, WireMessage, WorkerKey, WorkerProof,
    WorkerPublicKey, sha256_hex,
};
use proptest::prelude::*;

/// The first pair of RFC 8032, 7.1.
const SEED: &str = "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60";
const PUBLIC: &str = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a";

fn key() -> WorkerKey {
    format!("rover-worker-secret:{SEED}").parse().unwrap()
}

#[test]
fn the_halves_of_a_key_are_those_of_the_rfc() {
    let key = key();
    assert_eq!(key.public().to_string(), format!("rover-worker-public:{PUBLIC}"));
    assert_eq!(key.to_secret_text(), format!("rover-worker-secret:{SEED}"));
    assert_eq!(key.public().to_string().parse(), Ok(key.public()));
    assert_eq!(key.id().as_str(), &sha256_hex(hex::decode(PUBLIC).unwrap())[..16]);
    let call = OutgoingCall::new(WireMessage::default(), Some(Arc::new(key)));
    let shown = format!("{:?} {call:?}", self::key());
    assert!(!shown.contains(SEED), "{shown}");
}

#[test]
fn a_text_that_is_no_key_is_named_and_not_repeated() {
    let public = |text: String| text.parse::<WorkerPublicKey>().unwrap_err();
    let secret = |text: String| text.parse::<WorkerKey>().unwrap_err();
    assert_eq!(public(format!("rover-worker-secret:{SEED}")), KeyFault::Secret);
    assert_eq!(secret(format!("rover-worker-public:{PUBLIC}")), KeyFault::Public);
    for text in [SEED, "", "rover-worker:", "hello"] {
        assert_eq!(public(text.to_owned()), KeyFault::Unknown, "{text}");
        assert_eq!(secret(text.to_owned()), KeyFault::Unknown, "{text}");
    }
    for digits in ["", "d75a", "zz", PUBLIC.split_at(63).0] {
        assert_eq!(public(format!("rover-worker-public:{digits}")), KeyFault::Unknown, "{digits}");
        assert_eq!(secret(format!("rover-worker-secret:{digits}")), KeyFault::Unknown, "{digits}");
    }
    // A point of small order signs for everybody.
    let nobody = format!("rover-worker-public:01{}", "00".repeat(31));
    assert_eq!(public(nobody), KeyFault::Unknown);
    for fault in [KeyFault::Unknown, KeyFault::Secret, KeyFault::Public] {
        assert!(!fault.to_string().contains(SEED));
    }
}

/// The bytes by hand, so that a build that signs others is found here and not between two deploys.
#[test]
fn a_call_is_signed_over_these_bytes() {
    let call = WireMessage::new(b"{}".to_vec())
        .with_header(HEADER_CTX, "v4.public.x")
        .with_header(HEADER_CALL, "c1")
        .with_header(HEADER_DEADLINE, "1769934600123");
    let call = OutgoingCall::new(call, Some(Arc::new(key()))).addressed("here");
    let hash = |bytes: &[u8]| hex::decode(sha256_hex(bytes)).unwrap();
    let mut expected = b"rover.proof.call.v1\0".to_vec();
    expected.extend(hash(b"v4.public.x"));
    expected.extend(hash(b"{}"));
    for text in ["c1", "1769934600123", "", "", "here"] {
        expected.extend((text.len() as u64).to_be_bytes());
        expected.extend(text.as_bytes());
    }
    assert_eq!(Statement::of_call(&call).as_bytes(), expected);
    let proof: WorkerProof = call.header(HEADER_PROOF).unwrap().parse().unwrap();
    assert_eq!(proof.to_string(), call.header(HEADER_PROOF).unwrap());
    assert!(key().public().made(&proof, &Statement::of_call(&call)));
    assert!(!WorkerKey::generate().public().made(&proof, &Statement::of_call(&call)));
}

fn message() -> impl Strategy<Value = WireMessage> {
    // Short texts over few letters, so that two of them often run into each other.
    let text = || "[ab]{0,3}";
    (text(), text(), text(), text(), text(), text()).prop_map(
        |(token, body, call, deadline, contract, reply_to)| {
            let message = WireMessage::new(body.into_bytes())
                .with_header(HEADER_CTX, token)
                .with_header(HEADER_CALL, call)
                .with_header(HEADER_DEADLINE, deadline)
                .with_header(HEADER_CONTRACT, contract);
            WireMessage { reply_to: Some(reply_to), ..message }
        },
    )
}

proptest! {
    #[test]
    fn two_calls_are_one_statement_only_if_they_are_one_call(one in message(), other in message()) {
        let same = Statement::of_call(&one) == Statement::of_call(&other);
        prop_assert_eq!(same, one == other);
    }

    #[test]
    fn a_statement_of_one_kind_is_none_of_another(token in "[ab]{0,3}", body in "[ab]{0,3}") {
        let hash = TokenHash::of(&token);
        let told = Statement::of_event(EventKind::Told, hash, body.as_bytes());
        let takeover = Statement::of_event(EventKind::Takeover, hash, body.as_bytes());
        let call = WireMessage::new(body.into_bytes()).with_header(HEADER_CTX, token);
        prop_assert_ne!(&told, &takeover);
        prop_assert!(![told, takeover].contains(&Statement::of_call(&call)));
        prop_assert_eq!(TokenHash::read(&hash.to_string()), Some(hash));
    }
}
