//! Sentence templates: words, `[optional]` parts, `(one|or|other)` and `{slots}`. A template is expanded to its
//! variants here, once; the contract compares their hashes, so that no sentence belongs to two tools.

use std::collections::BTreeSet;

use syn::LitStr;

use crate::check;
use crate::fault::Faults;

/// One template, expanded.
pub(crate) struct Sentence {
    pub(crate) literal: LitStr,
    pub(crate) template: String,
    /// The slots in order of appearance, each once.
    pub(crate) slots: Vec<String>,
    /// The variants, sorted by hash.
    pub(crate) variants: Vec<Variant>,
}

/// One way to say a sentence.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Variant {
    /// Of the text with blanked slots: two tools that differ only in a slot's name clash.
    pub(crate) hash: u64,
    /// Lower-case words and named slots.
    pub(crate) text: String,
}

/// What can be wrong with a template's grammar.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Grammar {
    Unclosed(char),
    Unopened(char),
    Slot(String),
    Touching,
    TooMany,
    Empty,
}

/// Expands the templates of a tool; a faulty one is reported and left out.
pub(crate) fn sentences(literals: &[LitStr], faults: &mut Faults) -> Vec<Sentence> {
    let mut sentences = Vec::new();
    for literal in literals {
        match expand(&literal.value()) {
            Ok((slots, texts)) => sentences.push(Sentence {
                literal: literal.clone(),
                template: literal.value(),
                slots,
                variants: variants(texts),
            }),
            Err(fault) => check::say::grammar(literal, fault, faults),
        }
    }
    sentences
}

/// The slots and the variants of a template.
pub(crate) fn expand(template: &str) -> Result<(Vec<String>, BTreeSet<String>), Grammar> {
    let mut reader = Reader { letters: template.chars().peekable(), slots: Vec::new() };
    let texts = reader.sequence(None)?;
    let texts: BTreeSet<String> =
        texts.iter().map(|text| text.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    if texts.iter().any(|text| blank(text).replace("{}", "").trim().is_empty()) {
        return Err(Grammar::Empty);
    }
    if texts.iter().any(|text| blank(text).contains("{}{}")) {
        return Err(Grammar::Touching);
    }
    Ok((reader.slots, texts))
}

fn variants(texts: BTreeSet<String>) -> Vec<Variant> {
    let mut variants: Vec<Variant> =
        texts.into_iter().map(|text| Variant { hash: fnv(&blank(&text)), text }).collect();
    variants.sort();
    variants.dedup_by_key(|variant| variant.hash);
    variants
}

struct Reader<'a> {
    letters: std::iter::Peekable<std::str::Chars<'a>>,
    slots: Vec<String>,
}

impl Reader<'_> {
    /// Reads up to the bar or bracket that ends the enclosing group, or to the end.
    fn sequence(&mut self, close: Option<char>) -> Result<Vec<String>, Grammar> {
        let mut texts = vec![String::new()];
        while let Some(letter) = self.letters.peek().copied() {
            match letter {
                '|' if close.is_some() => break,
                ']' | ')' if close == Some(letter) => break,
                ']' | ')' | '}' | '|' => return Err(Grammar::Unopened(letter)),
                '[' | '(' => {
                    self.letters.next();
                    let parts = self.group(letter)?;
                    texts = texts
                        .iter()
                        .flat_map(|text| parts.iter().map(move |part| format!("{text}{part}")))
                        .collect();
                    if texts.len() > check::say::VARIANT_LIMIT {
                        return Err(Grammar::TooMany);
                    }
                }
                '{' => {
                    self.letters.next();
                    let slot = self.slot()?;
                    for text in &mut texts {
                        text.push('{');
                        text.push_str(&slot);
                        text.push('}');
                    }
                }
                _ => {
                    self.letters.next();
                    for text in &mut texts {
                        text.extend(letter.to_lowercase());
                    }
                }
            }
        }
        Ok(texts)
    }

    fn group(&mut self, open: char) -> Result<Vec<String>, Grammar> {
        let close = if open == '[' { ']' } else { ')' };
        let mut parts = Vec::new();
        loop {
            parts.extend(self.sequence(Some(close))?);
            match self.letters.next() {
                Some('|') => {}
                Some(_) => break,
                None => return Err(Grammar::Unclosed(open)),
            }
        }
        if open == '[' {
            parts.push(String::new());
        }
        Ok(parts)
    }

    fn slot(&mut self) -> Result<String, Grammar> {
        let mut slot = String::new();
        loop {
            match self.letters.next() {
                Some('}') => break,
                Some(letter) => slot.push(letter),
                None => return Err(Grammar::Unclosed('{')),
            }
        }
        if slot.is_empty() || syn::parse_str::<syn::Ident>(&slot).is_err() {
            return Err(Grammar::Slot(slot));
        }
        if !self.slots.contains(&slot) {
            self.slots.push(slot.clone());
        }
        Ok(slot)
    }
}

/// The text with nameless slots.
fn blank(text: &str) -> String {
    let mut out = String::new();
    let mut inside = false;
    for letter in text.chars() {
        match letter {
            '{' => {
                inside = true;
                out.push(letter);
            }
            '}' => {
                inside = false;
                out.push(letter);
            }
            _ if inside => {}
            _ => out.push(letter),
        }
    }
    out
}

/// FNV-1a, as `agent_contract::check` computes it.
pub(crate) fn fnv(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
