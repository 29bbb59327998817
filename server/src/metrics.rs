//! What the server counts, for whoever watches it.
//!
//! Nothing here is about a person: no name, no id, no word that anybody wrote. Every label has few values, which are
//! words of this program. The only place that names prometheus-client.

use std::sync::Arc;
use std::time::Duration;

use prometheus_client::encoding::{EncodeLabelSet, prometheus_text};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};

use agent_contract::{EndReason, Gate, Outcome};

use crate::chat::OverLimit;
use crate::turn_log::Smell;

/// What [`Metrics::text`] is, for a response's header.
pub const CONTENT_TYPE: &str = prometheus_text::CONTENT_TYPE;

/// Bounds of a tool call, in seconds.
const OF_CALLS: [f64; 10] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 2.5, 10.0];
/// Bounds of a request, to its first byte.
const OF_REQUESTS: [f64; 9] = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 2.5, 10.0];
/// Bounds of a turn.
const OF_TURNS: [f64; 9] = [0.1, 0.5, 1.0, 2.5, 5.0, 15.0, 60.0, 180.0, 600.0];

/// The counters of one server. Clones share them.
#[derive(Clone, Debug)]
pub struct Metrics(Arc<Counters>);

#[derive(Debug)]
struct Counters {
    registry: Registry,
    calls: Family<Call, Counter>,
    call_seconds: Family<Tool, Histogram, fn() -> Histogram>,
    refusals: Family<Refused, Counter>,
    turns_begun: Counter,
    turns_ended: Family<Ended, Counter>,
    turn_seconds: Histogram,
    posts_over_limit: Family<Limited, Counter>,
    tokens: Family<Direction, Counter>,
    security_lines: Family<Kind, Counter>,
    sign_ins: Family<SignedIn, Counter>,
    requests: Family<Request, Counter>,
    request_seconds: Family<Route, Histogram, fn() -> Histogram>,
    now: Now,
}

/// What is so at this moment, and is looked up when it is asked for.
#[derive(Debug, Default)]
struct Now {
    calls: Gauge,
    turns: Gauge,
    connections: Family<Connections, Gauge>,
    broker: Family<Broker, Gauge>,
    workers: Gauge,
}

/// A look at the server, for the metrics that are no counters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sight {
    /// Tool calls that run.
    pub calls: usize,
    /// Turns that this server shows while they run.
    pub turns: usize,
    /// Connections to the database.
    pub pools: Vec<PoolSight>,
    /// Whether the broker can be used; none where there is no broker.
    pub broker: Option<bool>,
    /// Whether any worker takes turns.
    pub workers: bool,
}

/// The connections of one pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PoolSight {
    /// What the pool is for.
    pub name: &'static str,
    /// Connections that are open.
    pub open: u32,
    /// Those of them that nobody uses.
    pub idle: usize,
}

macro_rules! labels {
    ($($name:ident { $($label:ident),+ })+) => {
        $(#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
        struct $name { $($label: &'static str),+ })+
    };
}

labels! {
    Call { tool, outcome }
    Tool { tool }
    Refused { gate }
    Ended { reason }
    Limited { limit }
    Direction { direction }
    Kind { kind }
    SignedIn { outcome }
    Connections { pool, state }
    Broker { state }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Request {
    method: String,
    route: String,
    status: u16,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Route {
    route: String,
}

impl Default for Metrics {
    fn default() -> Self {
        let mut counters = Counters {
            registry: Registry::with_prefix("rover"),
            calls: Family::default(),
            call_seconds: Family::new_with_constructor(|| Histogram::new(OF_CALLS)),
            refusals: Family::default(),
            turns_begun: Counter::default(),
            turns_ended: Family::default(),
            turn_seconds: Histogram::new(OF_TURNS),
            posts_over_limit: Family::default(),
            tokens: Family::default(),
            security_lines: Family::default(),
            sign_ins: Family::default(),
            requests: Family::default(),
            request_seconds: Family::new_with_constructor(|| Histogram::new(OF_REQUESTS)),
            now: Now::default(),
        };
        counters.register();
        Self(Arc::new(counters))
    }
}

impl Counters {
    fn register(&mut self) {
        let (r, now) = (&mut self.registry, &self.now);
        r.register("calls", "Tool calls that were answered", self.calls.clone());
        let help = "Time from a call's arrival to its answer";
        r.register_with_unit("call_duration", help, Unit::Seconds, self.call_seconds.clone());
        r.register("gate_refusals", "Tool calls that went no further", self.refusals.clone());
        r.register("turns_begun", "Turns that were handed to a worker", self.turns_begun.clone());
        r.register("turns_ended", "Turns that came to an end", self.turns_ended.clone());
        let help = "Time from a turn's beginning to its end";
        r.register_with_unit("turn_duration", help, Unit::Seconds, self.turn_seconds.clone());
        r.register("posts_over_limit", "Posts that began no turn", self.posts_over_limit.clone());
        r.register("model_tokens", "Tokens of the models", self.tokens.clone());
        r.register("security_lines", "Refusals that smell", self.security_lines.clone());
        r.register("sign_ins", "Passwords that were tried", self.sign_ins.clone());
        r.register("http_requests", "Requests that were answered", self.requests.clone());
        let help = "Time from a request to the first byte of its answer";
        r.register_with_unit("http_duration", help, Unit::Seconds, self.request_seconds.clone());
        r.register("running_calls", "Tool calls that run now", now.calls.clone());
        r.register("running_turns", "Turns that this server shows now", now.turns.clone());
        r.register("db_connections", "Connections to the database", now.connections.clone());
        r.register("broker", "Whether the broker can be used", now.broker.clone());
        r.register("workers", "Whether any worker takes turns", now.workers.clone());
    }
}

impl Metrics {
    /// A call of this tool was answered.
    pub(crate) fn called(&self, tool: &'static str, outcome: Outcome, time: Duration) {
        self.0.calls.get_or_create(&Call { tool, outcome: outcome.as_str() }).inc();
        self.0.call_seconds.get_or_create(&Tool { tool }).observe(time.as_secs_f64());
    }

    /// A call was refused at a gate.
    pub(crate) fn refused(&self, gate: Gate) {
        self.0.refusals.get_or_create(&Refused { gate: gate.as_str() }).inc();
    }

    /// A turn was handed to a worker.
    pub(crate) fn turn_began(&self) {
        self.0.turns_begun.inc();
    }

    /// A turn came to its end.
    pub(crate) fn turn_ended(&self, reason: EndReason, time: Option<Duration>) {
        self.0.turns_ended.get_or_create(&Ended { reason: word(reason) }).inc();
        if let Some(time) = time {
            self.0.turn_seconds.observe(time.as_secs_f64());
        }
    }

    /// A post was over a limit.
    pub(crate) fn over_limit(&self, over: OverLimit) {
        self.0.posts_over_limit.get_or_create(&Limited { limit: over.as_str() }).inc();
    }

    /// A model read and wrote so many tokens.
    pub(crate) fn tokens(&self, read: u64, written: u64) {
        self.0.tokens.get_or_create(&Direction { direction: "read" }).inc_by(read);
        self.0.tokens.get_or_create(&Direction { direction: "written" }).inc_by(written);
    }

    /// Something smelled.
    pub(crate) fn smelled(&self, smell: Smell) {
        self.0.security_lines.get_or_create(&Kind { kind: smell.as_str() }).inc();
    }

    /// A password was tried.
    pub(crate) fn password(&self, outcome: &'static str) {
        self.0.sign_ins.get_or_create(&SignedIn { outcome }).inc();
    }

    /// A request to one of our routes was answered.
    pub(crate) fn answered(&self, method: &str, route: &str, status: u16, time: Duration) {
        let (method, route) = (method.to_owned(), route.to_owned());
        self.0
            .request_seconds
            .get_or_create(&Route { route: route.clone() })
            .observe(time.as_secs_f64());
        self.0.requests.get_or_create(&Request { method, route, status }).inc();
    }

    /// Everything, in the text format of Prometheus.
    pub fn text(&self, sight: &Sight) -> String {
        let number = |n: usize| i64::try_from(n).unwrap_or(i64::MAX);
        let now = &self.0.now;
        now.calls.set(number(sight.calls));
        now.turns.set(number(sight.turns));
        now.workers.set(i64::from(sight.workers));
        for PoolSight { name: pool, open, idle } in &sight.pools {
            let used = i64::from(*open).saturating_sub(number(*idle));
            now.connections.get_or_create(&Connections { pool, state: "idle" }).set(number(*idle));
            now.connections.get_or_create(&Connections { pool, state: "used" }).set(used);
        }
        // Without a broker there is no such series, rather than one that says it is down.
        if let Some(up) = sight.broker {
            now.broker.get_or_create(&Broker { state: "up" }).set(i64::from(up));
        }
        let mut text = String::new();
        if prometheus_text::encode(&mut text, &self.0.registry).is_err() {
            tracing::error!("the metrics could not be written");
        }
        text
    }
}

/// The reason as it is stored.
fn word(reason: EndReason) -> &'static str {
    match reason {
        EndReason::Done => "done",
        EndReason::Waiting => "waiting",
        EndReason::Stopped => "stopped",
        EndReason::Superseded => "superseded",
        EndReason::StepLimit => "step_limit",
        EndReason::ModelFailed => "model_failed",
        EndReason::WorkerLost => "worker_lost",
        EndReason::Failed => "failed",
        EndReason::Deadline => "deadline",
    }
}
