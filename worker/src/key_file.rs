//! A worker's secret key in a file that nobody else can read.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use agent_contract::{KeyFault, WorkerKey};
use uuid::Uuid;

/// Why there is no key.
#[derive(Debug, thiserror::Error)]
pub enum KeyFileError {
    /// The file could not be read or written.
    #[error("worker key file {}", path.display())]
    File {
        /// Which file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// Other users may read it.
    #[error(
        "worker key file {} can be read by others; `chmod 600` it, or make another key if it may be known",
        .0.display()
    )]
    Exposed(PathBuf),
    /// It holds something else.
    #[error("worker key file {} holds {fault}", path.display())]
    Content {
        /// Which file.
        path: PathBuf,
        /// What it holds.
        fault: KeyFault,
    },
}

/// Reads a key that is there.
pub fn read(path: &Path) -> Result<WorkerKey, KeyFileError> {
    let file = |source| KeyFileError::File { path: path.to_owned(), source };
    if is_exposed(&fs::metadata(path).map_err(file)?) {
        return Err(KeyFileError::Exposed(path.to_owned()));
    }
    let text = fs::read_to_string(path).map_err(file)?;
    text.parse().map_err(|fault| KeyFileError::Content { path: path.to_owned(), fault })
}

/// Reads the key, or makes it and its folder. Of two processes that make it at once, both get the same one.
pub fn read_or_make(path: &Path) -> Result<WorkerKey, KeyFileError> {
    if !path.exists() {
        make(path).map_err(|source| KeyFileError::File { path: path.to_owned(), source })?;
    }
    read(path)
}

/// Written under another name first: a half-written key must not be found under its own.
fn make(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if let Some(folder) = folder {
        fs::create_dir_all(folder)?;
    }
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.new", Uuid::new_v4().simple()));
    let unfinished = path.with_file_name(name);
    let linked = private(&unfinished).and_then(|mut file| {
        writeln!(file, "{}", WorkerKey::generate().to_secret_text())?;
        file.sync_all()?;
        // A link takes nobody's place, as a rename would.
        fs::hard_link(&unfinished, path)
    });
    let _ = fs::remove_file(&unfinished);
    match linked {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        linked => linked,
    }
}

#[cfg(unix)]
fn private(path: &Path) -> io::Result<fs::File> {
    use std::os::unix::fs::OpenOptionsExt as _;
    fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)
}

#[cfg(not(unix))]
fn private(path: &Path) -> io::Result<fs::File> {
    fs::OpenOptions::new().write(true).create_new(true).open(path)
}

#[cfg(unix)]
fn is_exposed(file: &fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    file.permissions().mode() & 0o077 != 0
}

/// Elsewhere the folder's own rights decide.
#[cfg(not(unix))]
fn is_exposed(_: &fs::Metadata) -> bool {
    false
}
