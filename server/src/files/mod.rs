//! Files that people attach and that Rover makes.
//!
//! The bytes are in the database, in pieces: every server reaches them, they are behind the guards of their school, they
//! are in the same backup as the message that names them, and they go in the transaction in which it goes. What is
//! attached is small, so that a store beside the database would be one more thing to run and to keep in step.

mod kind;
mod making;
#[cfg(test)]
mod tests;

use std::collections::HashSet;

use agent_contract::{Attachment, AttachmentId, FilePiece, ThreadId, Timestamp, TurnId};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sqlx::FromRow;

pub use self::kind::Kind;
use crate::chat::Owner;
use crate::db::{Database, DbError, SystemFrame, statements::files, values};

/// Bytes of a piece. A row is written and read whole.
const PIECE: usize = FilePiece::LARGEST;
/// Letters of a file's name.
const LONGEST_NAME: usize = 120;

/// How much may be kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileLimits {
    /// Bytes of one file.
    pub file: u64,
    /// Files on one message.
    pub message_files: usize,
    /// Bytes of all files of a school.
    pub school: u64,
}

impl Default for FileLimits {
    fn default() -> Self {
        Self { file: 5 << 20, message_files: 5, school: 2 << 30 }
    }
}

/// The files of every school.
#[derive(Clone, Debug)]
pub struct Files {
    database: Database,
    limits: FileLimits,
}

/// A file that somebody brings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewFile {
    name: String,
    kind: Kind,
    bytes: Vec<u8>,
}

/// Who made a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// A person attached it.
    Upload,
    /// Rover made it in a turn.
    Artifact,
}

impl Origin {
    fn as_str(self) -> &'static str {
        match self {
            Self::Upload => "upload",
            Self::Artifact => "artifact",
        }
    }
}

/// Why a file is not taken, or not there.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileFault {
    /// It holds nothing.
    #[error("the file is empty")]
    Empty,
    /// It is larger than a file may be.
    #[error("the file has {bytes} bytes, and {limit} are allowed")]
    TooLarge {
        /// Its size.
        bytes: u64,
        /// The limit.
        limit: u64,
    },
    /// It is of no kind that is taken.
    #[error("files of type `{declared}` are not taken; these are: {taken}")]
    Kind {
        /// What the client said.
        declared: String,
        /// The kinds.
        taken: String,
    },
    /// It is not what the client says.
    #[error("the file is no {declared}, although it says so")]
    Mismatch {
        /// What it says that it is.
        declared: &'static str,
    },
    /// A piece of it is missing, or is of the wrong size.
    #[error("the pieces of the file do not fit together")]
    Piece,
    /// Its name is none.
    #[error("the file needs a name of 1 to {LONGEST_NAME} letters")]
    Name,
    /// There are more on a message than may be.
    #[error("a message may carry {0} files")]
    TooMany(usize),
    /// The school has no room.
    #[error("the school's room for files is used up; delete conversations with files first")]
    Full,
    /// It does not exist, or is somebody else's.
    #[error("there is no such file")]
    NotFound,
    /// The database failed.
    #[error(transparent)]
    Database(#[from] DbError),
}

#[derive(FromRow)]
struct FileRow {
    id: String,
    filename: String,
    media_type: String,
    size: i64,
}

#[derive(FromRow)]
struct PieceRow {
    bytes: String,
}

#[derive(FromRow)]
struct Used {
    bytes: i64,
}

#[derive(FromRow)]
struct Stray {
    school_id: String,
    id: String,
}

impl NewFile {
    /// A file as a client brings it, if it is one that is taken.
    pub fn new(
        name: &str,
        declared: &str,
        bytes: Vec<u8>,
        limits: FileLimits,
    ) -> Result<Self, FileFault> {
        let size = bytes.len() as u64;
        if size == 0 {
            return Err(FileFault::Empty);
        }
        if size > limits.file {
            return Err(FileFault::TooLarge { bytes: size, limit: limits.file });
        }
        let kind = Kind::of(declared, &bytes)?;
        Ok(Self { name: plain_name(name).ok_or(FileFault::Name)?, kind, bytes })
    }
}

impl Files {
    /// The files in this database.
    pub fn new(database: Database, limits: FileLimits) -> Self {
        Self { database, limits }
    }

    /// How much may be kept.
    pub fn limits(&self) -> FileLimits {
        self.limits
    }

    /// Keeps a file that a person will say something about.
    pub async fn upload(&self, owner: &Owner, file: NewFile) -> Result<Attachment, FileFault> {
        let NewFile { name, kind, bytes } = file;
        let size = i64::try_from(bytes.len()).map_err(|_| FileFault::Full)?;
        let (school, id) = (owner.school.as_str(), AttachmentId::mint());
        let mut frame = self.database.system_write().await?;
        self.room(&mut frame, school, size).await?;
        let row = values![
            school,
            id.as_str(),
            owner.account.as_str(),
            None::<&str>,
            None::<&str>,
            Origin::Upload.as_str(),
            &name,
            kind.media_type(),
            size,
            true,
            Timestamp::now().instant().as_microsecond(),
        ];
        frame.execute(files::ADD, row).await?;
        for (seq, piece) in (0_i64..).zip(bytes.chunks(PIECE)) {
            let row = values![school, id.as_str(), seq, STANDARD.encode(piece)];
            frame.execute(files::ADD_PIECE, row).await?;
        }
        frame.commit().await?;
        let media_type = kind.media_type().to_owned();
        Ok(Attachment { id, filename: name, media_type, size: size.unsigned_abs() })
    }

    /// Refuses what a school has no room for.
    async fn room(
        &self,
        frame: &mut SystemFrame,
        school: &str,
        more: i64,
    ) -> Result<(), FileFault> {
        let used: Option<Used> = frame.optional(files::USED, values![school]).await?;
        let used = used.map_or(0, |used| used.bytes).saturating_add(more);
        match u64::try_from(used) {
            Ok(used) if used <= self.limits.school => Ok(()),
            _ => Err(FileFault::Full),
        }
    }

    /// Every file of a person, the oldest first.
    pub(crate) async fn all_of(&self, owner: &Owner) -> Result<Vec<Attachment>, FileFault> {
        let mut frame = self.database.system_read().await?;
        let values = values![owner.school.as_str(), owner.account.as_str()];
        let rows: Vec<FileRow> = frame.all(files::EVERY_FILE_OF, values).await?;
        rows.into_iter().map(|row| Ok(attachment(row)?)).collect()
    }

    /// Deletes the files of a person that are on no message; the others go with their conversations.
    pub(crate) async fn forget_strays(&self, owner: &Owner) -> Result<(), FileFault> {
        let mut frame = self.database.system_write().await?;
        let values = values![owner.school.as_str(), owner.account.as_str()];
        let stray: Vec<Stray> = frame.all(files::STRAY_OF, values).await?;
        for Stray { school_id, id } in &stray {
            frame.execute(files::DELETE_PIECES, values![school_id, id]).await?;
            frame.execute(files::DELETE, values![school_id, id]).await?;
        }
        Ok(frame.commit().await?)
    }

    /// A person's file; of whatever else has this id, nobody is told.
    pub async fn find(&self, owner: &Owner, id: &str) -> Result<Attachment, FileFault> {
        let mut frame = self.database.system_read().await?;
        found(&mut frame, owner, id).await
    }

    /// Bytes of a person's file from this place on: as many as there are, and no more than a piece.
    pub async fn read(&self, owner: &Owner, id: &str, from: u64) -> Result<Vec<u8>, FileFault> {
        let mut frame = self.database.system_read().await?;
        let file = found(&mut frame, owner, id).await?;
        piece(&mut frame, owner, &file, from).await
    }

    /// The same of a file on a message of this conversation, for a turn that may see no other.
    pub(crate) async fn read_in(
        &self,
        owner: &Owner,
        thread: &ThreadId,
        id: &AttachmentId,
        from: u64,
    ) -> Result<(u64, Vec<u8>), FileFault> {
        let mut frame = self.database.system_read().await?;
        let (school, account) = (owner.school.as_str(), owner.account.as_str());
        let values = values![school, id.as_str(), account, thread.as_str()];
        let row: Option<FileRow> = frame.optional(files::OF_THREAD, values).await?;
        let file = attachment(row.ok_or(FileFault::NotFound)?)?;
        let bytes = piece(&mut frame, owner, &file, from).await?;
        Ok((file.size, bytes))
    }

    /// Deletes what was uploaded before this and never said anything about; answers how much.
    pub(crate) async fn sweep(&self, before: Timestamp) -> Result<usize, DbError> {
        let mut frame = self.database.system_write().await?;
        let values = values![before.instant().as_microsecond()];
        let stray: Vec<Stray> = frame.all(files::STRAY, values).await?;
        for Stray { school_id, id } in &stray {
            frame.execute(files::DELETE_PIECES, values![school_id, id]).await?;
            frame.execute(files::DELETE, values![school_id, id]).await?;
        }
        frame.commit().await?;
        Ok(stray.len())
    }
}

/// Bytes of a file from this place on, and no more than a piece.
async fn piece(
    frame: &mut SystemFrame,
    owner: &Owner,
    file: &Attachment,
    from: u64,
) -> Result<Vec<u8>, FileFault> {
    if from >= file.size {
        return Ok(Vec::new());
    }
    let (seq, within) = (from / PIECE as u64, from % PIECE as u64);
    let odd = || DbError::Stored("a piece of a file is not there");
    let seq = i64::try_from(seq).map_err(|_| odd())?;
    let values = values![owner.school.as_str(), file.id.as_str(), seq];
    let row: Option<PieceRow> = frame.optional(files::PIECE, values).await?;
    let mut bytes = STANDARD.decode(row.ok_or_else(odd)?.bytes).map_err(|_| odd())?;
    let within = usize::try_from(within).map_err(|_| odd())?.min(bytes.len());
    Ok(bytes.split_off(within))
}

/// Puts files that a person uploaded onto the message that begins a turn, each once.
pub(crate) async fn attach(
    frame: &mut SystemFrame,
    owner: &Owner,
    (thread, turn): (&ThreadId, &TurnId),
    ids: &[AttachmentId],
) -> Result<Vec<Attachment>, FileFault> {
    let (mut attached, mut seen) = (Vec::with_capacity(ids.len()), HashSet::new());
    for id in ids.iter().filter(|id| seen.insert(id.as_str())) {
        let (school, account) = (owner.school.as_str(), owner.account.as_str());
        let values = values![school, id.as_str(), account, thread.as_str(), turn.as_str()];
        if frame.execute(files::ATTACH, values).await? != 1 {
            return Err(FileFault::NotFound);
        }
        attached.push(found(frame, owner, id.as_str()).await?);
    }
    Ok(attached)
}

async fn found(frame: &mut SystemFrame, owner: &Owner, id: &str) -> Result<Attachment, FileFault> {
    let values = values![owner.school.as_str(), id, owner.account.as_str()];
    let row: Option<FileRow> = frame.optional(files::OF, values).await?;
    Ok(attachment(row.ok_or(FileFault::NotFound)?)?)
}

fn attachment(row: FileRow) -> Result<Attachment, DbError> {
    Ok(Attachment {
        id: AttachmentId::new(row.id).map_err(|_| DbError::Stored("a file without an id"))?,
        filename: row.filename,
        media_type: row.media_type,
        size: u64::try_from(row.size).map_err(|_| DbError::Stored("a file of no size"))?,
    })
}

/// The last part of a path, without what a header or a screen could take for something else.
fn plain_name(name: &str) -> Option<String> {
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    // Marks that turn the direction of writing can make `gpj.exe` look like `exe.jpg`.
    let odd = |letter: &char| {
        letter.is_control()
            || matches!(letter, '\u{200e}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    let plain: String = last.chars().filter(|letter| !odd(letter)).collect();
    let plain = plain.trim().trim_start_matches('.').to_owned();
    (1..=LONGEST_NAME).contains(&plain.chars().count()).then_some(plain)
}
