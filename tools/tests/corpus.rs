//! The fuzzer's corpus, replayed: what it once found worth keeping is asked of every build, without the fuzzer.

#[path = "../../fuzz/laws.rs"]
mod laws;

use std::fs;
use std::path::Path;

#[test]
fn the_laws_hold_for_the_whole_corpus() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/corpus/call");
    let mut held = 0;
    for entry in fs::read_dir(folder).expect("the corpus is there") {
        let bytes = fs::read(entry.expect("it is listed").path()).expect("it is readable");
        laws::hold(&bytes);
        held += 1;
    }
    assert!(held > 100, "only {held} inputs");
}
