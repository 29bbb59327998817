//! The one task that writes: takes whatever waits, folds consecutive pieces of text, commits once, tells who waits.

use std::time::Duration;

use agent_contract::{TurnEvent, TurnEventKind};
use sqlx::FromRow;
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;
use uuid::Uuid;

use super::{Line, SecurityLine};
use crate::db::{Database, DbError, SystemFrame, statements::turn_log, values};

/// How many lines go into one transaction.
const BATCH: usize = 512;
/// How often a number that another server took is tried again.
const NUMBERING: usize = 8;
/// How long a database that fails is left alone, at most.
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// The writer's task.
#[derive(Debug)]
pub struct Writer {
    task: JoinHandle<()>,
}

impl Writer {
    pub(super) fn spawn(database: Database, lines: mpsc::Receiver<Line>) -> Self {
        Self { task: tokio::spawn(run(database, lines)) }
    }

    /// Waits until the last line is kept. It comes after every clone of the log is gone.
    pub async fn finished(self) {
        if self.task.await.is_err() {
            tracing::error!("the writer of the turn log stopped in the middle");
        }
    }
}

/// One row of the log, and who waits for it.
struct Entry {
    row: Row,
    /// Of a run of pieces, whoever waits for the first: a piece that is waited for begins a run of its own.
    waiter: Option<oneshot::Sender<()>>,
}

/// What one row of the log will hold.
enum Row {
    /// Events that a worker numbered: one, or a run of pieces of text.
    Worker(Vec<TurnEvent>),
    Server(TurnEvent),
    Security(SecurityLine),
}

impl From<Row> for Entry {
    fn from(row: Row) -> Self {
        Self { row, waiter: None }
    }
}

impl Entry {
    /// The entry in its smallest parts, so that one bad piece spoils no other.
    fn apart(self) -> Vec<Self> {
        let Self { row, mut waiter } = self;
        match row {
            Row::Worker(run) => run
                .into_iter()
                .map(|event| Self { row: Row::Worker(vec![event]), waiter: waiter.take() })
                .collect(),
            row => vec![Self { row, waiter }],
        }
    }

    fn kept(self) {
        if let Some(waiter) = self.waiter {
            // Whoever stopped waiting needs no answer.
            let _ = waiter.send(());
        }
    }
}

async fn run(database: Database, mut lines: mpsc::Receiver<Line>) {
    let mut waiting = Vec::with_capacity(BATCH);
    while lines.recv_many(&mut waiting, BATCH).await > 0 {
        let (entries, marks) = sort(waiting.drain(..));
        keep(&database, entries).await;
        for mark in marks {
            let _ = mark.send(());
        }
    }
}

fn sort(lines: impl Iterator<Item = Line>) -> (Vec<Entry>, Vec<oneshot::Sender<()>>) {
    let (mut entries, mut marks) = (Vec::<Entry>::new(), Vec::new());
    for line in lines {
        match line {
            Line::Event(event, waiter) => match entries.last_mut() {
                Some(Entry { row: Row::Worker(run), .. })
                    if waiter.is_none() && continues(run, &event) =>
                {
                    run.push(event);
                }
                _ => entries.push(Entry { row: Row::Worker(vec![event]), waiter }),
            },
            Line::Seen(events) => {
                entries.extend(events.into_iter().map(|event| Row::Server(event).into()));
            }
            Line::Smelled(line) => entries.push(Row::Security(line).into()),
            Line::Mark(mark) => marks.push(mark),
        }
    }
    (entries, marks)
}

/// Whether an event is the next piece of the text that a run holds.
fn continues(run: &[TurnEvent], event: &TurnEvent) -> bool {
    run.last().is_some_and(|last| {
        let both_text = [last, event]
            .into_iter()
            .all(|event| matches!(event.kind, TurnEventKind::TextDelta { .. }));
        both_text && last.turn_id == event.turn_id && last.seq.checked_add(1) == Some(event.seq)
    })
}

/// Keeps everything that can be kept: the log is what says which hop dropped something, so what the database
/// refuses takes nothing else with it. Whoever waits for a refused one is not told that it was kept.
async fn keep(database: &Database, entries: Vec<Entry>) {
    if entries.is_empty() {
        return;
    }
    if store_in_time(database, &entries).await.is_ok() {
        return entries.into_iter().for_each(Entry::kept);
    }
    for entry in entries.into_iter().flat_map(Entry::apart) {
        match store_in_time(database, std::slice::from_ref(&entry)).await {
            Ok(()) => entry.kept(),
            Err(error) => entry.row.lost(&error),
        }
    }
}

/// Tries until it succeeds, or until it is plain that it never will. Meanwhile the channel fills and slows down
/// those who write into it.
async fn store_in_time(database: &Database, entries: &[Entry]) -> Result<(), DbError> {
    let mut pause = Duration::from_millis(50);
    loop {
        match store(database, entries).await {
            Err(error) if is_passing(&error) => {
                tracing::error!(
                    error = &error as &dyn std::error::Error,
                    "the turn log cannot be written"
                );
                tokio::time::sleep(pause).await;
                pause = (pause * 2).min(LONGEST_PAUSE);
            }
            ended => return ended,
        }
    }
}

impl Row {
    fn lost(&self, error: &DbError) {
        let error = error as &dyn std::error::Error;
        match self {
            Self::Worker(run) => {
                for event in run {
                    let (turn, seq) = (&event.turn_id, event.seq);
                    tracing::error!(error, %turn, seq, kind = kind(event), "an event is refused and lost");
                }
            }
            Self::Server(event) => {
                tracing::error!(error, turn = %event.turn_id, kind = kind(event), "an event is refused and lost");
            }
            Self::Security(line) => {
                tracing::error!(
                    error,
                    kind = line.smell.as_str(),
                    "a security line is refused and lost"
                );
            }
        }
    }
}

/// What the database refuses would be refused for ever, and everything behind it would wait.
fn is_passing(error: &DbError) -> bool {
    match error {
        DbError::Busy | DbError::Away(_) => true,
        DbError::Failed(error) => {
            !matches!(error, sqlx::Error::Database(_) | sqlx::Error::PoolClosed)
        }
        _ => false,
    }
}

async fn store(database: &Database, entries: &[Entry]) -> Result<(), DbError> {
    let mut frame = database.system_write().await?;
    for entry in entries {
        match &entry.row {
            Row::Worker(run) => add_run(&mut frame, run).await?,
            Row::Server(event) => add_seen(&mut frame, event).await?,
            Row::Security(line) => {
                let values = values![
                    Uuid::now_v7().to_string(),
                    line.at.instant().as_microsecond(),
                    line.smell.as_str(),
                    line.detail(),
                ];
                frame.execute(turn_log::ADD_SECURITY_LINE, values).await?;
            }
        }
    }
    frame.commit().await
}

async fn add_run(frame: &mut SystemFrame, run: &[TurnEvent]) -> Result<(), DbError> {
    let [first, rest @ ..] = run else { return Ok(()) };
    let json = if rest.is_empty() { json(first) } else { json(run) }?;
    let values = values![
        first.turn_id.as_str(),
        i64::try_from(first.seq)
            .map_err(|_| DbError::Stored("an event's number is out of range"))?,
        first.at.instant().as_microsecond(),
        kind(first),
        json,
    ];
    frame.execute(turn_log::ADD_WORKER_EVENT, values).await?;
    Ok(())
}

async fn add_seen(frame: &mut SystemFrame, event: &TurnEvent) -> Result<(), DbError> {
    let (turn, at, kind) =
        (event.turn_id.as_str(), event.at.instant().as_microsecond(), kind(event));
    for _ in 0..NUMBERING {
        let values = values![turn, at, &kind, json(event)?];
        if frame.execute(turn_log::ADD_SERVER_EVENT, values).await? == 1 {
            return Ok(());
        }
        if frame.optional::<TurnId>(turn_log::TURN_EXISTS, values![turn]).await?.is_none() {
            tracing::debug!(turn, kind, "an event of a turn that is not there");
            return Ok(());
        }
    }
    tracing::warn!(turn, kind, "an event found no number of its own");
    Ok(())
}

#[derive(FromRow)]
struct TurnId {
    #[expect(dead_code, reason = "only asked whether there is a row")]
    id: String,
}

fn json<T: serde::Serialize + ?Sized>(value: &T) -> Result<String, DbError> {
    serde_json::to_string(value).map_err(|_| DbError::Stored("an event cannot be written as JSON"))
}

/// The kind's own word, as the event carries it.
fn kind(event: &TurnEvent) -> String {
    serde_json::to_value(event)
        .ok()
        .and_then(|json| json.get("kind")?.as_str().map(ToOwned::to_owned))
        .unwrap_or_default()
}
