//! A sentence cut into words that remember where they stood.
//!
//! Words are compared folded (lower case, no punctuation around them); values are cut out of the
//! person's own text by position, so their casing and spelling survive. What stands in quotation
//! marks is a value and never reads as part of a command.

use std::ops::Range;

/// One word of a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Word {
    /// Lower case, without the punctuation around it.
    pub(super) fold: String,
    /// Where it stands in the sentence, in bytes, without the punctuation around it.
    pub(super) span: Range<usize>,
    /// Which quotation it belongs to, if any.
    pub(super) quotation: Option<usize>,
    /// Whether a comma follows it.
    pub(super) comma: bool,
}

/// Short forms that people write without their apostrophe.
const BARE_SHORT_FORMS: &[&str] = &["whats", "whos", "wheres", "whens", "hows", "todays", "thats"];

/// Cuts `sentence` into its words.
pub(super) fn words(sentence: &str) -> Vec<Word> {
    let mut found = Vec::new();
    let mut from = 0;
    for (index, quotation) in quotations(sentence).into_iter().enumerate() {
        plain(sentence, from..quotation.start, None, &mut found);
        plain(sentence, quotation.clone(), Some(index), &mut found);
        from = quotation.end;
    }
    plain(sentence, from..sentence.len(), None, &mut found);
    found
}

/// The text that `words` cover, as the person wrote it.
pub(super) fn text<'a>(sentence: &'a str, words: &[Word]) -> &'a str {
    match (words.first(), words.last()) {
        (Some(first), Some(last)) => &sentence[first.span.start..last.span.end],
        _ => "",
    }
}

/// The spans inside quotation marks. A lone mark opens nothing.
fn quotations(sentence: &str) -> Vec<Range<usize>> {
    let mut spans = Vec::new();
    let mut letters = sentence.char_indices().peekable();
    let mut before = ' ';
    while let Some((at, letter)) = letters.next() {
        if let Some(close) = closing(letter).filter(|_| !before.is_alphanumeric()) {
            let start = at + letter.len_utf8();
            if let Some(length) = quotation_length(&sentence[start..], close) {
                spans.push(start..start + length);
                while letters.next_if(|(at, _)| *at <= start + length).is_some() {}
            }
        }
        before = letter;
    }
    spans
}

/// How long the quotation at the start of `rest` is; a single mark inside a word does not end it.
fn quotation_length(rest: &str, close: char) -> Option<usize> {
    let end = rest.match_indices(close).find(|(at, mark)| {
        let next = rest[at + mark.len()..].chars().next();
        *at > 0 && next.is_none_or(|next| !next.is_alphanumeric())
    })?;
    rest[..end.0].chars().any(char::is_alphanumeric).then_some(end.0)
}

fn closing(open: char) -> Option<char> {
    match open {
        '"' | '\'' | '`' => Some(open),
        '“' | '„' => Some('”'),
        '‘' => Some('’'),
        '«' => Some('»'),
        _ => None,
    }
}

fn plain(sentence: &str, range: Range<usize>, quotation: Option<usize>, found: &mut Vec<Word>) {
    let part = &sentence[range.clone()];
    let mut next = range.start;
    for piece in part.split_inclusive(char::is_whitespace) {
        let at = next;
        next += piece.len();
        let chunk = piece.trim_end();
        // A template writes `{student}'s marks`: there the short form stands alone.
        let alone = matches!(chunk, "'s" | "’s");
        let trimmed = if alone { chunk } else { chunk.trim_matches(is_wrapping) };
        if trimmed.is_empty() {
            if let (true, Some(last)) = (chunk.contains(','), found.last_mut()) {
                last.comma = true;
            }
            continue;
        }
        let lead =
            if alone { 0 } else { chunk.len() - chunk.trim_start_matches(is_wrapping).len() };
        let start = at + lead;
        let comma = chunk[lead + trimmed.len()..].contains(',');
        let stem = trimmed.len() - short_form(trimmed, quotation);
        let word = |from: usize, to: usize, fold: &str, comma: bool| Word {
            fold: fold.to_lowercase().replace('’', "'"),
            span: start + from..start + to,
            quotation,
            comma,
        };
        if stem < trimmed.len() {
            found.push(word(0, stem, &trimmed[..stem], false));
            found.push(word(stem, trimmed.len(), "'s", comma));
        } else {
            found.push(word(0, trimmed.len(), trimmed, comma));
        }
    }
}

/// How many bytes at the end of `word` are a possessive or a shortened "is".
fn short_form(word: &str, quotation: Option<usize>) -> usize {
    if quotation.is_some() {
        return 0;
    }
    for end in ["'s", "’s", "'S", "’S"] {
        if word.len() > end.len() && word.ends_with(end) {
            return end.len();
        }
    }
    usize::from(BARE_SHORT_FORMS.contains(&word.to_lowercase().as_str()))
}

fn is_wrapping(letter: char) -> bool {
    !letter.is_alphanumeric() && !matches!(letter, '+' | '#' | '%' | '&')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folds(sentence: &str) -> Vec<String> {
        words(sentence).into_iter().map(|word| word.fold).collect()
    }

    #[test]
    fn words_are_folded_and_keep_their_place() {
        let cases: &[(&str, &[&str])] = &[
            ("List the Departments!", &["list", "the", "departments"]),
            ("  what's   today’s date? ", &["what", "'s", "today", "'s", "date"]),
            ("whats on", &["what", "'s", "on"]),
            ("the students' names", &["the", "students", "names"]),
            ("on 2026-03-05, or 5/3/2026.", &["on", "2026-03-05", "or", "5/3/2026"]),
            ("", &[]),
            ("?! … --", &[]),
            ("C# & R&D", &["c#", "&", "r&d"]),
        ];
        for (sentence, expected) in cases {
            assert_eq!(folds(sentence), *expected, "{sentence}");
        }
    }

    #[test]
    fn the_text_of_words_is_what_the_person_wrote() {
        let sentence = "Create the  Études   (avancées) department.";
        let found = words(sentence);
        assert_eq!(text(sentence, &found[2..4]), "Études   (avancées");
        assert_eq!(text(sentence, &found[..0]), "");
    }

    #[test]
    fn quotations_are_marked() {
        for sentence in [
            "call it \"Arts and Crafts\" now",
            "call it 'Arts and Crafts' now",
            "call it “Arts and Crafts” now",
        ] {
            let quoted: Vec<_> = words(sentence)
                .into_iter()
                .filter(|word| word.quotation.is_some())
                .map(|word| word.fold)
                .collect();
            assert_eq!(quoted, ["arts", "and", "crafts"], "{sentence}");
        }
        assert!(
            words("the students' and teachers' rooms").iter().all(|word| word.quotation.is_none())
        );
        assert!(words("a 5\" pipe \"").iter().all(|word| word.quotation.is_none()));
    }
}
