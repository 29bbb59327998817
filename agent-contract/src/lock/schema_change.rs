//! The changes inside one schema: each place where two versions part, with the rule that names it.
//!
//! A change is judged alone. The sender's schema with only this one change in it stands for the reader, so that the
//! value that shows the harm shows the harm of this change; then the true reader must refuse it too.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::difference::{Change, Difference, difference};
use super::edit::{Edit, EditKind, edits, escaped, is_required, with_edit, without};
use super::finding::{Consequence, Side, Verdict, Witness};
use super::rule::Rule;
use super::serving::as_sent;
use super::subsume::{Coverage, covers, validator};

/// Which way the values of a schema travel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flow {
    /// From worker to server.
    Args,
    /// From server to worker.
    Result,
}

/// One change of a schema.
#[derive(Debug)]
pub(super) struct SchemaChange {
    pub(super) rule: Rule,
    pub(super) difference: Difference,
    pub(super) server_first: Consequence,
    pub(super) worker_first: Consequence,
}

/// Every change from `old` to `new`.
pub(super) fn schema_changes(flow: Flow, old: &Value, new: &Value) -> Vec<SchemaChange> {
    let pair = Pair { flow, old, new };
    let whole = [true, false].map(|server_first| pair.whole(server_first));
    let judge = |edit| pair.judge(edit, &whole);
    let mut changes: Vec<SchemaChange> = edits(old, new).iter().flat_map(judge).collect();
    pair.blame(whole, &mut changes);
    changes
}

/// Two versions of a schema.
#[derive(Clone, Copy)]
struct Pair<'s> {
    flow: Flow,
    old: &'s Value,
    new: &'s Value,
}

impl<'s> Pair<'s> {
    fn judge(
        self,
        edit: &Edit,
        [server_first, worker_first]: &[Consequence; 2],
    ) -> Vec<SchemaChange> {
        // What is harmless together is harmless.
        let alone = |whole: &Consequence, server_first| match whole.verdict {
            Verdict::Safe => whole.clone(),
            _ => self.alone(edit, server_first),
        };
        let server_first = alone(server_first, true);
        let worker_first = alone(worker_first, false);
        let (old_at, new_at) = (self.old.pointer(&edit.node), self.new.pointer(&edit.node));
        let (Some(old_at), Some(new_at)) = (old_at, new_at) else { return Vec::new() };
        let node = &edit.node;
        let field = |name: &str| format!("{node}/properties/{}", escaped(name));
        let required = |name: &str| {
            let (old, new) = (is_required(old_at, name), is_required(new_at, name));
            (old, new)
        };
        let one = |rule, pointer, change| {
            let difference = Difference { pointer, change };
            vec![SchemaChange {
                rule,
                difference,
                server_first: server_first.clone(),
                worker_first: worker_first.clone(),
            }]
        };
        match (&edit.kind, self.flow) {
            (EditKind::Added(name), flow) => {
                let rule = match flow {
                    Flow::Args if required(name).1 => Rule::ArgRequired,
                    Flow::Args => Rule::ArgOptionalAdded,
                    Flow::Result => Rule::ResultAdded,
                };
                one(rule, field(name), Change::Added(new_at["properties"][name].clone()))
            }
            (EditKind::Removed(name), flow) => {
                let rule = match flow {
                    Flow::Args => Rule::ArgRemoved,
                    Flow::Result => Rule::ResultWeakened,
                };
                one(rule, field(name), Change::Removed(old_at["properties"][name].clone()))
            }
            (EditKind::Renamed { from, to }, flow) => {
                let rule = match flow {
                    Flow::Args => Rule::ArgRenamed,
                    Flow::Result => Rule::ResultWeakened,
                };
                one(rule, field(from), Change::Altered { old: json!(from), new: json!(to) })
            }
            (EditKind::Required(name), flow) => {
                let rule = match (flow, required(name).1) {
                    (Flow::Args, true) => Rule::ArgRequired,
                    (Flow::Args, false) => Rule::ArgRelaxed,
                    (Flow::Result, true) => Rule::ResultStrengthened,
                    (Flow::Result, false) => Rule::ResultWeakened,
                };
                let (old, new) = required(name);
                let word = |required| json!(if required { "required" } else { "optional" });
                one(rule, field(name), Change::Altered { old: word(old), new: word(new) })
            }
            (EditKind::Node | EditKind::Whole, flow) => {
                let difference = match &edit.kind {
                    EditKind::Node => {
                        let keys = ["properties", "required", "items"];
                        difference(&without(old_at, &keys), &without(new_at, &keys), node)
                    }
                    _ => difference(old_at, new_at, node),
                };
                let Some(difference) = difference else { return Vec::new() };
                let kinds_differ = are_apart(old_at, new_at);
                by_coverage(flow, kinds_differ, &difference, server_first, worker_first)
            }
        }
    }

    /// What the edit alone means: to old workers and new servers, or to new workers and old servers.
    fn alone(self, edit: &Edit, server_first: bool) -> Consequence {
        let Ends { sender, sent, reader } = self.ends(server_first);
        let Some(edited) = with_edit(sent, reader, edit) else {
            return Consequence::of(Verdict::Undecided);
        };
        consequence(sender, sent, &edited, reader)
    }

    fn ends(self, server_first: bool) -> Ends<'s> {
        let Self { flow, old, new } = self;
        let (sender, sent, reader) = match (flow, server_first) {
            (Flow::Args, true) => (Side::Worker, old, new),
            (Flow::Args, false) => (Side::Worker, new, old),
            (Flow::Result, true) => (Side::Server, new, old),
            (Flow::Result, false) => (Side::Server, old, new),
        };
        Ends { sender, sent, reader }
    }

    /// What all changes together mean.
    fn whole(self, server_first: bool) -> Consequence {
        let Ends { sender, sent, reader } = self.ends(server_first);
        consequence(sender, sent, reader, reader)
    }

    /// Changes that are harmless one by one must be proven harmless together, or the whole is a change of its own.
    fn blame(
        self,
        [server_first, worker_first]: [Consequence; 2],
        changes: &mut Vec<SchemaChange>,
    ) {
        let Some(difference) = difference(self.old, self.new, "") else { return };
        let safe = || Consequence::of(Verdict::Safe);
        let harmless = |of: fn(&SchemaChange) -> &Consequence, changes: &[SchemaChange]| {
            changes.iter().all(|change| of(change).verdict == Verdict::Safe)
        };
        let (first, second) = narrower_and_wider(self.flow);
        if server_first.verdict != Verdict::Safe && harmless(|change| &change.server_first, changes)
        {
            let difference = difference.clone();
            changes.push(SchemaChange {
                rule: first,
                difference,
                server_first,
                worker_first: safe(),
            });
        }
        if worker_first.verdict != Verdict::Safe && harmless(|change| &change.worker_first, changes)
        {
            changes.push(SchemaChange {
                rule: second,
                difference,
                server_first: safe(),
                worker_first,
            });
        }
    }
}

/// Who sends and who reads in one order of deployment.
struct Ends<'s> {
    sender: Side,
    sent: &'s Value,
    reader: &'s Value,
}

/// What it means that `sent` is read by `edited`, and in truth by `reader`.
fn consequence(sender: Side, sent: &Value, edited: &Value, reader: &Value) -> Consequence {
    match covers(edited, &as_sent(sent)) {
        Coverage::Proven => Consequence::of(Verdict::Safe),
        Coverage::Undecided => Consequence::of(Verdict::Undecided),
        Coverage::Refuted(value) => {
            let told = |schema: &Value| validator(schema).map(|schema| schema.is_valid(&value));
            if (told(sent), told(reader)) == (Some(true), Some(false)) {
                Consequence { verdict: Verdict::Breaking, witness: Some(Witness { sender, value }) }
            } else {
                Consequence::of(Verdict::Undecided)
            }
        }
    }
}

/// The rules for a node that takes other values: less, more, or of another type.
fn by_coverage(
    flow: Flow,
    kinds_differ: bool,
    difference: &Difference,
    server_first: Consequence,
    worker_first: Consequence,
) -> Vec<SchemaChange> {
    let change = |rule, server_first, worker_first| SchemaChange {
        rule,
        difference: difference.clone(),
        server_first,
        worker_first,
    };
    let safe = || Consequence::of(Verdict::Safe);
    let (first, second) = narrower_and_wider(flow);
    match (server_first.verdict, worker_first.verdict) {
        (Verdict::Safe, Verdict::Safe) => Vec::new(),
        (_, Verdict::Safe) => vec![change(first, server_first, safe())],
        (Verdict::Safe, _) => vec![change(second, safe(), worker_first)],
        _ if flow == Flow::Args && kinds_differ => {
            vec![change(Rule::ArgType, server_first, worker_first)]
        }
        _ => vec![change(first, server_first, safe()), change(second, safe(), worker_first)],
    }
}

/// The rule of what old workers trip over, and of what new workers do.
fn narrower_and_wider(flow: Flow) -> (Rule, Rule) {
    match flow {
        Flow::Args => (Rule::ArgNarrowed, Rule::ArgWidened),
        Flow::Result => (Rule::ResultWeakened, Rule::ResultStrengthened),
    }
}

/// Whether no type is in both; a node that names none has them all.
fn are_apart(old: &Value, new: &Value) -> bool {
    let types = |node: &Value| -> Option<BTreeSet<String>> {
        let branches = node.get("anyOf").and_then(Value::as_array);
        let nodes = branches.map_or_else(|| vec![node], |branches| branches.iter().collect());
        nodes.into_iter().map(|node| node["type"].as_str().map(str::to_owned)).collect()
    };
    match (types(old), types(new)) {
        (Some(old), Some(new)) => old.is_disjoint(&new),
        _ => false,
    }
}
