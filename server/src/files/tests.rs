//! Files in the rows of both databases: what goes in comes out, and to nobody else.

use agent_contract::{AttachmentId, FilePiece, SchoolId, ThreadId, TurnId, UserId};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::{FileFault, FileLimits, Files, NewFile};
use crate::chat::Owner;
use crate::db::{
    Database,
    testing::{on_postgres, on_sqlite},
};
use crate::demo;

const WHOLE: usize = FilePiece::LARGEST;

struct Scene {
    files: Files,
    grace: Owner,
    ruth: Owner,
    daniel: Owner,
}

async fn scene(database: Database, limits: FileLimits) -> Scene {
    demo::plant(&database).await.unwrap();
    let owner = async |email: &str| {
        let account = crate::domain::account_by_email(&database, email).await.unwrap().unwrap();
        let identity = account.identity().unwrap();
        Owner {
            school: SchoolId::new(identity.school_id.unwrap()).unwrap(),
            account: UserId::new(identity.sub).unwrap(),
        }
    };
    Scene {
        grace: owner("grace.namutebi@naalya.example").await,
        ruth: owner("ruth.akello@naalya.example").await,
        daniel: owner("daniel.okello@naalya.example").await,
        files: Files::new(database, limits),
    }
}

fn text(bytes: usize) -> Vec<u8> {
    (0..bytes).map(|at| b'a' + u8::try_from(at % 26).unwrap()).collect()
}

fn csv(bytes: Vec<u8>, limits: FileLimits) -> Result<NewFile, FileFault> {
    NewFile::new("marks.csv", "text/csv", bytes, limits)
}

async fn goes_in_and_comes_out(database: Database) {
    let limits = FileLimits { file: 1 << 20, school: 2 << 20, ..FileLimits::default() };
    let Scene { files, grace, ruth, daniel } = scene(database, limits).await;
    for size in [1, WHOLE - 1, WHOLE, WHOLE + 1, 3 * WHOLE + 7] {
        let bytes = text(size);
        let kept = files.upload(&grace, csv(bytes.clone(), limits).unwrap()).await.unwrap();
        assert_eq!(kept.size, size as u64);
        let mut read = Vec::new();
        loop {
            let more = files.read(&grace, kept.id.as_str(), read.len() as u64).await.unwrap();
            assert!(more.len() <= WHOLE, "in bounded pieces");
            if more.is_empty() {
                break;
            }
            read.extend(more);
        }
        assert_eq!(read, bytes, "{size}");
        for other in [&ruth, &daniel] {
            let found = files.read(other, kept.id.as_str(), 0).await;
            assert!(matches!(found, Err(FileFault::NotFound)), "{found:?}");
        }
    }
    let missing = files.read(&grace, "no-such", 0).await;
    assert!(matches!(missing, Err(FileFault::NotFound)), "{missing:?}");
    let full = files.upload(&grace, csv(text(1 << 20), limits).unwrap()).await;
    assert!(matches!(full, Err(FileFault::Full)), "{full:?}");
    let elsewhere = files.upload(&daniel, csv(text(9), limits).unwrap()).await;
    assert!(elsewhere.is_ok() || daniel.school == grace.school, "a school's room is its own");
    let large = csv(text((1 << 20) + 1), limits);
    assert!(matches!(large, Err(FileFault::TooLarge { .. })), "{large:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_goes_in_and_comes_out_on_sqlite() {
    on_sqlite(goes_in_and_comes_out).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_goes_in_and_comes_out_on_postgres() {
    on_postgres(goes_in_and_comes_out).await;
}

#[test]
fn a_name_is_the_last_part_and_hides_nothing() {
    let limits = FileLimits::default();
    let named = |name: &str| NewFile::new(name, "text/csv", text(3), limits).map(|file| file.name);
    for (given, kept) in [
        ("marks.csv", "marks.csv"),
        ("../../etc/passwd", "passwd"),
        ("C:\\Users\\Ruth\\marks.csv", "marks.csv"),
        (".htaccess", "htaccess"),
        ("a\u{202e}vsc.exe", "avsc.exe"),
        ("a\"\r\nX-Evil: 1.csv", "a\"X-Evil: 1.csv"),
    ] {
        assert_eq!(named(given).unwrap(), kept, "{given:?}");
    }
    for given in ["", "   ", "/", "...", &"x".repeat(121)] {
        assert!(matches!(named(given), Err(FileFault::Name)), "{given:?}");
    }
}

/// A turn of a person, past everything of the chat.
async fn turn(database: &Database, owner: &Owner) -> (ThreadId, TurnId) {
    use crate::db::{statements::chat, values};
    let (thread, turn) = (ThreadId::mint(), TurnId::mint());
    let (school, account) = (owner.school.as_str(), owner.account.as_str());
    let mut frame = database.system_write().await.unwrap();
    let row = values![school, thread.as_str(), account, "Test", 0_i64];
    frame.execute(chat::ADD_THREAD, row).await.unwrap();
    let row = values![
        school,
        turn.as_str(),
        thread.as_str(),
        account,
        "{\"mode\":\"school\"}",
        0_i64,
        1_i64
    ];
    frame.execute(chat::ADD_TURN, row).await.unwrap();
    frame.commit().await.unwrap();
    (thread, turn)
}

async fn is_made_piece_by_piece(database: Database) {
    let limits = FileLimits { file: 1 << 20, ..FileLimits::default() };
    let (thread, turn_id, other) = {
        let Scene { grace, .. } = scene(database.clone(), limits).await;
        let (thread, turn_id) = turn(&database, &grace).await;
        (thread, turn_id, turn(&database, &grace).await)
    };
    let Scene { files, grace, ruth, .. } = scene(database, limits).await;
    let bytes = text(2 * WHOLE + 5);
    let id = AttachmentId::mint();
    let piece = |seq: usize| FilePiece {
        id: id.clone(),
        filename: "report.csv".to_owned(),
        media_type: "text/csv".to_owned(),
        seq: u32::try_from(seq).unwrap(),
        bytes: STANDARD.encode(bytes.chunks(WHOLE).nth(seq).unwrap()),
        last: seq == 2,
    };
    let made_in = (&thread, &turn_id);
    let early = files.make(&grace, made_in, piece(2)).await;
    assert!(matches!(early, Err(FileFault::Piece)), "pieces are missing: {early:?}");
    for seq in [0, 0, 1] {
        assert_eq!(files.make(&grace, made_in, piece(seq)).await.unwrap(), None);
    }
    let unseen = files.find(&grace, id.as_str()).await;
    assert!(matches!(unseen, Err(FileFault::NotFound)), "it is not whole: {unseen:?}");
    let stolen = files.make(&grace, (&other.0, &other.1), piece(2)).await;
    assert!(matches!(stolen, Err(FileFault::NotFound)), "another turn's: {stolen:?}");
    let made = files.make(&grace, made_in, piece(2)).await.unwrap().expect("it is whole");
    assert_eq!(made.size, bytes.len() as u64);
    let again = files.make(&grace, made_in, piece(2)).await.unwrap();
    assert_eq!(again, Some(made), "the last piece may come twice");
    let (size, read) = files.read_in(&grace, &thread, &id, WHOLE as u64).await.unwrap();
    assert_eq!((size, read), (bytes.len() as u64, bytes[WHOLE..2 * WHOLE].to_vec()));
    for (owner, thread) in [(&ruth, &thread), (&grace, &other.0)] {
        let hidden = files.read_in(owner, thread, &id, 0).await;
        assert!(matches!(hidden, Err(FileFault::NotFound)), "{hidden:?}");
    }
    let lie =
        FilePiece { id: AttachmentId::mint(), media_type: "image/png".to_owned(), ..piece(2) };
    let lie = files.make(&grace, made_in, FilePiece { seq: 0, ..lie }).await;
    assert!(matches!(lie, Err(FileFault::Mismatch { .. })), "{lie:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_is_made_piece_by_piece_on_sqlite() {
    on_sqlite(is_made_piece_by_piece).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_is_made_piece_by_piece_on_postgres() {
    on_postgres(is_made_piece_by_piece).await;
}
