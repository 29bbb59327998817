//! An issuer's tokens: the examples of the RFCs, what is refused, and how often its keys are asked for.

use std::future::{Ready, ready};
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::{Router, extract::State, http::StatusCode, routing::get};
use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD as BASE64;
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode, errors::ErrorKind};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::keys::usable;
use super::{Issuer, IssuerSettings, KeysAt};
use crate::identity::sign_in::signing_key;
use crate::identity::{KeyPurpose, KeyRing, SignInFault, Subject};

const NAME: &str = "https://id.school.example";
const AUDIENCE: &str = "rover";
/// RFC 7515, A.2: the modulus.
const RSA: &str = "ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-SFd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ";
/// The payload of RFC 7515, A.1 to A.3.
const JOE: &str = "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ";
/// Header, payload and signature of RFC 7515 A.2 and A.3, and of RFC 8037 A.4.
const SIGNED: [(&str, [&str; 3]); 3] = [
    (
        "rsa",
        [
            "eyJhbGciOiJSUzI1NiJ9",
            JOE,
            "cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw",
        ],
    ),
    (
        "p256",
        [
            "eyJhbGciOiJFUzI1NiJ9",
            JOE,
            "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q",
        ],
    ),
    (
        "ed25519",
        [
            "eyJhbGciOiJFZERTQSJ9",
            "RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc",
            "hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg",
        ],
    ),
];

/// The public keys of the RFCs' examples.
fn rfc_keys() -> Value {
    json!({ "keys": [
        { "kid": "rsa", "kty": "RSA", "n": RSA, "e": "AQAB" },
        { "kid": "p256", "kty": "EC", "crv": "P-256", "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU", "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0" },
        { "kid": "ed25519", "kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo" },
    ] })
}

/// An issuer with keys in a file, and what signs for it.
struct House {
    issuer: Issuer,
    ring: KeyRing,
    _folder: TempDir,
}

fn house() -> House {
    let folder = TempDir::new().unwrap();
    let ring = KeyRing::open(folder.path(), KeyPurpose::SignIn).unwrap();
    let file = folder.path().join("jwks.json");
    let mut list = rfc_keys();
    list["keys"].as_array_mut().unwrap().push(public(&ring));
    std::fs::write(&file, list.to_string()).unwrap();
    House { issuer: believed(KeysAt::File(file)), ring, _folder: folder }
}

fn believed(keys: KeysAt) -> Issuer {
    let (issuer, audience) = (NAME.to_owned(), AUDIENCE.to_owned());
    Issuer::new(IssuerSettings { issuer, audience, keys }).unwrap()
}

fn public(ring: &KeyRing) -> Value {
    let key = ring.signing();
    let x = BASE64.encode(key.public().as_bytes());
    json!({ "kid": key.kid(), "kty": "OKP", "crv": "Ed25519", "use": "sig", "alg": "EdDSA", "x": x })
}

/// Claims that hold, about `sub-1`.
fn claims() -> Value {
    let now = agent_contract::Timestamp::now().as_second();
    json!({ "iss": NAME, "aud": AUDIENCE, "sub": "sub-1", "iat": now, "exp": now + 600 })
}

fn signed(ring: &KeyRing, claims: &Value) -> String {
    let key = ring.signing();
    let header = Header { kid: Some(key.kid().to_owned()), ..Header::new(Algorithm::EdDSA) };
    encode(&header, claims, &signing_key(key)).unwrap()
}

#[test]
fn signatures_of_the_rfcs_hold_and_break_with_one_letter() {
    let keys = usable(rfc_keys().to_string().as_bytes()).unwrap();
    let issuer = believed(KeysAt::File("none".into()));
    for (kid, [header, payload, signature]) in SIGNED {
        let good = format!("{header}.{payload}.{signature}");
        let fault = issuer.claims(&good, &keys[kid]).err().unwrap();
        assert!(
            matches!(fault, ErrorKind::Json(_)),
            "{kid}: only the claims are not ours: {fault:?}"
        );
        for broken in [
            format!("{header}.{payload}x.{signature}"),
            format!("{header}.{payload}.A{}", &signature[1..]),
        ] {
            let fault = issuer.claims(&broken, &keys[kid]).err().unwrap();
            assert!(matches!(fault, ErrorKind::InvalidSignature), "{kid}: {fault:?}");
        }
        for (other, key) in &keys {
            if other != kid {
                let fault = issuer.claims(&good, key).err().unwrap();
                assert!(
                    matches!(fault, ErrorKind::InvalidAlgorithm),
                    "{kid} by {other}: {fault:?}"
                );
            }
        }
    }
}

#[tokio::test]
async fn claims_must_hold_at_this_moment() {
    let House { issuer, ring, _folder } = house();
    let now = agent_contract::Timestamp::now().as_second();
    let whom = Subject { issuer: NAME.to_owned(), subject: "sub-1".to_owned() };
    let with = |name: &str, value: Value| {
        let mut claims = claims();
        claims[name] = value;
        claims
    };
    let without = |name: &str| {
        let mut claims = claims();
        claims.as_object_mut().unwrap().remove(name);
        claims
    };
    let refused = Err(SignInFault::NotGenuine);
    for (what, claims, expected) in [
        ("as they should be", claims(), Ok(whom.clone())),
        ("for several", with("aud", json!(["other", AUDIENCE])), Ok(whom.clone())),
        ("over for less than the leeway", with("exp", json!(now - 2)), Ok(whom.clone())),
        ("over", with("exp", json!(now - 7)), Err(SignInFault::Expired)),
        ("begun for less than the leeway", with("nbf", json!(now + 3)), Ok(whom.clone())),
        ("not begun", with("nbf", json!(now + 30)), refused.clone()),
        ("another issuer", with("iss", json!("https://id.school.example/")), refused.clone()),
        ("another audience", with("aud", json!("hub")), refused.clone()),
        ("nobody", with("sub", json!("")), refused.clone()),
        ("a number for a subject", with("sub", json!(7)), refused.clone()),
        ("no subject", without("sub"), refused.clone()),
        ("no issuer", without("iss"), refused.clone()),
        ("no audience", without("aud"), refused.clone()),
        ("no end", without("exp"), refused.clone()),
    ] {
        assert_eq!(issuer.verify(&signed(&ring, &claims)).await, expected, "{what}");
    }
}

#[tokio::test]
async fn what_nobody_of_the_issuer_signed_is_refused() {
    let House { issuer, ring, _folder } = house();
    let good = signed(&ring, &claims());
    let [header, payload, signature] = good.split('.').collect::<Vec<_>>().try_into().unwrap();
    let encoded = |json: Value| BASE64.encode(json.to_string());
    let kid = ring.signing().kid();
    let by = |algorithm, kid: Option<&str>, key: &EncodingKey| {
        let header = Header { kid: kid.map(ToOwned::to_owned), ..Header::new(algorithm) };
        encode(&header, &claims(), key).unwrap()
    };
    let stranger = KeyRing::open(TempDir::new().unwrap().path(), KeyPurpose::SignIn).unwrap();
    let table = [
        ("empty", String::new()),
        ("no token", "hello".to_owned()),
        ("alg none", format!("{}.{payload}.", encoded(json!({ "alg": "none", "kid": kid })))),
        (
            "alg none, signed",
            format!("{}.{payload}.{signature}", encoded(json!({ "alg": "none", "kid": kid }))),
        ),
        (
            "a public key as a secret",
            by(
                Algorithm::HS256,
                Some("rsa"),
                &EncodingKey::from_secret(&BASE64.decode(RSA).unwrap()).unwrap(),
            ),
        ),
        (
            "the same in its letters",
            by(Algorithm::HS256, Some("rsa"), &EncodingKey::from_secret(RSA.as_bytes()).unwrap()),
        ),
        (
            "our public key as a secret",
            by(
                Algorithm::HS256,
                Some(kid),
                &EncodingKey::from_secret(ring.signing().public().as_bytes()).unwrap(),
            ),
        ),
        ("no key id", by(Algorithm::EdDSA, None, &signing_key(ring.signing()))),
        ("another's key id", by(Algorithm::EdDSA, Some("ed25519"), &signing_key(ring.signing()))),
        (
            "a key id of another algorithm",
            by(Algorithm::EdDSA, Some("rsa"), &signing_key(ring.signing())),
        ),
        (
            "a stranger's key under this id",
            by(Algorithm::EdDSA, Some(kid), &signing_key(stranger.signing())),
        ),
        ("a stranger's key", signed(&stranger, &claims())),
        ("other claims", format!("{header}.{}.{signature}", encoded(json!({ "sub": "sub-2" })))),
        (
            "an extension that must be known",
            format!(
                "{}.{payload}.{signature}",
                encoded(json!({ "alg": "EdDSA", "kid": kid, "crit": ["x"], "x": 1 }))
            ),
        ),
        ("too large", signed(&ring, &json!({ "pad": "x".repeat(10_000) }))),
    ];
    assert!(issuer.verify(&good).await.is_ok());
    for (what, token) in table {
        assert_eq!(issuer.verify(&token).await, Err(SignInFault::NotGenuine), "{what}");
    }
}

/// A list of keys is taken with what in it can be used; with nothing, it is a mistake of the operator's.
#[test]
fn only_keys_that_can_be_trusted_are_used() {
    let one =
        |key: Value| usable(json!({ "keys": [key] }).to_string().as_bytes()).map(|keys| keys.len());
    let with = |at: usize, name: &str, value: Value| {
        let mut key = rfc_keys()["keys"][at].clone();
        key[name] = value;
        key
    };
    assert_eq!(one(with(0, "alg", json!("RS256"))).unwrap(), 1);
    for (what, key) in [
        ("for encryption", with(0, "use", json!("enc"))),
        ("for another algorithm", with(0, "alg", json!("RS512"))),
        ("for a symmetric one", with(0, "alg", json!("HS256"))),
        ("too small", with(0, "n", json!(&RSA[..170]))),
        ("another curve", with(1, "crv", json!("P-384"))),
        (
            "a secret",
            json!({ "kid": "s", "kty": "oct", "k": "AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ" }),
        ),
        (
            "without an id",
            json!({ "kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo" }),
        ),
        ("of a kind to come", json!({ "kid": "k", "kty": "AKP", "pub": "x" })),
    ] {
        let fault = one(key).unwrap_err().to_string();
        assert!(fault.contains("holds none that can be used"), "{what}: {fault}");
    }
    for (text, part) in
        [("{}", "no JWKS: missing field `keys`"), ("<html>", "no JWKS: expected value")]
    {
        let fault = usable(text.as_bytes()).map(|_| ()).unwrap_err().to_string();
        assert!(fault.contains(part), "{text}: {fault}");
    }
    let many: Vec<_> =
        (0..65).map(|n| json!({ "kid": n.to_string(), "kty": "oct", "k": "x" })).collect();
    let fault = usable(json!({ "keys": many }).to_string().as_bytes()).map(|_| ()).unwrap_err();
    assert!(fault.to_string().contains("too large"), "{fault}");
}

/// An address that serves a list of keys, counts who asks, and can be made to fail.
#[derive(Clone, Default)]
struct Published(Arc<Mutex<(usize, Option<Value>)>>);

impl Published {
    async fn serve(&self) -> KeysAt {
        let listener = tokio::net::TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, 0)))
            .await
            .unwrap();
        let address = format!("http://{}/jwks.json", listener.local_addr().unwrap());
        let router = Router::new().route("/jwks.json", get(Self::answer)).with_state(self.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        address.parse().unwrap()
    }

    fn answer(State(published): State<Self>) -> Ready<Result<String, StatusCode>> {
        let mut held = published.0.lock().unwrap();
        held.0 += 1;
        ready(held.1.as_ref().map(Value::to_string).ok_or(StatusCode::INTERNAL_SERVER_ERROR))
    }

    fn publish(&self, rings: &[&KeyRing]) {
        let keys: Vec<_> = rings.iter().map(|ring| public(ring)).collect();
        self.0.lock().unwrap().1 = Some(json!({ "keys": keys }));
    }

    fn fail(&self) {
        self.0.lock().unwrap().1 = None;
    }

    fn asked(&self) -> usize {
        self.0.lock().unwrap().0
    }
}

#[tokio::test]
async fn keys_are_asked_for_in_bounds_and_dropped_when_the_issuer_drops_them() {
    let rings: Vec<_> = (0..2)
        .map(|_| KeyRing::open(TempDir::new().unwrap().path(), KeyPurpose::SignIn).unwrap())
        .collect();
    let [old, new] = [&rings[0], &rings[1]];
    let published = Published::default();
    published.publish(&[old]);
    let issuer = believed(published.serve().await);
    let [by_old, by_new] = [old, new].map(|ring| signed(ring, &claims()));
    let begin = Instant::now();
    let after = |seconds| begin + Duration::from_secs(seconds);
    let refused = Err(SignInFault::NotGenuine);

    assert!(issuer.verify_at(&by_old, begin).await.is_ok());
    assert_eq!(published.asked(), 1, "read when they are needed");
    for second in 1..=30 {
        assert_eq!(issuer.verify_at(&by_new, after(second)).await.map(|_| ()), refused);
    }
    assert_eq!(published.asked(), 1, "a flood of unknown keys asks no more than once a minute");

    published.publish(&[old, new]);
    assert!(issuer.verify_at(&by_new, after(61)).await.is_ok(), "a new key is found");
    assert_eq!(published.asked(), 2);
    for second in 62..=600 {
        assert!(issuer.verify_at(&by_old, after(second)).await.is_ok());
    }
    assert_eq!(published.asked(), 2, "what is known is not asked for");

    published.publish(&[new]);
    assert!(issuer.verify_at(&by_new, after(700)).await.is_ok());
    assert_eq!(published.asked(), 3, "after ten minutes they are read anew");
    assert_eq!(
        issuer.verify_at(&by_old, after(701)).await.map(|_| ()),
        refused,
        "the old key is gone"
    );

    published.fail();
    assert!(
        issuer.verify_at(&by_new, after(3600)).await.is_ok(),
        "an issuer may be away for a while"
    );
    let late = issuer.verify_at(&by_new, after(700 + 24 * 3600)).await.map(|_| ());
    assert_eq!(late, Err(SignInFault::Unavailable), "and not for ever");
}

#[tokio::test]
async fn an_issuer_that_never_answered_refuses_nobody_for_good() {
    let published = Published::default();
    let issuer = believed(published.serve().await);
    let ring = KeyRing::open(TempDir::new().unwrap().path(), KeyPurpose::SignIn).unwrap();
    let token = signed(&ring, &claims());
    let begin = Instant::now();
    let nobody_can_tell = Err(SignInFault::Unavailable);
    assert_eq!(issuer.verify_at(&token, begin).await.map(|_| ()), nobody_can_tell);
    assert_eq!(issuer.verify_at(&token, begin).await.map(|_| ()), nobody_can_tell);
    assert_eq!(published.asked(), 1);
    published.publish(&[&ring]);
    assert!(issuer.verify_at(&token, begin + Duration::from_mins(1)).await.is_ok());
}

#[test]
fn keys_are_read_over_tls_or_on_this_machine() {
    for (place, is_good) in [
        ("https://id.school.example/jwks.json", true),
        ("http://127.0.0.1:8080/jwks.json", true),
        ("http://localhost:8080/jwks.json", true),
        ("http://[::1]/jwks.json", true),
        ("keys/jwks.json", true),
        ("http://id.school.example/jwks.json", false),
        ("http://127.0.0.1.evil.example/jwks.json", false),
        ("file:///etc/jwks.json", false),
        ("", false),
    ] {
        assert_eq!(place.parse::<KeysAt>().is_ok(), is_good, "{place}");
    }
}
