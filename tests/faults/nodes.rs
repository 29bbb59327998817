//! The broker itself goes, comes, blocks and forgets. On a node of the tests' own, started once for all of these.

use std::time::{Duration, Instant};

use lapin::options::QueueDeclareOptions;
use lapin::types::FieldTable;
use serde_json::json;

use crate::support::client::{CLASS, Client};
use crate::support::history::Told;
use crate::support::node::Node;
use crate::support::school::School;
use crate::support::{PATIENCE, Queues, call_id};

/// What the node does, or what becomes of the queue.
type Fault = fn(&mut Node, &str);

/// While a handler stands still, the broker does what it does. The call is brought to its end once all the same, under its
/// own id and within its deadline.
#[tokio::test(flavor = "multi_thread")]
async fn broker_of_its_own_restarts_dies_blocks_and_forgets() {
    let mut node = Node::start();
    let queues = Queues::at(&node.url(), "node");
    let school = School::on_sqlite(&queues);
    let _server = school.serve("handler=stall:1000");
    let client = Client::connect(&node.url(), &queues.names).await;
    let service = client.service(PATIENCE).await;
    let enrol = |name: &'static str| {
        let (client, service, call) = (client.clone(), service.clone(), call_id(name));
        tokio::spawn(async move {
            let args = json!({ "name": format!("Fault {name}"), "classId": CLASS });
            client.call_with(&service, "enrol_student", &call, args).await
        })
    };
    let count = |name: &str| {
        school.rows(&format!("SELECT id FROM main.student WHERE full_name = 'Fault {name}'")).len()
    };

    let faults: [(&str, Fault); 4] = [
        ("connections", |node, _| node.close_connections()),
        ("queue", |node, queue| node.delete_queue(queue)),
        ("restart", |node, _| node.restart()),
        ("kill", |node, _| node.kill_and_start()),
    ];
    for (name, fault) in faults {
        let calling = enrol(name);
        tokio::task::block_in_place(|| fault(&mut node, &queues.names.tool_queue));
        let told = Told::of(&calling.await.expect("no panic"));
        // Of a queue that is deleted with a call in it nobody is told anything; the deadline does.
        let forgotten = name == "queue" && matches!(told, Told::Unknown(_));
        assert!(matches!(told, Told::Done(_)) || forgotten, "{name}: {told:?}");
        assert_eq!(count(name), usize::from(!forgotten), "{name}");
        client.stands().await;
    }

    tokio::task::block_in_place(|| node.block());
    // The broker says that it is blocked when it is first published to. What it was sent by then, it may take later.
    let began = Instant::now();
    let first = Told::of(&enrol("blocked").await.expect("no panic"));
    assert!(!matches!(first, Told::Done(_)), "{first:?}");
    let refused = Told::of(&enrol("refused").await.expect("no panic"));
    assert!(matches!(&refused, Told::Not(said) if said.contains("busy")), "{refused:?}");
    assert!(began.elapsed() < PATIENCE / 2, "long before the deadline");
    tokio::task::block_in_place(|| node.unblock());
    let next = Told::of(&enrol("unblocked").await.expect("no panic"));
    assert!(matches!(next, Told::Done(_)), "{next:?}");
    queues.settled(1).await;
    assert_eq!(count("refused"), 0, "what was refused is never run");
    assert!(count("blocked") <= 1);
}

/// The policies of `docs/broker.md`, as they stand there but for the queue's name: a call whose time is over leaves the queue
/// and lies where somebody may look at it; a queue that is full takes no more.
#[tokio::test(flavor = "multi_thread")]
async fn broker_of_its_own_obeys_the_policies_of_the_documentation() {
    let node = Node::start();
    let queues = Queues::at(&node.url(), "policy");
    let tools = queues.names.tool_queue.clone();
    let documented = include_str!("../../docs/broker.md");
    for line in documented.lines().filter_map(|line| line.strip_prefix("rabbitmqctl set_policy ")) {
        let mut words = line.split('\'').map(str::trim);
        let (Some(head), Some(matching), Some(_), Some(policy)) =
            (words.next(), words.next(), words.next(), words.next())
        else {
            panic!("`--apply-to queues NAME 'QUEUES' 'POLICY'` is expected: {line}");
        };
        let name = head.strip_prefix("--apply-to queues ").expect("of queues");
        let ours = |text: &str| text.replace("agent-tool", &tools);
        node.policy(name, &ours(matching), &ours(policy));
    }
    let connection = queues.connection().await;
    let channel = connection.create_channel().await.expect("a channel");
    let expired = format!("{tools}.expired");
    let durable = QueueDeclareOptions::durable();
    channel
        .queue_declare(expired.as_str().into(), durable, FieldTable::default())
        .await
        .expect("made");
    let school = School::on_sqlite(&queues);
    let server = school.serve("");
    let client = Client::connect(&node.url(), &queues.names).await;
    let service = client.service(Duration::from_secs(2)).await;
    server.freeze();
    // More than the server takes in advance, so that some stay in the queue.
    let calls = (0..40).map(|number| {
        let (client, service) = (client.clone(), service.clone());
        let call = call_id(&format!("policy-{number}"));
        tokio::spawn(async move {
            let args = json!({ "name": format!("Fault policy {number}"), "classId": CLASS });
            client.call_with(&service, "enrol_student", &call, args).await
        })
    });
    for calling in calls.collect::<Vec<_>>() {
        let told = Told::of(&calling.await.expect("no panic"));
        assert!(matches!(told, Told::Unknown(_)), "{told:?}");
    }
    let began = Instant::now();
    while queues.state(&expired).await.0 < 8 {
        assert!(began.elapsed() < PATIENCE, "what expired is not there");
    }
    server.thaw();
    queues.settled(1).await;
    let rows = school.rows("SELECT id FROM main.student WHERE full_name LIKE 'Fault policy %'");
    assert!(rows.is_empty(), "nobody waited for these any more");
}
