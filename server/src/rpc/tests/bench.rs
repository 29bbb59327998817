//! The demo school in a fresh database, and callers with and without turns. Rows are counted over a connection of
//! the test's own, so that nothing of the server decides what the test sees.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use agent_contract::lock::Lock;
use agent_contract::wire::{HEADER_CALL, HEADER_CTX, encode_request};
use agent_contract::{
    AgentIdentity, AgentRunMode, CampusRef, ThreadId, Timestamp, TokenHash, ToolEndpoint as _,
    TurnId, WireMessage, WireReply, WorkerKey,
};
use serde_json::{Value, json};
use tempfile::TempDir;
use uuid::Uuid;

use crate::authz::Policy;
use crate::chat::{Relay, Threads};
use crate::db::Database;
use crate::db::testing::{Kind, Outside, Site};
use crate::files::{FileLimits, Files};
use crate::identity::{
    ContextTokens, Enrolment, IdentityMode, KeyPurpose, KeyRing, Runs, TurnClaims, TurnOffer,
};
use crate::rpc::{Executor, Shared, routes::Routes};
use crate::{demo, turn_log::TurnLog};

pub(super) const MAIN: &str = "naalya-campus-main";
pub(super) const LAKESIDE: &str = "naalya-campus-lakeside";
pub(super) const RIVER: &str = "riverbend-campus-river";
pub(super) const GRACE: &str = "grace.namutebi@naalya.example";
pub(super) const PETER: &str = "peter.mukasa@naalya.example";
pub(super) const SARAH: &str = "sarah.nabirye@naalya.example";
pub(super) const RUTH: &str = "ruth.akello@naalya.example";

/// Tables that say what happened rather than what is; a refused call may add to them.
const TRACES: [&str; 4] = ["turn_event", "security_line", "turn_token", "delivery"];

pub(super) struct Bench {
    pub(super) executor: Executor,
    pub(super) database: Database,
    pub(super) tokens: ContextTokens,
    pub(super) log: TurnLog,
    policy: Arc<Policy>,
    folder: TempDir,
    site: Site,
}

impl Bench {
    pub(super) async fn new() -> Self {
        let site = Site::new(Kind::of(module_path!())).await;
        let database = site.open().await;
        demo::plant(&database).await.unwrap();
        Self::over(site, database)
    }

    /// On rows that are there already.
    pub(super) fn over(site: Site, database: Database) -> Self {
        let folder = TempDir::new().unwrap();
        let (log, _writer) = TurnLog::start(&database);
        let policy = Arc::new(Policy::load().unwrap());
        let executor = Executor::new(
            database.clone(),
            Arc::clone(&policy),
            Arc::new(tokens(&folder)),
            Arc::new(Enrolment::new(IdentityMode::Token, [])),
            log.clone(),
            (relay(&database, &log), files(&database)),
            &lock(),
        );
        let tokens = tokens(&folder);
        Self { executor, database, tokens, log, policy, folder, site }
    }

    /// An executor that believes the body alone.
    pub(super) fn plain(&self) -> Executor {
        self.other(Enrolment::new(IdentityMode::Plain, []), None)
    }

    /// An executor of other tools.
    pub(super) fn serving(&self, routes: Routes) -> Executor {
        self.other(Enrolment::new(IdentityMode::Token, []), Some(routes))
    }

    /// The same keys, for tokens of another environment.
    pub(super) fn elsewhere(&self, environment: &str) -> ContextTokens {
        tokens(&self.folder).of_environment(environment)
    }

    /// An executor that asks for the proof of one of these workers.
    pub(super) fn asking(&self, workers: &[&WorkerKey]) -> Executor {
        let keys = workers.iter().map(|key| key.public());
        self.other(Enrolment::new(IdentityMode::Required, keys), None)
    }

    fn other(&self, enrolment: Enrolment, routes: Option<Routes>) -> Executor {
        let enrolment = Arc::new(enrolment);
        let (database, policy) = (self.database.clone(), Arc::clone(&self.policy));
        let tokens = Arc::new(tokens(&self.folder));
        let Some(routes) = routes else {
            let relay = (relay(&database, &self.log), files(&database));
            return Executor::new(
                database,
                policy,
                tokens,
                enrolment,
                self.log.clone(),
                relay,
                &lock(),
            );
        };
        let log = self.log.clone();
        let (relay, files) = (relay(&database, &log), files(&database));
        let runs = Runs::new(database.clone());
        Executor::over(Shared {
            database,
            policy,
            tokens,
            enrolment,
            runs,
            log,
            relay,
            files,
            routes,
        })
    }

    pub(super) async fn sql(&self) -> Outside {
        self.site.outside().await
    }

    pub(super) async fn run(&self, sql: &str) {
        self.sql().await.run(sql).await;
    }

    pub(super) async fn count(&self, what: &str) -> i64 {
        self.sql().await.count(what).await
    }

    /// How many rows each table has that says what is.
    pub(super) async fn rows(&self) -> BTreeMap<String, i64> {
        let mut sql = self.sql().await;
        let mut rows = BTreeMap::new();
        for table in sql.tables().await {
            if !TRACES.contains(&table.as_str()) {
                let count = sql.count(&table).await;
                rows.insert(table, count);
            }
        }
        rows
    }

    /// Kinds of the security lines so far, in order.
    pub(super) async fn smells(&self) -> Vec<String> {
        self.log.settle().await;
        self.sql().await.texts("SELECT kind FROM security_line ORDER BY id").await
    }

    /// Who has this address, as a token would say it.
    pub(super) async fn person(&self, email: &str) -> AgentIdentity {
        let account = format!(
            "SELECT id, email, user_type, profile_id, school_id FROM account WHERE email = '{email}'"
        );
        let mut rows = self.sql().await.rows(&account).await;
        let names = ["sub", "email", "type", "profileId", "schoolId"];
        let identity: serde_json::Map<_, _> = names
            .into_iter()
            .map(str::to_owned)
            .zip(rows.remove(0).into_iter().map(Value::from))
            .collect();
        serde_json::from_value(identity.into()).unwrap()
    }

    /// A turn of this person that is open.
    pub(super) async fn turn(&self, person: &AgentIdentity) -> TurnId {
        let (turn, thread) = (TurnId::mint(), ThreadId::mint());
        let (school, sub) = (person.school_id.as_deref().unwrap(), &person.sub);
        self.run(&format!(
            "INSERT INTO thread (school_id, id, account_id, title, created_at_us, updated_at_us) \
             VALUES ('{school}', '{thread}', '{sub}', 'Test', 0, 0); \
             INSERT INTO turn (school_id, id, thread_id, account_id, state, run_mode, opened_at_us) \
             VALUES ('{school}', '{turn}', '{thread}', '{sub}', 'open', '{{\"mode\":\"school\"}}', 0);"
        ))
        .await;
        turn
    }

    /// Somebody in a turn of their own.
    pub(super) async fn caller(&self, email: &str, mode: AgentRunMode) -> Caller {
        let identity = self.person(email).await;
        let turn = self.turn(&identity).await;
        let offer = offer(&mode);
        let token = self.token(&identity, &mode, &turn, Timestamp::now());
        self.begin(&identity, &turn, &token, &offer).await;
        Caller { identity, mode, turn, token }
    }

    /// Notes that the run in hand of a turn has this token.
    pub(super) async fn begin(
        &self,
        person: &AgentIdentity,
        turn: &TurnId,
        token: &str,
        offer: &TurnOffer,
    ) {
        let (school, jti) = (person.school_id.as_deref().unwrap(), Uuid::new_v4());
        let (hash, offer) = (TokenHash::of(token), offer.stored());
        self.run(&format!(
            "UPDATE turn_token SET first_seq = -1 WHERE turn_id = '{turn}'; \
             INSERT INTO turn_token (school_id, jti, turn_id, issued_at_us, expires_at_us, first_seq, token_hash, offer) \
             VALUES ('{school}', '{jti}', '{turn}', 0, 0, 0, '{hash}', '{offer}')"
        ))
        .await;
    }

    pub(super) fn token(
        &self,
        identity: &AgentIdentity,
        mode: &AgentRunMode,
        turn: &TurnId,
        at: Timestamp,
    ) -> String {
        let claims = claims(identity, mode, turn);
        self.tokens.mint(claims, at, Duration::from_mins(5)).unwrap().token
    }
}

/// What a token says of a turn of this person.
pub(super) fn claims(identity: &AgentIdentity, mode: &AgentRunMode, turn: &TurnId) -> TurnClaims {
    TurnClaims {
        identity: identity.clone(),
        run_mode: mode.clone(),
        thread_id: ThreadId::mint(),
        turn_id: turn.clone(),
        tools: offer(mode).hash(),
    }
}

fn tokens(folder: &TempDir) -> ContextTokens {
    let keys = folder.path().join("keys");
    ContextTokens::new(KeyRing::open(&keys, KeyPurpose::Context).unwrap())
}

/// What the turns here are offered, unless a test says otherwise.
pub(super) fn offer(mode: &AgentRunMode) -> TurnOffer {
    TurnOffer::of_mode(mode.name()).and("create.trouble")
}

/// Somebody with a token.
#[derive(Clone)]
pub(super) struct Caller {
    pub(super) identity: AgentIdentity,
    pub(super) mode: AgentRunMode,
    pub(super) turn: TurnId,
    pub(super) token: String,
}

impl Caller {
    pub(super) fn data(&self, args: Value) -> Value {
        data(&self.identity, scope(&self.mode), args)
    }

    /// A call of this event, under this id.
    pub(super) fn call(&self, event: &str, id: &str, args: Value) -> WireMessage {
        self.message(event, id, &self.data(args))
    }

    pub(super) fn message(&self, event: &str, id: &str, data: &Value) -> WireMessage {
        WireMessage::new(encode_request(event, data, "packet"))
            .with_header(HEADER_CTX, self.token.clone())
            .with_header(HEADER_CALL, id)
    }
}

#[expect(clippy::needless_pass_by_value, reason = "tests write the values in place")]
pub(super) fn data(identity: &AgentIdentity, scope: Value, args: Value) -> Value {
    json!({ "identity": identity, "scope": scope, "args": args })
}

pub(super) fn campus(id: &str, name: &str) -> AgentRunMode {
    AgentRunMode::Campus { campus: CampusRef { id: id.to_owned(), name: name.to_owned() } }
}

pub(super) fn scope(mode: &AgentRunMode) -> Value {
    match mode.campus() {
        None => json!({ "mode": "school" }),
        Some(campus) => json!({ "mode": "campus", "campusId": campus.id }),
    }
}

/// The envelope of the one reply, which holds nothing else.
pub(super) async fn envelope(executor: &Executor, message: WireMessage) -> Value {
    response(&executor.handle(message).await.expect("a call of a tool is answered"))
}

pub(super) fn response(reply: &WireReply) -> Value {
    let mut body: Value = serde_json::from_slice(&reply.body).unwrap();
    let body = body.as_object_mut().unwrap();
    let keys: Vec<_> = body.keys().map(String::as_str).collect();
    assert_eq!(keys, ["response", "isDisposed"]);
    assert_eq!(body["isDisposed"], json!(true));
    body["response"].take()
}

/// The lock that a server starts with.
pub(super) fn lock() -> Lock {
    Lock::parse(::tools::CONTRACT).unwrap()
}

fn relay(database: &Database, log: &TurnLog) -> Relay {
    let enrolment = Arc::new(Enrolment::new(IdentityMode::Token, []));
    Relay::new(Threads::new(database.clone()), log.clone(), enrolment)
}

pub(super) fn files(database: &Database) -> Files {
    Files::new(database.clone(), FileLimits::default())
}
