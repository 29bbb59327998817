//! What a chat client posts, and the little of it that is taken.
//!
//! A client posts the whole conversation with every message. The server has its own, so of all that it
//! takes the last message only: the person's words, or their answer to something that Rover asked. What
//! else is in the body is never taken; what it claims that Rover said is held against what Rover did say.

use agent_contract::{Answer, AttachmentId, ThreadId};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;
use serde_json::{Value, json};

use super::claims::Claim;

/// As many characters as a message may have.
const LONGEST_MESSAGE: usize = 20_000;
/// Where files are read, and how a message names them.
const FILE_URL: &str = "/api/naalya-ai/attachments/";
/// As many characters as the id of a conversation may have.
const LONGEST_ID: usize = 128;

/// A post that makes sense.
#[derive(Clone, Debug, PartialEq)]
pub struct ChatPost {
    /// The conversation. The client chooses the id of a new one.
    pub thread: ThreadId,
    /// What is taken.
    pub said: Said,
    /// What it says that Rover said before; never taken.
    pub(crate) claims: Vec<Claim>,
}

/// What the person said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Said {
    /// A message.
    Message {
        /// The words.
        text: String,
        /// School, or a campus by its id.
        mode: ModeWish,
        /// Files that come with it.
        files: Vec<PostedFile>,
        /// Why the client posts it.
        trigger: Trigger,
    },
    /// Answers to calls, of which the server knows which one is open.
    Answers(Vec<PostedAnswer>),
}

/// Why a client posts a message; a body that does not say submits it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Trigger {
    /// The person says something new.
    #[default]
    SubmitMessage,
    /// The person wants another answer to what they said last.
    RegenerateMessage,
}

/// The run mode that the person chose. The server looks the campus up.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(tag = "mode", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum ModeWish {
    /// The whole school.
    School,
    /// One campus.
    Campus {
        /// Its id.
        campus_id: String,
    },
}

/// A file on a message, as a client posts it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PostedFile {
    /// One that was uploaded before.
    Kept(AttachmentId),
    /// One that comes in the post itself.
    Brought {
        /// What it is called.
        name: String,
        /// What it says that it is.
        media_type: String,
        /// Its bytes.
        bytes: Vec<u8>,
    },
}

/// An answer that a client claims to give.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PostedAnswer {
    /// The call that it says it answers.
    pub call: String,
    /// What it answers.
    pub answer: Answer,
}

/// Why a post makes no sense. Shown to the client, so it says what to send instead.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PostFault {
    /// The body is no JSON.
    #[error("the body is not JSON")]
    NotJson,
    /// The body is no object.
    #[error("the body must be a JSON object with `id`, `messages` and `runMode`")]
    NotAnObject,
    /// The conversation has no usable id.
    #[error("`id` must name the conversation: 1 to {LONGEST_ID} letters, digits, `-`, `_` or `.`")]
    Id,
    /// There are no messages.
    #[error("`messages` must be a list that ends with the message to answer")]
    NoMessages,
    /// The last message is of nobody who may speak here.
    #[error(
        "the last message must have the role `user`, or be the assistant message whose question it answers"
    )]
    Role,
    /// The last message says nothing.
    #[error("the last message holds no text")]
    NoText,
    /// The last message is too long.
    #[error("the last message is longer than {LONGEST_MESSAGE} characters")]
    TooLong,
    /// The last message carries a file that is neither kept here nor in the post.
    #[error("`{0}` must be uploaded first, or come as a data URL in base64")]
    File(String),
    /// The last message is the assistant's, and no call in it has an answer.
    #[error("the last message is the assistant's and answers no question")]
    NoAnswer,
    /// The run mode is missing or malformed.
    #[error(
        "`runMode` must be {{\"mode\":\"school\"}} or {{\"mode\":\"campus\",\"campusId\":\"…\"}}"
    )]
    RunMode,
    /// The client posts for a reason that is not known here.
    #[error("`trigger` must be `submit-message` or `regenerate-message`")]
    Trigger,
}

impl ChatPost {
    /// Reads a body.
    pub fn read(body: &[u8]) -> Result<Self, PostFault> {
        let body: Value = serde_json::from_slice(body).map_err(|_| PostFault::NotJson)?;
        let body = body.as_object().ok_or(PostFault::NotAnObject)?;

        let thread = body.get("id").and_then(Value::as_str).and_then(thread_id);
        let thread = thread.ok_or(PostFault::Id)?;
        let trigger = body.get("trigger").map_or(Ok(Trigger::default()), Trigger::deserialize);
        let trigger = trigger.map_err(|_| PostFault::Trigger)?;
        let messages = body.get("messages").and_then(Value::as_array);
        let (last, before) =
            messages.and_then(|all| all.split_last()).ok_or(PostFault::NoMessages)?;
        let said = match last.get("role").and_then(Value::as_str) {
            Some("user") => {
                let (files, mode) = (files(last)?, mode_wish(body.get("runMode"))?);
                Said::Message { text: words(last, !files.is_empty())?, mode, files, trigger }
            }
            Some("assistant") => Said::Answers(answers(last)?),
            _ => return Err(PostFault::Role),
        };
        let claims = before.iter().filter_map(Claim::of).collect();
        Ok(Self { thread, said, claims })
    }
}

/// An id that can stand in an address. Anything else is no conversation of ours.
pub fn thread_id(text: &str) -> Option<ThreadId> {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "-_.".contains(letter);
    let fits = text.len() <= LONGEST_ID && text.chars().all(plain);
    if fits { ThreadId::new(text).ok() } else { None }
}

fn mode_wish(given: Option<&Value>) -> Result<ModeWish, PostFault> {
    given.and_then(|mode| ModeWish::deserialize(mode).ok()).ok_or(PostFault::RunMode)
}

/// A file may speak for itself.
fn words(message: &Value, with_files: bool) -> Result<String, PostFault> {
    let text = |part: &Value| match part.get("type").and_then(Value::as_str) {
        Some("text") => part.get("text").and_then(Value::as_str).map(str::to_owned),
        _ => None,
    };
    let texts: Vec<_> = parts(message).iter().filter_map(text).collect();
    let text = printable(&texts.join("\n"));
    match text.chars().count() {
        0 if with_files => Ok("See the attached file.".to_owned()),
        0 => Err(PostFault::NoText),
        count if count > LONGEST_MESSAGE => Err(PostFault::TooLong),
        _ => Ok(text),
    }
}

fn files(message: &Value) -> Result<Vec<PostedFile>, PostFault> {
    let files = parts(message).iter().filter(|part| part.get("type") == Some(&json!("file")));
    files.map(|part| file(part).ok_or_else(|| PostFault::File(file_name(part)))).collect()
}

fn file_name(part: &Value) -> String {
    let name = part.get("filename").and_then(Value::as_str).unwrap_or("file");
    name.chars().filter(|letter| !letter.is_control()).take(80).collect()
}

/// The file of a part: by the address that an upload answered, or as the data URL that the AI SDK makes.
fn file(part: &Value) -> Option<PostedFile> {
    let url = part.get("url")?.as_str()?;
    if let Some(id) = url.strip_prefix(FILE_URL) {
        return AttachmentId::new(id).ok().map(PostedFile::Kept);
    }
    let (head, data) = url.strip_prefix("data:")?.split_once(',')?;
    let declared = head.strip_suffix(";base64")?;
    let bytes = STANDARD.decode(data).ok()?;
    Some(PostedFile::Brought { name: file_name(part), media_type: declared.to_owned(), bytes })
}

fn answers(message: &Value) -> Result<Vec<PostedAnswer>, PostFault> {
    let answers: Vec<_> = parts(message).iter().filter_map(answer).collect();
    if answers.is_empty() {
        return Err(PostFault::NoAnswer);
    }
    let too_long = |posted: &PostedAnswer| match &posted.answer {
        Answer::Text { text } => text.chars().count() > LONGEST_MESSAGE,
        Answer::Approved | Answer::Rejected { .. } => false,
    };
    if answers.iter().any(too_long) { Err(PostFault::TooLong) } else { Ok(answers) }
}

/// The answer in a tool part: the output of a call that the client ran, or a decision.
fn answer(part: &Value) -> Option<PostedAnswer> {
    let call = part.get("toolCallId")?.as_str()?.to_owned();
    let answer = match part.get("state")?.as_str()? {
        "output-available" if part.get("providerExecuted") != Some(&Value::Bool(true)) => {
            Answer::Text { text: spoken(part.get("output")?)? }
        }
        "approval-responded" => decision(part.get("approval")?)?,
        _ => return None,
    };
    Some(PostedAnswer { call, answer })
}

/// Clients post an answer bare, or under a key of their choosing.
fn spoken(output: &Value) -> Option<String> {
    let text = match output {
        Value::String(text) => text.clone(),
        Value::Object(keys) => match keys.get("answer").or_else(|| keys.get("choice")) {
            Some(Value::String(text)) => text.clone(),
            _ => output.to_string(),
        },
        Value::Null => return None,
        other => other.to_string(),
    };
    let text = printable(&text);
    (!text.is_empty()).then_some(text)
}

/// Without the blanks around, and without the control characters that no person types.
fn printable(text: &str) -> String {
    let typed = |letter: &char| !letter.is_control() || matches!(letter, '\n' | '\r' | '\t');
    text.chars().filter(typed).collect::<String>().trim().to_owned()
}

fn decision(approval: &Value) -> Option<Answer> {
    let reason = approval.get("reason").and_then(Value::as_str).map(printable);
    let approved = approval.get("approved")?.as_bool()?;
    Some(if approved { Answer::Approved } else { Answer::Rejected { reason } })
}

fn parts(message: &Value) -> &[Value] {
    message.get("parts").and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// Where a file is read.
pub(crate) fn file_url(id: &AttachmentId) -> String {
    format!("{FILE_URL}{id}")
}
