//! Calls of workers that hold another version of the tool: served if the lock says so, else refused before anything
//! else is looked at, with the first difference where it can be told.

use agent_contract::lock::{Lock, Version};
use agent_contract::wire::{HEADER_CONTRACT, HEADER_OUTCOME};
use agent_contract::{Gate, ToolEndpoint as _, TurnEventKind};
use serde_json::{Value, json};
use tools::agent_tools;

use super::bench::{Bench, Caller, GRACE, MAIN, campus, lock, response};
use crate::domain::SchoolHost;
use crate::rpc::Executor;
use crate::rpc::routes::Routes;

/// What the superseded version had otherwise.
const LONGER: &str = "/args/properties/name/maxLength";

/// The lock with two older versions of `create_department`, of which the older is accepted.
pub(super) fn with_history() -> (Lock, String, String) {
    let mut lock = lock();
    let tool = lock.tools.get_mut("create_department").unwrap();
    // What the checked-in lock remembers of it is not this test's history.
    tool.history.clear();
    tool.accepts.clear();
    let mut superseded = tool.shape.clone();
    superseded.args["properties"]["name"]["maxLength"] = json!(200);
    let mut accepted = tool.shape.clone();
    accepted.args["properties"].as_object_mut().unwrap().remove("campusId");
    for shape in [superseded, accepted] {
        tool.history.push(Version { wire: shape.fingerprint(), shape });
    }
    tool.accepts.push(tool.history[1].wire.clone());
    let hash = |index: usize| tool.history[index].wire.to_string();
    let (superseded, accepted) = (hash(0), hash(1));
    (lock, superseded, accepted)
}

struct Versions {
    bench: Bench,
    executor: Executor,
    grace: Caller,
    superseded: String,
    accepted: String,
}

impl Versions {
    async fn new() -> Self {
        let bench = Bench::new().await;
        let (lock, superseded, accepted) = with_history();
        let executor = bench.serving(Routes::of(agent_tools::routes::<SchoolHost>(), &lock));
        let grace = bench.caller(GRACE, campus(MAIN, "Main Campus")).await;
        Self { bench, executor, grace, superseded, accepted }
    }

    /// The outcome and the envelope of one call under this version.
    async fn call(&self, version: &str, id: &str, args: Value) -> (String, Value) {
        let call = self.grace.call("create.department", id, args);
        let reply = self.executor.handle(call.with_header(HEADER_CONTRACT, version)).await.unwrap();
        (reply.headers[HEADER_OUTCOME].clone(), response(&reply))
    }

    /// What the admission gate said, call by call.
    async fn admissions(&self) -> Vec<(bool, String)> {
        let events = self.bench.log.events(&self.grace.turn).await.unwrap();
        let said = events.into_iter().filter_map(|event| match event.kind {
            TurnEventKind::Gate { gate: Gate::Admission, passed, detail, .. } => {
                Some((passed, detail.unwrap_or_default()))
            }
            _ => None,
        });
        said.collect()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_version_and_an_accepted_one_are_served_and_recorded() {
    let versions = Versions::new().await;
    let same = lock().tools["create_department"].hashes.wire.to_string();
    for (version, name) in [(&same, "Astronomy"), (&versions.accepted, "Botany")] {
        let (outcome, answer) = versions.call(version, name, json!({ "name": name })).await;
        assert_eq!((outcome.as_str(), &answer["data"]["name"]), ("ok", &json!(name)));
    }
    let older = &versions.accepted;
    assert_eq!(
        versions.admissions().await,
        [
            (true, format!("campus mode, version {same}")),
            (
                true,
                format!("campus mode, version {older} of the worker, which version {same} accepts")
            ),
        ]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn another_version_is_refused_with_the_first_difference_and_changes_nothing() {
    let versions = Versions::new().await;
    let before = versions.bench.rows().await;
    let fits = || json!({ "name": "Mathematics" });
    let cases = [
        (
            versions.superseded.as_str(),
            fits(),
            format!("; the first difference: {LONGER} was 200 and is 80"),
        ),
        // Of a version that the lock never saw, only the arguments can tell.
        (
            "0123456789abcdef",
            json!({ "name": "Mathematics", "head": "Ruth" }),
            "; in the server's version, args.head: expected one of the fields name, campusId"
                .to_owned(),
        ),
        ("0123456789abcdef", fits(), "; it was not run".to_owned()),
        ("no hash", fits(), "; it was not run".to_owned()),
    ];
    for (index, (version, args, difference)) in cases.into_iter().enumerate() {
        let (outcome, answer) = versions.call(version, &format!("call-{index}"), args).await;
        let error = answer["error"].as_str().unwrap();
        let named = format!("the tool create_department is at version {version} in the worker");
        assert_eq!(outcome, "mismatch");
        assert!(error.starts_with(&named) && error.contains(&difference), "{error}");
    }
    assert_eq!(versions.bench.rows().await, before);
    assert!(versions.admissions().await.iter().all(|(passed, _)| !passed));
}
