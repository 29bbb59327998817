//! People who sign in at an issuer outside: its tokens are made by a library that is not ours.

use serde_json::Value;

use crate::support::{Peer, Rover};

const GRACE: &str = "grace.namutebi@naalya.example";
const RUTH: &str = "ruth.akello@naalya.example";

/// An issuer that runs, and where.
fn issuer() -> (Peer, String) {
    let peer = Peer::start("issuer.mjs", &[]);
    let lines = peer.lines_until("issuer");
    let name = lines.last().expect("a line")["issuer"].as_str().expect("text").to_owned();
    (peer, name)
}

fn answer(address: &str, bearer: Option<&str>) -> (u16, String) {
    let mut asked = reqwest::Client::new().get(address);
    if let Some(bearer) = bearer {
        asked = asked.bearer_auth(bearer);
    }
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let answer = asked.send().await.expect("it answers");
        (answer.status().as_u16(), answer.text().await.expect("text"))
    })
}

#[test]
fn tokens_of_an_issuer_sign_in_to_the_account_that_is_linked() {
    let (_peer, name) = issuer();
    let keys = format!("{name}/jwks.json");
    let flags = ["--jwt-issuer", &name, "--jwt-audience", "rover", "--jwt-keys", &keys];
    let rover = Rover::dev(&flags);
    let token = |alg: &str, sub: &str, aud: &str| {
        answer(&format!("{name}/token?alg={alg}&sub={sub}&aud={aud}"), None).1
    };
    let me = |token: &str| answer(&format!("{}/api/me", rover.address()), Some(token));

    let (status, told) = me(&token("RS256", "248289761001", "rover"));
    assert_eq!(status, 403, "nobody is linked yet: {told}");
    assert!(told.contains("no account here belongs to this sign-in"), "{told}");

    let account = |words: &[&str]| {
        let (status, told) = rover.try_ask(&[words, &flags].concat());
        (status.success(), told)
    };
    assert!(account(&["account", "link", GRACE, "248289761001"]).0);
    let (done, told) = account(&["account", "link", RUTH, "248289761001"]);
    assert!(!done && told.contains("signs in to another account"), "{told}");
    for alg in ["RS256", "ES256", "EdDSA"] {
        let (status, told) = me(&token(alg, "248289761001", "rover"));
        assert_eq!(status, 200, "{alg}: {told}");
        let told: Value = serde_json::from_str(&told).expect("JSON");
        assert_eq!(told["user"]["email"], GRACE, "the account says who it is, and not the token");
    }
    assert_eq!(me(&token("RS256", "248289761001", "somebody-else")).0, 401);
    assert_eq!(me(&token("RS256", "another", "rover")).0, 403);

    // The whole way: a chat turn under the token of the issuer.
    let bearer = token("ES256", "248289761001", "rover");
    let chat = format!("{}/api/naalya-ai/chat", rover.address());
    let (read, lines) =
        Peer::try_run("chat-client.mjs", &[&chat, "list the departments"], &[("TOKEN", &bearer)]);
    assert!(read, "{lines:?}");
    assert!(lines.last().expect("a line").to_string().contains("Main Campus"), "{lines:?}");

    // Our own sign-in stands beside it.
    assert_eq!(me(rover.ask(&["token", RUTH]).trim()).0, 200);
    assert!(account(&["account", "unlink", GRACE]).0);
    assert_eq!(me(&bearer).0, 403, "an account that is unlinked is nobody's at once");
}
