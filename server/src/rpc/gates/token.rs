//! Gate 1: the context token is one of ours, in its time, and of the run in hand of a turn that is still going on; and
//! an enrolled worker, whose turn it is, signed the call. A turn that was asked to stop may still read, and writes no
//! more.

use agent_contract::{Effect, Gate, KeyId, Outcome, Timestamp, TokenHash, ToolError, TurnId};
use sqlx::FromRow;

use super::{proof, proof::Sender, transport::Arrived};
use crate::db::{DbError, statements::runs, values};
use crate::identity::{ContextFault, IdentityMode, TurnOffer, VerifiedContext, read_key};
use crate::rpc::{
    Shared,
    refusal::{Refusal, at},
    trail::Trail,
};
use crate::turn_log::Smell;

const GATE: Gate = Gate::Token;

/// A call whose token holds, or that needs none.
#[derive(Debug)]
pub(in crate::rpc) struct Authentic<'s> {
    pub(super) arrived: Arrived<'s>,
    /// None only where the operator chose plain identity.
    pub(super) context: Option<InTurn>,
}

/// The turn that a call is made in.
#[derive(Debug)]
pub(in crate::rpc) struct InTurn {
    pub(super) context: VerifiedContext,
    pub(super) offer: TurnOffer,
}

#[derive(FromRow)]
struct TurnRow {
    school_id: String,
    account_id: String,
    state: String,
    stop_asked_at_us: Option<i64>,
    takeovers: i64,
    jti: Option<String>,
    token_hash: Option<String>,
    offer: Option<String>,
    worker_key: Option<String>,
}

/// The run in hand, which this token was signed for.
struct InHand {
    jti: String,
    offer: TurnOffer,
    worker: Option<KeyId>,
}

pub(in crate::rpc) async fn pass<'s>(
    shared: &Shared,
    arrived: Arrived<'s>,
    trail: &mut Trail<'_>,
) -> Result<Authentic<'s>, Refusal> {
    let Some(token) = &arrived.token else {
        return match shared.enrolment.mode() {
            IdentityMode::Required | IdentityMode::Token => Err(refused(&ContextFault::Missing)),
            IdentityMode::Plain => {
                trail.passed(GATE, Some("plain identity, by the operator's choice".to_owned()));
                Ok(Authentic { arrived, context: None })
            }
        };
    };
    let context = shared.tokens.verify(token, Timestamp::now()).map_err(|fault| {
        if let ContextFault::Expired { turn } = &fault {
            trail.belongs_to(turn);
        }
        refused(&fault)
    })?;
    trail.belongs_to(context.turn());
    let sender = arrived.sender.clone().map_err(|refusal| *refusal)?;
    let turn = turn(shared, context.turn()).await.map_err(ToolError::from).map_err(at(GATE))?;
    let writes = arrived.served.def.effect == Effect::Write;
    let note = match turn {
        None => "there is no such turn",
        Some(turn) if !turn.is_of(&context) => "the turn is somebody else's",
        Some(turn) if turn.state == "closed" => "the turn is closed",
        Some(turn) if turn.state != "open" => "the turn waits for its person",
        // What is read harms nobody, and the worker may need it to say how far it came.
        Some(turn) if writes && turn.stop_asked_at_us.is_some() => return Err(stopped()),
        Some(turn) if turn.takeovers > i64::from(arrived.takeover) => return Err(taken_over()),
        Some(turn) => match turn.run(token).map_err(ToolError::from).map_err(at(GATE))? {
            None => "the token is not of the run in hand",
            Some(run) if run.offer.hash() != context.tools() => return Err(other_offer()),
            Some(InHand { jti, offer, worker }) => {
                let (runs, turn) = (&shared.runs, context.turn());
                proof::claim(runs, turn, &jti, worker.as_ref(), &sender).await?;
                trail.passed(GATE, Some(passed(&context, &sender)));
                let context = Some(InTurn { context, offer });
                return Ok(Authentic { arrived, context });
            }
        },
    };
    let sentence = "this turn is over, so nothing more can be done in it";
    Err(Refusal::saying(GATE, Outcome::Denied, sentence).noting(note).smelling(Smell::DeadTurn))
}

fn passed(context: &VerifiedContext, sender: &Sender) -> String {
    match sender {
        Sender::Worker { key, .. } => format!("token {}, worker {key}", context.jti()),
        Sender::Anybody => format!("token {}, and no worker has to sign", context.jti()),
    }
}

fn other_offer() -> Refusal {
    let sentence = "the call contradicts its signed context, so it was not run";
    let note = "what the turn was offered is not what was signed";
    Refusal::saying(GATE, Outcome::Denied, sentence).noting(note).smelling(Smell::Contradiction)
}

/// No smell: an honest worker may send a call just before it hears of the stop.
fn stopped() -> Refusal {
    let sentence = "the person stopped this turn, so nothing more is changed in it";
    Refusal::saying(GATE, Outcome::Denied, sentence).noting("the turn was asked to stop")
}

/// No smell either: the worker was out of reach for a while and cannot know that it was taken for lost.
fn taken_over() -> Refusal {
    let sentence = "another worker has taken this turn over, so nothing more is done for this one";
    Refusal::saying(GATE, Outcome::Denied, sentence).noting("the turn was taken over")
}

/// The turn of a token, for what a worker asks about its own turn, and whether it is open. An open one is handed to
/// whoever asks to take it; for any other question it must be the sender's.
pub(in crate::rpc) async fn turn_of(
    shared: &Shared,
    token: Option<&str>,
    sender: Result<Sender, Box<Refusal>>,
    takes: bool,
) -> Result<(VerifiedContext, bool), Refusal> {
    let token = token.ok_or_else(|| refused(&ContextFault::Missing))?;
    let context = shared.tokens.verify(token, Timestamp::now()).map_err(|fault| refused(&fault))?;
    let sender = sender.map_err(|refusal| *refusal)?;
    let turn = turn(shared, context.turn()).await.map_err(ToolError::from).map_err(at(GATE))?;
    let Some(turn) = turn.filter(|turn| turn.is_of(&context)) else {
        let sentence = "there is no such turn, so nothing can be said of it";
        return Err(Refusal::saying(GATE, Outcome::Denied, sentence).smelling(Smell::DeadTurn));
    };
    if turn.state != "open" {
        return Ok((context, false));
    }
    let Some(run) = turn.run(token).map_err(ToolError::from).map_err(at(GATE))? else {
        let sentence = "this turn is over, so nothing more can be done in it";
        return Err(Refusal::saying(GATE, Outcome::Denied, sentence).smelling(Smell::DeadTurn));
    };
    let (runs, id) = (&shared.runs, context.turn());
    if takes {
        proof::take(runs, id, &run.jti, &sender).await?;
    } else {
        proof::claim(runs, id, &run.jti, run.worker.as_ref(), &sender).await?;
    }
    Ok((context, true))
}

impl TurnRow {
    fn is_of(&self, context: &VerifiedContext) -> bool {
        self.account_id == context.identity().sub
            && Some(self.school_id.as_str()) == context.identity().tenant()
    }

    /// The run in hand, if the token is that run's.
    fn run(self, token: &str) -> Result<Option<InHand>, DbError> {
        let (Some(jti), Some(hash), Some(offer)) = (self.jti, self.token_hash, self.offer) else {
            return Ok(None);
        };
        if TokenHash::read(&hash) != Some(TokenHash::of(token)) {
            return Ok(None);
        }
        let offer = TurnOffer::read(&offer).ok_or(DbError::Stored("an offer that is no list"))?;
        Ok(Some(InHand { jti, offer, worker: self.worker_key.map(read_key).transpose()? }))
    }
}

async fn turn(shared: &Shared, turn: &TurnId) -> Result<Option<TurnRow>, DbError> {
    let mut frame = shared.database.system_read().await?;
    frame.optional(runs::TURN_AND_RUN, values![turn.as_str()]).await
}

/// A token outlives its turn by a little, so that no honest worker ever sends one that has run out.
fn refused(fault: &ContextFault) -> Refusal {
    let refusal = Refusal::saying(GATE, Outcome::Denied, fault.to_string())
        .noting(format!("{fault:?}").to_lowercase());
    match fault {
        ContextFault::Expired { .. } => {
            refusal.noting("the token has expired").smelling(Smell::DeadTurn)
        }
        ContextFault::Missing => refusal.smelling(Smell::NoToken),
        _ => refusal.smelling(Smell::BadToken),
    }
}
