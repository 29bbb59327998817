//! A copy holds what was committed and nothing else, and is whole; damage is found and named.

use std::{fs, os::unix::fs::PermissionsExt as _};

use super::{count, scope};
use crate::{
    audit::{Chain, verify_all},
    db::{
        BackupError, Database, DatabaseUrl, DbError, Frame as _,
        statements::Raw,
        testing::{Kind, Site},
        values,
    },
    demo,
};

#[tokio::test]
async fn a_copy_is_made_while_a_server_writes_and_works_in_its_place() {
    let site = Site::new(Kind::Sqlite).await;
    let database = site.open().await;
    demo::plant(&database).await.expect("planted");
    let frame = database.write(&scope("naalya")).await.expect("a frame");
    let unfinished = "UPDATE main.department SET name = name || '!' WHERE school_id = 'naalya'";
    frame
        .session()
        .lock()
        .await
        .execute(Raw(unfinished.to_owned()), values![])
        .await
        .expect("rows");

    let folder = tempfile::tempdir().expect("a folder");
    let copy = folder.path().join("copy.db");
    let bytes = Database::backup(&site.url(), &copy).await.expect("a copy");
    drop(frame);
    let written = fs::metadata(&copy).expect("it is there");
    assert_eq!(written.len(), bytes);
    assert_eq!(written.permissions().mode() & 0o777, 0o600, "only its owner reads it");
    let names = || fs::read_dir(folder.path()).expect("a folder").count();
    assert_eq!(names(), 1, "nothing is left beside it");

    let again = Database::backup(&site.url(), &copy).await.expect_err("it is there");
    assert!(matches!(again, BackupError::Exists(_)), "{again}");
    assert_eq!(fs::metadata(&copy).expect("it is there").len(), bytes);

    let restored = DatabaseUrl::Sqlite(copy);
    Database::check(&restored).await.expect("it is whole");
    let restored = Database::open(&restored).await.expect("it opens");
    let chains = verify_all(&restored).await.expect("chains");
    assert_eq!(chains.len(), 2);
    assert!(chains.iter().all(|(_, chain)| matches!(chain, Chain::Whole { .. })), "{chains:?}");
    let frame = restored.write(&scope("naalya")).await.expect("it can be written");
    assert!(count(&frame, "department").await > 0);
    assert_eq!(count(&frame, "department WHERE name LIKE '%!'").await, 0);
}

#[tokio::test]
async fn a_copy_of_what_is_no_file_or_to_nowhere_is_refused() {
    let site = Site::new(Kind::Sqlite).await;
    site.open().await.close().await;
    let folder = tempfile::tempdir().expect("a folder");
    let nowhere = folder.path().join("no/such/folder.db");
    let refused = Database::backup(&site.url(), &nowhere).await.expect_err("no such folder");
    assert!(matches!(refused, BackupError::Unwritable { .. }), "{refused}");
    let server: DatabaseUrl = "postgres://app@db.example/rover".parse().expect("an address");
    let refused = Database::backup(&server, &folder.path().join("x.db")).await;
    assert_eq!(
        refused.expect_err("no file").to_string(),
        "postgres://db.example/rover is a PostgreSQL database; copy it with pg_dump, as docs/databases.md shows"
    );
}

#[tokio::test]
async fn damage_is_found() {
    let site = Site::new(Kind::Sqlite).await;
    let database = site.open().await;
    demo::plant(&database).await.expect("planted");
    database.close().await;
    Database::check(&site.url()).await.expect("it is whole");

    let DatabaseUrl::Sqlite(path) = site.url() else { panic!("a file") };
    let whole = fs::read(&path).expect("the file");
    let damage: [(&str, fn(&mut Vec<u8>)); 3] = [
        ("a page of rubbish", |bytes| bytes[3 * 4096..4 * 4096].fill(0xA5)),
        ("half a file", |bytes| bytes.truncate(bytes.len() / 2 / 4096 * 4096)),
        ("no database at all", |bytes| bytes[..16].fill(b'x')),
    ];
    for (what, spoil) in damage {
        let mut bytes = whole.clone();
        spoil(&mut bytes);
        fs::write(&path, bytes).expect("written");
        let found = Database::check(&site.url()).await.expect_err(what);
        assert!(matches!(found, DbError::Damaged(_)), "{what}: {found:?}");
    }
    fs::write(&path, whole).expect("written");
    site.outside()
        .await
        .run("PRAGMA foreign_keys = OFF; DELETE FROM campus WHERE id = 'naalya-campus-main'")
        .await;
    let found = Database::check(&site.url()).await.expect_err("rows hang in the air");
    assert!(found.to_string().contains("refers to none"), "{found}");
}
