//! `rover keys` and `rover worker key`: the keys that sign, made and looked at by an operator.

use std::path::Path;

use server::identity::{KeyPurpose, KeyRing};
use worker::key_file;

use super::CommandError;
use crate::config::Config;
use crate::say::say;

/// Makes a new key for the contexts of turns. Servers that run find it by themselves.
pub(crate) fn rotate(config: &Config) -> Result<(), CommandError> {
    let ring = KeyRing::rotate(&folder(config)?, KeyPurpose::Context)?;
    say!(
        "there is a new key; servers sign with it a minute from now, and accept both until the next rotation:"
    );
    told(&ring);
    Ok(())
}

/// Says which keys are accepted.
pub(crate) fn list(config: &Config) -> Result<(), CommandError> {
    told(&KeyRing::open(&folder(config)?, KeyPurpose::Context)?);
    Ok(())
}

/// Makes a worker's key if it is not there, and prints its public half.
pub(crate) fn worker(file: &Path) -> Result<(), CommandError> {
    let key = key_file::read_or_make(file)?;
    eprintln!("key {} in {}; enrol its public half at the servers:", key.id(), file.display());
    say!("{}", key.public());
    Ok(())
}

fn folder(config: &Config) -> Result<std::path::PathBuf, CommandError> {
    let folder = config.keys();
    if folder.is_dir() {
        return Ok(folder);
    }
    Err(CommandError::NoData { key: "data_dir", path: folder.display().to_string() })
}

fn told(ring: &KeyRing) {
    for (kid, which) in ring.kids().zip(["newest", "the one before"]) {
        say!("{kid}  {which}");
    }
}
