//! Whose a run of a turn is: the first enrolled worker that shows the run's token has it, and keeps it.
//!
//! Another worker's proof counts for nothing then, be its key as good. There is one way on: the broker gives a turn to
//! a second worker when the first is lost, and that one says so in what it signs. Who has the token of a run was
//! handed its message by the broker, so the takeover asks for no more than the first claim did; the worker that was
//! taken for lost is refused from then on, and each of its messages leaves a line.

use agent_contract::{KeyId, TokenHash, TurnId};
use sqlx::FromRow;

use super::{MintedContext, TurnOffer};
use crate::db::{Database, DbError, statements::runs, values};

/// Claims of runs. Clones share the database.
#[derive(Debug, Clone)]
pub(crate) struct Runs {
    database: Database,
}

/// What a run is begun with.
#[derive(Debug, Clone)]
pub(crate) struct RunToken {
    pub(crate) context: MintedContext,
    /// What the token's hash of it stands for.
    pub(crate) offer: TurnOffer,
}

/// One run.
#[derive(Debug, Clone)]
pub(crate) struct Run {
    pub(crate) jti: String,
    /// Names its token.
    pub(crate) token: TokenHash,
    /// Whose it is, once it is claimed.
    pub(crate) worker: Option<KeyId>,
}

/// What came of a claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Claim {
    /// The run is this worker's.
    Holds,
    /// It is another's.
    IsOf(KeyId),
    /// It cannot be had any more: the turn is over.
    Late,
}

#[derive(Debug, FromRow)]
struct RunRow {
    jti: String,
    token_hash: String,
    worker_key: Option<String>,
}

#[derive(Debug, FromRow)]
struct WorkerRow {
    worker_key: Option<String>,
}

impl Runs {
    pub(crate) fn new(database: Database) -> Self {
        Self { database }
    }

    /// The runs of a turn, the one in hand first; none of a turn that is not there.
    pub(crate) async fn of(&self, turn: &TurnId) -> Result<Vec<Run>, DbError> {
        let mut frame = self.database.system_read().await?;
        let rows: Vec<RunRow> = frame.all(runs::RUNS_OF_TURN, values![turn.as_str()]).await?;
        rows.into_iter().map(Run::try_from).collect()
    }

    /// Claims a run for a worker that showed its token. `holder` is whose it was when it was last read.
    pub(crate) async fn claim(
        &self,
        turn: &TurnId,
        jti: &str,
        holder: Option<&KeyId>,
        key: &KeyId,
    ) -> Result<Claim, DbError> {
        if let Some(holder) = holder {
            return Ok(if holder == key { Claim::Holds } else { Claim::IsOf(holder.clone()) });
        }
        let mut frame = self.database.system_write().await?;
        let values = values![turn.as_str(), jti, key.as_str()];
        if frame.execute(runs::CLAIM_RUN, values).await? == 1 {
            frame.commit().await?;
            return Ok(Claim::Holds);
        }
        // Somebody was faster: another worker, or another server that heard the same one.
        let row: Option<WorkerRow> =
            frame.optional(runs::RUN_WORKER, values![turn.as_str(), jti]).await?;
        match row.and_then(|row| row.worker_key).map(read).transpose()? {
            Some(holder) if holder == *key => Ok(Claim::Holds),
            Some(holder) => Ok(Claim::IsOf(holder)),
            None => Ok(Claim::Late),
        }
    }

    /// Hands a run over to a worker that the broker gave the turn anew. `mark` names the message that says so: the same
    /// one again hands nothing over.
    pub(crate) async fn hand_over(
        &self,
        turn: &TurnId,
        jti: &str,
        to: &KeyId,
        mark: &str,
    ) -> Result<Claim, DbError> {
        let mut frame = self.database.system_write().await?;
        let values = values![turn.as_str(), jti, to.as_str(), mark];
        let handed = frame.execute(runs::HAND_OVER_RUN, values).await?;
        frame.commit().await?;
        if handed == 1 {
            return Ok(Claim::Holds);
        }
        // Either the turn is over, or somebody sends again what was sent before.
        let mut frame = self.database.system_read().await?;
        let row: Option<WorkerRow> =
            frame.optional(runs::OPEN_RUN_WORKER, values![turn.as_str(), jti]).await?;
        let holder = row.and_then(|row| row.worker_key).map(read).transpose()?;
        Ok(holder.map_or(Claim::Late, Claim::IsOf))
    }
}

impl TryFrom<RunRow> for Run {
    type Error = DbError;

    fn try_from(row: RunRow) -> Result<Self, DbError> {
        let token = TokenHash::read(&row.token_hash);
        Ok(Self {
            jti: row.jti,
            token: token.ok_or(DbError::Stored("a run without the hash of its token"))?,
            worker: row.worker_key.map(read).transpose()?,
        })
    }
}

#[expect(clippy::needless_pass_by_value, reason = "it is mapped over what a row holds")]
pub(crate) fn read(key: String) -> Result<KeyId, DbError> {
    key.parse().map_err(|_| DbError::Stored("a run of no known worker"))
}
