//! Tokens of ours pass; every other one is refused for its own reason.

use std::time::Duration;

use agent_contract::{
    AgentIdentity, AgentRunMode, CampusRef, ThreadId, Timestamp, TurnId, UserType,
};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use pasetors::keys::AsymmetricSecretKey;
use pasetors::version4::{PublicToken, V4};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::{
    ContextFault, ContextTokens, KeyError, KeyPurpose, KeyRing, SignIn, SignInFault, TurnClaims,
};

const MINUTE: Duration = Duration::from_mins(1);

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
    let campus = CampusRef { id: "cam_1".to_owned(), name: "Main Campus".to_owned() };
    TurnClaims {
        identity: identity(),
        run_mode: AgentRunMode::Campus { campus },
        thread_id: ThreadId::new("thr_1").unwrap(),
        turn_id: TurnId::new("trn_1").unwrap(),
        tools: "0123456789abcdef".to_owned(),
    }
}

fn ring(folder: &TempDir, purpose: KeyPurpose) -> KeyRing {
    KeyRing::open(folder.path(), purpose).unwrap()
}

fn tokens(folder: &TempDir) -> ContextTokens {
    ContextTokens::new(ring(folder, KeyPurpose::Context))
}

fn ago(duration: Duration) -> Timestamp {
    let ago = i64::try_from(duration.as_millis()).unwrap();
    Timestamp::from_millisecond(Timestamp::now().as_millisecond() - ago).unwrap()
}

#[test]
fn a_context_says_afterwards_what_was_signed() {
    let folder = TempDir::new().unwrap();
    let tokens = tokens(&folder);
    let now = Timestamp::now();
    let minted = tokens.mint(claims(), now, MINUTE).unwrap();
    assert!(minted.token.starts_with("v4.public."));
    assert_eq!(minted.expires.as_second() - now.as_second(), 60);

    let verified = tokens.verify(&minted.token, now).unwrap();
    assert_eq!(verified.identity(), &identity());
    assert_eq!(verified.run_mode(), &claims().run_mode);
    assert_eq!(verified.thread(), &claims().thread_id);
    assert_eq!(verified.turn(), &claims().turn_id);
    assert_eq!(verified.tools(), claims().tools);
    assert_eq!(verified.jti(), minted.jti);
}

#[test]
fn a_context_lives_fifteen_minutes_at_most() {
    let folder = TempDir::new().unwrap();
    let now = Timestamp::now();
    let minted = tokens(&folder).mint(claims(), now, Duration::from_hours(24)).unwrap();
    assert_eq!(minted.expires.as_second() - now.as_second(), 900);
}

#[test]
fn a_context_ends_with_its_time() {
    let folder = TempDir::new().unwrap();
    let tokens = tokens(&folder);
    let minted = tokens.mint(claims(), ago(MINUTE * 2), MINUTE).unwrap();
    let expired = ContextFault::Expired { turn: claims().turn_id };
    assert_eq!(tokens.verify(&minted.token, Timestamp::now()), Err(expired));
    // Two clocks may be five seconds apart, and no more.
    let end = minted.expires;
    assert!(tokens.verify(&minted.token, end.after(Duration::from_secs(4))).is_ok());
    assert!(tokens.verify(&minted.token, end.after(Duration::from_secs(6))).is_err());
}

#[test]
fn what_is_no_context_of_ours_is_refused() {
    let (folder, elsewhere) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let now = Timestamp::now();
    let ours = tokens(&folder).mint(claims(), now, MINUTE).unwrap().token;
    let foreign = tokens(&elsewhere).mint(claims(), now, MINUTE).unwrap().token;
    let (head, footer) = ours.rsplit_once('.').unwrap();
    let (_, foreign_footer) = foreign.rsplit_once('.').unwrap();
    let (foreign_head, _) = foreign.rsplit_once('.').unwrap();

    let body = head.strip_prefix("v4.public.").unwrap();
    let mut bytes = URL_SAFE_NO_PAD.decode(body).unwrap();
    bytes[20] ^= 1;
    let flipped = format!("v4.public.{}.{footer}", URL_SAFE_NO_PAD.encode(bytes));

    let cases = [
        ("", ContextFault::Missing),
        ("hello", ContextFault::Malformed),
        (head, ContextFault::Malformed),
        (&ours.replace("v4.public.", "v4.local."), ContextFault::Malformed),
        (&ours.replace("v4.public.", "v2.public."), ContextFault::Malformed),
        (&"v4.public.".repeat(4000), ContextFault::Malformed),
        (&foreign, ContextFault::UnknownKey),
        (&format!("{head}.{foreign_footer}"), ContextFault::UnknownKey),
        // A token of another key under the name of ours.
        (&format!("{foreign_head}.{footer}"), ContextFault::Forged),
        (&flipped, ContextFault::Forged),
    ];
    for (token, fault) in cases {
        assert_eq!(tokens(&folder).verify(token, now), Err(fault), "{token}");
    }
}

/// Tokens signed with the right key, and yet not contexts: as an older or careless build might make them.
#[test]
fn a_signature_alone_is_not_enough() {
    let folder = TempDir::new().unwrap();
    let ring = ring(&folder, KeyPurpose::Context);
    let kid = ring.signing().kid().to_owned();
    let secret = AsymmetricSecretKey::<V4>::from(ring.signing().secret().as_bytes()).unwrap();
    let now = Timestamp::now();
    let payload = |change: fn(&mut Value)| {
        let mut payload = json!({
            "iss": "rover-server", "aud": "rover-agent-tool", "jti": "1",
            "iat": now, "exp": now.after(MINUTE),
            "sub": "usr_1", "email": "a@b.example", "type": "staff", "profileId": "stf_1", "schoolId": "sch_1",
            "runMode": { "mode": "school" }, "threadId": "thr_1", "turnId": "trn_1", "tools": "",
        });
        change(&mut payload);
        payload.to_string()
    };
    let sign = |payload: String, assertion: &[u8]| {
        let footer = json!({ "kid": kid }).to_string();
        PublicToken::sign(&secret, payload.as_bytes(), Some(footer.as_bytes()), Some(assertion))
            .unwrap()
    };
    let tokens = ContextTokens::new(ring);
    let ours = b"rover.context.v1";
    assert!(tokens.verify(&sign(payload(|_| {}), ours), now).is_ok());

    let cases: [(String, ContextFault); 7] = [
        (sign(payload(|_| {}), b"rover.context.v2"), ContextFault::Forged),
        (sign(payload(|p| p["aud"] = "rover-hub".into()), ours), ContextFault::Foreign),
        (sign(payload(|p| p["iss"] = "somebody".into()), ours), ContextFault::Foreign),
        (sign(payload(|p| p["exp"] = "2099-01-01T00:00:00Z".into()), ours), ContextFault::Times),
        (sign(payload(|p| p["iat"] = "2098-01-01T00:00:00Z".into()), ours), ContextFault::Times),
        (
            sign(payload(|p| p["runMode"] = json!({ "mode": "campus" })), ours),
            ContextFault::Malformed,
        ),
        (sign(payload(|p| p["sub"] = Value::Null), ours), ContextFault::Malformed),
    ];
    for (token, fault) in cases {
        assert_eq!(tokens.verify(&token, now), Err(fault));
    }
}

#[test]
fn a_sign_in_says_afterwards_who_signed_in() {
    let folder = TempDir::new().unwrap();
    let sign_in = SignIn::new(ring(&folder, KeyPurpose::SignIn), MINUTE);
    let minted = sign_in.mint(&identity(), Timestamp::now()).unwrap();
    let principal = sign_in.verify(&minted.token).unwrap();
    assert_eq!(principal.identity(), identity());
    assert_eq!(principal.tenant().unwrap().school().as_str(), "sch_1");
    assert_eq!(principal.payload().exp - principal.payload().iat, 60);
}

#[test]
fn what_is_no_sign_in_of_ours_is_refused() {
    let (folder, elsewhere) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let sign_in = SignIn::new(ring(&folder, KeyPurpose::SignIn), MINUTE);
    let foreign = SignIn::new(ring(&elsewhere, KeyPurpose::SignIn), MINUTE);
    let ours = sign_in.mint(&identity(), Timestamp::now()).unwrap().token;
    let expired = sign_in.mint(&identity(), ago(MINUTE * 3)).unwrap().token;
    let foreign = foreign.mint(&identity(), Timestamp::now()).unwrap().token;
    let context = tokens(&folder).mint(claims(), Timestamp::now(), MINUTE).unwrap().token;

    let parts: Vec<&str> = ours.split('.').collect();
    let [header, payload, signature] = parts[..] else { panic!("a JWT has three parts") };
    let with_header = |change: fn(&mut Value), signature: &str| {
        let mut head: Value =
            serde_json::from_slice(&URL_SAFE_NO_PAD.decode(header).unwrap()).unwrap();
        change(&mut head);
        format!("{}.{payload}.{signature}", URL_SAFE_NO_PAD.encode(head.to_string()))
    };
    let mut other: Value =
        serde_json::from_slice(&URL_SAFE_NO_PAD.decode(payload).unwrap()).unwrap();
    other["sub"] = "usr_2".into();
    let other = URL_SAFE_NO_PAD.encode(other.to_string());

    let cases = [
        (String::new(), SignInFault::NotGenuine),
        ("hello".to_owned(), SignInFault::NotGenuine),
        (expired, SignInFault::Expired),
        (foreign, SignInFault::NotGenuine),
        (context, SignInFault::NotGenuine),
        (with_header(|head| head["alg"] = "none".into(), ""), SignInFault::NotGenuine),
        (with_header(|head| head["alg"] = "none".into(), signature), SignInFault::NotGenuine),
        (with_header(|head| head["alg"] = "HS256".into(), signature), SignInFault::NotGenuine),
        (with_header(|head| head["alg"] = "RS256".into(), signature), SignInFault::NotGenuine),
        (with_header(|head| head["kid"] = "another".into(), signature), SignInFault::NotGenuine),
        (format!("{header}.{other}.{signature}"), SignInFault::NotGenuine),
        (format!("{header}.{payload}."), SignInFault::NotGenuine),
    ];
    for (token, fault) in cases {
        assert_eq!(sign_in.verify(&token), Err(fault), "{token}");
    }
}

/// The classic: the public key taken for the secret of a symmetric algorithm.
#[test]
fn the_public_key_signs_nobody_in() {
    let folder = TempDir::new().unwrap();
    let ring = ring(&folder, KeyPurpose::SignIn);
    let header = jsonwebtoken::Header {
        kid: Some(ring.signing().kid().to_owned()),
        ..jsonwebtoken::Header::new(jsonwebtoken::Algorithm::HS256)
    };
    let claims = json!({
        "iss": "rover-server", "aud": "rover-hub", "sub": "usr_1", "email": "a@b.example", "type": "staff",
        "profileId": "stf_1", "iat": 0, "exp": 4_000_000_000_i64,
    });
    let public = ring.signing().public().as_bytes().to_vec();
    let key = jsonwebtoken::EncodingKey::from_secret(&public).unwrap();
    let token = jsonwebtoken::encode(&header, &claims, &key).unwrap();
    assert_eq!(SignIn::new(ring, MINUTE).verify(&token), Err(SignInFault::NotGenuine));
}

/// A rotation as running servers see it: nothing is restarted, and no turn that is under way is cut off.
#[test]
fn a_turn_of_the_old_key_goes_on_while_new_turns_have_the_new_one() {
    let folder = TempDir::new().unwrap();
    let kid = |token: &str| {
        let footer = URL_SAFE_NO_PAD.decode(token.rsplit_once('.').unwrap().1).unwrap();
        serde_json::from_slice::<Value>(&footer).unwrap()["kid"].as_str().unwrap().to_owned()
    };
    let (one, other) = (tokens(&folder), tokens(&folder));
    let now = Timestamp::now();
    let first = one.mint(claims(), now, MINUTE * 5).unwrap().token;

    KeyRing::rotate(folder.path(), KeyPurpose::Context).unwrap();
    one.reload();
    let kids: Vec<_> = ring(&folder, KeyPurpose::Context).kids().map(str::to_owned).collect();
    assert_eq!(kids.len(), 2);
    // The new key waits until every server has found it; then it signs.
    let early = one.mint(claims(), now.after(MINUTE / 2), MINUTE * 5).unwrap().token;
    let later = now.after(MINUTE * 2);
    let second = one.mint(claims(), later, MINUTE * 5).unwrap().token;
    assert_eq!([kid(&first), kid(&early), kid(&second)], [&*kids[1], &kids[1], &kids[0]]);
    // A server that has not looked since knows the old one, and both once it looks.
    assert!(other.verify(&first, later).is_ok());
    other.reload();
    for token in [&first, &early, &second] {
        assert!(other.verify(token, later).is_ok());
        assert!(one.verify(token, later).is_ok());
    }

    // The next rotation takes the oldest away, and so does an operator's `rm`.
    KeyRing::rotate(folder.path(), KeyPurpose::Context).unwrap();
    other.reload();
    assert_eq!(other.verify(&first, later), Err(ContextFault::UnknownKey));
    assert!(other.verify(&second, later).is_ok());
    std::fs::remove_file(folder.path().join(format!("context-{}.key", kids[0]))).unwrap();
    other.reload();
    assert_eq!(other.verify(&second, later), Err(ContextFault::UnknownKey));
}

#[test]
fn a_token_of_another_environment_is_forged_here() {
    let folder = TempDir::new().unwrap();
    let now = Timestamp::now();
    let live = || tokens(&folder).of_environment("live");
    let token = live().mint(claims(), now, MINUTE).unwrap().token;
    assert!(live().verify(&token, now).is_ok());
    for other in [tokens(&folder).of_environment("staging"), tokens(&folder)] {
        assert_eq!(other.verify(&token, now), Err(ContextFault::Forged));
    }
}

#[test]
fn keys_outlive_the_process_and_are_kept_apart() {
    let folder = TempDir::new().unwrap();
    let token = tokens(&folder).mint(claims(), Timestamp::now(), MINUTE).unwrap().token;
    let _sign_in = ring(&folder, KeyPurpose::SignIn);
    assert!(tokens(&folder).verify(&token, Timestamp::now()).is_ok());
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
}

#[cfg(unix)]
#[test]
fn a_key_is_for_its_owner_only() {
    use std::os::unix::fs::PermissionsExt as _;

    let folder = TempDir::new().unwrap();
    let _ring = ring(&folder, KeyPurpose::Context);
    let file = std::fs::read_dir(folder.path()).unwrap().next().unwrap().unwrap().path();
    assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);

    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o640)).unwrap();
    let opened = KeyRing::open(folder.path(), KeyPurpose::Context);
    assert!(matches!(opened, Err(KeyError::Exposed(path)) if path == file));

    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o600)).unwrap();
    std::fs::write(&file, "no key").unwrap();
    let opened = KeyRing::open(folder.path(), KeyPurpose::Context);
    assert!(matches!(opened, Err(KeyError::Malformed(path)) if path == file));
}
