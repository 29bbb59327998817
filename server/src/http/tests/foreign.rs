//! Every address that takes an id, with the ids of another school: no row, no hint, no write. The addresses are read
//! from the source of this module, so a new one is asked too.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::json;

use super::hall::{GRACE, Hall, request};
use crate::db::testing::{
    other::{Other, steady},
    shape,
};

const THEIRS: &str = "riverbend";
const NOWHERE: &str = "0199c3a1-0d5e-7000-8000-00000000beef";
const METHODS: [&str; 5] = ["GET", "POST", "PUT", "PATCH", "DELETE"];
/// Of each table, so many ids are tried at each address.
const OF_EACH: usize = 3;

/// Every text in the source that is an address with an id in it.
fn addresses() -> BTreeSet<String> {
    fn read(folder: &Path, found: &mut BTreeSet<String>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                if !path.ends_with("tests") {
                    read(&path, found);
                }
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap();
            let texts = text.split('"').filter(|text| text.starts_with("/api/"));
            found.extend(texts.filter(|text| text.contains('{')).map(str::to_owned));
        }
    }
    let mut found = BTreeSet::new();
    read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/http"), &mut found);
    found
}

/// The address with this id in every place.
fn with(address: &str, id: &str) -> String {
    let mut filled = String::new();
    for (n, part) in address.split(['{', '}']).enumerate() {
        filled.push_str(if n % 2 == 0 { part } else { id });
    }
    filled
}

#[tokio::test(flavor = "multi_thread")]
async fn every_address_with_every_kind_of_id_of_another_school_says_nothing_and_does_nothing() {
    let hall = Hall::open().await;
    let mut outside = hall.sql().await;
    let tables = shape::tenant_tables(&mut outside).await;
    shape::a_row_in_each(&mut outside, &tables, &["naalya", THEIRS]).await;
    let Other { ids, secrets } = Other::of(&mut outside, &tables, "naalya", THEIRS).await;
    let before = outside.rows_of(&tables, THEIRS).await;
    let bearer = hall.bearer(GRACE).await;

    let (addresses, mut calls, mut hints, mut seen) = (addresses(), 0, Vec::new(), 0);
    for address in &addresses {
        for method in METHODS {
            let body = json!({ "name": "Ours", "version": 1 });
            let body = (method != "GET").then_some(&body);
            let ask = async |id: &str| {
                let reply =
                    hall.send(request(method, &with(address, id), Some(&bearer), body)).await;
                (reply.status.as_u16(), steady(&reply.text, id))
            };
            let missing = ask(NOWHERE).await;
            if missing.0 == 405 {
                continue;
            }
            for id in ids.values().flat_map(|ids| ids.iter().take(OF_EACH)) {
                calls += 1;
                let told = ask(id).await;
                seen += secrets.iter().filter(|secret| told.1.contains(*secret)).count();
                if told != missing {
                    hints.push(format!("{method} {address} {id}: {told:?}, missing: {missing:?}"));
                }
            }
        }
    }
    let after = outside.rows_of(&tables, THEIRS).await;
    let written: Vec<_> = before.iter().filter(|(table, rows)| after[*table] != **rows).collect();
    eprintln!(
        "{} addresses with an id, {calls} calls: {seen} rows seen, {} hints, {} tables written",
        addresses.len(),
        hints.len(),
        written.len()
    );
    assert!(hints.is_empty(), "{}", hints.join("\n"));
    assert_eq!((seen, written.len()), (0, 0));
    assert!(addresses.len() >= 5 && calls > 100, "{} addresses, {calls} calls", addresses.len());
}
