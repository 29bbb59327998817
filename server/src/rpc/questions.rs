//! What a worker asks about its own turn, which is no tool: it comes by the same queue, under the turn's token.

use agent_contract::{AgentToolResult, Gate, Outcome, TakeAnswer, ToolError};
use serde_json::{Value, json};

use super::{
    Shared,
    execute::Ending,
    gates::{
        token,
        transport::{Asks, Question},
    },
    refusal::{Refusal, at},
};
use crate::turn_log::SecurityLine;

/// Said with an answer, in the place where a tool says how far its data reaches.
const SCOPE: &str = "This is about the turn itself.";

/// Answers a question, or says why not. What smells is written down.
pub(super) async fn answer(shared: &Shared, question: Question) -> Result<Ending, Refusal> {
    let answered = answered(shared, question).await;
    if let Err(refusal) = &answered {
        tracing::info!(detail = refusal.detail(), "a question about a turn is refused");
        if let Some(smell) = refusal.smell() {
            let line = SecurityLine::new(smell)
                .with("gate", refusal.gate().as_str())
                .with("detail", refusal.detail());
            shared.log.smelled(line).await;
        }
    }
    let result = AgentToolResult::ok(answered?, SCOPE);
    Ok(Ending { result, outcome: Outcome::Ok })
}

async fn answered(shared: &Shared, question: Question) -> Result<Value, Refusal> {
    let takes = question.asks == Asks::Take;
    let (context, open) =
        token::turn_of(shared, question.token.as_deref(), question.sender, takes).await?;
    let turn = context.turn();
    let failed = |error| at(Gate::Handler)(ToolError::from(error));
    match question.asks {
        Asks::Take if !open => Ok(json!(TakeAnswer::Over)),
        Asks::Take => Ok(json!(shared.relay.take_over(turn).await.map_err(failed)?)),
        Asks::Progress(asked) => {
            let progress =
                shared.relay.progress(turn, asked, question.deadline).await.map_err(failed)?;
            let late = || Refusal::new(Gate::Handler, &ToolError::Deadline);
            Ok(json!(progress.ok_or_else(late)?))
        }
    }
}
