//! A database of an earlier release, brought forward: its rows are there, and the program runs on it.

use std::collections::BTreeMap;

use agent_contract::AgentRunMode;
use serde_json::json;

use super::bench::{Bench, GRACE, envelope};
use crate::audit::{Chain, verify_all};
use crate::db::testing::{Kind, Outside, Site};

/// Tables whose rows later migrations moved, each with the reason.
const MOVED: [&str; 1] = [
    "_sqlx_migrations", // it has one more row for each
];

async fn counts(outside: &mut Outside) -> BTreeMap<String, i64> {
    let mut counts = BTreeMap::new();
    for table in outside.tables().await {
        let rows = outside.count(&table).await;
        counts.insert(table, rows);
    }
    counts
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_of_an_earlier_release_comes_forward_with_its_rows() {
    let site = Site::of_release(Kind::of(module_path!())).await;
    let before = counts(&mut site.outside().await).await;
    assert!(
        before["student"] > 0 && before["turn_event"] > 0 && before["audit_log"] == 4,
        "{before:?}"
    );
    // The owner is no superuser: what a migration forgets to be allowed, it is not allowed here.
    site.migrate().await;
    let after = counts(&mut site.outside().await).await;
    for (table, rows) in before.iter().filter(|(table, _)| !MOVED.contains(&table.as_str())) {
        assert_eq!(after.get(table), Some(rows), "{table}");
    }
    // A second time there is nothing to do.
    site.migrate().await;

    let database = site.open().await;
    let bench = Bench::over(site, database);
    let grace = bench.caller(GRACE, AgentRunMode::School).await;
    let listed = grace.call("list.departments", "list", json!({}));
    let listed = envelope(&bench.executor, listed).await.to_string();
    for made_then in ["Astronomy", "Mathematics"] {
        assert!(listed.contains(made_then), "{listed}");
    }
    let args = json!({ "name": "Hydrology", "campusId": super::bench::MAIN });
    let made = envelope(&bench.executor, grace.call("create.department", "make", args)).await;
    assert_eq!(made["data"]["name"], "Hydrology", "{made}");
    let chains = verify_all(&bench.database).await.unwrap();
    let rows = chains.iter().map(|(_, chain)| match chain {
        Chain::Whole { rows, .. } => *rows,
        broken @ Chain::Broken { .. } => panic!("{broken:?}"),
    });
    assert_eq!(rows.sum::<i64>(), 5, "{chains:?}");
}
