//! Numbers as people write them: digits, words up to twenty, ordinals up to the thirty-first.

use serde_json::Number;

/// The cardinal words, by value.
const CARDINALS: [&str; 21] = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty",
];

/// The ordinal words, from the first.
const ORDINALS: [&str; 20] = [
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
    "thirteenth",
    "fourteenth",
    "fifteenth",
    "sixteenth",
    "seventeenth",
    "eighteenth",
    "nineteenth",
    "twentieth",
];

/// A whole number: `12`, `1,200`, `-3`, `twelve`.
pub(super) fn whole(word: &str) -> Option<i64> {
    let named = CARDINALS.iter().position(|name| *name == word);
    named.and_then(|value| i64::try_from(value).ok()).or_else(|| ungrouped(word)?.parse().ok())
}

/// A number with or without a fraction. One without is written without.
pub(super) fn real(word: &str) -> Option<Number> {
    let written = word.chars().all(|letter| letter.is_ascii_digit() || "+-.,".contains(letter));
    match whole(word) {
        Some(value) => Some(value.into()),
        None if written => Number::from_f64(ungrouped(word)?.parse().ok()?),
        None => None,
    }
}

/// A place in a row: `5th`, `fifth`, `thirty-first`.
pub(super) fn ordinal(word: &str) -> Option<i64> {
    let named = |name: &str| {
        let place = ORDINALS.iter().position(|ordinal| *ordinal == name)?;
        i64::try_from(place + 1).ok()
    };
    if let Some(ones) = word.strip_prefix("twenty-") {
        return named(ones).filter(|ones| *ones < 10).map(|ones| 20 + ones);
    }
    match word {
        "thirtieth" => Some(30),
        "thirty-first" => Some(31),
        _ => named(word).or_else(|| {
            let digits = ["st", "nd", "rd", "th"].iter().find_map(|end| word.strip_suffix(end))?;
            let bare = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
            if bare { digits.parse().ok() } else { None }
        }),
    }
}

/// The digits without separators of thousands; none where a comma stands elsewhere.
fn ungrouped(word: &str) -> Option<String> {
    let (whole, fraction) = word.split_once('.').unwrap_or((word, ""));
    let mut groups = whole.trim_start_matches(['-', '+']).split(',');
    let first = groups.next()?;
    let mut grouped = false;
    for group in groups {
        grouped = true;
        if group.len() != 3 {
            return None;
        }
    }
    if grouped && (first.is_empty() || first.len() > 3 || fraction.contains(',')) {
        return None;
    }
    Some(word.replace(',', ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers() {
        let cases = [
            ("0", Some(0)),
            ("12", Some(12)),
            ("-3", Some(-3)),
            ("1,200", Some(1200)),
            ("1,200,000", Some(1_200_000)),
            ("twelve", Some(12)),
            ("twenty", Some(20)),
            ("1,20", None),
            (",200", None),
            ("3.5", None),
            ("s1", None),
            ("99999999999999999999", None),
            ("", None),
        ];
        for (word, expected) in cases {
            assert_eq!(whole(word), expected, "{word}");
        }
    }

    #[test]
    fn real_numbers() {
        let cases = [
            ("3.5", Some("3.5")),
            ("1,200.25", Some("1200.25")),
            ("1,200", Some("1200")),
            ("two", Some("2")),
            ("nan", None),
            ("inf", None),
            ("1e9", None),
            ("3.", Some("3.0")),
            ("a", None),
        ];
        for (word, expected) in cases {
            assert_eq!(real(word).map(|it| it.to_string()).as_deref(), expected, "{word}");
        }
    }

    #[test]
    fn ordinals() {
        let cases = [
            ("1st", Some(1)),
            ("22nd", Some(22)),
            ("5th", Some(5)),
            ("fifth", Some(5)),
            ("twenty-first", Some(21)),
            ("thirty-first", Some(31)),
            ("twenty-tenth", None),
            ("th", None),
            ("5", None),
            ("+5th", None),
        ];
        for (word, expected) in cases {
            assert_eq!(ordinal(word), expected, "{word}");
        }
    }
}
