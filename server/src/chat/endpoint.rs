//! The chat itself: a post becomes a turn that some worker runs, and a stream of what it does.
//!
//! The order is what makes it safe: the context is minted from live rows, the turn and the message are kept, the
//! stream is opened, and only then is the turn handed out. From there on it runs whether or not anybody listens.

use std::sync::Arc;
use std::time::Duration;

use agent_contract::{
    AgentIdentity, AgentRuntimeContextInput, AttachmentId, EndReason, Resume, ThreadId, TimeInput,
    Timestamp, TransportError, TurnId, TurnRequest, TurnTransport,
};
use futures_util::{StreamExt as _, stream::BoxStream};

use super::{
    ChatPost, MintFault, ModeWish, Owner, Person, PostedAnswer, PostedFile, Relay, Said,
    ThreadError, Threads, Trigger, TurnLimits, UiChunk,
    mint::mint,
    order::{message, request, wish_of},
    second::{self, Lines, SecondMessage},
    threads::{NewTurn, Resumption, Turn, TurnState},
};
use crate::db::DbError;
use crate::files::{FileFault, FileLimits, Files, NewFile};
use crate::identity::{ContextTokens, MintedContext, RunToken, TurnClaims, TurnOffer};

/// How long a worker has to end a turn that it was asked to stop.
const STOPPING: Duration = Duration::from_secs(10);
/// How many batches of old conversations are deleted in one go.
const STALE_BATCHES: usize = 20;
/// How much longer than its turn a context token lives, so that the last call is not refused for a second.
const TOKEN_MARGIN: Duration = Duration::from_secs(30);

/// Begins, continues, shows and stops turns. Clones share everything.
#[derive(Clone)]
pub struct Chat {
    threads: Threads,
    relay: Relay,
    tokens: Arc<ContextTokens>,
    turns: Arc<dyn TurnTransport>,
    /// How long one run of a turn may take.
    longest: Duration,
    offering: Offering,
    limits: TurnLimits,
    second: SecondMessage,
    lines: Lines,
    files: Files,
}

/// What a turn's calls may be of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Offering {
    /// What the person's agents have together.
    Agents,
    /// All that the run mode admits: no agent chooses the calls.
    RunMode,
}

/// A turn that was handed out, and what can be read of it.
pub struct Running {
    /// The turn.
    pub turn: TurnId,
    /// Its chunks, to its end.
    pub chunks: BoxStream<'static, UiChunk>,
}

/// Why a post led to no turn.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ChatError {
    /// No context could be minted.
    #[error(transparent)]
    Context(#[from] MintFault),
    /// The conversation cannot go on like this.
    #[error(transparent)]
    Thread(#[from] ThreadError),
    /// No worker took the turn.
    #[error("Rover cannot work right now; please try again in a moment")]
    NoWorker(#[source] TransportError),
    /// A file cannot be taken.
    #[error(transparent)]
    File(#[from] FileFault),
    /// The context could not be signed, or the request not written.
    #[error("something went wrong on the server; nothing was changed")]
    Internal,
}

impl From<DbError> for ChatError {
    fn from(error: DbError) -> Self {
        Self::Thread(error.into())
    }
}

impl Chat {
    /// A chat over these conversations, whose turns go out by `turns`.
    pub fn new(
        threads: Threads,
        relay: Relay,
        tokens: Arc<ContextTokens>,
        turns: Arc<dyn TurnTransport>,
        longest: Duration,
    ) -> Self {
        let (second, lines) = (SecondMessage::default(), Lines::default());
        let (offering, limits) = (Offering::Agents, TurnLimits::default());
        let files = threads.files(FileLimits::default());
        Self { threads, relay, tokens, turns, longest, offering, limits, second, lines, files }
    }

    /// The same chat, whose files are kept within these limits.
    #[must_use]
    pub fn with_files(self, files: Files) -> Self {
        Self { files, ..self }
    }

    /// The same chat with another offer to its turns.
    #[must_use]
    pub fn offering(self, offering: Offering) -> Self {
        Self { offering, ..self }
    }

    /// The same chat, which begins no more turns than these limits allow.
    #[must_use]
    pub fn limited(self, limits: TurnLimits) -> Self {
        Self { limits, ..self }
    }

    /// The same chat, with the operator's choice what becomes of a message while a turn runs.
    #[must_use]
    pub fn with_second(self, second: SecondMessage) -> Self {
        Self { second, ..self }
    }

    /// The conversations.
    pub fn threads(&self) -> &Threads {
        &self.threads
    }

    /// The files.
    pub fn files(&self) -> &Files {
        &self.files
    }

    /// The events.
    pub fn relay(&self) -> &Relay {
        &self.relay
    }

    /// Takes a post: a message begins a turn, an answer lets one go on.
    pub async fn post(&self, person: Person, post: ChatPost) -> Result<Running, ChatError> {
        match post.said {
            Said::Message { text, mode, files, trigger } => {
                self.begin(person, &post.thread, (text, files), &mode, trigger).await
            }
            Said::Answers(answers) => self.go_on(person, &post.thread, &answers).await,
        }
    }

    /// The first thing that the client says Rover said, and Rover did not.
    pub(crate) async fn forged(
        &self,
        person: &Person,
        post: &ChatPost,
    ) -> Result<Option<String>, DbError> {
        if post.claims.is_empty() {
            return Ok(None);
        }
        let (turns, history) = self.threads.said(person.owner(), &post.thread).await?;
        for claim in &post.claims {
            let Some(turn) = turns.iter().find(|turn| turn.id.as_str() == claim.turn) else {
                return Ok(Some("a message of no turn of this conversation".to_owned()));
            };
            let mut odd: Vec<_> = claim.pieces.iter().collect();
            odd.retain(|piece| !piece.is_in(&history));
            // What a running turn has said is still on its way to the log.
            if odd.is_empty() || turn.state == TurnState::Open {
                continue;
            }
            let message = self.relay.stored(&turn.id).await?;
            if odd.into_iter().any(|piece| !piece.is_of(&message)) {
                return Ok(Some(format!("words or results that turn {} does not have", turn.id)));
            }
        }
        Ok(None)
    }

    /// What a turn of this conversation does, from its start; none if none runs.
    pub async fn resume(
        &self,
        person: &Person,
        thread: &ThreadId,
    ) -> Result<Option<Running>, ChatError> {
        let unfinished = self.threads.unfinished(person.owner(), thread).await?;
        let Some(turn) = unfinished.filter(|turn| turn.state == TurnState::Open) else {
            return Ok(None);
        };
        let chunks = self.relay.replay(&turn.id).await?;
        Ok(chunks.map(|chunks| Running { turn: turn.id, chunks: chunks.boxed() }))
    }

    /// Stops the turn of a conversation; answers which it was. A worker that runs it ends it; nobody else can tell
    /// what it has done so far.
    pub async fn stop(
        &self,
        person: &Person,
        thread: &ThreadId,
    ) -> Result<Option<TurnId>, ChatError> {
        let unfinished = self.threads.unfinished(person.owner(), thread).await?;
        let Some(turn) = unfinished else { return Ok(None) };
        self.stop_turn(&turn).await?;
        Ok(Some(turn.id))
    }

    async fn stop_turn(&self, turn: &Turn) -> Result<(), DbError> {
        if turn.state == TurnState::Waiting {
            let _ = self.relay.end(&turn.id, EndReason::Stopped, None).await?;
            return Ok(());
        }
        self.relay.stopping(&turn.id);
        let now = Timestamp::now();
        self.threads.stop(&turn.id, now, now.after(STOPPING)).await?;
        self.tell_to_stop(turn.id.clone()).await;
        Ok(())
    }

    /// Deletes a person's conversation. A turn that runs in it is stopped first.
    pub async fn forget(&self, owner: &Owner, thread: &ThreadId) -> Result<(), ChatError> {
        if let Some(turn) = self.threads.unfinished(owner, thread).await? {
            self.stop_turn(&turn).await?;
            let _ = self.relay.end(&turn.id, EndReason::Stopped, None).await?;
        }
        // What the end of the turn has still to write down would hang on rows that are gone.
        self.relay.settle().await;
        Ok(self.threads.forget(owner, thread).await?)
    }

    /// Deletes conversations in which nobody wrote since then; answers how many, and stops after a while.
    pub async fn forget_stale(&self, since: Timestamp) -> Result<usize, DbError> {
        let mut gone = 0;
        for _ in 0..STALE_BATCHES {
            let stale = self.threads.stale(since).await?;
            if stale.is_empty() {
                break;
            }
            for place in &stale {
                self.threads.forget_at(place).await?;
            }
            gone += stale.len();
        }
        Ok(gone)
    }

    /// Ends what is overdue at `now`.
    pub async fn sweep(&self, now: Timestamp) -> Result<(), DbError> {
        for turn in self.relay.sweep(now).await? {
            self.tell_to_stop(turn).await;
        }
        Ok(())
    }

    async fn begin(
        &self,
        person: Person,
        thread: &ThreadId,
        (text, posted): (String, Vec<PostedFile>),
        mode: &ModeWish,
        trigger: Trigger,
    ) -> Result<Running, ChatError> {
        let mut context = mint(&person, mode).await?;
        let mut turn = Turn {
            id: TurnId::mint(),
            thread: thread.clone(),
            owner: person.owner().clone(),
            state: TurnState::Open,
            run_mode: context.run_mode.clone(),
            opened: Timestamp::now(),
            first_seq: 0,
        };
        let token = self.sign(person.identity(), &turn, &context)?;
        // The frame of the person is closed here: a write waits for nobody who reads.
        drop(person);
        let files = self.kept(&turn.owner, posted).await?;
        let patience = turn.opened.after(second::PATIENCE);
        let line = self.lines.enter(&turn.owner, thread, patience).await;
        let _in_line = line.ok_or(ThreadError::Busy)?;
        let (begun, deadline) = loop {
            let deadline = Timestamp::now().after(self.longest);
            let new = NewTurn {
                id: &turn.id,
                text: &text,
                files: &files,
                trigger,
                run_mode: &turn.run_mode,
                token: &token,
                deadline,
                limits: &self.limits,
            };
            match self.threads.begin(&turn.owner, thread, new).await {
                Err(ThreadError::Busy) => self.make_room(&turn.owner, thread, patience).await?,
                Err(ThreadError::OverLimit(over)) => {
                    self.relay.metrics().over_limit(over);
                    return Err(ThreadError::OverLimit(over).into());
                }
                begun => break (begun?, deadline),
            }
        };
        turn.opened = Timestamp::now();
        context.attachments = Some(begun.attachments.clone());
        context.current_time = Some(TimeInput::Text(turn.opened.to_string()));
        if let Some(old) = &begun.superseded {
            self.relay.note_end(old, EndReason::Superseded, None, turn.opened).await;
        }
        let request = TurnRequest {
            history: begun.history,
            message: text,
            attachments: begun.attachments,
            resume: None,
            ..request(&turn, context)
        };
        self.run(&turn, &request, &token.context, deadline).await
    }

    /// The files of a message, each kept by now. One that no turn begins with is deleted after a day.
    async fn kept(
        &self,
        owner: &Owner,
        posted: Vec<PostedFile>,
    ) -> Result<Vec<AttachmentId>, FileFault> {
        let limits = self.files.limits();
        if posted.len() > limits.message_files {
            return Err(FileFault::TooMany(limits.message_files));
        }
        let mut ids = Vec::with_capacity(posted.len());
        for file in posted {
            ids.push(match file {
                PostedFile::Kept(id) => id,
                PostedFile::Brought { name, media_type, bytes } => {
                    let file = NewFile::new(&name, &media_type, bytes, limits)?;
                    self.files.upload(owner, file).await?.id
                }
            });
        }
        Ok(ids)
    }

    /// Waits until no turn runs in a conversation, or refuses, as the operator chose.
    async fn make_room(
        &self,
        owner: &Owner,
        thread: &ThreadId,
        patience: Timestamp,
    ) -> Result<(), ThreadError> {
        let mut stopped = false;
        loop {
            let unfinished = self.threads.unfinished(owner, thread).await?;
            let Some(turn) = unfinished.filter(|turn| turn.state == TurnState::Open) else {
                return Ok(());
            };
            match self.second {
                SecondMessage::Refuse => return Err(ThreadError::Busy),
                SecondMessage::Replace if !stopped => {
                    self.stop_turn(&turn).await?;
                    stopped = true;
                }
                SecondMessage::Replace | SecondMessage::Queue => {}
            }
            if patience.remaining().is_zero() {
                return Err(ThreadError::Busy);
            }
            tokio::time::sleep(second::LOOKING).await;
        }
    }

    async fn go_on(
        &self,
        person: Person,
        thread: &ThreadId,
        answers: &[PostedAnswer],
    ) -> Result<Running, ChatError> {
        let unfinished = self.threads.unfinished(person.owner(), thread).await?;
        let waiting = unfinished.filter(|turn| turn.state == TurnState::Waiting);
        let mut turn = waiting.ok_or(ThreadError::NothingAsked)?;
        // The turn keeps its mode, and the person their right to its campus.
        let context = mint(&person, &wish_of(&turn.run_mode)).await?;
        turn.first_seq = self.relay.next_seq(&turn.id).await?;
        turn.run_mode = context.run_mode.clone();
        let deadline = Timestamp::now().after(self.longest);
        let token = self.sign(person.identity(), &turn, &context)?;
        drop(person);
        let resumption = Resumption { answers, token: &token, deadline, first_seq: turn.first_seq };
        let answered = self.threads.answer(&turn, resumption).await?;
        let request = TurnRequest {
            history: answered.history,
            message: answered.message,
            resume: Some(Resume {
                checkpoint: answered.checkpoint,
                call_id: answered.call,
                answer: answered.answer,
            }),
            ..request(&turn, context)
        };
        self.run(&turn, &request, &token.context, deadline).await
    }

    async fn run(
        &self,
        turn: &Turn,
        request: &TurnRequest,
        token: &MintedContext,
        deadline: Timestamp,
    ) -> Result<Running, ChatError> {
        let message = message(request, token, deadline)?;
        let expected = self.relay.expect(&turn.id, turn.first_seq);
        let chunks = self.relay.follow(turn, expected).await?;
        if let Err(error) = self.turns.dispatch(message).await {
            tracing::error!(%error, turn = %turn.id, "no worker took the turn");
            let failed = "Nobody could take this message.";
            let _ = self.relay.end(&turn.id, EndReason::Failed, Some(failed)).await?;
            return Err(ChatError::NoWorker(error));
        }
        if turn.first_seq == 0 {
            self.relay.metrics().turn_began();
        }
        Ok(Running { turn: turn.id.clone(), chunks: chunks.boxed() })
    }

    fn sign(
        &self,
        identity: &AgentIdentity,
        turn: &Turn,
        context: &AgentRuntimeContextInput,
    ) -> Result<RunToken, ChatError> {
        let mode = turn.run_mode.name();
        let offer = match self.offering {
            Offering::Agents => {
                TurnOffer::of_agents(mode, &context.capabilities.unwrap_or_default())
            }
            Offering::RunMode => TurnOffer::of_mode(mode),
        };
        let claims = TurnClaims {
            identity: identity.clone(),
            run_mode: turn.run_mode.clone(),
            thread_id: turn.thread.clone(),
            turn_id: turn.id.clone(),
            tools: offer.hash(),
        };
        let lifetime = self.longest + TOKEN_MARGIN + second::PATIENCE;
        let context = self.tokens.mint(claims, Timestamp::now(), lifetime).map_err(|error| {
            tracing::error!(%error, "a turn's context could not be signed");
            ChatError::Internal
        })?;
        Ok(RunToken { context, offer })
    }

    async fn tell_to_stop(&self, turn: TurnId) {
        if let Err(error) = self.turns.stop(turn.clone()).await {
            tracing::warn!(%error, %turn, "the worker of a turn could not be told to stop");
        }
    }
}

impl std::fmt::Debug for Chat {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Chat").field("longest", &self.longest).finish_non_exhaustive()
    }
}

impl std::fmt::Debug for Running {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Running").field("turn", &self.turn).finish_non_exhaustive()
    }
}
