//! The second half of gate 1: an enrolled worker signed exactly this call, and the turn is that worker's.
//!
//! A token alone is a bearer. The proof ties the call to its token, its bytes, its id, its deadline and the address of
//! its reply, so that whoever reads it from a queue can change none of them and hear no answer.

use agent_contract::{Gate, KeyId, Outcome, Statement, ToolError, TurnId, WireMessage};

use crate::identity::{Claim, Enrolment, IdentityMode, ProofFault, Runs};
use crate::rpc::refusal::{Refusal, at};
use crate::turn_log::Smell;

const GATE: Gate = Gate::Token;

/// Who signed a call.
#[derive(Debug, Clone)]
pub(in crate::rpc) enum Sender {
    /// This enrolled worker, by a proof of this name.
    Worker { key: KeyId, mark: String },
    /// Nobody has to, by the operator's choice.
    Anybody,
}

/// Asks for the proof, before any row is read for the call.
pub(in crate::rpc) fn sender(
    enrolment: &Enrolment,
    message: &WireMessage,
) -> Result<Sender, Box<Refusal>> {
    match enrolment.mode() {
        IdentityMode::Token | IdentityMode::Plain => return Ok(Sender::Anybody),
        IdentityMode::Required => {}
    }
    let signer = enrolment.signer(message).map_err(refused)?;
    if !signer.signed(&Statement::of_call(message)) {
        return Err(refused(ProofFault::Forged(signer.id().clone())));
    }
    Ok(Sender::Worker { key: signer.id().clone(), mark: signer.mark() })
}

/// Makes the run the sender's, if it is nobody's, or finds that it is.
pub(super) async fn claim(
    runs: &Runs,
    turn: &TurnId,
    jti: &str,
    holder: Option<&KeyId>,
    sender: &Sender,
) -> Result<(), Refusal> {
    let Sender::Worker { key, .. } = sender else { return Ok(()) };
    let claim =
        runs.claim(turn, jti, holder, key).await.map_err(ToolError::from).map_err(at(GATE))?;
    held(claim, key)
}

/// Makes the run the sender's, whosever it was: the broker gave it the turn because that one is lost.
pub(super) async fn take(
    runs: &Runs,
    turn: &TurnId,
    jti: &str,
    sender: &Sender,
) -> Result<(), Refusal> {
    let Sender::Worker { key, mark } = sender else { return Ok(()) };
    let claim = runs.hand_over(turn, jti, key, mark).await;
    held(claim.map_err(ToolError::from).map_err(at(GATE))?, key)
}

fn held(claim: Claim, key: &KeyId) -> Result<(), Refusal> {
    let note = match claim {
        Claim::Holds => return Ok(()),
        Claim::IsOf(holder) => format!("the turn is worker {holder}'s, and {key} signed the call"),
        Claim::Late => format!("worker {key} cannot have this turn"),
    };
    let sentence = "another worker has this turn, so the call was not run";
    Err(Refusal::saying(GATE, Outcome::Denied, sentence).noting(note).smelling(Smell::OtherWorker))
}

/// One sentence for all: whoever forges learns nothing from it.
#[expect(clippy::needless_pass_by_value, reason = "a fault ends here")]
#[expect(clippy::unnecessary_box_returns, reason = "who is refused hands it on in its box")]
fn refused(fault: ProofFault) -> Box<Refusal> {
    let sentence = "the call is not signed by an enrolled worker, so it was not run";
    let smell = Smell::of_proof(&fault);
    Box::new(
        Refusal::saying(GATE, Outcome::Denied, sentence).noting(fault.to_string()).smelling(smell),
    )
}
