//! What goes in comes out: once, in order, and whole.

use agent_contract::{
    CallId, EndReason, EventEndpoint as _, Gate, Hop, Timestamp, TurnEvent, TurnEventKind, TurnId,
};
use tokio::sync::oneshot;

use super::{Line, SecurityLine, Smell, TurnLog, Writer};
use crate::db::{
    Database,
    testing::{Kind, Outside, Site},
};
use crate::demo;

struct Desk {
    database: Database,
    log: TurnLog,
    writer: Writer,
    turn: TurnId,
    sql: Outside,
    _site: Site,
}

impl Desk {
    /// A log over the demo school, with one turn.
    async fn new() -> Self {
        let site = Site::new(Kind::of(module_path!())).await;
        let database = site.open().await;
        demo::plant(&database).await.unwrap();
        let mut sql = site.outside().await;
        sql.run(
            "INSERT INTO thread (school_id, id, account_id, title, created_at_us, updated_at_us) \
             SELECT school_id, 'thr', id, 'Test', 0, 0 FROM account WHERE email LIKE 'grace%'; \
             INSERT INTO turn (school_id, id, thread_id, account_id, state, run_mode, opened_at_us) \
             SELECT school_id, 'trn', 'thr', id, 'open', 'school', 0 FROM account WHERE email LIKE 'grace%';",
        )
        .await;
        let (log, writer) = TurnLog::start(&database);
        Self { database, log, writer, turn: TurnId::new("trn").unwrap(), sql, _site: site }
    }

    fn event(&self, seq: u64, second: i64, hop: Hop, kind: TurnEventKind) -> TurnEvent {
        let at = Timestamp::from_millisecond(second * 1000).unwrap();
        TurnEvent { turn_id: self.turn.clone(), seq, at, hop, kind }
    }

    fn text(&self, seq: u64, text: &str) -> TurnEvent {
        let kind = TurnEventKind::TextDelta { text: text.to_owned() };
        self.event(seq, 1, Hop::Worker, kind)
    }

    fn gate(&self, second: i64, gate: Gate) -> TurnEvent {
        let call_id = CallId::new("call").unwrap();
        let kind = TurnEventKind::Gate { call_id, gate, passed: true, detail: None };
        self.event(0, second, Hop::Server, kind)
    }

    fn finished(&self, seq: u64, second: i64) -> TurnEvent {
        let kind = TurnEventKind::Finished { reason: EndReason::Done, message: None };
        self.event(seq, second, Hop::Worker, kind)
    }

    async fn events(&self) -> Vec<TurnEvent> {
        self.log.events(&self.turn).await.unwrap()
    }

    async fn count(&mut self, what: &str) -> i64 {
        self.sql.count(what).await
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn text_comes_back_whole_and_once() {
    let desk = Desk::new().await;
    let pieces: Vec<_> = (0..40).map(|n| desk.text(n, &format!("{n} "))).collect();
    for piece in &pieces {
        desk.log.receive(piece.clone()).await;
    }
    // A broker may deliver again what it delivered before, in any order.
    for n in [39, 3, 17] {
        desk.log.receive(pieces[n].clone()).await;
    }
    let end = desk.finished(40, 2);
    desk.log.receive(end.clone()).await;
    desk.log.receive(end.clone()).await;
    let events = desk.events().await;
    assert_eq!(events[..40], pieces[..]);
    assert_eq!(events[40..], [end]);
}

#[tokio::test(flavor = "multi_thread")]
async fn pieces_that_wait_together_are_kept_together() {
    let mut desk = Desk::new().await;
    // The writer needs the lock that this holds, so everything that follows waits for it.
    desk.sql.hold_writers().await;
    for n in 0..40 {
        desk.log.receive(desk.text(n, "x")).await;
    }
    desk.sql.let_writers_go().await;
    assert_eq!(desk.events().await.len(), 40);
    // The writer may have taken the first few before it met the lock; the rest came as one.
    let rows = desk.count("turn_event").await;
    assert!(rows <= 3, "{rows} rows for 40 pieces");
}

#[tokio::test(flavor = "multi_thread")]
async fn lanes_keep_their_order_and_meet_by_the_clock() {
    let desk = Desk::new().await;
    let (first, last) = (desk.text(0, "a"), desk.finished(1, 9));
    desk.log.receive(last.clone()).await;
    desk.log.seen(vec![desk.gate(4, Gate::Token), desk.gate(3, Gate::Identity)]).await;
    desk.log.receive(first.clone()).await;
    let events = desk.events().await;
    let order: Vec<_> = events.iter().map(|event| (event.hop, event.seq)).collect();
    let (worker, server) = (Hop::Worker, Hop::Server);
    assert_eq!(order, [(worker, 0), (server, 0), (server, 1), (worker, 1)]);
    assert_eq!([&events[0], &events[3]], [&first, &last]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_that_is_not_there_holds_up_nobody() {
    let desk = Desk::new().await;
    let stray = TurnEvent { turn_id: TurnId::mint(), ..desk.finished(0, 1) };
    desk.log.receive(stray.clone()).await;
    desk.log.seen(vec![TurnEvent { hop: Hop::Server, ..stray.clone() }]).await;
    desk.log.receive(desk.finished(0, 1)).await;
    assert_eq!(desk.events().await.len(), 1);
    assert_eq!(desk.log.events(&stray.turn_id).await.unwrap(), []);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_kept_takes_nothing_with_it() {
    let mut desk = Desk::new().await;
    // No row has a number for it.
    let bad = desk.text(u64::MAX, "p");
    // All of these wait for the lock, so that they come to the writer together.
    desk.sql.hold_writers().await;
    for n in 0..10 {
        desk.log.receive(bad.clone()).await;
        desk.log.receive(desk.text(n, "x")).await;
        desk.log.seen(vec![desk.gate(3, Gate::Token)]).await;
        desk.log.smelled(SecurityLine::new(Smell::BadToken)).await;
    }
    desk.sql.let_writers_go().await;
    desk.log.settle().await;
    assert_eq!(desk.events().await.len(), 20);
    assert_eq!(desk.count("security_line WHERE kind = 'bad_token'").await, 10);
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_waits_for_what_is_refused_is_not_told_that_it_was_kept() {
    let desk = Desk::new().await;
    for (seq, kept) in [(u64::MAX, false), (0, true)] {
        let (done, told) = oneshot::channel();
        desk.log.put(Line::Event(desk.finished(seq, 1), Some(done))).await;
        assert_eq!(told.await.is_ok(), kept, "{seq}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_writer_ends_with_the_last_line() {
    let mut desk = Desk::new().await;
    desk.log.smelled(SecurityLine::new(Smell::BadBearer).with("path", "/api/me")).await;
    let (unused, idle) = TurnLog::start(&desk.database);
    drop(std::mem::replace(&mut desk.log, unused));
    std::mem::replace(&mut desk.writer, idle).finished().await;
    let line = "security_line WHERE kind = 'bad_bearer' AND detail = '{\"path\":\"/api/me\"}'";
    assert_eq!(desk.count(line).await, 1);
}
