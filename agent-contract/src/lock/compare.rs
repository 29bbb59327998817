//! Every change between two locks.

use serde_json::{Value, json};

use super::access::Access;
use super::difference::{Change, Difference, difference};
use super::envelope::Envelope;
use super::finding::{Consequence, Finding, Subject, Verdict};
use super::fingerprint::Fingerprint;
use super::rule::Rule;
use super::schema_change::{Flow, SchemaChange, schema_changes};
use super::types::{Lock, LockedTool};
use crate::definition::{Effect, ToolScope};

/// Every change from `old` to `new`: of the envelope, then of the tools by name.
pub fn compare(old: &Lock, new: &Lock) -> Vec<Finding> {
    let mut findings = envelope(&old.envelope, &new.envelope);
    let renamed = |name: &str| old.tools.get(name).and_then(|tool| new_name(name, tool, old, new));
    let is_new_name = |name: &str| old.tools.keys().any(|old| renamed(old) == Some(name));
    let mut names: Vec<&String> = old.tools.keys().chain(new.tools.keys()).collect();
    names.sort();
    names.dedup();
    for name in names {
        let tool = |name: &str| Subject::Tool(name.to_owned());
        match (old.tool(name), new.tool(name)) {
            (Some(before), Some(after)) => {
                About::tools(tool(name), before, after).tool(before, after, &mut findings);
            }
            (None, Some(_)) if is_new_name(name) => {}
            (None, Some(after)) => {
                let about = About { subject: tool(name), old: Part::None, new: Part::Tool(after) };
                findings.push(about.added(after));
            }
            (Some(before), None) => match renamed(name)
                .and_then(|name| new.tools.get_key_value(name))
            {
                None => {
                    let about =
                        About { subject: tool(name), old: Part::Tool(before), new: Part::None };
                    findings.push(about.removed(before));
                }
                Some((new_name, after)) => {
                    findings.push(About::tools(tool(name), before, after).renamed(name, new_name));
                    let about = About::tools(tool(new_name), before, after);
                    about.tool(before, after, &mut findings);
                }
            },
            (None, None) => {}
        }
    }
    findings
}

/// The name that a tool has now, if it kept its event and gave up its name.
fn new_name<'l>(name: &str, tool: &LockedTool, old: &Lock, new: &'l Lock) -> Option<&'l str> {
    if new.tool(name).is_some() {
        return None;
    }
    let event = tool.shape.event.as_ref()?;
    let found = new.tools.iter().find(|(_, tool)| tool.shape.event.as_ref() == Some(event));
    found.map(|(name, _)| name.as_str()).filter(|name| old.tool(name).is_none())
}

fn envelope(old: &Envelope, new: &Envelope) -> Vec<Finding> {
    let (subject, old_part, new_part) =
        (Subject::Envelope, Part::Envelope(old), Part::Envelope(new));
    let about = About { subject, old: old_part, new: new_part };
    let mut findings = Vec::new();
    if old.version != new.version {
        let change = Change::Altered { old: json!(old.version), new: json!(new.version) };
        let difference = Difference { pointer: "/version".to_owned(), change };
        findings.push(about.both(Rule::Envelope, difference, Verdict::Breaking));
    }
    for (part, flow, old, new) in [
        ("/request", Flow::Args, &old.request, &new.request),
        ("/reply", Flow::Result, &old.reply, &new.reply),
        ("/context", Flow::Result, &old.context, &new.context),
    ] {
        let changes = schema_changes(flow, old, new).into_iter();
        findings.extend(
            changes
                .map(|change| SchemaChange { rule: Rule::Envelope, ..change })
                .map(|change| about.schema(part, change)),
        );
    }
    findings
}

/// What the findings are about: the subject, and all of it on either side.
struct About<'l> {
    subject: Subject,
    old: Part<'l>,
    new: Part<'l>,
}

/// All that one lock says of a subject.
#[derive(Clone, Copy)]
enum Part<'l> {
    None,
    Tool(&'l LockedTool),
    Envelope(&'l Envelope),
}

impl Part<'_> {
    /// Everything that a change of this rule is a change of. A sign-off holds for that and no more: two changes may
    /// begin alike.
    fn under(self, rule: Rule) -> Value {
        let tool = match self {
            Self::None => return Value::Null,
            Self::Envelope(envelope) => return json!(envelope),
            Self::Tool(tool) => tool,
        };
        match rule {
            Rule::Scope | Rule::Auth | Rule::Effect => json!(tool.access),
            Rule::ArgDefault => json!(tool.docs.defaults),
            Rule::Prompt => json!(tool.docs),
            Rule::EventRenamed => json!(tool.shape.event),
            Rule::ResultAdded | Rule::ResultWeakened | Rule::ResultStrengthened => {
                tool.shape.result.clone()
            }
            Rule::ToolAdded | Rule::ToolRemoved | Rule::ToolRenamed | Rule::Envelope => {
                json!([tool.shape, tool.access])
            }
            Rule::ArgOptionalAdded
            | Rule::ArgRequired
            | Rule::ArgRelaxed
            | Rule::ArgRemoved
            | Rule::ArgNarrowed
            | Rule::ArgWidened
            | Rule::ArgType
            | Rule::ArgRenamed => tool.shape.args.clone(),
        }
    }
}

impl<'l> About<'l> {
    fn tools(subject: Subject, old: &'l LockedTool, new: &'l LockedTool) -> Self {
        Self { subject, old: Part::Tool(old), new: Part::Tool(new) }
    }

    fn finding(
        &self,
        rule: Rule,
        Difference { pointer, change }: Difference,
        server_first: Consequence,
        worker_first: Consequence,
    ) -> Finding {
        let (before, after) = match change {
            Change::Added(new) => (None, Some(new)),
            Change::Removed(old) => (Some(old), None),
            Change::Altered { old, new } => (Some(old), Some(new)),
        };
        let subject = self.subject.clone();
        let between = Fingerprint::of(&json!([self.old.under(rule), self.new.under(rule)]));
        Finding { rule, subject, pointer, before, after, between, server_first, worker_first }
    }

    fn both(&self, rule: Rule, difference: Difference, verdict: Verdict) -> Finding {
        self.finding(rule, difference, Consequence::of(verdict), Consequence::of(verdict))
    }

    fn schema(&self, part: &str, change: SchemaChange) -> Finding {
        let SchemaChange { rule, difference, server_first, worker_first } = change;
        let difference = Difference {
            pointer: format!("{part}{}", difference.pointer),
            change: difference.change,
        };
        self.finding(rule, difference, server_first, worker_first)
    }

    fn added(&self, tool: &LockedTool) -> Finding {
        // A local tool comes with the worker that runs it.
        let worker_first = match tool.shape.event {
            Some(_) => Verdict::Breaking,
            None => Verdict::Safe,
        };
        self.whole(
            Rule::ToolAdded,
            Change::Added(json!(tool.hashes.wire)),
            Verdict::Safe,
            worker_first,
        )
    }

    fn removed(&self, tool: &LockedTool) -> Finding {
        let server_first = match (&tool.shape.event, &tool.deprecated) {
            (Some(_), None) => Verdict::Breaking,
            _ => Verdict::Warning,
        };
        self.whole(
            Rule::ToolRemoved,
            Change::Removed(json!(tool.hashes.wire)),
            server_first,
            Verdict::Safe,
        )
    }

    fn renamed(&self, old: &str, new: &str) -> Finding {
        let change = Change::Altered { old: json!(old), new: json!(new) };
        self.whole(Rule::ToolRenamed, change, Verdict::Warning, Verdict::Warning)
    }

    fn whole(
        &self,
        rule: Rule,
        change: Change,
        server_first: Verdict,
        worker_first: Verdict,
    ) -> Finding {
        let difference = Difference { pointer: String::new(), change };
        let consequence = Consequence::of;
        self.finding(rule, difference, consequence(server_first), consequence(worker_first))
    }

    fn tool(&self, old: &LockedTool, new: &LockedTool, findings: &mut Vec<Finding>) {
        if old.hashes.wire != new.hashes.wire {
            findings.extend(self.event(old, new));
            let (olds, news) = (&old.shape, &new.shape);
            let is_local = olds.event.is_none() && news.event.is_none();
            for (part, flow, old, new) in [
                ("/args", Flow::Args, &olds.args, &news.args),
                ("/result", Flow::Result, &olds.result, &news.result),
            ] {
                let changes = schema_changes(flow, old, new).into_iter();
                findings.extend(changes.map(|change| {
                    let mut finding = self.schema(part, change);
                    if is_local {
                        // Both ends are in the worker, so no two versions meet.
                        finding.server_first = Consequence::of(Verdict::Safe);
                        finding.worker_first = Consequence::of(Verdict::Safe);
                    }
                    finding
                }));
            }
        }
        self.defaults(old, new, findings);
        self.access(&old.access, &new.access, findings);
        self.words(old, new, findings);
    }

    fn event(&self, old: &LockedTool, new: &LockedTool) -> Option<Finding> {
        let event = |tool: &LockedTool| json!(tool.shape.event);
        let difference = difference(&event(old), &event(new), "/event")?;
        // A worker runs its local tools itself, whatever the servers know.
        let breaking_if = |meets: bool| if meets { Verdict::Breaking } else { Verdict::Safe };
        let server_first = Consequence::of(breaking_if(old.shape.event.is_some()));
        let worker_first = Consequence::of(breaking_if(new.shape.event.is_some()));
        Some(self.finding(Rule::EventRenamed, difference, server_first, worker_first))
    }

    fn defaults(&self, old: &LockedTool, new: &LockedTool, findings: &mut Vec<Finding>) {
        let verdict = match new.access.effect {
            Effect::Read => Verdict::Warning,
            Effect::Write => Verdict::Breaking,
        };
        let (olds, news) = (&old.docs.defaults, &new.docs.defaults);
        let mut pointers: Vec<&String> = olds.keys().chain(news.keys()).collect();
        pointers.sort();
        pointers.dedup();
        for pointer in pointers {
            // An argument that one side lacks has no other meaning there.
            let is_there = |tool: &LockedTool| tool.shape.args.pointer(pointer).is_some();
            let or_null = |value: Option<&Value>| value.cloned().unwrap_or_default();
            let (before, after) = (or_null(olds.get(pointer)), or_null(news.get(pointer)));
            if is_there(old)
                && is_there(new)
                && let Some(difference) =
                    difference(&before, &after, &format!("/args{pointer}/default"))
            {
                findings.push(self.both(Rule::ArgDefault, difference, verdict));
            }
        }
    }

    fn access(&self, old: &Access, new: &Access, findings: &mut Vec<Finding>) {
        let mut tell = |rule, pointer: &str, old: Value, new: Value, verdict| {
            if old != new {
                // Whole, because a list of agents means nothing by its places.
                let (pointer, change) = (pointer.to_owned(), Change::Altered { old, new });
                findings.push(self.both(rule, Difference { pointer, change }, verdict));
            }
        };
        let widened = new.scope == ToolScope::General || old.scope != ToolScope::General;
        let scope = if widened { Verdict::SignOff } else { Verdict::Warning };
        tell(Rule::Scope, "/scope", json!(old.scope), json!(new.scope), scope);
        tell(Rule::Auth, "/posture", json!(old.posture), json!(new.posture), Verdict::SignOff);
        tell(Rule::Auth, "/roles", json!(old.roles), json!(new.roles), Verdict::SignOff);
        tell(Rule::Effect, "/effect", json!(old.effect), json!(new.effect), Verdict::SignOff);
        let approval = if new.approval.is_none() { Verdict::SignOff } else { Verdict::Warning };
        tell(Rule::Effect, "/approval", json!(old.approval), json!(new.approval), approval);
    }

    fn words(&self, old: &LockedTool, new: &LockedTool, findings: &mut Vec<Finding>) {
        let words = |tool: &LockedTool| {
            let mut docs = json!(tool.docs);
            docs.as_object_mut().map(|docs| docs.remove("defaults"));
            docs
        };
        if let Some(difference) = difference(&words(old), &words(new), "/docs") {
            findings.push(self.both(Rule::Prompt, difference, Verdict::Safe));
        }
    }
}
