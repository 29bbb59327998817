//! The courtesies around a request, which say nothing about it.

use std::ops::Range;

use super::words::Word;

/// Openings, longest first where one begins another.
const OPENINGS: &[&[&str]] = &[
    &["i", "would", "like", "you", "to"],
    &["i'd", "like", "you", "to"],
    &["i", "would", "like", "to"],
    &["i'd", "like", "to"],
    &["i", "want", "you", "to"],
    &["i", "need", "you", "to"],
    &["i", "want", "to"],
    &["i", "need", "to"],
    &["we", "need", "to"],
    &["we", "want", "to"],
    &["can", "you"],
    &["could", "you"],
    &["would", "you"],
    &["will", "you"],
    &["can", "i"],
    &["could", "i"],
    &["may", "i"],
    &["can", "we"],
    &["could", "we"],
    &["help", "me", "to"],
    &["help", "me"],
    &["go", "ahead", "and"],
    &["hey", "rover"],
    &["hi", "rover"],
    &["hello", "rover"],
    &["dear", "rover"],
    &["ok", "rover"],
    &["okay", "rover"],
    &["good", "morning"],
    &["good", "afternoon"],
    &["good", "evening"],
    &["please"],
    &["kindly"],
    &["rover"],
    &["hey"],
    &["hi"],
    &["hello"],
    &["ok"],
    &["okay"],
    &["now"],
    &["just"],
    &["also"],
];

/// Endings.
const ENDINGS: &[&[&str]] = &[
    &["thank", "you", "very", "much"],
    &["thanks", "a", "lot"],
    &["thank", "you"],
    &["thanks"],
    &["please"],
    &["kindly"],
    &["for", "me"],
    &["for", "us"],
    &["rover"],
];

/// The part of `words` that is the request itself; empty if there is nothing but courtesy.
pub(super) fn request(words: &[Word]) -> Range<usize> {
    let mut range = 0..words.len();
    while let Some(opening) = OPENINGS.iter().find(|opening| begins(&words[range.clone()], opening))
    {
        range.start += opening.len();
    }
    while let Some(ending) = ENDINGS.iter().find(|ending| ends(&words[range.clone()], ending)) {
        range.end -= ending.len();
    }
    range
}

fn begins(words: &[Word], opening: &[&str]) -> bool {
    words.len() >= opening.len() && same(&words[..opening.len()], opening)
}

fn ends(words: &[Word], ending: &[&str]) -> bool {
    words.len() >= ending.len() && same(&words[words.len() - ending.len()..], ending)
}

fn same(words: &[Word], expected: &[&str]) -> bool {
    words.iter().zip(expected).all(|(word, text)| word.quotation.is_none() && word.fold == *text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::planner::words::{text, words};

    #[test]
    fn courtesy_is_taken_off_both_ends() {
        let cases = [
            ("Hey Rover, could you please list the terms for me? Thanks!", "list the terms"),
            ("list the terms", "list the terms"),
            ("I'd like to create a class", "create a class"),
            ("please", ""),
            ("Hello", ""),
            ("create a class called \"please\"", "create a class called \"please"),
            ("do not please", "do not"),
        ];
        for (sentence, expected) in cases {
            let found = words(sentence);
            let range = request(&found);
            let kept = if range.is_empty() { "" } else { text(sentence, &found[range]) };
            assert_eq!(kept, expected, "{sentence}");
        }
    }
}
