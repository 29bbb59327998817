//! "Did you mean": the nearest things that can be done, by BM25 over what the tools say of
//! themselves. It suggests and never runs anything.

use std::cmp::Reverse;

use bm25::{Document, Language, SearchEngineBuilder};

use super::catalog::KnownTool;
use super::reply;
use super::template::{Piece, Shape};

/// How many things are suggested.
const NEAREST: usize = 3;
/// Said when there is nothing to suggest.
pub(super) const NOTHING: &str = "I did not understand that.";

/// The answer to a sentence that no tool's sentences fit.
pub(super) fn answer(sentence: &str, tools: &[&KnownTool]) -> String {
    let nearest = nearest(sentence, tools);
    if nearest.is_empty() {
        return format!("That is not something I can do. {}", examples(tools));
    }
    let listed: String = nearest.into_iter().map(line).collect();
    format!(
        "{NOTHING} The nearest things that I can do are:\n{listed}\n\nSay one of these with the details."
    )
}

/// A few things that can be done, as an answer.
pub(super) fn examples(tools: &[&KnownTool]) -> String {
    let (writes, mut reads): (Vec<&KnownTool>, Vec<&KnownTool>) =
        tools.iter().copied().filter(|tool| is_for_people(tool)).partition(|tool| tool.writes());
    // What is the person's own comes first, for everybody has that.
    reads.sort_by_key(|tool| !tool.subject().starts_with("your "));
    let chosen = varied(reads).take(NEAREST).chain(varied(writes).take(2));
    let listed: String = chosen.map(line).collect();
    if listed.is_empty() {
        "There is nothing that I can do for you here.".to_owned()
    } else {
        format!("I can, for example:\n{listed}")
    }
}

/// Whether it can be said, and is about the school rather than about agents and their tools.
fn is_for_people(tool: &KnownTool) -> bool {
    !tool.shapes.is_empty() && !matches!(tool.subject().as_str(), "agents" | "tools")
}

/// The first tool of each subject.
fn varied(tools: Vec<&KnownTool>) -> impl Iterator<Item = &KnownTool> {
    let mut subjects: Vec<String> = Vec::new();
    tools.into_iter().filter(move |tool| {
        let subject = tool.subject();
        let new = !subjects.contains(&subject);
        subjects.push(subject);
        new
    })
}

fn nearest<'a>(sentence: &str, tools: &[&'a KnownTool]) -> Vec<&'a KnownTool> {
    let speakable: Vec<&KnownTool> =
        tools.iter().copied().filter(|tool| is_for_people(tool)).collect();
    let documents =
        speakable.iter().enumerate().map(|(at, tool)| Document { id: at, contents: about(tool) });
    let engine = SearchEngineBuilder::<usize>::with_documents(
        Language::English,
        documents.collect::<Vec<_>>(),
    )
    .build();
    let hits = engine.search(sentence, NEAREST);
    hits.into_iter().filter_map(|hit| speakable.get(hit.document.id).copied()).collect()
}

fn about(tool: &KnownTool) -> String {
    let templates = tool.definition.say.iter().map(|sentence| sentence.template);
    let templates = templates.collect::<Vec<_>>().join(" ");
    format!("{} {} {templates}", tool.name().replace('_', " "), tool.definition.description)
}

/// One suggestion: what it does and how to say it.
fn line(tool: &KnownTool) -> String {
    let said = example(tool).map(|shape| spoken(shape.pieces())).unwrap_or_default();
    format!("\n- {}: “{said}”", reply::capitalised(&tool.purpose()))
}

/// The author's first sentence that says the most, in its fullest form with an article and
/// without padding.
fn example(tool: &KnownTool) -> Option<Shape> {
    let required = |slot: &&&str| tool.slot(slot).is_some_and(|at| tool.slots[at].field.required);
    let sentences = tool.definition.say.iter();
    let sentence =
        sentences.min_by_key(|sentence| Reverse(sentence.slots.iter().filter(required).count()))?;
    let shapes = sentence.variants.iter().map(|variant| Shape::read(variant.text));
    shapes.min_by_key(|shape| {
        let article =
            |piece: &Piece| matches!(piece, Piece::Word(word) if word == "a" || word == "the");
        let padding =
            |piece: &Piece| matches!(piece, Piece::Word(word) if word == "new" || word == "all");
        let has_article = shape.pieces().iter().any(article);
        let is_padded = shape.pieces().iter().any(padding);
        (Reverse(has_article), is_padded, Reverse(shape.pieces().len()), spoken(shape.pieces()))
    })
}

fn spoken(pieces: &[Piece]) -> String {
    let mut said = String::new();
    for piece in pieces {
        match piece {
            Piece::Word(word) if word == "'s" => said.push_str("'s"),
            Piece::Word(word) if word == "i" => said.push_str(" I"),
            Piece::Word(word) => {
                said.push(' ');
                said.push_str(word);
            }
            Piece::Slot(_) => said.push_str(" …"),
        }
    }
    said.trim_start().to_owned()
}
