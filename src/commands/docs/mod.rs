//! The documentation that is written from what it documents: the tools from the registry and from runs of their
//! examples, the compiler's messages from the cases that provoke them.
//!
//! A test compares the files with what this module writes, so no page can go stale.

mod errors;
mod registry;
mod results;

use std::path::{Path, PathBuf};

use server::catalogue::Catalogue;
use server::console::ConsoleError;

pub(crate) use registry::section;

/// The command that renews the files.
pub(crate) const BLESS: &str = "cargo run -- docs";

/// Why the documentation could not be written or is not right.
#[derive(Debug, thiserror::Error)]
pub(crate) enum DocsError {
    /// A file cannot be read or written.
    #[error("{file}: {source}; run this in the workspace's root")]
    File { file: PathBuf, source: std::io::Error },
    /// A file differs from what it documents.
    #[error("{0} is stale; run `{BLESS}`")]
    Stale(&'static str),
    /// The demo school could not be opened.
    #[error("the demo school for the examples cannot be opened")]
    School(#[from] server::StartError),
    /// There is no place for the demo school.
    #[error("the demo school for the examples has no folder")]
    Folder(#[source] std::io::Error),
    /// The call of an example could not be made.
    #[error("the example `{command}` cannot be run")]
    Call { command: String, source: Box<ConsoleError> },
    /// The example of a tool was refused.
    #[error("the example `{command}` was refused: {error}")]
    Refused { command: String, error: String },
    /// The result of an example is not of the result's schema.
    #[error("the result of `{command}` is not what its schema says: {fault}")]
    Result { command: String, fault: String },
    /// Nobody of the demo school may run a tool.
    #[error("nobody of the demo school may run `{0}`; give somebody there a role that may")]
    Nobody(&'static str),
    /// A compile-fail case does not say what it is for.
    #[error("{0}: begin the case with `//! Why: …` and `//! Repair: …`, a sentence each")]
    Unexplained(PathBuf),
    /// The catalogue is no JSON, which cannot be.
    #[error("the catalogue cannot be written as JSON")]
    Json(#[from] serde_json::Error),
}

/// Writes the files, or only compares them.
pub(crate) async fn run(root: &Path, check: bool) -> Result<(), DocsError> {
    let results = Box::pin(results::of_every_example()).await?;
    let catalogue = Catalogue::with(&results);
    let files = [
        ("server/src/demo/results.json", json(&results)?),
        ("tools/tools.json", json(&catalogue)?),
        ("tools/REGISTRY.md", registry::page(&catalogue)),
        ("docs/errors.md", errors::page(root)?),
    ];
    for (name, text) in files {
        let file = root.join(name);
        if !check {
            std::fs::write(&file, text).map_err(|source| DocsError::File { file, source })?;
        } else if read(&file)? != text {
            return Err(DocsError::Stale(name));
        }
    }
    Ok(())
}

fn json(value: &impl serde::Serialize) -> Result<String, DocsError> {
    Ok(serde_json::to_string_pretty(value)? + "\n")
}

fn read(file: &Path) -> Result<String, DocsError> {
    std::fs::read_to_string(file)
        .map_err(|source| DocsError::File { file: file.to_owned(), source })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_generated_documentation_is_fresh() {
        run(Path::new(env!("CARGO_MANIFEST_DIR")), true).await.unwrap_or_else(|e| panic!("{e}"));
    }
}
