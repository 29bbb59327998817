//! What a worker asks about its own turn, which is no tool: it comes by the same queue, under the turn's token.

use agent_contract::{
    AgentToolResult, FileBytes, Gate, Outcome, SchoolId, TakeAnswer, ToolError, UserId,
};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
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
use crate::chat::Owner;
use crate::files::FileFault;
use crate::identity::VerifiedContext;
use crate::turn_log::{SecurityLine, Smell};

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
        // What is over is read no more, as no tool is called in it.
        Asks::Read(_) | Asks::Write(_) if !open => {
            let sentence = "this turn is over, so nothing more can be done in it";
            Err(Refusal::saying(Gate::Token, Outcome::Denied, sentence).smelling(Smell::DeadTurn))
        }
        Asks::Read(asked) => {
            let owner = owner(&context)?;
            let read = shared.files.read_in(&owner, context.thread(), &asked.id, asked.from).await;
            let (size, bytes) = read.map_err(|fault| of_file(&fault))?;
            Ok(json!(FileBytes { size, bytes: STANDARD.encode(bytes) }))
        }
        Asks::Write(piece) => {
            let owner = owner(&context)?;
            let made_in = (context.thread(), turn);
            let made = shared.files.make(&owner, made_in, piece).await;
            Ok(json!(made.map_err(|fault| of_file(&fault))?))
        }
    }
}

/// Whose files a turn may see: those of the person who chats.
fn owner(context: &VerifiedContext) -> Result<Owner, Refusal> {
    let identity = context.identity();
    let owner = identity.tenant().and_then(|school| {
        Some(Owner {
            school: SchoolId::new(school).ok()?,
            account: UserId::new(&identity.sub).ok()?,
        })
    });
    owner.ok_or_else(|| Refusal::new(Gate::Tenant, &ToolError::NoTenant))
}

fn of_file(fault: &FileFault) -> Refusal {
    match fault {
        FileFault::Database(_) => Refusal::new(Gate::Handler, &ToolError::Internal),
        fault => Refusal::saying(Gate::Handler, Outcome::Error, fault.to_string()),
    }
}
