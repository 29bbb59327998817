//! Why a text is no lock.

/// The command that writes the lock anew.
const BLESS: &str = "cargo run -- contract lock";

/// A text that cannot be used as a contract lock.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// It is no JSON, or has not the form of a lock.
    #[error("this is no contract lock: {0}; write it anew with `{BLESS}`")]
    Form(#[from] serde_json::Error),
    /// It was written in another format.
    #[error(
        "this contract lock has format {found}, and this build reads format {expected}; \
         write it anew with `{BLESS}`"
    )]
    Format {
        /// The format that it says it has.
        found: u64,
        /// The format that this build reads.
        expected: u64,
    },
    /// A hash is not the hash of what stands beside it, or a version is accepted that is not remembered.
    #[error(
        "the lock of {tool} contradicts itself in `{part}`: it was edited by hand or merged badly; \
         take the other side's file and write it anew with `{BLESS}`"
    )]
    Edited {
        /// Name of the tool.
        tool: String,
        /// `wire`, `auth`, `prompt`, `history` or `accepts`.
        part: &'static str,
    },
}
