//! Every guard, seen to work: a mistake is one error, in the author's words, that says what to write instead.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

#[test]
fn guards() {
    // Without a passing case trybuild only checks, which costs a fraction of building; those are in `tests/pass`.
    trybuild::TestCases::new().compile_fail("tests/ui/*.rs");
}

/// A case that the patterns above do not see, or an expectation without its case, would be checked by nobody.
#[test]
fn every_fixture_is_run() {
    assert_eq!(stems("tests/ui", "rs"), stems("tests/ui", "stderr"), "one expectation a case");
    let numbers: Vec<String> =
        stems("tests/ui", "rs").iter().map(|stem| stem.chars().take(2).collect()).collect();
    let expected: Vec<String> = (1..=numbers.len()).map(|number| format!("{number:02}")).collect();
    assert_eq!(numbers, expected, "cases are numbered without gaps or doubles");
    assert_eq!(entries("tests/ui").len(), 2 * numbers.len(), "nothing but cases and expectations");
}

fn stems(folder: &str, extension: &str) -> BTreeSet<String> {
    entries(folder)
        .iter()
        .map(Path::new)
        .filter(|path| path.extension().is_some_and(|found| found == extension))
        .filter_map(|path| path.file_stem()?.to_str().map(str::to_owned))
        .collect()
}

fn entries(folder: &str) -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    fs::read_dir(root)
        .expect("the folder of cases")
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("a name"))
        .collect()
}
