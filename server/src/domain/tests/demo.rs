//! The demo survives a restart and is planted once.

use std::collections::BTreeSet;

use agent_contract::{AgentCallScope, CallId, SchoolId, StaffRole};
use serde_json::json;
use tools::classes::Classes as _;

use super::{Rights, reading};
use crate::{
    audit::{AuditBody, Call, Chain, Claimed, StoredOutcome, verify_all},
    db::{
        Database, Frame as _, TenantScope,
        statements::school,
        testing::{Kind, Site, on_both},
        values,
    },
    demo,
    domain::{schools, sign_in},
};

on_both! {
    async fn planting_again_changes_nothing(database: Database) {
        assert!(demo::plant(&database).await.expect("planted"));
        assert!(!demo::plant(&database).await.expect("there already"));
        let names: Vec<String> = schools(&database).await.expect("schools").into_iter().map(|row| row.name).collect();
        assert_eq!(names, ["Naalya Hills School", "Riverbend Academy"]);
        for (_, chain) in verify_all(&database).await.expect("walked") {
            assert!(matches!(chain, Chain::Whole { rows: 1, .. }), "{chain}");
        }
    }

    async fn beside_a_real_school_nothing_is_planted(database: Database) {
        let real = TenantScope::new(SchoolId::new("real").expect("an id"), None);
        let frame = database.write(&real).await.expect("a frame");
        let mut db = frame.session().lock().await;
        db.execute(school::ADD_SCHOOL, values!["real", "Real School", None::<String>]).await.expect("added");
        drop(db);
        let call = Call {
            id: CallId::new("c1").expect("an id"),
            actor: "operator".to_owned(),
            event: "add.school".to_owned(),
            args_hash: String::new(),
        };
        let Claimed::New(ticket) = frame.claim(call).await.expect("claimed") else { panic!("new") };
        let body = AuditBody {
            subjects: vec![],
            args: json!({}),
            scope: AgentCallScope::School,
            via: "test".to_owned(),
            turn_id: None,
        };
        let entry = ticket.entry(&body).expect("an entry");
        frame.commit(entry, StoredOutcome::of(&json!({})).expect("kept")).await.expect("committed");

        assert!(!demo::plant(&database).await.expect("skipped"));
        assert!(!demo::is_planted(&database).await.expect("asked"));
        let ids: Vec<String> = schools(&database).await.expect("schools").into_iter().map(|row| row.id).collect();
        assert_eq!(ids, ["real"]);
    }

    async fn a_demo_account_can_sign_in(database: Database) {
        demo::plant(&database).await.expect("planted");
        let first = &demo::accounts()[0];
        let account = sign_in(&database, &first.email, demo::PASSWORD).await.expect("signed in");
        assert_eq!(account.name, first.name);
    }

    async fn two_planters_at_once_plant_one_school(database: Database) {
        let (first, second) = tokio::join!(demo::plant(&database), demo::plant(&database));
        assert!(first.is_ok() && second.is_ok(), "{first:?} {second:?}");
        assert_eq!(schools(&database).await.expect("schools").len(), 2);
    }
}

async fn a_restart_finds_the_data_of_the_last_run(site: Site) {
    let first = site.open().await;
    demo::plant(&first).await.expect("planted");
    first.close().await;

    let second = site.open().await;
    assert!(!demo::plant(&second).await.expect("there already"));
    assert_eq!(
        reading(&second, None, Rights::all()).await.list(None).await.expect("listed").len(),
        8
    );
    second.close().await;
}

#[tokio::test]
async fn a_restart_on_sqlite_finds_the_data_of_the_last_run() {
    a_restart_finds_the_data_of_the_last_run(Site::new(Kind::Sqlite).await).await;
}

#[tokio::test]
async fn a_restart_on_postgres_finds_the_data_of_the_last_run() {
    a_restart_finds_the_data_of_the_last_run(Site::new(Kind::Postgres).await).await;
}

#[test]
fn the_demo_accounts_cover_every_role_of_the_policy() {
    let accounts = demo::accounts();
    let roles: BTreeSet<&str> =
        accounts.iter().flat_map(|account| account.roles.iter().copied()).collect();
    let known: BTreeSet<&str> = StaffRole::ALL.iter().map(|role| role.as_str()).collect();
    assert_eq!(roles, known);
    assert!(
        accounts
            .iter()
            .all(|account| account.campuses.iter().all(|name| name.ends_with(" Campus")))
    );
}
