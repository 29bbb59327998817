//! The one funnel. Each gate takes what the gate before it proved, so none can be left out or swapped.

use std::time::Instant;

use agent_contract::{AgentToolResult, Outcome, WireMessage};

use super::{
    Shared, Taken,
    gates::{
        admission, arguments, claim, commit, delivery, frame, handler, identity, posture, tenant,
        token,
        transport::{self, Arrival, Arrived},
    },
    questions,
    refusal::Refusal,
    reply,
    routes::Run,
    trail::Trail,
};

use crate::turn_log::Smell;

/// How a call that was not refused ended.
#[derive(Debug)]
pub(super) struct Ending {
    pub(super) result: AgentToolResult,
    pub(super) outcome: Outcome,
}

/// Takes a message to its end.
///
/// A commit that was not confirmed is asked after under the same call id: the claim knows whether it was kept, and if not,
/// the call runs now. Only a database that stays away leaves its caller without an answer.
pub(super) async fn execute(shared: &Shared, message: WireMessage) -> Taken {
    let (taken, is_unconfirmed) = pass(shared, message.clone()).await;
    if !is_unconfirmed {
        return taken;
    }
    let (again, _) = pass(shared, message).await;
    if again.refused { taken } else { again }
}

/// One way through the gates, and whether it is open what was kept of it.
async fn pass(shared: &Shared, message: WireMessage) -> (Taken, bool) {
    let arrived_at = Instant::now();
    let speaks_rover = reply::speaks_rover(&message);
    let (mut given_up, mut is_unconfirmed) = (false, false);
    let (result, outcome) = match transport::pass(shared, message).await {
        Arrival::Unanswered => return (Taken::default(), false),
        Arrival::NoHandler { id } => return (Taken::answered(reply::no_handler(&id)), false),
        Arrival::Hello(hello) => {
            let answer = reply::answer(&shared.routes.answer(&hello), speaks_rover);
            return (Taken::answered(answer), false);
        }
        Arrival::Question(question) => match questions::answer(shared, question).await {
            Ok(Ending { result, outcome }) => (result, outcome),
            Err(refusal) => told(&refusal),
        },
        Arrival::Refused(refusal) => told(&refusal),
        Arrival::Call { arrived, mut trail } => {
            let tool = arrived.tool();
            let mut begun = None;
            let ending = funnel(shared, arrived, &mut trail, &mut begun).await;
            if let Err(refusal) = &ending {
                trail.refused(refusal);
            }
            trail.let_go().await;
            given_up = ending.as_ref().is_err_and(|refusal| refusal.smell() == Some(Smell::Poison));
            is_unconfirmed = ending.as_ref().is_err_and(Refusal::is_unconfirmed);
            if let Some(begun) = begun
                && !given_up
            {
                begun.ended(shared).await;
            }
            let (result, outcome) = match ending {
                Ok(Ending { result, outcome }) => (result, outcome),
                Err(refusal) => told(&refusal),
            };
            shared.log.metrics().called(tool, outcome, arrived_at.elapsed());
            (result, outcome)
        }
    };
    let refused = !result.is_ok();
    let reply = Some(reply::result(&result, outcome, speaks_rover));
    (Taken { reply, given_up, refused }, is_unconfirmed)
}

async fn funnel(
    shared: &Shared,
    arrived: Arrived<'_>,
    trail: &mut Trail<'_>,
    begun: &mut Option<delivery::Begun>,
) -> Result<Ending, Refusal> {
    let authentic = token::pass(shared, arrived, trail).await?;
    let identified = identity::pass(authentic, trail)?;
    let admitted = admission::pass(identified, trail)?;
    match admitted.run() {
        Run::Read(prepare) => {
            let argued = arguments::pass(admitted, prepare, trail)?;
            let tenanted = tenant::pass(argued, trail)?;
            let counted = delivery::pass(shared, tenanted, begun).await?;
            trail.let_go().await;
            let framed = frame::read(shared, counted, trail).await?;
            let unclaimed = claim::not_needed(framed, trail)?;
            let permitted = posture::pass(unclaimed, trail)?;
            let handled = handler::pass(permitted, trail).await?;
            commit::read(handled, trail).await
        }
        Run::Write(prepare) => {
            let argued = arguments::pass(admitted, prepare, trail)?;
            let tenanted = tenant::pass(argued, trail)?;
            let counted = delivery::pass(shared, tenanted, begun).await?;
            trail.let_go().await;
            let framed = frame::write(shared, counted, trail).await?;
            let claimed = match claim::pass(framed, trail).await? {
                claim::Claimed::New(claimed) => claimed,
                claim::Claimed::Replay(ending) => return Ok(ending),
            };
            let permitted = posture::pass(claimed, trail)?;
            let handled = handler::pass(permitted, trail).await?;
            commit::write(handled, trail).await
        }
    }
}

fn told(refusal: &Refusal) -> (AgentToolResult, Outcome) {
    (AgentToolResult::err(refusal.sentence()), refusal.outcome())
}
