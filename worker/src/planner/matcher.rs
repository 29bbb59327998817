//! Which tools a sentence asks for, and which of its words are values.
//!
//! A shape must account for every word of the request. Most literal words win; where two tools, or
//! two ways to cut the values, are as good, all of them are returned and the planner asks. Reading
//! tools forgive a little ("show me all" for "list"); a tool that writes is matched to the word.

use std::cmp::Reverse;
use std::ops::Range;

use super::catalog::{KnownTool, Slot, SlotKind};
use super::template::Piece;
use super::words::Word;

/// More ways to cut one sentence than this are not looked at.
const CUT_LIMIT: usize = 256;

/// One way to understand a sentence.
#[derive(Clone, Debug)]
pub(super) struct Reading<'a> {
    /// The tool that it asks for.
    pub(super) tool: &'a KnownTool,
    /// The words of each slot that it fills, by the slot's position.
    pub(super) values: Vec<(usize, Range<usize>)>,
    /// How well it fits.
    score: Score,
}

/// Literal words that matched, first those that carry meaning.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Score {
    telling: usize,
    exact: usize,
    /// Of equals, a sentence that the author wrote beats one with something put behind it.
    adjuncts: Reverse<usize>,
}

impl Score {
    fn and(self, telling: usize, exact: usize) -> Self {
        Self { telling: self.telling + telling, exact: self.exact + exact, ..self }
    }

    fn and_adjunct(self) -> Self {
        Self { adjuncts: Reverse(self.adjuncts.0 + 1), ..self }
    }
}

/// Whether these words may be the value of this slot.
pub(super) type Fits<'a> = dyn Fn(&Slot, &[Word]) -> bool + 'a;

/// The best readings of `words` among `tools`; several if they are equally good.
pub(super) fn best<'a>(
    words: &[Word],
    tools: impl Iterator<Item = &'a KnownTool>,
    fits: &Fits<'_>,
) -> Vec<Reading<'a>> {
    let mut best: Vec<Reading<'a>> = Vec::new();
    for reading in tools.flat_map(|tool| readings(words, tool, fits)) {
        let top = best.first().map(|reading| reading.score);
        if top.is_none_or(|top| reading.score > top) {
            best = vec![reading];
        } else if top == Some(reading.score) && !best.iter().any(|other| same(other, &reading)) {
            best.push(reading);
        }
    }
    best
}

/// Whether these readings fit better than the others do.
pub(super) fn beats(these: &[Reading<'_>], others: &[Reading<'_>]) -> bool {
    let score = |readings: &[Reading<'_>]| readings.first().map(|reading| reading.score);
    score(these) > score(others)
}

fn same(one: &Reading<'_>, other: &Reading<'_>) -> bool {
    one.tool.name() == other.tool.name() && one.values == other.values
}

/// Every way to read `words` as a sentence of `tool`.
fn readings<'a>(words: &[Word], tool: &'a KnownTool, fits: &Fits<'_>) -> Vec<Reading<'a>> {
    let mut found = Vec::new();
    for shape in &tool.shapes {
        let mut cut = Cut { words, tool, fits, values: Vec::new(), found: &mut found, steps: 0 };
        cut.along(shape.pieces(), 0, Score::default());
    }
    found
}

/// A search for the ways to lay one shape over the words.
struct Cut<'s, 'a> {
    words: &'s [Word],
    tool: &'a KnownTool,
    fits: &'s Fits<'s>,
    values: Vec<(usize, Range<usize>)>,
    found: &'s mut Vec<Reading<'a>>,
    steps: usize,
}

impl Cut<'_, '_> {
    fn along(&mut self, pieces: &[Piece], at: usize, score: Score) {
        self.steps += 1;
        if self.steps > 64 * CUT_LIMIT || self.found.len() >= CUT_LIMIT {
            return;
        }
        match pieces {
            rest if at == self.words.len() && self.is_left_open(rest) => {
                self.found.push(Reading { tool: self.tool, values: self.values.clone(), score });
            }
            [] => {
                self.adjunct(at, score);
                self.skip(pieces, at, score);
            }
            [Piece::Word(expected), rest @ ..] => {
                if let Some(gain) = self.words.get(at).and_then(|word| self.gain(expected, word)) {
                    self.along(rest, at + 1, score.and(gain.telling, gain.exact));
                    return;
                }
                if is_article(expected) {
                    self.along(rest, at, score);
                }
                self.skip(pieces, at, score);
            }
            [Piece::Slot(name), rest @ ..] => {
                if let Some(position) = self.tool.slot(name) {
                    self.slot(position, rest, at, score);
                }
            }
        }
    }

    /// Whether a sentence may end before these pieces: all that is missing is a required value,
    /// which will be asked for. "Create a department" is such a sentence, and so is "everyone is present".
    fn is_left_open(&self, rest: &[Piece]) -> bool {
        let lead = |word: &str| {
            is_article(word) || matches!(word, "called" | "named" | "in" | "for" | "of")
        };
        rest.iter().all(|piece| match piece {
            Piece::Word(word) => lead(word) && matches!(rest.last(), Some(Piece::Slot(_))),
            Piece::Slot(name) => {
                self.tool.slot(name).is_some_and(|slot| self.tool.slots[slot].field.required)
            }
        })
    }

    /// Goes on behind a word that changes nothing.
    fn skip(&mut self, pieces: &[Piece], at: usize, score: Score) {
        let idle = |word: &Word| {
            let fold = word.fold.as_str();
            word.quotation.is_none()
                && (is_article(fold) || (!self.tool.writes() && IDLE_IN_READS.contains(&fold)))
        };
        if self.words.get(at).is_some_and(idle) {
            self.along(pieces, at + 1, score);
        }
    }

    /// Reads what may follow any sentence of a tool that has the optional argument for it: a day
    /// ("yesterday", "on 5 May") or a campus ("at Lakeside").
    fn adjunct(&mut self, at: usize, score: Score) {
        let Some(word) = self.words.get(at) else { return };
        let preposition =
            word.quotation.is_none() && matches!(word.fold.as_str(), "at" | "on" | "in" | "for");
        let tool = self.tool;
        for (position, slot) in tool.slots.iter().enumerate() {
            let from = match slot.kind {
                SlotKind::Day => at + usize::from(preposition),
                SlotKind::Campus if preposition && !self.begins_a_day(at + 1) => at + 1,
                _ => continue,
            };
            let open = !slot.field.required && self.values.iter().all(|(it, _)| *it != position);
            if open {
                // A day or a campus said apart tells more than the same words inside a name.
                let score = score.and(1, usize::from(preposition)).and_adjunct();
                self.slot(position, &[], from, score);
            }
        }
    }

    /// Whether a day stands here, for a tool that takes one.
    fn begins_a_day(&self, at: usize) -> bool {
        let Some(day) = self.tool.slots.iter().find(|slot| slot.kind == SlotKind::Day) else {
            return false;
        };
        let ends = at + 1..=self.words.len();
        ends.into_iter().any(|end| (self.fits)(day, &self.words[at..end]))
    }

    fn slot(&mut self, position: usize, rest: &[Piece], at: usize, score: Score) {
        for end in at + 1..=self.words.len() {
            let quotation = |index: usize| self.words.get(index).and_then(|word| word.quotation);
            let splits = quotation(end).is_some() && quotation(end) == quotation(end - 1);
            if splits || !(self.fits)(&self.tool.slots[position], &self.words[at..end]) {
                continue;
            }
            self.values.push((position, at..end));
            self.along(rest, end, score);
            self.values.pop();
        }
    }

    /// What a word that stands for `expected` counts, if it does.
    fn gain(&self, expected: &str, word: &Word) -> Option<Score> {
        if word.quotation.is_some() {
            return None;
        }
        let telling = usize::from(!is_article(expected));
        if word.fold == expected || (is_is(&word.fold) && is_is(expected)) {
            return Some(Score::default().and(telling, 1));
        }
        let forgiven = !self.tool.writes() && stands_for(&word.fold, expected);
        forgiven.then(|| Score::default().and(telling, 0))
    }
}

/// Words that a reading request may carry without meaning more.
const IDLE_IN_READS: &[&str] =
    &["me", "us", "all", "every", "our", "of", "currently", "there", "please", "just"];

/// Words that mean the same in a request to read.
const SAME_IN_READS: &[&[&str]] = &[
    &["list", "show", "display", "give", "view", "see"],
    &["find", "search", "locate"],
    &["which", "what"],
    &["at", "on"],
    &["in", "of"],
    &["are", "is"],
];

fn stands_for(word: &str, expected: &str) -> bool {
    let both = |group: &&[&str]| group.contains(&word) && group.contains(&expected);
    SAME_IN_READS.iter().any(both) || one_of_many(word, expected)
}

/// Singular and plural of one word.
fn one_of_many(word: &str, expected: &str) -> bool {
    let plural = |many: &str, one: &str| {
        one.len() > 3 && many.strip_prefix(one).is_some_and(|end| matches!(end, "s" | "es"))
    };
    plural(word, expected) || plural(expected, word)
}

fn is_article(word: &str) -> bool {
    matches!(word, "a" | "an" | "the")
}

fn is_is(word: &str) -> bool {
    matches!(word, "is" | "'s")
}
