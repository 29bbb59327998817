//! Closed lists of values and the words people use for them.

use super::words::Word;

/// Everyday words for values of the school's lists. A row counts only where the schema has the
/// value, so a word can never lead outside the list.
const SYNONYMS: &[(&str, &[&str])] = &[
    ("absent", &["away", "missing", "not there", "not here"]),
    ("bursar", &["accountant"]),
    ("campus_admin", &["campus administrator", "administrator", "admin"]),
    ("director_of_studies", &["dos", "academic director"]),
    ("enrolled", &["active", "attending", "current"]),
    ("head_teacher", &["head", "headteacher", "headmaster", "headmistress", "principal"]),
    ("late", &["tardy"]),
    ("present", &["here", "there"]),
    ("teacher", &["subject teacher"]),
    ("withdrawn", &["left", "former"]),
];

/// The value of the list that these words name, if it is one.
pub(super) fn value<'a>(words: &[Word], values: &'a [String]) -> Option<&'a str> {
    let folds = words.iter().map(|word| word.fold.as_str());
    let said = key(folds.filter(|fold| !matches!(*fold, "a" | "an" | "the")));
    let named = values.iter().find(|value| key(parts(value)) == said);
    let known_as = || {
        values.iter().find(|value| {
            let row = SYNONYMS.iter().find(|(name, _)| name == value);
            row.is_some_and(|(_, others)| others.iter().any(|other| key(parts(other)) == said))
        })
    };
    named.or_else(known_as).map(String::as_str)
}

/// A value of a list as people write it: `head_teacher` is "head teacher".
pub(super) fn spoken(value: &str) -> String {
    parts(value).collect::<Vec<_>>().join(" ")
}

fn parts(value: &str) -> impl Iterator<Item = &str> {
    value.split(['_', '-', ' ']).filter(|part| !part.is_empty())
}

/// Lower case, number of the nouns forgotten.
fn key<'a>(words: impl Iterator<Item = &'a str>) -> String {
    let mut key = String::new();
    for word in words.flat_map(parts) {
        let word = word.to_lowercase();
        key.push_str(if word.len() > 3 { word.trim_end_matches('s') } else { &word });
        key.push(' ');
    }
    key
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::planner::words::words;

    #[test]
    fn values_by_name_number_and_synonym() {
        let roles = ["head_teacher", "director_of_studies", "class_teacher", "teacher"];
        let roles = roles.map(str::to_owned);
        let cases = [
            ("class teachers", Some("class_teacher")),
            ("the Head Teacher", Some("head_teacher")),
            ("principal", Some("head_teacher")),
            ("directors of studies", Some("director_of_studies")),
            ("DoS", Some("director_of_studies")),
            ("teachers", Some("teacher")),
            ("bursar", None),
            ("accountant", None),
            ("", None),
        ];
        for (text, expected) in cases {
            assert_eq!(value(&words(text), &roles), expected, "{text}");
        }
    }
}
