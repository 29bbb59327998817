//! Calls per second and their 99th percentile through the whole pipeline, over RabbitMQ, beside two echoes in the same run:
//! lapin alone with the same guarantees, and NestJS. See `README.md`.
#![expect(clippy::print_stdout, reason = "it prints its figures")]
#![expect(clippy::unwrap_used, reason = "a benchmark that cannot run says where")]

mod echo;
mod rover;

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use tokio::task::JoinSet;

/// What one way came to with so many calls in flight.
pub(crate) struct Figure {
    per_second: f64,
    p50: Duration,
    p99: Duration,
}

#[tokio::main]
async fn main() {
    let seconds = std::env::var("ROVER_BENCH_SECONDS").ok().and_then(|text| text.parse().ok());
    let lasting = Duration::from_secs(seconds.unwrap_or(3));
    println!("{} s each; load {}", lasting.as_secs(), load());
    println!(
        "| in flight | way | calls/s | of lapin's echo | p50 ms | p99 ms |\n|---|---|---|---|---|---|"
    );
    for in_flight in [1, 16, 64] {
        let lapin = echo::lapin(in_flight, lasting).await;
        let unit = lapin.per_second;
        row(in_flight, "lapin echo, same guarantees", &lapin, unit);
        row(in_flight, "Nest echo", &echo::nest(in_flight, lasting).await, unit);
        for database in ["sqlite", "postgres"] {
            let rover = rover::Rover::on(database).await;
            row(
                in_flight,
                &format!("read, {database}"),
                &rover.reads(in_flight, lasting).await,
                unit,
            );
            let written = rover.writes(in_flight, lasting).await;
            row(in_flight, &format!("audited write, {database}"), &written, unit);
            let (at_rest, under_load) = rover.memory();
            println!(
                "|  | server's memory, {database} | {at_rest} MiB at rest, {under_load} MiB after | | | |"
            );
        }
    }
}

fn row(in_flight: usize, way: &str, Figure { per_second, p50, p99 }: &Figure, unit: f64) {
    let ms = |time: &Duration| time.as_secs_f64() * 1000.0;
    let share = per_second / unit;
    println!(
        "| {in_flight} | {way} | {per_second:.0} | {share:.3} | {:.2} | {:.2} |",
        ms(p50),
        ms(p99)
    );
}

/// Keeps so many calls in flight for so long.
pub(crate) async fn measured<F>(
    in_flight: usize,
    lasting: Duration,
    call: impl Fn(u64) -> F + Clone + Send + 'static,
) -> Figure
where
    F: Future<Output = ()> + Send + 'static,
{
    let number = Arc::new(AtomicU64::new(0));
    // What is needed once is no part of the figure.
    call(number.fetch_add(1, Ordering::Relaxed)).await;
    let began = Instant::now();
    let mut lanes = JoinSet::new();
    for _ in 0..in_flight {
        let (call, number) = (call.clone(), Arc::clone(&number));
        lanes.spawn(async move {
            let mut took = Vec::new();
            while began.elapsed() < lasting {
                let at = Instant::now();
                call(number.fetch_add(1, Ordering::Relaxed)).await;
                took.push(at.elapsed());
            }
            took
        });
    }
    let mut took: Vec<Duration> = lanes.join_all().await.concat();
    let elapsed = began.elapsed().as_secs_f64();
    took.sort();
    let at = |share: usize| took[(took.len() * share / 100).min(took.len() - 1)];
    #[expect(clippy::cast_precision_loss, reason = "nobody makes so many calls")]
    let per_second = took.len() as f64 / elapsed;
    Figure { per_second, p50: at(50), p99: at(99) }
}

impl Figure {
    pub(crate) fn new(per_second: f64, p50: Duration, p99: Duration) -> Self {
        Self { per_second, p50, p99 }
    }
}

/// What else the machine does: the figures of a busy one are worth only their ratios.
fn load() -> String {
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    load.split(' ').next().unwrap_or("unknown").to_owned()
}
