//! The contract lock as a team uses it: locked, compared with what is deployed, answered for.

use std::path::Path;
use std::process::Command;

use agent_contract::lock::{Lock, LockedTool};
use serde_json::{Value, json};

use crate::support::Folder;

const LOCK: &str = "tools/contract.json";

/// A checkout with this build's lock, and another lock at the revision `deployed`.
struct Checkout(Folder);

impl Checkout {
    fn new(edit: impl FnOnce(&mut LockedTool)) -> Self {
        let folder = Folder::empty();
        std::fs::create_dir(folder.path().join("tools")).expect("made");
        let checkout = Self(folder);
        checkout.git(&["init", "-q"]);
        checkout.commit("begun");
        let mut deployed = built();
        let name = "create_department";
        let mut tool = deployed.tools.remove(name).expect("it is there");
        edit(&mut tool);
        let tool = LockedTool::new(name, tool.access, tool.shape, tool.docs);
        deployed.tools.insert(name.into(), tool);
        checkout.write(&deployed.text().expect("text"));
        checkout.commit("deployed");
        checkout.write(&built().text().expect("text"));
        checkout
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn write(&self, text: &str) {
        std::fs::write(self.path().join(LOCK), text).expect("written");
    }

    fn commit(&self, tag: &str) {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "--allow-empty", "-m", tag]);
        self.git(&["tag", tag]);
    }

    fn git(&self, arguments: &[&str]) {
        let who = ["-c", "user.name=Test", "-c", "user.email=test@naalya.example"];
        let ended = Command::new("git").current_dir(self.path()).args(who).args(arguments).status();
        assert!(ended.is_ok_and(|status| status.success()), "git {arguments:?}");
    }

    /// The exit code and all that is printed.
    fn contract(&self, arguments: &[&str]) -> (Option<i32>, String) {
        let (status, printed) = self.0.try_ask(&[&["contract"], arguments].concat());
        (status.code(), printed)
    }
}

/// The lock of this build.
fn built() -> Lock {
    Lock::parse(tools::CONTRACT).expect("a lock")
}

#[test]
fn what_may_be_deployed_depends_on_the_order() {
    // Names could be longer, and there was no campus to name.
    let checkout = Checkout::new(|tool| {
        tool.shape.args["properties"]["name"]["maxLength"] = json!(200);
        tool.shape.args["properties"].as_object_mut().expect("fields").remove("campusId");
    });
    let check = |order| checkout.contract(&["check", "--base", "deployed", "--order", order]);
    let (code, printed) = check("server-first");
    assert_eq!(code, Some(1), "{printed}");
    let told = [
        "breaking   ARG_NARROWED       create_department\n",
        "           an argument takes less than before\n",
        "           /args/properties/name/maxLength was 200 and is 80\n",
        &format!(
            "           servers first: breaking; the old worker may send {{\"name\":\"{}\"}}",
            "a".repeat(81)
        ),
        ", which the new server refuses\n           workers first: safe\n",
    ];
    assert!(printed.starts_with(&told.concat()), "{printed}");
    assert!(printed.contains("safe       ARG_OPTIONAL_ADDED create_department"), "{printed}");
    assert!(printed.contains("2 changes since deployed, deployed servers first: 1 against it"));

    let (code, printed) = check("worker-first");
    assert_eq!(code, Some(1), "{printed}");
    assert!(printed.contains("breaking   ARG_OPTIONAL_ADDED create_department"), "{printed}");
    assert!(printed.contains("the new worker may send {"), "{printed}");
    let (code, printed) = checkout.contract(&["check", "--base", LOCK]);
    assert_eq!(
        (code, printed.as_str()),
        (
            Some(0),
            "0 changes since tools/contract.json, deployed in any order: 0 against it, 0 signed off\n"
        )
    );
}

#[test]
fn programs_read_it_as_json_and_github_as_commands() {
    let checkout = Checkout::new(|tool| {
        tool.access.roles = vec!["rover".into()];
        tool.docs.label = "Opening 100%: a, b".into();
    });
    let (code, printed) = checkout.contract(&["check", "--base", "deployed", "--format", "json"]);
    let told: Value =
        serde_json::Deserializer::from_str(&printed).into_iter().next().unwrap().unwrap();
    assert_eq!(
        (code, &told["order"], &told["outcome"]),
        (Some(1), &json!("any"), &json!("breaking"))
    );
    assert_eq!(told["changes"][0]["rule"], "AUTH");
    assert_eq!(told["changes"][0]["serverFirst"]["verdict"], "sign_off");
    assert_eq!(told["changes"][1]["before"], "Opening 100%: a, b");

    let (code, printed) = checkout.contract(&["check", "--base", "deployed", "--format", "github"]);
    let file = std::fs::read_to_string(checkout.path().join(LOCK)).expect("read");
    let line =
        file.lines().position(|line| line == "    \"create_department\": {").expect("there") + 1;
    let commands: Vec<_> = printed.lines().filter(|line| line.starts_with("::")).collect();
    let at = format!("file=tools/contract.json,line={line},title=");
    assert_eq!((code, commands.len()), (Some(1), 2), "{printed}");
    assert!(commands[0].starts_with(&format!("::error {at}AUTH create_department::")), "{printed}");
    assert!(
        commands[1].starts_with(&format!("::notice {at}PROMPT create_department::")),
        "{printed}"
    );
    assert!(
        commands[1].contains("%0A/docs/label was \"Opening 100%25: a, b\" and is "),
        "{printed}"
    );
}

#[test]
fn a_change_of_rights_passes_once_somebody_answered_for_it() {
    let checkout = Checkout::new(|tool| tool.access.roles = vec!["rover".into()]);
    let base = ["--base", "deployed"];
    let (code, printed) = checkout.contract(&[&["check"], &base[..]].concat());
    assert!(code == Some(1) && printed.contains("sign-off   AUTH"), "{printed}");

    let accept = |allow, reason| {
        checkout
            .contract(&[&["accept"], &base[..], &["--allow", allow, "--reason", reason]].concat())
    };
    let cases = [
        ("AUTH", "why", "write RULE:TOOL, e.g. AUTH:create_department"),
        ("AUHT:create_department", "why", "there is no rule `AUHT`; did you mean `AUTH`?"),
        ("AUTH:create_departmen", "why", "did you mean `AUTH:create_department`?"),
        ("SCOPE:create_department", "why", "there is no SCOPE of `create_department` to sign off"),
        ("AUTH:create_department", " ", "a sign-off needs a reason"),
    ];
    for (allow, reason, expected) in cases {
        let (code, printed) = accept(allow, reason);
        assert!(code != Some(0) && printed.contains(expected), "{allow}\n{printed}");
    }

    let (code, printed) = accept("AUTH:create_department", "the board decided it");
    assert!(
        code == Some(0) && printed.contains("is signed off in tools/contract.json"),
        "{printed}"
    );
    let (code, printed) = checkout.contract(&[&["check"], &base[..]].concat());
    assert_eq!(code, Some(0), "{printed}");
    assert!(
        printed.contains(": the board decided it") && printed.contains("1 signed off"),
        "{printed}"
    );
    let (code, printed) = checkout.contract(&["lock", "--check"]);
    assert_eq!(code, Some(0), "a signed lock is fresh: {printed}");
}

#[test]
fn a_lock_remembers_what_is_deployed_and_serves_what_is_proven() {
    let checkout = Checkout::new(|tool| {
        tool.shape.args["properties"].as_object_mut().expect("fields").remove("campusId");
    });
    let deployed = {
        checkout.git(&["checkout", "-q", "deployed", "--", LOCK]);
        let text = std::fs::read_to_string(checkout.path().join(LOCK)).expect("read");
        Lock::parse(&text).expect("a lock").tools["create_department"].hashes.wire.clone()
    };
    let (code, printed) = checkout.contract(&["lock", "--check"]);
    assert!(code == Some(1) && printed.contains("run `cargo run -- contract lock`"), "{printed}");
    let (code, printed) = checkout.contract(&["check", "--base", "deployed"]);
    assert!(code == Some(2) && printed.contains("is stale"), "{printed}");
    for arguments in [&["lock"][..], &["lock", "--base", "deployed"]] {
        assert_eq!(checkout.contract(arguments), (Some(0), String::new()));
        let text = std::fs::read_to_string(checkout.path().join(LOCK)).expect("read");
        let tool = Lock::parse(&text).expect("a lock").tools["create_department"].clone();
        assert_eq!(tool.accepts, std::slice::from_ref(&deployed));
        assert_eq!(checkout.contract(&["lock", "--check"]).0, Some(0));
    }
    let (code, printed) =
        checkout.contract(&["deprecate", "create_department", "--reason", "use the form"]);
    assert!(code == Some(0) && printed.contains("one release later"), "{printed}");
    let (code, printed) = checkout.contract(&["deprecate", "creat_department", "--reason", "x"]);
    assert!(code == Some(1) && printed.contains("did you mean `create_department`?"), "{printed}");
}

#[test]
fn a_base_that_cannot_be_read_says_why() {
    let checkout = Checkout::new(|_| {});
    let wrong = checkout.path().join("wrong.json");
    std::fs::write(wrong, "{\"format\": 7}").expect("written");
    let cases = [
        ("nowhere", "neither a file nor a revision of this repository"),
        ("--upload-pack=x", "neither a file nor a revision of this repository"),
        ("begun", "there is no tools/contract.json at that revision"),
        ("wrong.json", "has format 7, and this build reads format 1"),
    ];
    for (base, expected) in cases {
        let (code, printed) = checkout.contract(&["check", &format!("--base={base}")]);
        assert!(code == Some(2) && printed.contains(expected), "{base}\n{printed}");
    }
    let nowhere = Folder::empty();
    let (status, printed) = nowhere.try_ask(&["contract", "check", "--base", "main"]);
    assert!(
        status.code() == Some(2) && printed.contains("run this in the workspace's root"),
        "{printed}"
    );
    std::fs::create_dir(nowhere.path().join("tools")).expect("made");
    std::fs::write(nowhere.path().join(LOCK), tools::CONTRACT).expect("written");
    let (status, printed) = nowhere.try_ask(&["contract", "check", "--base", "main"]);
    assert!(status.code() == Some(2) && printed.contains("is in no git repository"), "{printed}");
}
