//! "This term" by its number, from what the turn's context says of the calendar.

use super::TermFact;
use super::words::Word;

/// The words with "this term" put as "term 2", and likewise the next and the last one. Where the
/// context does not tell, they stay as they are.
pub(super) fn numbered(words: &[Word], terms: &[TermFact]) -> Vec<Word> {
    let mut words = words.to_vec();
    for at in 1..words.len() {
        let number = if words[at].fold == "term" && words[at].quotation.is_none() {
            number(&words[at - 1].fold, terms)
        } else {
            None
        };
        if let Some(number) = number {
            "term".clone_into(&mut words[at - 1].fold);
            words[at].fold = number.to_string();
        }
    }
    words
}

fn number(which: &str, terms: &[TermFact]) -> Option<i64> {
    let current = || terms.iter().find(|term| term.current).map(|term| term.number);
    let number = match which {
        "this" | "current" => current()?,
        "next" => current()? + 1,
        "last" | "previous" => current()? - 1,
        _ => return None,
    };
    terms.iter().any(|term| term.number == number).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::planner::words::words;

    #[test]
    fn terms_are_numbered_where_the_calendar_tells() {
        let term = |number: i64| TermFact {
            id: number.to_string(),
            name: format!("Term {number}"),
            number,
            current: number == 2,
        };
        let terms = [term(1), term(2), term(3)];
        let cases = [
            ("move this term to today", "move term 2 to today"),
            ("the next term", "the term 3"),
            ("last term", "term 1"),
            ("this \"term\"", "this term"),
            ("term", "term"),
            ("the spring term", "the spring term"),
        ];
        for (sentence, expected) in cases {
            let folds: Vec<_> =
                numbered(&words(sentence), &terms).into_iter().map(|word| word.fold).collect();
            assert_eq!(folds.join(" "), expected);
        }
        let unknown = numbered(&words("this term"), &[]);
        assert_eq!(unknown, words("this term"));
    }
}
