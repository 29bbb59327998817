//! One way to say a sentence, as words and slots.
//!
//! The macro has expanded and checked the templates at compile time; what is read here are the
//! variants that it emitted, so the grammar of options and alternatives exists once.

use super::words::words;

/// A variant of a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    pieces: Vec<Piece>,
}

/// A word or a slot of a shape.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// A folded word that must be there.
    Word(String),
    /// A value, by the Rust name of its argument.
    Slot(String),
}

impl Shape {
    /// Reads a variant such as `create a department called {name}`. A brace that is never closed
    /// is read as part of a word: the macro lets none through.
    pub(super) fn read(variant: &str) -> Self {
        let mut pieces = Vec::new();
        let mut rest = variant;
        while let Some((before, inside)) = rest.split_once('{') {
            let Some((name, after)) = inside.split_once('}') else { break };
            push_words(before, &mut pieces);
            pieces.push(Piece::Slot(name.to_owned()));
            rest = after;
        }
        push_words(rest, &mut pieces);
        Self { pieces }
    }

    /// Words and slots in order.
    pub(super) fn pieces(&self) -> &[Piece] {
        &self.pieces
    }
}

fn push_words(text: &str, pieces: &mut Vec<Piece>) {
    pieces.extend(words(text).into_iter().map(|word| Piece::Word(word.fold)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variants_become_words_and_slots() {
        let word = |text: &str| Piece::Word(text.to_owned());
        let slot = |name: &str| Piece::Slot(name.to_owned());
        let cases = [
            ("who am i", vec![word("who"), word("am"), word("i")]),
            ("create {name} now", vec![word("create"), slot("name"), word("now")]),
            ("{student_id}'s marks", vec![slot("student_id"), word("'s"), word("marks")]),
            ("what's new", vec![word("what"), word("'s"), word("new")]),
        ];
        for (variant, expected) in cases {
            assert_eq!(Shape::read(variant).pieces(), expected, "{variant}");
        }
    }
}
