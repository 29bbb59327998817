//! Checks across the tools of a registry: names, events, sentences, lookup tools.

use super::message::Message;
use super::{fnv, same};
use crate::definition::ToolDefinition;

/// What a tool claims for itself: its name, its event, or one variant of one of its sentences; small enough to be sorted
/// at compile time.
#[derive(Clone, Copy, Debug)]
pub struct Claim {
    hash: u64,
    tool: u16,
    sentence: u16,
    variant: u16,
}

/// All claims of a registry, each list sorted by hash and then by place: a clash is found by looking, not by comparing
/// every tool with every other.
#[derive(Clone, Copy, Debug)]
pub struct Claims<'a> {
    /// One a tool.
    pub names: &'a [Claim],
    /// One a tool; those of local tools, which have no event, clash with nothing.
    pub events: &'a [Claim],
    /// One a variant.
    pub sentences: &'a [Claim],
}

/// The names of the tools.
pub const fn names<const N: usize>(defs: &[&ToolDefinition]) -> [Claim; N] {
    let mut all = [Claim { hash: 0, tool: 0, sentence: 0, variant: 0 }; N];
    let mut tool = 0;
    while tool < N {
        all[tool].hash = defs[tool].name_hash;
        all[tool].tool = place(tool);
        tool += 1;
    }
    sorted(all)
}

/// The events of the tools.
pub const fn events<const N: usize>(defs: &[&ToolDefinition]) -> [Claim; N] {
    let mut all = [Claim { hash: 0, tool: 0, sentence: 0, variant: 0 }; N];
    let mut tool = 0;
    while tool < N {
        all[tool].hash = defs[tool].event_hash;
        all[tool].tool = place(tool);
        tool += 1;
    }
    sorted(all)
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "a registry of 65536 tools does not compile anyway"
)]
const fn place(index: usize) -> u16 {
    index as u16
}

/// The tool before `this` that has the same name.
const fn same_name(defs: &[&ToolDefinition], names: &[Claim], this: usize) -> Option<usize> {
    let hash = defs[this].name_hash;
    let mut i = first_of(names, hash);
    while i < names.len() && names[i].hash == hash {
        let other = names[i].tool as usize;
        if other < this && same(defs[other].name, defs[this].name) {
            return Some(other);
        }
        i += 1;
    }
    None
}

/// The tool before `this` that listens to the same event.
const fn same_event(defs: &[&ToolDefinition], claims: &Claims<'_>, this: usize) -> Option<usize> {
    let Some(event) = defs[this].event else { return None };
    let hash = defs[this].event_hash;
    let mut i = first_of(claims.events, hash);
    while i < claims.events.len() && claims.events[i].hash == hash {
        let other = claims.events[i].tool as usize;
        if other < this
            && let Some(taken) = defs[other].event
            && same(taken, event)
            // Derived from one name, the event is a second report of the same fault.
            && same_name(defs, claims.names, this).is_none()
        {
            return Some(other);
        }
        i += 1;
    }
    None
}

/// How many variants the sentences of a registry stand for.
pub const fn count_sentences(defs: &[&ToolDefinition]) -> usize {
    let mut count = 0;
    let mut tool = 0;
    while tool < defs.len() {
        let mut sentence = 0;
        while sentence < defs[tool].say.len() {
            count += defs[tool].say[sentence].variants.len();
            sentence += 1;
        }
        tool += 1;
    }
    count
}

/// Every variant of every sentence.
pub const fn sentences<const N: usize>(defs: &[&ToolDefinition]) -> [Claim; N] {
    let mut all = [Claim { hash: 0, tool: 0, sentence: 0, variant: 0 }; N];
    let mut n = 0;
    let mut tool = 0;
    while tool < defs.len() {
        let mut sentence = 0;
        while sentence < defs[tool].say.len() {
            let variants = defs[tool].say[sentence].variants;
            let mut variant = 0;
            while variant < variants.len() {
                all[n] = Claim {
                    hash: variants[variant].hash,
                    tool: place(tool),
                    sentence: place(sentence),
                    variant: place(variant),
                };
                n += 1;
                variant += 1;
            }
            sentence += 1;
        }
        tool += 1;
    }
    sorted(all)
}

/// Merge sort from below. It is stable, so equal hashes stay in the order of the registry.
const fn sorted<const N: usize>(mut from: [Claim; N]) -> [Claim; N] {
    let mut into = from;
    let mut width = 1;
    while width < N {
        let mut start = 0;
        while start < N {
            let middle = if start + width < N { start + width } else { N };
            let end = if middle + width < N { middle + width } else { N };
            let (mut left, mut right, mut at) = (start, middle, start);
            while at < end {
                if right >= end || (left < middle && from[left].hash <= from[right].hash) {
                    into[at] = from[left];
                    left += 1;
                } else {
                    into[at] = from[right];
                    right += 1;
                }
                at += 1;
            }
            start = end;
        }
        from = into;
        width *= 2;
    }
    from
}

/// A variant of an earlier tool that is also one of sentence `sentence` of tool `this`.
const fn same_sentence(
    defs: &[&ToolDefinition],
    sentences: &[Claim],
    this: usize,
    sentence: usize,
) -> Option<Claim> {
    let variants = defs[this].say[sentence].variants;
    let mut i = 0;
    while i < variants.len() {
        let first = sentences[first_of(sentences, variants[i].hash)];
        if (first.tool as usize) < this && same_blanked(text(defs, first), variants[i].text) {
            return Some(first);
        }
        i += 1;
    }
    None
}

/// Where the hash first stands in the sorted array, which holds it.
const fn first_of(claims: &[Claim], hash: u64) -> usize {
    let (mut low, mut high) = (0, claims.len());
    while low < high {
        let middle = low + (high - low) / 2;
        if claims[middle].hash < hash {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

/// Whether two variants are equal when the names of their slots do not count.
const fn same_blanked(left: &str, right: &str) -> bool {
    let (left, right) = (left.as_bytes(), right.as_bytes());
    let (mut i, mut j) = (0, 0);
    while i < left.len() && j < right.len() {
        if left[i] != right[j] {
            return false;
        }
        if left[i] == b'{' {
            while i < left.len() && left[i] != b'}' {
                i += 1;
            }
            while j < right.len() && right[j] != b'}' {
                j += 1;
            }
        } else {
            i += 1;
            j += 1;
        }
    }
    i == left.len() && j == right.len()
}

const fn text(defs: &[&ToolDefinition], claim: Claim) -> &'static str {
    defs[claim.tool as usize].say[claim.sentence as usize].variants[claim.variant as usize].text
}

/// Fails for a name that an earlier tool has.
#[track_caller]
pub const fn unique_name(defs: &[&ToolDefinition], claims: &Claims<'_>, this: usize) {
    let Some(other) = same_name(defs, claims.names, this) else { return };
    let message = Message::new().text("duplicate tool name `").text(defs[this].name);
    panic!("{}", declared(message, defs[other]).text("; rename one of them").get());
}

/// Fails for an event that an earlier tool listens to.
#[track_caller]
pub const fn unique_event(defs: &[&ToolDefinition], claims: &Claims<'_>, this: usize) {
    let (Some(other), Some(event)) = (same_event(defs, claims, this), defs[this].event) else {
        return;
    };
    let message = Message::new().text("duplicate tool event `").text(event);
    panic!("{}", declared(message, defs[other]).text("; change one of them").get());
}

const fn declared(message: Message, other: &ToolDefinition) -> Message {
    message.text("`: already declared at ").text(other.file).text(":").number(other.line)
}

/// Fails for a sentence that an earlier tool claims.
#[track_caller]
pub const fn unique_sentence(
    defs: &[&ToolDefinition],
    claims: &Claims<'_>,
    this: usize,
    sentence: usize,
) {
    let Some(other) = same_sentence(defs, claims.sentences, this, sentence) else { return };
    let message = Message::new().text("sentence `").text(text(defs, other));
    let message = message.text("` is already claimed by `").text(defs[other.tool as usize].name);
    panic!("{}", message.text("`; reword it or drop it").get());
}

/// Fails for an argument whose lookup tool is not in the registry.
#[track_caller]
pub const fn lookups(defs: &[&ToolDefinition], this: usize) {
    let fields = defs[this].fields;
    let mut i = 0;
    while i < fields.len() {
        if let Some(tool) = fields[i].lookup
            && !contains(defs, tool)
        {
            let message = Message::new().text("argument `").text(fields[i].name).text("` of `");
            let message = message.text(defs[this].name).text("` is looked up by `").text(tool);
            panic!(
                "{}",
                message
                    .text("`, which is not in this registry; list that tool or name another")
                    .get()
            );
        }
        i += 1;
    }
}

const fn contains(defs: &[&ToolDefinition], name: &str) -> bool {
    let hash = fnv(name);
    let mut i = 0;
    while i < defs.len() {
        if defs[i].name_hash == hash && same(defs[i].name, name) {
            return true;
        }
        i += 1;
    }
    false
}

/// The number of tools in several registries.
pub const fn count(parts: &[&[&'static ToolDefinition]]) -> usize {
    let mut count = 0;
    let mut part = 0;
    while part < parts.len() {
        count += parts[part].len();
        part += 1;
    }
    count
}

/// The tools of several registries in one array.
#[track_caller]
pub const fn concat<const N: usize>(
    parts: &[&[&'static ToolDefinition]],
) -> [&'static ToolDefinition; N] {
    let mut first = 0;
    while first < parts.len() && parts[first].is_empty() {
        first += 1;
    }
    assert!(first < parts.len(), "`join!` needs a registry with at least one tool");
    let mut all = [parts[first][0]; N];
    let (mut n, mut part) = (0, 0);
    while part < parts.len() {
        let mut i = 0;
        while i < parts[part].len() {
            all[n] = parts[part][i];
            n += 1;
            i += 1;
        }
        part += 1;
    }
    all
}

/// Fails for a name, an event or a sentence that two of the tools share.
#[track_caller]
pub const fn all_unique(defs: &[&ToolDefinition], claims: &Claims<'_>) {
    let mut this = 0;
    while this < defs.len() {
        if let Some(other) = same_name(defs, claims.names, this) {
            let message = Message::new().text("duplicate tool name `").text(defs[this].name);
            panic!("{}", both(message, defs[other], defs[this]).get());
        }
        if let (Some(other), Some(event)) = (same_event(defs, claims, this), defs[this].event) {
            let message = Message::new().text("duplicate tool event `").text(event);
            panic!("{}", both(message, defs[other], defs[this]).get());
        }
        let mut sentence = 0;
        while sentence < defs[this].say.len() {
            unique_sentence(defs, claims, this, sentence);
            sentence += 1;
        }
        this += 1;
    }
}

const fn both(message: Message, one: &ToolDefinition, two: &ToolDefinition) -> Message {
    let message = message.text("`: declared at ").text(one.file).text(":").number(one.line);
    message.text(" and ").text(two.file).text(":").number(two.line)
}
