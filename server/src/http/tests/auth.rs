//! Who gets in, and who does not.

use std::net::SocketAddr;

use agent_contract::Timestamp;
use axum::extract::ConnectInfo;
use axum::http::header;
use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use serde_json::{Value, json};

use super::hall::{GRACE, Hall, LAKESIDE, RUTH, SARAH, request};

fn credentials(email: &str, password: &str) -> Value {
    json!({ "email": email, "password": password })
}

async fn sign_in(hall: &Hall, body: &Value) -> super::hall::Reply {
    hall.send(request("POST", "/api/auth/sign-in", None, Some(body))).await
}

#[tokio::test]
async fn a_person_signs_in_and_is_told_who_they_are() {
    let hall = Hall::open().await;
    let signed = sign_in(&hall, &credentials(" Sarah.Nabirye@naalya.example ", "rover-demo")).await;
    assert_eq!(signed.status, 200, "{}", signed.text);
    let signed = signed.json();
    let bearer = signed["token"].as_str().unwrap();
    let me = hall.send(request("GET", "/api/me", Some(bearer), None)).await.json();
    for answer in [&signed, &me] {
        assert_eq!(answer["user"]["name"], "Sarah Nabirye");
        assert_eq!(answer["user"]["email"], SARAH);
        assert_eq!(answer["user"]["type"], "staff");
        assert_eq!(answer["user"]["roles"], json!(["campus_admin"]));
        assert_eq!(answer["user"]["campusId"], LAKESIDE, "she works on one campus only");
        assert_eq!(answer["school"]["name"], "Naalya Hills School");
        let campus = json!({ "id": LAKESIDE, "name": "Lakeside Campus", "version": 1 });
        assert_eq!(answer["campuses"], json!([campus]));
    }
    assert!(signed["expiresAt"].as_str().unwrap().parse::<Timestamp>().unwrap() > Timestamp::now());
}

#[tokio::test]
async fn a_wrong_password_and_an_unknown_address_are_one_answer() {
    let hall = Hall::open().await;
    let wrong = sign_in(&hall, &credentials(GRACE, "rover-demo ")).await.problem(401);
    assert_eq!(wrong, "the email or the password is wrong");
    let unknown = sign_in(&hall, &credentials("nobody@naalya.example", "rover-demo")).await;
    assert_eq!(wrong, unknown.problem(401));
}

#[tokio::test]
async fn credentials_are_an_object_of_plain_text() {
    let hall = Hall::open().await;
    let listed = sign_in(&hall, &json!([GRACE, "rover-demo"])).await.problem(422);
    assert_eq!(listed, "the body must be a JSON object");
    let nul = sign_in(&hall, &credentials("a\u{0}", "rover-demo")).await.problem(422);
    assert_eq!(nul, "`body.email` holds a control character");
}

#[tokio::test]
async fn wrong_passwords_close_an_address_to_their_peer_and_not_to_its_person() {
    let hall = Hall::open().await;
    let from = |peer: [u8; 4], password: &str| {
        let body = credentials(GRACE, password);
        let mut request = request("POST", "/api/auth/sign-in", None, Some(&body));
        request.extensions_mut().insert(ConnectInfo(SocketAddr::from((peer, 40_000))));
        request
    };
    for _ in 0..5 {
        hall.send(from([192, 0, 2, 1], "guess")).await.problem(401);
    }
    hall.send(from([192, 0, 2, 1], "rover-demo")).await.problem(429);
    assert_eq!(hall.send(from([192, 0, 2, 2], "rover-demo")).await.status, 200);
}

#[tokio::test]
async fn wrong_passwords_close_an_address_and_no_other() {
    let hall = Hall::open().await;
    for _ in 0..5 {
        sign_in(&hall, &credentials(GRACE, "guess")).await.problem(401);
    }
    let closed = sign_in(&hall, &credentials("GRACE.namutebi@naalya.example", "rover-demo")).await;
    closed.problem(429);
    let seconds: u64 = closed.headers[header::RETRY_AFTER].to_str().unwrap().parse().unwrap();
    assert!((1..=300).contains(&seconds), "{seconds}");
    assert_eq!(sign_in(&hall, &credentials(RUTH, "rover-demo")).await.status, 200);
}

#[tokio::test]
async fn a_body_that_is_no_credentials_is_told_what_is_missing() {
    let hall = Hall::open().await;
    let missing = sign_in(&hall, &json!({ "email": GRACE })).await.problem(422);
    assert!(missing.contains("missing field `password`"), "{missing}");
}

#[tokio::test]
async fn demo_accounts_are_listed_only_where_they_are_meant_to_be() {
    let hall = Hall::open().await;
    let listed = hall.send(request("GET", "/api/auth/demo-accounts", None, None)).await.json();
    let listed = listed["accounts"].as_array().unwrap();
    assert!(listed.len() >= 12, "{}", listed.len());
    let ruth = listed.iter().find(|account| account["email"] == RUTH).unwrap();
    assert_eq!(ruth["role"], "Class teacher, teacher · Main Campus");
    let password = ruth["password"].as_str().unwrap();
    assert_eq!(sign_in(&hall, &credentials(RUTH, password)).await.status, 200);

    let elsewhere = Hall::without_workers().await;
    elsewhere.send(request("GET", "/api/auth/demo-accounts", None, None)).await.problem(404);
}

#[tokio::test]
async fn a_bearer_that_does_not_hold_opens_nothing() {
    let hall = Hall::open().await;
    let good = hall.bearer(GRACE).await;
    let hours_ago = Timestamp::from_millisecond(Timestamp::now().as_millisecond() - 7_200_000);
    let expired = hall.bearer_since(GRACE, hours_ago.unwrap()).await;
    let (head, rest) = good.split_once('.').unwrap();
    let (claims, signature) = rest.split_once('.').unwrap();
    let encoded = |json: Value| BASE64_URL_SAFE_NO_PAD.encode(json.to_string());
    let none = encoded(json!({ "alg": "none", "typ": "JWT" }));
    let mut claimed: Value =
        serde_json::from_slice(&BASE64_URL_SAFE_NO_PAD.decode(claims).unwrap()).unwrap();
    claimed["schoolId"] = json!("riverbend");
    let other_keys = Hall::open().await.bearer(GRACE).await;

    let table = [
        ("missing", None),
        ("no token", Some(String::new())),
        ("no JWT", Some("hello".to_owned())),
        ("expired", Some(expired)),
        ("alg none", Some(format!("{none}.{claims}."))),
        ("alg none, signed", Some(format!("{none}.{claims}.{signature}"))),
        ("other claims", Some(format!("{head}.{}.{signature}", encoded(claimed)))),
        ("another server's", Some(other_keys)),
    ];
    for (what, bearer) in table {
        for path in ["/api/me", "/api/naalya-ai/threads", "/api/departments"] {
            let reply = hall.send(request("GET", path, bearer.as_deref(), None)).await;
            let detail = reply.problem(401);
            assert!(detail.contains("sign in"), "{what}: {detail}");
            assert_eq!(reply.headers[header::WWW_AUTHENTICATE], "Bearer");
        }
    }
    assert_eq!(hall.send(request("GET", "/api/me", Some(&good), None)).await.status, 200);
}
