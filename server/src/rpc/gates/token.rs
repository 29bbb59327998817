//! Gate 1: the context token is one of ours, in its time, and of a turn that is still going on. A turn that was asked
//! to stop may still read, and writes no more.

use agent_contract::{Effect, Gate, Outcome, Timestamp, ToolError, TurnId};
use sqlx::FromRow;

use super::transport::Arrived;
use crate::db::{DbError, statements::turn_log, values};
use crate::identity::{ContextFault, IdentityMode, VerifiedContext};
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
    pub(super) context: Option<VerifiedContext>,
}

#[derive(FromRow)]
struct TurnRow {
    school_id: String,
    account_id: String,
    state: String,
    stop_asked_at_us: Option<i64>,
    takeovers: i64,
}

pub(in crate::rpc) async fn pass<'s>(
    shared: &Shared,
    arrived: Arrived<'s>,
    trail: &mut Trail<'_>,
) -> Result<Authentic<'s>, Refusal> {
    let Some(token) = &arrived.token else {
        return match shared.identity {
            IdentityMode::Signed => Err(refused(&ContextFault::Missing)),
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
    let turn = turn(shared, context.turn()).await.map_err(ToolError::from).map_err(at(GATE))?;
    let writes = arrived.served.def.effect == Effect::Write;
    let note = match turn {
        None => "there is no such turn",
        Some(turn) if !turn.is_of(&context) => "the turn is somebody else's",
        Some(turn) if turn.state == "closed" => "the turn is closed",
        // What is read harms nobody, and the worker may need it to say how far it came.
        Some(turn) if writes && turn.stop_asked_at_us.is_some() => return Err(stopped()),
        Some(turn) if turn.takeovers > i64::from(arrived.takeover) => return Err(taken_over()),
        Some(_) => {
            trail.passed(GATE, Some(format!("token {}", context.jti())));
            return Ok(Authentic { arrived, context: Some(context) });
        }
    };
    let sentence = "this turn is over, so nothing more can be done in it";
    Err(Refusal::saying(GATE, Outcome::Denied, sentence).noting(note).smelling(Smell::DeadTurn))
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

/// The open turn of a token, for what a worker asks about its own turn; none if it is over.
pub(in crate::rpc) async fn turn_of(
    shared: &Shared,
    token: Option<&str>,
) -> Result<(VerifiedContext, bool), Refusal> {
    let token = token.ok_or_else(|| refused(&ContextFault::Missing))?;
    let context = shared.tokens.verify(token, Timestamp::now()).map_err(|fault| refused(&fault))?;
    let turn = turn(shared, context.turn()).await.map_err(ToolError::from).map_err(at(GATE))?;
    let Some(turn) = turn.filter(|turn| turn.is_of(&context)) else {
        let sentence = "there is no such turn, so nothing can be said of it";
        return Err(Refusal::saying(GATE, Outcome::Denied, sentence).smelling(Smell::DeadTurn));
    };
    Ok((context, turn.state == "open"))
}

impl TurnRow {
    fn is_of(&self, context: &VerifiedContext) -> bool {
        self.account_id == context.identity().sub
            && Some(self.school_id.as_str()) == context.identity().tenant()
    }
}

async fn turn(shared: &Shared, turn: &TurnId) -> Result<Option<TurnRow>, DbError> {
    let mut frame = shared.database.system_read().await?;
    frame.optional(turn_log::TURN_STATE, values![turn.as_str()]).await
}

/// That a token has run out is an everyday thing; everything else is not.
fn refused(fault: &ContextFault) -> Refusal {
    let refusal = Refusal::saying(GATE, Outcome::Denied, fault.to_string())
        .noting(format!("{fault:?}").to_lowercase());
    match fault {
        ContextFault::Expired { .. } => refusal.noting("the token has expired"),
        ContextFault::Missing => refusal.smelling(Smell::NoToken),
        _ => refusal.smelling(Smell::BadToken),
    }
}
