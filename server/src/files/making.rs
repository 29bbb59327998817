//! A file that Rover makes in a turn: it comes piece by piece, and nobody sees it before it is whole.
//!
//! The worker names the file, from the call that makes it, so a piece that comes twice is one piece, and a worker that
//! takes the turn over goes on with the same file.

use agent_contract::{Attachment, FilePiece, ThreadId, Timestamp, TurnId};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::{FileFault, FileRow, Files, Kind, Origin, PieceRow, attachment, plain_name};
use crate::chat::Owner;
use crate::db::{DbError, SystemFrame, statements::files, values};

impl Files {
    /// Takes a piece of a file; with the last one the file is whole, and is what it says or is refused.
    pub(crate) async fn make(
        &self,
        owner: &Owner,
        (thread, turn): (&ThreadId, &TurnId),
        piece: FilePiece,
    ) -> Result<Option<Attachment>, FileFault> {
        let (school, id) = (owner.school.as_str(), piece.id.as_str());
        let bytes = STANDARD.decode(&piece.bytes).map_err(|_| FileFault::Piece)?;
        let whole = FilePiece::LARGEST;
        // Pieces are found by their place, so only the last may be short.
        if bytes.len() > whole || (!piece.last && bytes.len() != whole) {
            return Err(FileFault::Piece);
        }
        let before = u64::from(piece.seq) * whole as u64;
        let size = before + bytes.len() as u64;
        let limit = self.limits.file;
        if size > limit {
            return Err(FileFault::TooLarge { bytes: size, limit });
        }
        let (size, seq) = (size.cast_signed(), i64::from(piece.seq));
        let name = plain_name(&piece.filename).ok_or(FileFault::Name)?;

        let mut frame = self.database.system_write().await?;
        self.room(&mut frame, school, bytes.len().try_into().unwrap_or(i64::MAX)).await?;
        let row = values![
            school,
            id,
            owner.account.as_str(),
            thread.as_str(),
            turn.as_str(),
            Origin::Artifact.as_str(),
            &name,
            &piece.media_type,
            0_i64,
            false,
            Timestamp::now().instant().as_microsecond(),
        ];
        frame.execute(files::ADD, row).await?;
        let account = owner.account.as_str();
        let values = values![school, id, account, turn.as_str()];
        let open: Option<FileRow> = frame.optional(files::UNSEALED, values).await?;
        if open.is_none() {
            // It is whole already, where the last piece comes again; or it is another turn's, which is told to nobody.
            let values = values![school, id, account, thread.as_str()];
            let sealed: Option<FileRow> = frame.optional(files::OF_THREAD, values).await?;
            return Ok(Some(attachment(sealed.ok_or(FileFault::NotFound)?)?));
        }
        frame.execute(files::ADD_PIECE, values![school, id, seq, STANDARD.encode(&bytes)]).await?;
        frame.execute(files::GROW, values![school, id, size]).await?;
        if !piece.last {
            frame.commit().await?;
            return Ok(None);
        }
        let made = whole_file(&mut frame, owner, id, size).await?;
        Kind::of(&piece.media_type, &made)?;
        frame.execute(files::SEAL, values![school, id]).await?;
        frame.commit().await?;
        let media_type = piece.media_type;
        Ok(Some(Attachment { id: piece.id, filename: name, media_type, size: size.unsigned_abs() }))
    }
}

/// All bytes of a file, none missing.
async fn whole_file(
    frame: &mut SystemFrame,
    owner: &Owner,
    id: &str,
    size: i64,
) -> Result<Vec<u8>, FileFault> {
    let pieces: Vec<PieceRow> =
        frame.all(files::PIECES, values![owner.school.as_str(), id]).await?;
    let mut bytes = Vec::new();
    for piece in pieces {
        let odd = |_| DbError::Stored("a piece of a file is no base64");
        bytes.extend(STANDARD.decode(piece.bytes).map_err(odd)?);
    }
    if i64::try_from(bytes.len()).is_ok_and(|length| length == size) && !bytes.is_empty() {
        Ok(bytes)
    } else {
        Err(FileFault::Piece)
    }
}
