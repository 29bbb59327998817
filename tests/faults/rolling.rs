//! Two servers and three workers under load, and each restarted in turn, as a deploy does it: nothing is lost, and nobody
//! sees an error.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use tokio::sync::watch;

use crate::support::school::{Process, School};
use crate::support::{Queues, until};
use crate::workers::said;

const HEAD_TEACHER: &str = "grace.namutebi@naalya.example";
const PEOPLE: usize = 4;

/// Where the servers are, as a load balancer knows it.
type Addresses = watch::Sender<Vec<String>>;

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn broker_carries_a_rolling_restart_that_nobody_notices() {
    let queues = Queues::of("rolling");
    let school = School::on_postgres(&queues);
    let mut servers = vec![school.serve_signed(), school.serve_signed()];
    let mut workers: Vec<Process> = (0..3).map(|_| school.work("")).collect();
    let addresses = Addresses::default();
    know(&addresses, &servers);
    let token = school.ask(&["token", HEAD_TEACHER]).trim().to_owned();
    let (over, next) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
    let people: Vec<_> = (0..PEOPLE)
        .map(|_| {
            let (addresses, token) = (addresses.subscribe(), token.clone());
            tokio::spawn(ask(addresses, token, Arc::clone(&next), Arc::clone(&over)))
        })
        .collect();
    let some_more = |turns: usize| {
        let (next, from) = (Arc::clone(&next), next.load(Ordering::Relaxed));
        until("turns go on", move || next.load(Ordering::Relaxed) >= from + turns)
    };

    some_more(4).await;
    for at in 0..servers.len() {
        servers[at].ask_to_end();
        assert!(tokio::task::block_in_place(|| servers[at].ended()).success());
        servers[at] = tokio::task::block_in_place(|| school.serve_signed());
        know(&addresses, &servers);
        some_more(4).await;
    }
    for worker in &mut workers {
        worker.ask_to_end();
        assert!(tokio::task::block_in_place(|| worker.ended()).success());
        *worker = tokio::task::block_in_place(|| school.work(""));
        some_more(4).await;
    }
    over.store(true, Ordering::Relaxed);

    let mut made = BTreeMap::new();
    for person in people {
        for (name, shown) in person.await.expect("no panic") {
            assert!(shown.contains("data: [DONE]"), "{name}: {shown}");
            for wrong in ["\"type\":\"error\"", "tool-output-error", "lost", "Permission"] {
                assert!(!shown.contains(wrong), "{name} shows {wrong}: {shown}");
            }
            made.insert(name, shown);
        }
    }
    println!("{} turns over 5 restarts, each done, none with an error", made.len());
    let rows =
        school.rows("SELECT name FROM main.department WHERE name LIKE 'Rolling %' ORDER BY name");
    let missing: Vec<_> = made.iter().filter(|(name, _)| !rows.contains(name)).collect();
    assert!(missing.is_empty(), "told and not made: {missing:#?}");
    assert_eq!(rows.len(), made.len(), "each once");
    queues.sweep().await;
}

fn know(addresses: &Addresses, servers: &[Process]) {
    addresses.send_replace(servers.iter().map(|server| server.address().to_owned()).collect());
}

/// One turn after the other. A server that takes no requests is passed over, as a load balancer does; if all are, a new one
/// is waited for.
async fn ask(
    mut addresses: watch::Receiver<Vec<String>>,
    token: String,
    next: Arc<AtomicUsize>,
    over: Arc<AtomicBool>,
) -> Vec<(String, String)> {
    let mut shown = Vec::new();
    while !over.load(Ordering::Relaxed) {
        let name = format!("Rolling {:04}", next.fetch_add(1, Ordering::Relaxed));
        let sentence = format!("create a department called {name} at Main Campus");
        let said_last = 'taken: loop {
            let known = addresses.borrow_and_update().clone();
            for address in known {
                let said = said(address, token.clone(), sentence.clone()).await;
                if said.contains("data:") {
                    break 'taken said;
                }
            }
            addresses.changed().await.expect("the servers are known as long as somebody asks");
        };
        shown.push((name, said_last));
    }
    shown
}
