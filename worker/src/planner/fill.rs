//! The values of a reading's slots: read, looked up, or asked for.
//!
//! What the sentence leaves open is asked, never assumed. "X and Y" in one slot repeats the call;
//! in a name that is to be written it could also be part of the name, so that is asked too.

use serde_json::{Value, json};

use super::catalog::{KnownTool, Slot, SlotKind};
use super::choices;
use super::lookup::{self, Found, Row};
use super::matcher::Reading;
use super::plan::{Pause, Plan, Step};
use super::slots::{self, Said};
use super::understand::slot_words;
use super::words::{Word, text, words};

/// Name of the tool that lists the campuses.
const CAMPUSES: &str = "list_campuses";
/// One sentence makes no more calls than this.
const CALL_LIMIT: usize = 10;
/// Words that make an unquoted name look like more than a name.
const DOUBTFUL: &[&str] = &[
    "and",
    "or",
    "then",
    "but",
    "if",
    "unless",
    "until",
    "because",
    "not",
    "instead",
    "next",
    "today",
    "tomorrow",
    "later",
    "who",
    "which",
    "that",
    "so",
    "called",
    "named",
    "department",
    "class",
    "student",
];
/// Answers that mean an empty list.
const NOBODY: &[&str] = &["nobody", "none", "no one", "noone", "nothing", "no"];
/// What is offered as an empty list.
const NOBODY_OPTION: &str = "Nobody";

/// The arguments of each call that the reading asks for.
pub(super) fn arguments(
    plan: &mut Plan<'_>,
    reading: &Reading<'_>,
    sentence: &str,
    words: &[Word],
) -> Step<Vec<Value>> {
    let tool = reading.tool;
    let mut sets = vec![json!({})];
    for (position, slot) in tool.slots.iter().enumerate() {
        let values = match slot_words(reading, position) {
            Some(range) => several(plan, tool, slot, sentence, &words[range])?,
            None if slot.field.required => vec![asked(plan, tool, slot)?],
            // A list left out of a write is taken as empty, so somebody must have said so.
            None if tool.writes()
                && matches!(slot.kind, SlotKind::List { .. })
                && !speaks_of_all(reading, words) =>
            {
                vec![asked(plan, tool, slot)?]
            }
            None => continue,
        };
        if values.len() > 1 && sets.len() > 1 {
            return Err(Pause::Say(
                "That would be several things at once in more than one way. Please ask for them one \
                 at a time."
                    .to_owned(),
            ));
        }
        sets = values
            .iter()
            .flat_map(|value| sets.iter().map(move |set| with(set, slot.field.wire, value)))
            .collect();
    }
    if sets.len() > CALL_LIMIT {
        return Err(Pause::Say(format!("I do at most {CALL_LIMIT} of these at once.")));
    }
    Ok(sets)
}

/// Asks on which campus; its id. `names` are the ones the server allows.
pub(super) fn ask_campus(plan: &mut Plan<'_>, tool: &KnownTool, names: &[String]) -> Step<String> {
    let question = format!("On which campus shall I {}?", tool.deed());
    let rows = campuses(plan)?;
    plan.ask_until(&question, names, |_, answer| match lookup::find(answer, "campus", &rows) {
        Found::One(row) => Ok(Some(row.id)),
        Found::Several(_) | Found::Resembling(_) => Ok(None),
    })
}

/// Whether the sentence itself, outside its values, leaves no exception open.
fn speaks_of_all(reading: &Reading<'_>, words: &[Word]) -> bool {
    let inside = |at: usize| reading.values.iter().any(|(_, range)| range.contains(&at));
    words.iter().enumerate().any(|(at, word)| {
        !inside(at) && matches!(word.fold.as_str(), "everyone" | "everybody" | "all" | "full")
    })
}

/// Whether the reading names a day.
pub(super) fn says_a_day(reading: &Reading<'_>) -> bool {
    reading.values.iter().any(|(slot, _)| reading.tool.slots[*slot].kind == SlotKind::Day)
}

fn with(set: &Value, wire: &str, value: &Value) -> Value {
    let mut set = set.clone();
    // An optional value that was said to be "the one in use" is left out.
    if !value.is_null() {
        set[wire] = value.clone();
    }
    set
}

/// The value or values that the words of a slot name.
fn several(
    plan: &mut Plan<'_>,
    tool: &KnownTool,
    slot: &Slot,
    sentence: &str,
    words: &[Word],
) -> Step<Vec<Value>> {
    let parts = slots::parts(words);
    match &slot.kind {
        SlotKind::List { lookup } => {
            return Ok(vec![list(plan, slot, *lookup, text(sentence, words))?]);
        }
        SlotKind::Text if tool.writes() && is_doubtful(words) => {
            return confirmed(plan, slot, sentence, words);
        }
        SlotKind::Record { lookup: Some(lookup) } if parts.len() > 1 => {
            let noun = slot.spoken();
            let whole = lookup::bare(text(sentence, words), &noun);
            let rows = plan.look_up(lookup, whole)?;
            if let Found::One(row) = lookup::find(whole, &noun, &rows) {
                return Ok(vec![row.id.into()]);
            }
        }
        SlotKind::Text => return Ok(vec![one(plan, tool, slot, sentence, words)?]),
        _ => {}
    }
    parts.into_iter().map(|part| one(plan, tool, slot, sentence, &words[part])).collect()
}

/// One value; what cannot be settled from the words is asked.
fn one(
    plan: &mut Plan<'_>,
    tool: &KnownTool,
    slot: &Slot,
    sentence: &str,
    words: &[Word],
) -> Step<Value> {
    match slots::read(&slot.kind, sentence, words, plan.request.facts.now.date()) {
        // Which class is theirs nobody has told the planner.
        Some(Said::Record(name)) if is_own(&name, &slot.spoken()) => asked(plan, tool, slot),
        Some(said) => settled(plan, tool, slot, said),
        None => asked(plan, tool, slot),
    }
}

/// Whether a record is named by whose it is alone, as in "my class".
fn is_own(name: &str, noun: &str) -> bool {
    let folds: Vec<String> = words(name).into_iter().map(|word| word.fold).collect();
    matches!(&folds[..], [whose, what] if matches!(whose.as_str(), "my" | "our") && what == noun)
}

fn settled(plan: &mut Plan<'_>, tool: &KnownTool, slot: &Slot, said: Said) -> Step<Value> {
    match said {
        Said::Value(value) => Ok(value),
        Said::OneOf(options) => {
            let names: Vec<_> = options.iter().map(|(name, _)| name.clone()).collect();
            let question = format!("Which day do you mean for the {}?", slot.spoken());
            let at = plan.pick(&question, &names)?;
            options
                .into_iter()
                .nth(at)
                .map_or_else(|| asked(plan, tool, slot), |(_, value)| Ok(value))
        }
        Said::Record(name) => {
            let SlotKind::Record { lookup: Some(lookup) } = slot.kind else {
                return Ok(name.into());
            };
            let noun = slot.spoken();
            let name = lookup::bare(&name, &noun);
            let rows = plan.look_up(lookup, name)?;
            Ok(record(plan, &noun, name, &rows)?.into())
        }
        Said::Campus(name) => campus(plan, tool, &name),
    }
}

/// The id of the record of this name.
fn record(plan: &mut Plan<'_>, noun: &str, name: &str, rows: &[Row]) -> Step<String> {
    let (question, candidates) = match lookup::find(name, noun, rows) {
        Found::One(row) => return Ok(row.id),
        Found::Several(rows) => (format!("There are several called “{name}”. Which {noun}?"), rows),
        Found::Resembling(rows) if rows.is_empty() => {
            return Err(Pause::Say(format!(
                "I found no {noun} called “{name}”, so I have changed nothing."
            )));
        }
        Found::Resembling(rows) => {
            (format!("I found no {noun} called exactly “{name}”. Which one do you mean?"), rows)
        }
    };
    let labels: Vec<_> = candidates.iter().map(|row| row.label.clone()).collect();
    let at = plan.pick(&question, &labels)?;
    candidates.into_iter().nth(at).map(|row| row.id).ok_or_else(|| {
        Pause::Say(format!("I could not settle which {noun} you mean, so I leave it there."))
    })
}

/// A campus by name. Null stands for the campus, or campuses, in use.
fn campus(plan: &mut Plan<'_>, tool: &KnownTool, name: &str) -> Step<Value> {
    let folds: Vec<String> = words(name).into_iter().map(|word| word.fold).collect();
    let in_use = ["this campus", "the current campus", "my campus", "our campus", "here"];
    let whole = ["all campuses", "every campus", "the school", "the whole school", "both campuses"];
    let said = folds.join(" ");
    if in_use.contains(&said.as_str()) || (!tool.writes() && whole.contains(&said.as_str())) {
        return Ok(Value::Null);
    }
    let rows = campuses(plan)?;
    record(plan, "campus", name, &rows).map(Value::from)
}

fn campuses(plan: &mut Plan<'_>) -> Step<Vec<Row>> {
    match &plan.request.facts.campuses {
        Some(known) => Ok(known
            .iter()
            .map(|campus| Row {
                id: campus.id.clone(),
                name: campus.name.clone(),
                label: campus.name.clone(),
            })
            .collect()),
        None => plan.look_up(CAMPUSES, ""),
    }
}

/// A list of records or texts as one argument.
fn list(plan: &mut Plan<'_>, slot: &Slot, lookup: Option<&'static str>, said: &str) -> Step<Value> {
    let members = words(said);
    let folded = members.iter().map(|word| word.fold.as_str()).collect::<Vec<_>>().join(" ");
    if NOBODY.contains(&folded.as_str()) {
        return Ok(json!([]));
    }
    let mut values = Vec::new();
    for part in slots::parts(&members) {
        let name = text(said, &members[part]);
        values.push(match lookup {
            Some(lookup) => {
                let rows = plan.look_up(lookup, name)?;
                record(plan, &slot.spoken(), name, &rows)?
            }
            None => name.to_owned(),
        });
    }
    Ok(json!(values))
}

/// Asks for a value that the sentence leaves open.
fn asked(plan: &mut Plan<'_>, tool: &KnownTool, slot: &Slot) -> Step<Value> {
    let wanted = slot.wanted();
    let question = format!("To {}, tell me {wanted}.", tool.deed());
    let options: Vec<String> = match &slot.kind {
        SlotKind::Choice(values) => values.iter().map(|value| choices::spoken(value)).collect(),
        SlotKind::Bool => vec!["Yes".to_owned(), "No".to_owned()],
        SlotKind::List { .. } => vec![NOBODY_OPTION.to_owned()],
        SlotKind::Unspeakable => {
            return Err(Pause::Say(format!(
                "For that I need something that cannot be said in a sentence: {wanted}."
            )));
        }
        _ => Vec::new(),
    };
    plan.ask_until(&question, &options, |plan, answer| {
        if let SlotKind::List { lookup } = slot.kind {
            return list(plan, slot, lookup, answer).map(Some);
        }
        let said = slots::read(&slot.kind, answer, &words(answer), plan.request.facts.now.date());
        said.map(|said| settled(plan, tool, slot, said)).transpose()
    })
}

/// Asks whether an unquoted name that reads like more than a name is meant as it stands.
fn confirmed(plan: &mut Plan<'_>, slot: &Slot, sentence: &str, words: &[Word]) -> Step<Vec<Value>> {
    let whole = text(sentence, words);
    let parts: Vec<_> =
        slots::parts(words).into_iter().map(|part| text(sentence, &words[part])).collect();
    let noun = slot.spoken();
    let mut options = vec![format!("Yes, “{whole}”")];
    if parts.len() > 1 {
        let each: Vec<_> = parts.iter().map(|part| format!("“{part}”")).collect();
        options.push(format!("One for each: {}", each.join(", ")));
    }
    options.push("Neither, leave it".to_owned());
    match plan.pick(&format!("Is “{whole}” the whole {noun}?"), &options)? {
        0 => Ok(vec![whole.into()]),
        1 if parts.len() > 1 => Ok(parts.into_iter().map(Value::from).collect()),
        _ => Err(Pause::Say("All right, I leave it there.".to_owned())),
    }
}

/// Whether an unquoted name is long or carries words that names rarely have.
fn is_doubtful(words: &[Word]) -> bool {
    let unquoted = || words.iter().filter(|word| word.quotation.is_none());
    // "A department for Music" is not called "for Music".
    let led_by = |word: &Word| {
        matches!(word.fold.as_str(), "for" | "at" | "in" | "on" | "to" | "of" | "with" | "from")
    };
    unquoted().count() > 6
        || unquoted().next().is_some_and(led_by)
        || unquoted().any(|word| word.comma || DOUBTFUL.contains(&word.fold.as_str()))
}
