//! The sentences that a tool answers to. They are expanded by the macro; the offline planner matches them, and the
//! registry sees to it that no sentence belongs to two tools.

/// One template, e.g. `create a department [called|named] {name}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sentence {
    /// The template as the author wrote it.
    pub template: &'static str,
    /// The Rust names of the arguments in it, in order of appearance.
    pub slots: &'static [&'static str],
    /// Every way to say it, sorted by hash.
    pub variants: &'static [Variant],
}

/// A template with its options chosen: lower-case words and `{slots}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variant {
    /// FNV-1a of the text with its slots blanked.
    pub hash: u64,
    /// The words.
    pub text: &'static str,
}
