//! `docs/errors.md`: what the macros refuse, from the cases that provoke it.

use std::fmt::Write as _;
use std::path::Path;

use super::{BLESS, DocsError, read};

/// Where the cases are.
const CASES: &str = "tests/ui/tests/ui";

/// What the page says before the cases.
const HEAD: &str = include_str!("errors-head.md");

/// The whole page: one section a case, in the order of their numbers.
pub(super) fn page(root: &Path) -> Result<String, DocsError> {
    let folder = root.join(CASES);
    let unreadable = |source| DocsError::File { file: folder.clone(), source };
    let mut cases: Vec<_> = std::fs::read_dir(&folder)
        .map_err(unreadable)?
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<_, std::io::Error>>()
        .map_err(unreadable)?;
    cases.retain(|case| case.extension().is_some_and(|extension| extension == "rs"));
    cases.sort();
    let mut page = HEAD.replace("{BLESS}", BLESS);
    for case in &cases {
        page.push_str(&section(case)?);
    }
    Ok(page)
}

fn section(case: &Path) -> Result<String, DocsError> {
    let source = read(case)?;
    let unexplained = || DocsError::Unexplained(case.to_owned());
    let words: String = source
        .lines()
        .map_while(|line| line.strip_prefix("//!"))
        .map(str::trim)
        .collect::<Vec<_>>()
        .join(" ");
    let (why, repair) = words
        .strip_prefix("Why: ")
        .and_then(|words| words.split_once(" Repair: "))
        .ok_or_else(unexplained)?;
    let name = case.file_stem().and_then(|stem| stem.to_str()).ok_or_else(unexplained)?;
    let (number, title) = name.split_once('_').ok_or_else(unexplained)?;
    let stderr = read(&case.with_extension("stderr"))?;
    let mut text = format!(
        "\n## {number} {}\n\n{why}\n\n**Repair.** {repair}\n\n([the case](../{CASES}/{name}.rs))\n\n```text\n",
        title.replace('_', " ")
    );
    for message in messages(&stderr) {
        let _ = writeln!(text, "{message}");
    }
    text.push_str("```\n");
    Ok(text)
}

/// Each error with the place that it underlines; what follows it is in the case's own file.
fn messages(stderr: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut shown = false;
    for line in stderr.lines() {
        if line.starts_with("error") {
            shown = true;
            found.push(line.to_owned());
        } else if line.is_empty() || line.starts_with("note") || line.starts_with("help") {
            shown = false;
        } else if shown && let Some(last) = found.last_mut() {
            let line = line.trim_end();
            let place = line.trim_start().starts_with("-->");
            if !place && !line.trim().is_empty() && !line.trim_start().starts_with('=') {
                last.push('\n');
                last.push_str(line);
            }
        }
    }
    found
}
