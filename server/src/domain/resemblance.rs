//! Finding by name: what people type is rarely what the register says.

use strsim::jaro_winkler;

/// Below this two words are different words and not a misspelling. "Okelo" and "Okello" are at
/// 0.97.
const ALIKE: f64 = 0.88;

/// Whether a misspelling is forgiven. Class names differ by one letter, so for them it is not.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Spelling {
    Exact,
    Forgiving,
}

/// The rows whose name resembles `wanted`, best match first. Misspellings count only when nothing
/// else fits.
pub(super) fn ranked<T>(
    rows: Vec<T>,
    wanted: &str,
    spelling: Spelling,
    name: impl Fn(&T) -> &str,
) -> Vec<T> {
    let wanted = wanted.trim().to_lowercase();
    let mut scored: Vec<(f64, T)> = rows
        .into_iter()
        .filter_map(|row| {
            score(&name(&row).to_lowercase(), &wanted, spelling).map(|score| (score, row))
        })
        .collect();
    let literal = scored.iter().any(|(score, _)| *score >= 1.0);
    if literal {
        scored.retain(|(score, _)| *score >= 1.0);
    }
    // A stable sort: rows of one score stay in the order of the list.
    scored.sort_by(|(left, _), (right, _)| right.total_cmp(left));
    scored.into_iter().map(|(_, row)| row).collect()
}

/// 3 the same, 2 begins with it, 1 contains it; below 1 how much the words are alike.
fn score(name: &str, wanted: &str, spelling: Spelling) -> Option<f64> {
    if wanted.is_empty() {
        None
    } else if name == wanted {
        Some(3.0)
    } else if name.starts_with(wanted) {
        Some(2.0)
    } else if name.contains(wanted) {
        Some(1.0)
    } else if spelling == Spelling::Forgiving {
        alike(name, wanted)
    } else {
        None
    }
}

/// Every word that was asked for has a word of the name that is like it; the weakest pair counts.
fn alike(name: &str, wanted: &str) -> Option<f64> {
    let best =
        |word: &str| name.split_whitespace().map(|own| jaro_winkler(own, word)).fold(0.0, f64::max);
    let weakest = wanted.split_whitespace().map(best).fold(0.999, f64::min);
    (weakest >= ALIKE).then_some(weakest)
}

#[cfg(test)]
mod tests {
    use super::{Spelling, ranked};

    #[test]
    fn the_best_match_comes_first_and_misspelling_is_a_last_resort() {
        let people = ["Daniel Okello", "Okello Sam", "Grace Namutebi", "Ruth Akello"];
        for (wanted, found) in [
            ("okello", vec!["Okello Sam", "Daniel Okello"]),
            ("Daniel Okello", vec!["Daniel Okello"]),
            ("namutebbi", vec!["Grace Namutebi"]),
            ("Danyel Okelo", vec!["Daniel Okello"]),
            ("moses", vec![]),
            ("  ", vec![]),
        ] {
            assert_eq!(
                ranked(people.to_vec(), wanted, Spelling::Forgiving, |name| name),
                found,
                "{wanted}"
            );
        }
    }

    #[test]
    fn a_class_is_found_by_its_letters_only() {
        let classes = ["S1 East", "S1 West", "S2 East"];
        for (wanted, found) in [
            ("s1", vec!["S1 East", "S1 West"]),
            ("S3 East", vec![]),
            ("east", vec!["S1 East", "S2 East"]),
        ] {
            assert_eq!(
                ranked(classes.to_vec(), wanted, Spelling::Exact, |name| name),
                found,
                "{wanted}"
            );
        }
    }
}
