//! Faults of all kinds at random, on two servers over one database and a node of their own, while callers call; then the
//! rows are asked.
//!
//! In each run of the tests 60 faults with a fixed seed, or as many as come about in 50 s; `ROVER_FAULTS=1000` is the night's, with a seed that it prints and
//! that `ROVER_FAULTS_SEED` repeats. `ROVER_FAULTS_WITHOUT=deduplication` or `late-ack` breaks the servers on purpose: the run
//! must go red.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant, SystemTime};

use agent_contract::CallId;
use futures_util::future::join_all;
use serde_json::json;
use tokio::task::block_in_place;

use crate::support::cable::Cable;
use crate::support::client::{CLASS, Client};
use crate::support::history::{Entry, Figures, Told};
use crate::support::node::Node;
use crate::support::school::{Process, School};
use crate::support::{PATIENCE, Queues};

const CALLERS: usize = 6;
/// How long a caller waits. No fault lasts so long, so whoever is told nothing by then was forgotten.
const WAITING: Duration = Duration::from_secs(40);
const USUAL: usize = 60;
/// How long faults fall in each run of the tests.
const LONGEST: Duration = Duration::from_secs(50);
const SEED: u64 = 20_261_201;

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn broker_soak_loses_nothing_and_does_nothing_twice() {
    let wished = std::env::var("ROVER_FAULTS").ok().and_then(|count| count.parse().ok());
    let seed = std::env::var("ROVER_FAULTS_SEED").ok().and_then(|seed| seed.parse().ok());
    let seed = seed.unwrap_or_else(|| if wished.is_some() { now() } else { SEED });
    let wished = wished.unwrap_or(USUAL);
    println!("{wished} faults, ROVER_FAULTS_SEED={seed}");

    let broken = match std::env::var("ROVER_FAULTS_WITHOUT").as_deref() {
        Ok("deduplication") => "claim=error",
        Ok("late-ack") => "delivered=error",
        Ok(other) => panic!("{other}: `deduplication` or `late-ack` is what can be done without"),
        Err(_) => "",
    };
    let node = block_in_place(Node::start);
    let queues = Queues::at(&node.url(), "soak");
    let school = School::on_postgres(&queues);
    let cables = [Cable::laid(&node.url()).await, Cable::laid(&node.url()).await];
    let began = Instant::now();
    let mut storm =
        Storm { node, cables, school, servers: Vec::new(), luck: Luck(seed), faults: 0, broken };
    storm.servers = (0..2).map(|_| storm.server()).collect();
    let client = Client::connect(storm.cables[0].url(), &queues.names).await;
    let over = Arc::new(AtomicBool::new(false));
    let next = Arc::new(AtomicUsize::new(0));
    let callers = (0..CALLERS)
        .map(|_| tokio::spawn(call(client.clone(), Arc::clone(&next), Arc::clone(&over))));
    let callers: Vec<_> = callers.collect();
    // On a machine that is busy with other things fewer faults come about.
    let enough = |began: Instant| wished == USUAL && began.elapsed() > LONGEST;
    while storm.faults < wished && !enough(began) {
        storm.strike().await;
        storm.tend();
    }
    over.store(true, Ordering::Relaxed);
    storm.calm();
    let mut entries: Vec<Entry> = Vec::new();
    let mut callers = Box::pin(join_all(callers));
    loop {
        // A server that was to die at its next call may still do so.
        tokio::select! {
            ended = &mut callers => {
                for of_one in ended {
                    entries.extend(of_one.expect("no panic"));
                }
                break;
            }
            () = tokio::time::sleep(Duration::from_millis(200)) => storm.tend(),
        }
    }
    let figures = Figures::of(storm.faults, &entries, &storm.school);
    println!("{figures}\nin {:.0} s", began.elapsed().as_secs_f64());
    println!("refused: {:#?}\ntold wrong: {:#?}", figures.refusals, figures.lies);
    for entry in entries.iter().filter(|entry| matches!(entry.told, Told::Unknown(_))) {
        println!("to check: {} {:?}", entry.name, entry.told);
    }
    assert!(figures.are_clean(), "{figures}");
    assert!(figures.done * 2 > figures.calls, "most of it works all the same: {figures}");

    // Whoever was told to check may ask under the same id: it is done now, or it was then.
    let service = client.service(PATIENCE).await;
    for entry in entries.iter_mut().filter(|entry| matches!(entry.told, Told::Unknown(_))) {
        let args = json!({ "name": entry.name, "classId": CLASS });
        let result = client.call_with(&service, "enrol_student", &entry.call, args).await;
        entry.told = Told::of(&result);
        assert!(matches!(entry.told, Told::Done(_)), "{entry:?}");
    }
    let figures = Figures::of(storm.faults, &entries, &storm.school);
    assert!(figures.are_clean() && figures.unknown == 0, "{figures}");
    let verified = storm.school.ask(&["audit", "verify"]);
    assert!(verified.contains("whole"), "{verified}");
}

/// Calls one after the other until it is over. Some are sent twice or three times at once, under one id.
async fn call(client: Client, next: Arc<AtomicUsize>, over: Arc<AtomicBool>) -> Vec<Entry> {
    let mut entries = Vec::new();
    let mut service = client.service(WAITING).await;
    while !over.load(Ordering::Relaxed) {
        let number = next.fetch_add(1, Ordering::Relaxed);
        let (call, name) = (CallId::mint(), format!("Fault {number}"));
        let args = json!({ "name": name, "classId": CLASS });
        let began = Instant::now();
        let at_once = if number.is_multiple_of(5) { 3 } else { 1 };
        let sent =
            (0..at_once).map(|_| client.call_with(&service, "enrol_student", &call, args.clone()));
        let results = join_all(sent).await;
        // As a worker asks again at each connection and from time to time.
        if results.iter().any(|result| !result.is_ok()) {
            service = client.service(WAITING).await;
        }
        for result in results {
            let (call, name) = (call.clone(), name.clone());
            entries.push(Entry { call, name, took: began.elapsed(), told: Told::of(&result) });
        }
    }
    entries
}

/// A school in a storm.
struct Storm {
    node: Node,
    /// The callers', and the servers'.
    cables: [Cable; 2],
    school: School,
    servers: Vec<Process>,
    luck: Luck,
    faults: usize,
    /// What the servers of this run do wrong on purpose.
    broken: &'static str,
}

impl Storm {
    /// One fault.
    async fn strike(&mut self) {
        self.faults += 1;
        let cable = &self.cables[self.luck.below(2)];
        let pause = Duration::from_millis(100 + 10 * self.luck.below(40) as u64);
        match self.luck.below(16) {
            0..4 => cable.cut(),
            4..6 => {
                cable.lose_replies();
                tokio::time::sleep(pause).await;
                cable.cut();
            }
            6 | 7 => {
                cable.stall();
                tokio::time::sleep(pause).await;
                cable.go_on();
            }
            8 => cable.slow(Duration::from_millis(20)),
            9 | 10 => {
                let server = &self.servers[self.luck.below(2)];
                server.freeze();
                tokio::time::sleep(pause).await;
                server.thaw();
            }
            11..15 => {
                let at = self.luck.below(2);
                let server = block_in_place(|| self.server());
                // The old one is killed where it stands.
                self.servers[at] = server;
            }
            _ if self.luck.below(3) == 0 => block_in_place(|| self.node.restart()),
            _ => block_in_place(|| self.node.close_connections()),
        }
        tokio::time::sleep(pause).await;
        self.cables.iter().for_each(Cable::go_on);
    }

    /// A server that will fail at some point of some call.
    fn server(&mut self) -> Process {
        let points = ["handler", "before_commit", "after_commit", "before_ack"];
        let point = points[self.luck.below(points.len())];
        let act = ["abort", "abort", "error", "stall:700"][self.luck.below(4)];
        let rule = format!("{point}={act}@{}", 1 + self.luck.below(12));
        self.school.serve_at(self.cables[1].url(), &format!("{rule};{}", self.broken))
    }

    /// Replaces servers that died of themselves; each death is a fault.
    fn tend(&mut self) {
        for at in 0..self.servers.len() {
            if self.servers[at].has_ended() {
                self.faults += 1;
                self.servers[at] = block_in_place(|| self.server());
            }
        }
    }

    /// From here on only good servers, so that what is open comes to its end.
    fn calm(&mut self) {
        self.cables.iter().for_each(Cable::go_on);
        let good = |_| self.school.serve_at(self.cables[1].url(), self.broken);
        self.servers = block_in_place(|| (0..2).map(good).collect());
    }
}

/// `SplitMix64`: the same seed, the same storm.
struct Luck(u64);

impl Luck {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) % bound as u64).unwrap_or_default()
    }
}

fn now() -> u64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).expect("after 1970");
    since.as_secs()
}
