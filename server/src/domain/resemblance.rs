//! Finding by name: what people type is rarely what the register says.
//!
//! Letters are compared without case, accents and marks; words in any order. A misspelling is a last resort: it counts
//! only where nothing holds what was typed. It is forgiven where two words sound alike, where they differ by one slip of
//! the hand (a letter missing, added, changed, or two turned round), or by two in a long word.

use strsim::{jaro_winkler, osa_distance};
use unicode_normalization::{UnicodeNormalization as _, char::is_combining_mark};

/// As many as anybody reads to find the one who was meant.
const MOST: usize = 25;
/// Below this two words are different words and not a misspelling. "Okelo" and "Okello" are at 0.97.
const ALIKE: f64 = 0.92;
/// Words that sound the same.
const SAME_SOUND: f64 = 0.98;
/// Words that differ by one slip.
const ONE_SLIP: f64 = 0.96;
/// Words that differ by two slips.
const TWO_SLIPS: f64 = 0.93;
/// Letters of a word in which one slip is forgiven, and two.
const ONE_SLIP_FROM: usize = 4;
const TWO_SLIPS_FROM: usize = 8;

/// Whether a misspelling is forgiven. Class names differ by one letter, so for them it is not.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Spelling {
    Exact,
    Forgiving,
}

/// The rows whose name resembles `wanted`, best match first, [`MOST`] at most. Misspellings count only when nothing
/// else fits.
pub(super) fn ranked<T>(
    rows: Vec<T>,
    wanted: &str,
    spelling: Spelling,
    name: impl Fn(&T) -> &str,
) -> Vec<T> {
    let wanted = Folded::of(wanted);
    if wanted.text.is_empty() {
        return Vec::new();
    }
    let rows: Vec<(Folded, T)> =
        rows.into_iter().map(|row| (Folded::of(name(&row)), row)).collect();
    let is_literal = rows.iter().any(|(name, _)| literal(name, &wanted).is_some());
    let score = |name: &Folded| match (is_literal, spelling) {
        (false, Spelling::Forgiving) => alike(name, &wanted),
        _ => literal(name, &wanted),
    };
    let mut scored: Vec<(f64, T)> =
        rows.into_iter().filter_map(|(name, row)| score(&name).map(|score| (score, row))).collect();
    // A stable sort: rows of one score stay in the order of the list.
    scored.sort_by(|(left, _), (right, _)| right.total_cmp(left));
    scored.into_iter().map(|(_, row)| row).take(MOST).collect()
}

/// A name as it is compared.
struct Folded {
    /// Its words with one blank between them.
    text: String,
    words: Vec<Word>,
}

struct Word {
    text: String,
    sound: String,
}

impl Folded {
    fn of(name: &str) -> Self {
        let letters = name.nfkd().filter(|letter| !is_combining_mark(*letter));
        // "Nyang'oma" is one word, "Nakato-Achieng" are two.
        let plain: String = letters
            .flat_map(char::to_lowercase)
            .filter(|letter| !matches!(letter, '\'' | '’' | 'ʼ' | '`'))
            .map(|letter| if letter.is_alphanumeric() { letter } else { ' ' })
            .collect();
        let words: Vec<Word> = plain
            .split_whitespace()
            .map(|word| Word { text: word.to_owned(), sound: sound(word) })
            .collect();
        let text = words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ");
        Self { text, words }
    }

    fn joined(&self) -> String {
        self.words.iter().map(|word| word.text.as_str()).collect()
    }
}

/// 3 the same, 2 begins with it, 1 contains it.
fn literal(name: &Folded, wanted: &Folded) -> Option<f64> {
    if name.text == wanted.text {
        Some(3.0)
    } else if name.text.starts_with(&wanted.text) {
        Some(2.0)
    } else if name.text.contains(&wanted.text) || holds_each(name, wanted) {
        Some(1.0)
    } else {
        None
    }
}

/// Each word that was typed is a word of the name, whatever their order.
fn holds_each(name: &Folded, wanted: &Folded) -> bool {
    wanted.words.iter().all(|word| name.words.iter().any(|own| own.text == word.text))
}

/// Every word that was asked for has a word of the name that is like it: below 1, how much they are alike.
fn alike(name: &Folded, wanted: &Folded) -> Option<f64> {
    let best = |word: &Word| name.words.iter().map(|own| likeness(own, word)).fold(0.0, f64::max);
    let pairs: Vec<f64> = wanted.words.iter().map(best).collect();
    if pairs.iter().all(|pair| *pair >= ALIKE) {
        let count = u32::try_from(pairs.len()).ok().map(f64::from)?;
        return Some((pairs.iter().sum::<f64>() / count).min(0.999));
    }
    // A blank too few or too many.
    let (own, typed) = (name.joined(), wanted.joined());
    (osa_distance(&own, &typed) <= 1).then_some(TWO_SLIPS)
}

fn likeness(own: &Word, typed: &Word) -> f64 {
    if own.text == typed.text {
        return 1.0;
    }
    if !own.sound.is_empty() && own.sound == typed.sound {
        return SAME_SOUND;
    }
    let shorter = own.text.chars().count().min(typed.text.chars().count());
    let slips = osa_distance(&own.text, &typed.text).min(osa_distance(&own.sound, &typed.sound));
    match slips {
        0 | 1 if shorter >= ONE_SLIP_FROM => ONE_SLIP,
        2 if shorter >= TWO_SLIPS_FROM => TWO_SLIPS,
        // The end of a word that was typed halfway.
        _ if shorter >= ONE_SLIP_FROM => jaro_winkler(&own.text, &typed.text).min(ONE_SLIP - 0.01),
        _ => 0.0,
    }
}

/// How a word sounds, as far as spelling differs here: doubled letters, c and k, ph and f, y and i, z and s, l and r, a
/// silent h.
fn sound(word: &str) -> String {
    let word = word.replace("ph", "f").replace("ck", "k");
    let mut heard = String::new();
    for letter in word.chars() {
        let letter = match letter {
            'c' | 'q' => 'k',
            'y' => 'i',
            'z' => 's',
            'r' => 'l',
            'h' => continue,
            other => other,
        };
        if !heard.ends_with(letter) {
            heard.push(letter);
        }
    }
    heard
}

#[cfg(test)]
mod tests {
    use super::{Spelling, ranked};

    /// Given and family names of a school.
    const GIVEN: &[&str] = &[
        "Amina", "Brian", "Sarah", "Derrick", "Esther", "Fahad", "Gloria", "Hakim", "Irene",
        "Joel", "Kevin", "Lillian", "Martha", "Nathan", "Olivia", "Patrick", "Rashida", "Samuel",
        "Teddy", "Vincent", "Zoë",
    ];
    const FAMILY: &[&str] = &[
        "Nakato",
        "Wasswa",
        "Achieng",
        "Odongo",
        "Namuli",
        "Kiggundu",
        "Adong",
        "Mugisha",
        "Nalwoga",
        "Opio",
        "Tumwine",
        "Kyomugisha",
        "Ssekandi",
        "Apio",
        "Byamukama",
        "Nakimuli",
        "Okot",
        "Kirabo",
        "Lubega",
        "Atuhaire",
        "Wanyama",
        "Babirye",
        "Egwang",
        "Okello",
        "Nabirye-Auma",
        "Nyang'oma",
    ];

    /// What was typed, and who was meant. Written down before the rules were chosen.
    const SLIPS: &[(&str, &str)] = &[
        ("Amina Nakatto", "Amina Nakato"),
        ("Amina Nakaot", "Amina Nakato"),
        ("Amnia Nakato", "Amina Nakato"),
        ("Nakato Amina", "Amina Nakato"),
        ("Nakatto Amena", "Amina Nakato"),
        ("AMINA NAKTO", "Amina Nakato"),
        ("Brian Okelo", "Brian Okello"),
        ("Bryan Okello", "Brian Okello"),
        ("Okelo Bryan", "Brian Okello"),
        ("Sara Okello", "Sarah Okello"),
        ("Sarrah Okelo", "Sarah Okello"),
        ("Sara Nabirye Auma", "Sarah Nabirye-Auma"),
        ("Sarah Auma Nabirye", "Sarah Nabirye-Auma"),
        ("Zoe Opio", "Zoë Opio"),
        ("Zoé Opyo", "Zoë Opio"),
        ("Joel Nyangoma", "Joel Nyang'oma"),
        ("Joel Nyang oma", "Joel Nyang'oma"),
        ("Esther Kigundu", "Esther Kiggundu"),
        ("Ester Kiggundu", "Esther Kiggundu"),
        ("Fahad Sekandi", "Fahad Ssekandi"),
        ("Fahadd Ssekhandi", "Fahad Ssekandi"),
        ("Gloria Achyeng", "Gloria Achieng"),
        ("Glolia Acheing", "Gloria Achieng"),
        ("Hakeem Odongo", "Hakim Odongo"),
        ("Hakim Ondongo", "Hakim Odongo"),
        ("Iren Mugisa", "Irene Mugisha"),
        ("Kelvin Lubega", "Kevin Lubega"),
        ("Kevin Rubega", "Kevin Lubega"),
        ("Lilian Babirye", "Lillian Babirye"),
        ("Lillian Babiriye", "Lillian Babirye"),
        ("Matha Wasswa", "Martha Wasswa"),
        ("Martha Waswa", "Martha Wasswa"),
        ("Nathan Wanyamma", "Nathan Wanyama"),
        ("Natan Wanyama", "Nathan Wanyama"),
        ("Olivya Atuhaire", "Olivia Atuhaire"),
        ("Olivia Atuhiare", "Olivia Atuhaire"),
        ("Patrik Tumwine", "Patrick Tumwine"),
        ("Patrick Tumwnie", "Patrick Tumwine"),
        ("Rasheeda Kirabo", "Rashida Kirabo"),
        ("Samuel Byamukamma", "Samuel Byamukama"),
        ("Samwel Byamukama", "Samuel Byamukama"),
        ("Teddy Kyomugsha", "Teddy Kyomugisha"),
        ("Vicent Nalwoga", "Vincent Nalwoga"),
        ("VincentNalwoga", "Vincent Nalwoga"),
        ("Derick Egwang", "Derrick Egwang"),
        ("Derrick Egwnag", "Derrick Egwang"),
    ];

    /// Whoever was meant, and a good part of all others, so that a wrong one has its chance.
    fn everyone() -> Vec<String> {
        let pairs = GIVEN.iter().flat_map(|given| FAMILY.iter().map(move |family| (given, family)));
        let names = pairs.map(|(given, family)| format!("{given} {family}"));
        let meant = |name: &String| SLIPS.iter().any(|(_, meant)| meant == name);
        names
            .enumerate()
            .filter(|(n, name)| n % 4 == 0 || meant(name))
            .map(|(_, name)| name)
            .collect()
    }

    #[test]
    fn whoever_was_meant_comes_first_although_the_name_is_misspelt() {
        let missed: Vec<_> = SLIPS
            .iter()
            .filter_map(|(typed, meant)| {
                let found = ranked(everyone(), typed, Spelling::Forgiving, |name| name);
                (found.first().map(String::as_str) != Some(*meant))
                    .then(|| (*typed, *meant, found.into_iter().take(3).collect::<Vec<_>>()))
            })
            .collect();
        assert!(missed.is_empty(), "{} of {}: {missed:#?}", missed.len(), SLIPS.len());
    }

    #[test]
    fn what_is_another_name_is_not_found() {
        for typed in ["Moses Kaggwa", "Grace", "Xi", "Peter Odoki", "Ruth Nansubuga", "  ", "-"] {
            let found = ranked(everyone(), typed, Spelling::Forgiving, |name| name);
            assert!(found.is_empty(), "{typed}: {found:?}");
        }
    }

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
