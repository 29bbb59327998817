//! What an operator asks from the command line: as a person of the school, through the same gates as a chat.
//!
//! It opens no way around anything. A call goes out as a turn of its own, with a context minted from live rows and
//! a token that dies with the turn; a dry run reads and executes nothing.

use std::sync::Arc;
use std::time::Duration;

use agent_contract::{
    AgentRuntimeContextInput, Attachment, EndReason, HistoryMessage, SchoolId, ThreadId, Timestamp,
    ToolDefinition, ToolError, TurnEvent, TurnId, TurnTransport, UserId, holds_control,
};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use futures_util::StreamExt as _;
use serde::Serialize;
use tools::campuses::Campuses as _;

use crate::audit::{self, Chain};
use crate::chat::{
    Chat, ChatError, ChatPost, MintFault, ModeWish, Offering, Owner, People, Person, PersonFault,
    Said, Trigger, mint,
};
use crate::db::{DbError, statements::chat, values};
use crate::demo;
use crate::domain;
use crate::files::FileLimits;
use crate::identity::{SignInFault, Subject};
use crate::start::Server;

/// How long an operator waits for one call.
const PATIENCE: Duration = Duration::from_mins(1);

/// Asks a server that is open, whether or not it was started.
#[derive(Clone, Copy, Debug)]
pub struct Console<'a> {
    server: &'a Server,
}

/// A turn and all that was seen of it.
#[derive(Clone, Debug)]
pub struct TurnTrace {
    /// The turn.
    pub id: TurnId,
    /// Its events in order.
    pub events: Vec<TurnEvent>,
}

/// The audit log of one school.
#[derive(Clone, Debug)]
pub struct SchoolAudit {
    /// The school.
    pub school: SchoolId,
    /// How many rows stand.
    pub rows: i64,
    /// The first broken row, in words.
    pub broken: Option<String>,
}

/// What is kept of a person.
#[derive(Clone, Debug, Serialize)]
pub struct PersonExport {
    /// The address that was asked for.
    pub email: String,
    /// Id of the account, by which the audit log names the person.
    pub account: UserId,
    /// Every conversation, the oldest first.
    pub conversations: Vec<ConversationExport>,
    /// Every file, the oldest first.
    pub files: Vec<FileExport>,
}

/// One file.
#[derive(Clone, Debug, Serialize)]
pub struct FileExport {
    /// Its id, name, type and size.
    #[serde(flatten)]
    pub file: Attachment,
    /// Its bytes in base64.
    pub bytes: String,
}

/// One conversation.
#[derive(Clone, Debug, Serialize)]
pub struct ConversationExport {
    /// Its id.
    pub id: ThreadId,
    /// What was said, in order.
    pub messages: Vec<HistoryMessage>,
    /// What happened in its turns, turn by turn.
    pub events: Vec<TurnEvent>,
}

/// A person in a run mode, as a turn of theirs would begin now.
#[derive(Clone, Debug)]
pub struct Standing {
    /// The context that the turn would carry.
    pub context: AgentRuntimeContextInput,
    /// The person's roles at the school.
    pub roles: Vec<String>,
    /// Why the posture gate would refuse the tool that was asked about; none if it would pass.
    pub refusal: Option<ToolError>,
}

/// Why the console has no answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConsoleError {
    /// Nobody signs in with this address.
    #[error("no account signs in with {0}; `rover dev` prints the demo accounts")]
    NoAccount(String),
    /// A token was asked for where there is no demo school.
    #[error(
        "the demo school is not in this database, and only there is a token given without a password; sign in at `/api/auth/sign-in`"
    )]
    NoDemo,
    /// The account cannot be used.
    #[error(transparent)]
    Person(#[from] PersonFault),
    /// The run mode is none that the person can work in.
    #[error("`--mode {mode}`: write `school` or `campus:NAME`; this person's campuses: {campuses}")]
    Mode {
        /// What was given.
        mode: String,
        /// What there is.
        campuses: String,
    },
    /// The newest turn was asked for before there was one.
    #[error("there is no turn yet; say something in the Hub, or use `rover call`")]
    NoTurns,
    /// No turn has this id.
    #[error("there is no turn {0}; the Hub's trace link and `rover turn show last` name one")]
    NoTurn(String),
    /// The turn could not be run.
    #[error(transparent)]
    Chat(#[from] ChatError),
    /// No context could be minted.
    #[error(transparent)]
    Context(#[from] MintFault),
    /// The sign-in could not be made.
    #[error(transparent)]
    SignIn(#[from] SignInFault),
    /// There is no issuer to link to.
    #[error("there is no issuer whose subjects could be linked; name one with `jwt_issuer`")]
    NoIssuer,
    /// What was given is no subject.
    #[error(
        "a subject is the `sub` of the issuer's tokens: 1 to 255 characters, and no control characters"
    )]
    NoSubject,
    /// The subject belongs to somebody else.
    #[error("this subject signs in to another account; unlink that first")]
    Taken,
    /// The account's row cannot be read as an identity.
    #[error("the account cannot be used")]
    Account,
    /// The rows could not be read.
    #[error(transparent)]
    Rows(#[from] ToolError),
    /// The database failed.
    #[error("the database failed")]
    Database(#[from] DbError),
}

impl<'a> Console<'a> {
    pub(crate) fn new(server: &'a Server) -> Self {
        Self { server }
    }

    /// A bearer token of the account with this address; only where the demo school is. Elsewhere people sign in
    /// with their own password, and nobody signs in for them.
    pub async fn token_for(&self, email: &str) -> Result<String, ConsoleError> {
        if !demo::is_planted(&self.server.database).await? {
            return Err(ConsoleError::NoDemo);
        }
        self.bearer(email).await
    }

    /// Lets tokens of the configured issuer about this subject sign in to the account with this address, and no other
    /// subject's; without one, nobody's.
    pub async fn link(&self, email: &str, subject: Option<&str>) -> Result<(), ConsoleError> {
        let database = &self.server.database;
        let account = domain::account_by_email(database, email).await?;
        let account = account.ok_or_else(|| ConsoleError::NoAccount(email.to_owned()))?;
        let to = match subject {
            Some(subject) => Some(self.subject(subject)?),
            None => None,
        };
        if let Some(to) = &to
            && let Some(other) = domain::account_of(database, to).await?
            && other.id != account.id
        {
            return Err(ConsoleError::Taken);
        }
        Ok(domain::link(database, &account, to.as_ref()).await?)
    }

    fn subject(self, subject: &str) -> Result<Subject, ConsoleError> {
        let issuer = self.server.issuer().ok_or(ConsoleError::NoIssuer)?;
        if subject.is_empty() || subject.chars().count() > 255 || holds_control(subject) {
            return Err(ConsoleError::NoSubject);
        }
        Ok(Subject { issuer: issuer.name().to_owned(), subject: subject.to_owned() })
    }

    async fn bearer(&self, email: &str) -> Result<String, ConsoleError> {
        let account = domain::account_by_email(&self.server.database, email)
            .await?
            .filter(|account| !account.disabled)
            .ok_or_else(|| ConsoleError::NoAccount(email.to_owned()))?;
        let identity = account.identity().map_err(|_| ConsoleError::Account)?;
        Ok(self.server.sign_in.mint(&identity, Timestamp::now())?.token)
    }

    /// How a turn of this person would begin now, and whether the posture gate would let the tool pass.
    pub async fn standing(
        &self,
        email: &str,
        mode: &str,
        tool: &ToolDefinition,
    ) -> Result<Standing, ConsoleError> {
        let person = self.person(email).await?;
        let context = mint(&person, &wish(&person, mode).await?).await?;
        Ok(Standing {
            context,
            roles: person.row().roles.clone(),
            refusal: person.rights().admit(tool.posture).err(),
        })
    }

    /// All that is kept of what a person said to Rover, and of what Rover did about it.
    pub async fn export(&self, email: &str) -> Result<PersonExport, ConsoleError> {
        let owner = self.owner(email).await?;
        let mut conversations = Vec::new();
        for id in self.server.threads.all_of(&owner).await? {
            let (turns, messages) = self.server.threads.said(&owner, &id).await?;
            let mut events = Vec::new();
            for turn in turns {
                events.extend(self.server.log.events(&turn.id).await?);
            }
            conversations.push(ConversationExport { id, messages, events });
        }
        let mut files = Vec::new();
        let store = self.server.threads.files(FileLimits::default());
        for file in store.all_of(&owner).await.map_err(ChatError::from)? {
            let mut bytes = Vec::new();
            while (bytes.len() as u64) < file.size {
                let read = store.read(&owner, file.id.as_str(), bytes.len() as u64).await;
                bytes.extend(read.map_err(ChatError::from)?);
            }
            files.push(FileExport { file, bytes: STANDARD.encode(bytes) });
        }
        let (email, account) = (email.to_owned(), owner.account);
        Ok(PersonExport { email, account, conversations, files })
    }

    /// Deletes all that [`Self::export`] gives; answers how many conversations that were. What the person had changed
    /// in the school stays, and the audit log still says who did.
    pub async fn forget(&self, email: &str) -> Result<usize, ConsoleError> {
        let owner = self.owner(email).await?;
        let all = self.server.threads.all_of(&owner).await?;
        for thread in &all {
            if let Some(turn) = self.server.threads.unfinished(&owner, thread).await? {
                let _ = self.server.relay.end(&turn.id, EndReason::Stopped, None).await?;
            }
            self.server.log.settle().await;
            self.server.threads.forget(&owner, thread).await.map_err(ChatError::from)?;
        }
        let store = self.server.threads.files(FileLimits::default());
        store.forget_strays(&owner).await.map_err(ChatError::from)?;
        Ok(all.len())
    }

    /// Whose conversations an address means, be it that the account is switched off.
    async fn owner(&self, email: &str) -> Result<Owner, ConsoleError> {
        let account = domain::account_by_email(&self.server.database, email).await?;
        let account = account.ok_or_else(|| ConsoleError::NoAccount(email.to_owned()))?;
        let identity = account.identity().map_err(|_| ConsoleError::Account)?;
        let school = identity.school_id.as_deref().ok_or(PersonFault::NoSchool)?;
        let nameless = |_| ConsoleError::Account;
        Ok(Owner {
            school: SchoolId::new(school).map_err(nameless)?,
            account: UserId::new(&identity.sub).map_err(nameless)?,
        })
    }

    /// Lets `worker` run one turn of this person, waits for its end, and returns what was seen of it.
    pub async fn run_turn(
        &self,
        email: &str,
        mode: &str,
        message: &str,
        worker: Arc<dyn TurnTransport>,
    ) -> Result<TurnTrace, ConsoleError> {
        let person = self.person(email).await?;
        let mode = wish(&person, mode).await?;
        let chat = Chat::new(
            self.server.threads.clone(),
            self.server.relay.clone(),
            Arc::clone(&self.server.tokens),
            worker,
            PATIENCE,
        )
        .offering(Offering::RunMode);
        let thread = ThreadId::mint();
        let said = Said::Message {
            text: message.to_owned(),
            mode,
            files: Vec::new(),
            trigger: Trigger::SubmitMessage,
        };
        let mut running = chat.post(person, ChatPost { thread, said, claims: Vec::new() }).await?;
        while running.chunks.next().await.is_some() {}
        self.trace(running.turn).await
    }

    /// A turn by its id, or the newest one for `last`.
    pub async fn turn(&self, id: &str) -> Result<TurnTrace, ConsoleError> {
        let unknown = || match id {
            "last" => ConsoleError::NoTurns,
            _ => ConsoleError::NoTurn(id.to_owned()),
        };
        let mut frame = self.server.database.system_read().await?;
        let found: Option<(String,)> = if id == "last" {
            frame.optional(chat::NEWEST_TURN, values![]).await?
        } else {
            frame.optional(chat::TURN_ID, values![id]).await?
        };
        drop(frame);
        let (found,) = found.ok_or_else(unknown)?;
        self.trace(TurnId::new(found).map_err(|_| unknown())?).await
    }

    /// Walks the audit log of every school.
    pub async fn verify_audit(&self) -> Result<Vec<SchoolAudit>, ConsoleError> {
        let chains = audit::verify_all(&self.server.database).await?;
        Ok(chains
            .into_iter()
            .map(|(school, chain)| match chain {
                Chain::Whole { rows, .. } => SchoolAudit { school, rows, broken: None },
                Chain::Broken { seq, .. } => {
                    SchoolAudit { school, rows: seq - 1, broken: Some(chain.to_string()) }
                }
            })
            .collect())
    }

    async fn trace(&self, id: TurnId) -> Result<TurnTrace, ConsoleError> {
        let events = self.server.log.events(&id).await?;
        Ok(TurnTrace { id, events })
    }

    async fn person(&self, email: &str) -> Result<Person, ConsoleError> {
        let token = self.bearer(email).await?;
        let principal = self.server.sign_in.verify(&token)?;
        let people = People::new(self.server.database.clone(), Arc::clone(&self.server.policy));
        Ok(people.find(&principal).await?)
    }
}

/// `school`, `campus:NAME` or `campus:ID`, of a campus that the person can see.
async fn wish(person: &Person, mode: &str) -> Result<ModeWish, ConsoleError> {
    if mode == "school" {
        return Ok(ModeWish::School);
    }
    let campuses = person.school().list().await?;
    let wanted = mode.strip_prefix("campus:").and_then(|name| {
        campuses.iter().find(|campus| campus.id == name || campus.name.eq_ignore_ascii_case(name))
    });
    match wanted {
        Some(campus) => Ok(ModeWish::Campus { campus_id: campus.id.clone() }),
        None => Err(ConsoleError::Mode {
            mode: mode.to_owned(),
            campuses: campuses.into_iter().map(|c| c.name).collect::<Vec<_>>().join(", "),
        }),
    }
}
