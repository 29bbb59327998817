//! The words of a slot, read by the type of its argument.
//!
//! Nothing is guessed here: what does not read as the type is no value, a day that could be two
//! days is both, and records and campuses stay names until a tool has found them.

use std::ops::Range;

use jiff::civil::Date;
use serde_json::Value;

use super::catalog::SlotKind;
use super::choices;
use super::dates::{self, DayReading};
use super::numbers;
use super::words::{Word, text};

/// Closing and opening brackets.
const BRACKETS: &[(char, char)] = &[(')', '('), (']', '['), ('}', '{'), ('>', '<')];

/// What the words of a slot say.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Said {
    /// A finished value.
    Value(Value),
    /// One of several values, each with its name.
    OneOf(Vec<(String, Value)>),
    /// A record, by name.
    Record(String),
    /// A campus, by name.
    Campus(String),
}

/// Reads `words` of `sentence` as a value of this kind.
pub(super) fn read(kind: &SlotKind, sentence: &str, words: &[Word], today: Date) -> Option<Said> {
    let folds: Vec<&str> = words.iter().map(|word| word.fold.as_str()).collect();
    let value = match kind {
        SlotKind::Text => Value::from(whole(sentence, words)?),
        SlotKind::Number { whole: true } => numbers::whole(single(&folds)?)?.into(),
        SlotKind::Number { whole: false } => numbers::real(single(&folds)?)?.into(),
        SlotKind::Bool => yes_or_no(single(&folds)?)?.into(),
        SlotKind::Choice(values) => choices::value(words, values)?.into(),
        SlotKind::Day => match dates::read(&folds, today)? {
            DayReading::Day(day) => day.to_string().into(),
            DayReading::Either { past, coming } => {
                let named = |day: Date| (day_name(day), Value::from(day.to_string()));
                return Some(Said::OneOf(vec![named(past), named(coming)]));
            }
        },
        SlotKind::Record { .. } | SlotKind::List { .. } => {
            return verbatim(sentence, words).map(Said::Record);
        }
        SlotKind::Campus => return verbatim(sentence, words).map(Said::Campus),
        SlotKind::Unspeakable => return None,
    };
    Some(Said::Value(value))
}

/// Whether `words` can be a value of this kind at all, one or several.
pub(super) fn fits(kind: &SlotKind, words: &[Word], today: Date) -> bool {
    // The text itself does not matter for that, so the folded words stand in for it.
    match kind {
        // "Lakeside Campus" says itself that it is no class and no student.
        SlotKind::Record { .. } if words.last().is_some_and(|word| word.fold == "campus") => false,
        SlotKind::Text | SlotKind::Record { .. } | SlotKind::Campus | SlotKind::List { .. } => {
            words.iter().any(|word| !matches!(word.fold.as_str(), "a" | "an" | "the" | "'s"))
        }
        _ => parts(words).into_iter().all(|part| read(kind, "", &words[part], today).is_some()),
    }
}

/// The members of "A, B and C"; one part if nothing joins them.
pub(super) fn parts(words: &[Word]) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let mut start = 0;
    for (index, word) in words.iter().enumerate() {
        if word.quotation.is_some() {
            continue;
        }
        if word.fold == "and" || word.fold == "&" {
            parts.push(start..index);
            start = index + 1;
        } else if word.comma {
            parts.push(start..index + 1);
            start = index + 1;
        }
    }
    parts.push(start..words.len());
    parts.retain(|part| !part.is_empty());
    if parts.is_empty() {
        parts.push(0..words.len());
    }
    parts
}

/// A day with its weekday, as a choice to offer.
pub(super) fn day_name(day: Date) -> String {
    day.strftime("%A %-d %B %Y").to_string()
}

/// The person's own text; the quotation marks around it are gone with the other punctuation.
fn verbatim(sentence: &str, words: &[Word]) -> Option<String> {
    let text = text(sentence, words);
    text.chars().any(char::is_alphanumeric).then(|| text.to_owned())
}

/// The person's own text with the brackets that belong to it, as in "Physics (A-Level)", and with
/// the picture that leads it.
fn whole(sentence: &str, words: &[Word]) -> Option<String> {
    verbatim(sentence, words)?;
    let (mut start, mut end) = (words.first()?.span.start, words.last()?.span.end);
    while let Some(close) = sentence.get(end..)?.chars().next() {
        let Some((_, open)) = BRACKETS.iter().find(|(bracket, _)| *bracket == close) else { break };
        let inside = sentence.get(start..end)?;
        if inside.matches(*open).count() <= inside.matches(close).count() {
            if !sentence.get(..start)?.ends_with(*open) {
                break;
            }
            start -= open.len_utf8();
        }
        end += close.len_utf8();
    }
    let lead = sentence.get(..start)?.trim_end();
    let before_pictures = lead.trim_end_matches(is_picture);
    if before_pictures.len() < lead.len() {
        start = before_pictures.len();
    }
    sentence.get(start..end).map(str::to_owned)
}

fn single<'a>(folds: &[&'a str]) -> Option<&'a str> {
    match folds {
        [only] | ["the" | "a" | "an" | "number", only] => Some(only),
        _ => None,
    }
}

/// An emoji, or what joins and varies emoji.
fn is_picture(letter: char) -> bool {
    matches!(
        letter,
        '\u{200d}' | '\u{fe0f}' | '\u{2600}'..='\u{27bf}' | '\u{1f000}'..='\u{1faff}'
    )
}

fn yes_or_no(word: &str) -> Option<bool> {
    match word {
        "yes" | "true" | "on" | "y" => Some(true),
        "no" | "false" | "off" | "n" => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;
    use serde_json::json;

    use super::*;
    use crate::planner::words::words;

    fn said(kind: &SlotKind, text: &str) -> Option<Said> {
        read(kind, text, &words(text), date(2026, 3, 10))
    }

    #[test]
    fn values_by_type() {
        let record = SlotKind::Record { lookup: Some("find_students") };
        let choice = SlotKind::Choice(vec!["absent".to_owned(), "late".to_owned()]);
        let value = |value: Value| Some(Said::Value(value));
        let cases = [
            (&SlotKind::Text, "\"Arts and Crafts\".", value(json!("Arts and Crafts"))),
            (&SlotKind::Text, "S.4 McAllister's", value(json!("S.4 McAllister's"))),
            (&SlotKind::Text, "Physics (A-Level).", value(json!("Physics (A-Level)"))),
            (&SlotKind::Text, "Physics).", value(json!("Physics"))),
            (&SlotKind::Text, "<img x=alert(1)>", value(json!("<img x=alert(1)>"))),
            (&SlotKind::Text, "🎨 Art", value(json!("🎨 Art"))),
            (&SlotKind::Text, "…", None),
            (&SlotKind::Number { whole: true }, "Two", value(json!(2))),
            (&SlotKind::Number { whole: true }, "2.5", None),
            (&SlotKind::Number { whole: true }, "two three", None),
            (&SlotKind::Number { whole: false }, "2.5", value(json!(2.5))),
            (&SlotKind::Bool, "Yes!", value(json!(true))),
            (&SlotKind::Bool, "perhaps", None),
            (&choice, "away", value(json!("absent"))),
            (&choice, "present", None),
            (&SlotKind::Day, "the 5th of May", value(json!("2026-05-05"))),
            (&SlotKind::Day, "someday", None),
            (&record, "Amina Nakato", Some(Said::Record("Amina Nakato".to_owned()))),
            (&SlotKind::Campus, "Lakeside", Some(Said::Campus("Lakeside".to_owned()))),
            (&SlotKind::Unspeakable, "anything", None),
        ];
        for (kind, text, expected) in cases {
            assert_eq!(said(kind, text), expected, "{text}");
        }
    }

    #[test]
    fn a_bare_weekday_is_offered_as_two_days() {
        let expected = Said::OneOf(vec![
            ("Friday 6 March 2026".to_owned(), json!("2026-03-06")),
            ("Friday 13 March 2026".to_owned(), json!("2026-03-13")),
        ]);
        assert_eq!(said(&SlotKind::Day, "Friday"), Some(expected));
    }

    #[test]
    fn lists_are_cut_outside_quotations() {
        let cases: &[(&str, &[&str])] = &[
            ("Amina and Brian", &["Amina", "Brian"]),
            ("A, B and C", &["A", "B", "C"]),
            ("A, B, and C", &["A", "B", "C"]),
            ("\"Arts and Crafts\" and Music", &["Arts and Crafts", "Music"]),
            ("Music", &["Music"]),
            ("and", &["and"]),
        ];
        for (sentence, expected) in cases {
            let found = words(sentence);
            let parts = parts(&found);
            let parts: Vec<_> =
                parts.into_iter().map(|part| text(sentence, &found[part])).collect();
            assert_eq!(parts, *expected, "{sentence}");
        }
    }
}
