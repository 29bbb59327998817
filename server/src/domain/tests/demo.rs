//! The demo survives a restart and is planted once.

use std::collections::BTreeSet;

use agent_contract::StaffRole;
use tools::classes::Classes as _;

use super::{Rights, reading};
use crate::{
    audit::{Chain, verify_all},
    db::{Database, DatabaseUrl, testing::on_both},
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

    async fn two_planters_at_once_plant_one_school(database: Database) {
        let (first, second) = tokio::join!(demo::plant(&database), demo::plant(&database));
        assert!(first.is_ok() && second.is_ok(), "{first:?} {second:?}");
        assert_eq!(schools(&database).await.expect("schools").len(), 2);
    }
}

#[tokio::test]
async fn a_restart_finds_the_data_of_the_last_run() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let url = DatabaseUrl::Sqlite(folder.path().join("rover.db"));
    let first = Database::open(&url).await.expect("opens");
    demo::plant(&first).await.expect("planted");
    first.close().await;

    let second = Database::open(&url).await.expect("opens again");
    assert!(!demo::plant(&second).await.expect("there already"));
    assert_eq!(
        reading(&second, None, Rights::all()).await.list(None).await.expect("listed").len(),
        8
    );
    second.close().await;
}

#[tokio::test]
async fn the_demo_accounts_cover_every_role_of_the_policy_and_can_sign_in() {
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

    let folder = tempfile::tempdir().expect("a temporary folder");
    let url = DatabaseUrl::Sqlite(folder.path().join("rover.db"));
    let database = Database::open(&url).await.expect("opens");
    demo::plant(&database).await.expect("planted");
    let first = &accounts[0];
    let account = sign_in(&database, &first.email, demo::PASSWORD).await.expect("signed in");
    assert_eq!(account.name, first.name);
    database.close().await;
}
