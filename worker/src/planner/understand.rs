//! What a sentence asks for, and whether this agent can do it, hand it on, or has it withheld.

use std::ops::Range;

use super::catalog::{KnownTool, Slot};
use super::matcher::{self, Reading};
use super::words::Word;
use super::{PlannerRequest, slots};

/// What a sentence comes to.
#[derive(Debug)]
pub(super) enum Meaning<'a> {
    /// A tool that is offered.
    Do(Reading<'a>),
    /// Several readings that are equally good.
    Unclear(Vec<Reading<'a>>),
    /// A tool that a subagent has.
    HandTo(String),
    /// A tool of the registry that nobody has in this turn.
    Withheld(&'a KnownTool),
    /// No sentence of any tool.
    Unknown,
}

/// Who has a tool in this turn, nearest first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Holder {
    This,
    Delegate(String),
    Nobody,
}

/// The best readings of `words`, the request without its courtesies, whoever has the tools.
pub(super) fn readings<'a>(
    tools: &'a [KnownTool],
    request: &PlannerRequest,
    words: &[Word],
) -> Vec<Reading<'a>> {
    let today = request.facts.now.date();
    let fits = |slot: &Slot, words: &[Word]| slots::fits(&slot.kind, words, today);
    matcher::best(words, tools.iter(), &fits)
}

/// What equally good readings come to in this turn.
pub(super) fn meaning<'a>(mut readings: Vec<Reading<'a>>, request: &PlannerRequest) -> Meaning<'a> {
    let Some(nearest) = readings.iter().map(|reading| holder(reading.tool, request)).min() else {
        return Meaning::Unknown;
    };
    readings.retain(|reading| holder(reading.tool, request) == nearest);
    match nearest {
        Holder::Delegate(subagent_type) => Meaning::HandTo(subagent_type),
        Holder::Nobody => {
            readings.pop().map_or(Meaning::Unknown, |reading| Meaning::Withheld(reading.tool))
        }
        Holder::This if readings.len() > 1 => settle(readings),
        Holder::This => readings.pop().map_or(Meaning::Unknown, Meaning::Do),
    }
}

/// Of several cuts of one reading tool the first is as good as any; anything else is asked.
fn settle(mut readings: Vec<Reading<'_>>) -> Meaning<'_> {
    let first = readings[0].tool.name();
    let one_tool = readings.iter().all(|reading| reading.tool.name() == first);
    if one_tool && !readings[0].tool.writes() {
        return Meaning::Do(readings.remove(0));
    }
    Meaning::Unclear(readings)
}

fn holder(tool: &KnownTool, request: &PlannerRequest) -> Holder {
    let has = |names: &[String]| names.iter().any(|name| name == tool.name());
    if has(&request.tools) {
        return Holder::This;
    }
    let can_hand_on = request.tools.iter().any(|name| name == "task");
    let delegate = request.facts.roster.iter().find(|delegate| has(&delegate.tools));
    match delegate.filter(|_| can_hand_on) {
        Some(delegate) => Holder::Delegate(delegate.subagent_type.clone()),
        None => Holder::Nobody,
    }
}

/// The words of a reading's slot.
pub(super) fn slot_words(reading: &Reading<'_>, slot: usize) -> Option<Range<usize>> {
    reading.values.iter().find(|(position, _)| *position == slot).map(|(_, range)| range.clone())
}
