//! Signing keys: Ed25519, in files beside the database that nobody else can read.
//!
//! One file a key, named by purpose and id; ids sort by age and tell it. Two keys are accepted, the newest and the one
//! before it. A new one is accepted at once and signs a minute later, so that every server of a shared folder has it
//! by then. A file that others may read stops the start: what it signed proves nothing.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use agent_contract::Timestamp;
use pasetors::keys::{AsymmetricKeyPair, AsymmetricPublicKey, AsymmetricSecretKey, Generate as _};
use pasetors::version4::V4;
use uuid::Uuid;

/// How many keys are accepted.
const LIVE: usize = 2;
/// How old a key is before it signs, if there is another one.
const LEAD: Duration = Duration::from_mins(1);

/// What a key is for. A key of one purpose is never tried for the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyPurpose {
    /// Signs the context of a turn.
    Context,
    /// Signs people in.
    SignIn,
}

/// The keys of one purpose, newest first; there is always one.
#[derive(Debug)]
pub struct KeyRing {
    folder: PathBuf,
    purpose: KeyPurpose,
    newest: Key,
    previous: Option<Key>,
}

/// One key pair and its id.
pub(super) struct Key {
    kid: String,
    secret: AsymmetricSecretKey<V4>,
    public: AsymmetricPublicKey<V4>,
}

/// Why keys could not be opened. For the operator; it names files.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    /// A file could not be read or written.
    #[error("key file {}", path.display())]
    File {
        /// Which file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// Other users may read a key.
    #[error("key file {} can be read by others; `chmod 600` it, or delete it if it may be known", .0.display())]
    Exposed(PathBuf),
    /// A file holds no key.
    #[error("key file {} holds no key", .0.display())]
    Malformed(PathBuf),
    /// The system gave no randomness.
    #[error("no key could be generated")]
    Generate,
}

impl KeyPurpose {
    fn prefix(self) -> &'static str {
        match self {
            Self::Context => "context-",
            Self::SignIn => "sign-in-",
        }
    }
}

impl KeyRing {
    /// Opens the keys in `folder`, making the folder and a first key when there are none.
    pub fn open(folder: &Path, purpose: KeyPurpose) -> Result<Self, KeyError> {
        fs::create_dir_all(folder).map_err(at(folder))?;
        let mut names = key_names(folder, purpose)?;
        if names.is_empty() {
            names.push(generate(folder, purpose)?);
        }
        names.sort_unstable_by(|a, b| b.cmp(a));
        let mut keys = names.iter().take(LIVE).map(|name| Key::read(folder, purpose, name));
        let newest = keys.next().ok_or(KeyError::Generate)??;
        let previous = keys.next().transpose()?;
        Ok(Self { folder: folder.to_owned(), purpose, newest, previous })
    }

    /// The keys that are in the folder now.
    pub fn reopened(&self) -> Result<Self, KeyError> {
        Self::open(&self.folder, self.purpose)
    }

    /// Ids of the keys that are accepted, the newest first.
    pub fn kids(&self) -> impl Iterator<Item = &str> {
        std::iter::once(&self.newest).chain(&self.previous).map(Key::kid)
    }

    /// Makes a new signing key. The one that signed until now stays accepted, the one before it goes.
    pub fn rotate(folder: &Path, purpose: KeyPurpose) -> Result<Self, KeyError> {
        generate(folder, purpose)?;
        let mut names = key_names(folder, purpose)?;
        names.sort_unstable_by(|a, b| b.cmp(a));
        for name in names.iter().skip(LIVE) {
            let path = folder.join(name);
            fs::remove_file(&path).map_err(at(&path))?;
        }
        Self::open(folder, purpose)
    }

    pub(super) fn signing(&self) -> &Key {
        &self.newest
    }

    /// The key that signs at this moment.
    pub(super) fn signing_at(&self, now: Timestamp) -> &Key {
        match &self.previous {
            Some(previous) if !self.newest.is_seasoned(now) => previous,
            _ => &self.newest,
        }
    }

    pub(super) fn accepted(&self, kid: &str) -> Option<&Key> {
        std::iter::once(&self.newest).chain(&self.previous).find(|key| key.kid == kid)
    }
}

impl Key {
    pub(super) fn kid(&self) -> &str {
        &self.kid
    }

    /// Whether every server has had the time to find it. A name that tells no age is somebody's own, and old enough.
    fn is_seasoned(&self, now: Timestamp) -> bool {
        let made = Uuid::parse_str(&self.kid).ok().and_then(|kid| kid.get_timestamp());
        let Some((seconds, _)) = made.map(|made| made.to_unix()) else { return true };
        let Ok(seconds) = i64::try_from(seconds) else { return true };
        now.as_second() >= seconds.saturating_add(LEAD.as_secs().cast_signed())
    }

    pub(super) fn secret(&self) -> &AsymmetricSecretKey<V4> {
        &self.secret
    }

    pub(super) fn public(&self) -> &AsymmetricPublicKey<V4> {
        &self.public
    }

    /// The first half of a PASETO secret; the second is the public key.
    pub(super) fn seed(&self) -> &[u8] {
        self.secret.as_bytes().split_at(32).0
    }

    fn read(folder: &Path, purpose: KeyPurpose, name: &str) -> Result<Self, KeyError> {
        let path = folder.join(name);
        if is_exposed(&fs::metadata(&path).map_err(at(&path))?) {
            return Err(KeyError::Exposed(path));
        }
        let text = fs::read_to_string(&path).map_err(at(&path))?;
        let key = hex::decode(text.trim())
            .ok()
            .and_then(|bytes| AsymmetricSecretKey::<V4>::from(&bytes).ok())
            .and_then(|secret| Some((AsymmetricPublicKey::try_from(&secret).ok()?, secret)));
        let Some((public, secret)) = key else { return Err(KeyError::Malformed(path)) };
        let kid = name.trim_start_matches(purpose.prefix()).trim_end_matches(SUFFIX).to_owned();
        Ok(Self { kid, secret, public })
    }
}

impl std::fmt::Debug for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Key").field("kid", &self.kid).finish_non_exhaustive()
    }
}

const SUFFIX: &str = ".key";

fn key_names(folder: &Path, purpose: KeyPurpose) -> Result<Vec<String>, KeyError> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).map_err(at(folder))? {
        let name = entry.map_err(at(folder))?.file_name().to_string_lossy().into_owned();
        if name.starts_with(purpose.prefix()) && name.ends_with(SUFFIX) {
            names.push(name);
        }
    }
    Ok(names)
}

/// Written under another name first: a half-written key must not be found under its own.
fn generate(folder: &Path, purpose: KeyPurpose) -> Result<String, KeyError> {
    let pair = AsymmetricKeyPair::<V4>::generate().map_err(|_| KeyError::Generate)?;
    let name = format!("{}{}{SUFFIX}", purpose.prefix(), Uuid::now_v7());
    let (path, unfinished) = (folder.join(&name), folder.join(format!("{name}.new")));
    private(&unfinished)
        .and_then(|mut file| {
            file.write_all(hex::encode(pair.secret.as_bytes()).as_bytes())?;
            file.sync_all()
        })
        .and_then(|()| fs::rename(&unfinished, &path))
        .map_err(at(&path))?;
    Ok(name)
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

fn at(path: &Path) -> impl FnOnce(io::Error) -> KeyError + use<> {
    let path = path.to_owned();
    move |source| KeyError::File { path, source }
}
