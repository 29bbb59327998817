//! Every row of the table of changes, in both orders of deployment: the rule, the place, what it means, and for what
//! breaks a value that one side sends and the other refuses, by validators made here.

use agent_contract::lock::{
    Consequence, Docs, Finding, Lock, LockedPosture, LockedTool, Permission, Rule, Shape, Side,
    Subject, Verdict, compare,
};
use agent_contract::{Approval, Effect, ToolScope};
use serde_json::{Value, json};

use ToolScope::{Campus, General, School};
use Verdict::{Breaking, Safe, SignOff, Warning};

use crate::sample::{self, NAME, lock_of, tool};

/// A row: what was done, and what is to be found.
struct Row {
    what: &'static str,
    edit: fn(&mut LockedTool),
    found: &'static [Found],
}

/// A finding: the rule, the place, and what it means with the server first and with the worker first.
type Found = (Rule, &'static str, Verdict, Verdict);

const ROWS: &[Row] = &[
    Row { what: "nothing", edit: |_| {}, found: &[] },
    Row {
        what: "event changed",
        edit: |tool| tool.shape.event = Some("add.room".into()),
        found: &[(Rule::EventRenamed, "/event", Breaking, Breaking)],
    },
    Row {
        what: "optional argument added",
        edit: |tool| tool.shape.args["properties"]["floor"] = json!({ "type": "integer" }),
        found: &[(Rule::ArgOptionalAdded, "/args/properties/floor", Safe, Breaking)],
    },
    Row {
        what: "required argument added",
        edit: |tool| {
            tool.shape.args["properties"]["floor"] = json!({ "type": "integer" });
            tool.shape.args["required"] = json!(["floor", "name"]);
        },
        found: &[(Rule::ArgRequired, "/args/properties/floor", Breaking, Breaking)],
    },
    Row {
        what: "optional to required",
        edit: |tool| tool.shape.args["required"] = json!(["name", "seats"]),
        found: &[(Rule::ArgRequired, "/args/properties/seats", Breaking, Safe)],
    },
    Row {
        what: "required to optional",
        edit: |tool| tool.shape.args["required"] = json!([]),
        found: &[(Rule::ArgRelaxed, "/args/properties/name", Safe, Breaking)],
    },
    Row {
        what: "optional argument removed",
        edit: |tool| drop(fields(&mut tool.shape.args).remove("seats")),
        found: &[(Rule::ArgRemoved, "/args/properties/seats", Breaking, Safe)],
    },
    Row {
        what: "required argument removed",
        edit: |tool| {
            fields(&mut tool.shape.args).remove("name");
            tool.shape.args["required"] = json!([]);
        },
        found: &[(Rule::ArgRemoved, "/args/properties/name", Breaking, Breaking)],
    },
    Row {
        what: "words narrowed",
        edit: |tool| tool.shape.args["properties"]["kind"]["enum"] = json!(["hall"]),
        found: &[(Rule::ArgNarrowed, "/args/properties/kind/enum/1", Breaking, Safe)],
    },
    Row {
        what: "words widened",
        edit: |tool| tool.shape.args["properties"]["kind"]["enum"] = json!(["hall", "lab", "yard"]),
        found: &[(Rule::ArgWidened, "/args/properties/kind/enum/2", Safe, Breaking)],
    },
    Row {
        what: "one word for another",
        edit: |tool| tool.shape.args["properties"]["kind"]["enum"] = json!(["hall", "yard"]),
        found: &[
            (Rule::ArgNarrowed, "/args/properties/kind/enum/1", Breaking, Safe),
            (Rule::ArgWidened, "/args/properties/kind/enum/1", Safe, Breaking),
        ],
    },
    Row {
        what: "range narrowed",
        edit: |tool| tool.shape.args["properties"]["seats"]["maximum"] = json!(400),
        found: &[(Rule::ArgNarrowed, "/args/properties/seats/maximum", Breaking, Safe)],
    },
    Row {
        what: "range widened",
        edit: |tool| drop(field(&mut tool.shape.args, "seats").remove("maximum")),
        found: &[(Rule::ArgWidened, "/args/properties/seats/maximum", Safe, Breaking)],
    },
    Row {
        what: "length narrowed",
        edit: |tool| tool.shape.args["properties"]["name"]["minLength"] = json!(3),
        found: &[(Rule::ArgNarrowed, "/args/properties/name/minLength", Breaking, Safe)],
    },
    Row {
        what: "pattern added",
        edit: |tool| tool.shape.args["properties"]["name"]["pattern"] = json!("^[A-Z]"),
        found: &[(Rule::ArgNarrowed, "/args/properties/name/pattern", Breaking, Safe)],
    },
    Row {
        what: "format added",
        edit: |tool| tool.shape.args["properties"]["name"]["format"] = json!("date"),
        found: &[(Rule::ArgNarrowed, "/args/properties/name/format", Breaking, Safe)],
    },
    Row {
        what: "format removed, two levels down",
        edit: |tool| {
            field(&mut tool.shape.args["properties"]["slots"]["items"], "day").remove("format");
        },
        found: &[(
            Rule::ArgWidened,
            "/args/properties/slots/items/properties/day/format",
            Safe,
            Breaking,
        )],
    },
    Row {
        what: "null removed",
        edit: |tool| tool.shape.args["properties"]["code"] = json!({ "type": "string" }),
        found: &[(Rule::ArgNarrowed, "/args/properties/code/anyOf", Breaking, Safe)],
    },
    Row {
        what: "narrowed beside null",
        edit: |tool| tool.shape.args["properties"]["code"]["anyOf"][0]["minLength"] = json!(2),
        found: &[(Rule::ArgNarrowed, "/args/properties/code/anyOf/0/minLength", Breaking, Safe)],
    },
    Row {
        what: "integer to number",
        edit: |tool| tool.shape.args["properties"]["seats"]["type"] = json!("number"),
        found: &[(Rule::ArgWidened, "/args/properties/seats/type", Safe, Breaking)],
    },
    Row {
        what: "type changed",
        edit: |tool| tool.shape.args["properties"]["seats"] = json!({ "type": "string" }),
        found: &[(Rule::ArgType, "/args/properties/seats/maximum", Breaking, Breaking)],
    },
    Row {
        what: "argument renamed",
        edit: |tool| {
            let seats = fields(&mut tool.shape.args).remove("seats");
            fields(&mut tool.shape.args).extend(seats.map(|seats| ("capacity".to_owned(), seats)));
        },
        found: &[(Rule::ArgRenamed, "/args/properties/seats", Breaking, Breaking)],
    },
    Row {
        what: "default changed, in a tool that writes",
        edit: |tool| drop(tool.docs.defaults.insert("/properties/seats".into(), json!(20))),
        found: &[(Rule::ArgDefault, "/args/properties/seats/default", Breaking, Breaking)],
    },
    Row {
        what: "default gone, in a tool that reads now",
        edit: |tool| {
            tool.docs.defaults.clear();
            tool.access.effect = Effect::Read;
        },
        found: &[
            (Rule::ArgDefault, "/args/properties/seats/default", Warning, Warning),
            (Rule::Effect, "/effect", SignOff, SignOff),
        ],
    },
    Row {
        what: "required field added to an open result",
        edit: |tool| {
            tool.shape.result["properties"]["floor"] = json!({ "type": "integer" });
            tool.shape.result["required"] = json!(["floor", "id", "kind", "note"]);
        },
        found: &[(Rule::ResultAdded, "/result/properties/floor", Safe, Breaking)],
    },
    Row {
        what: "optional field added to an open result",
        edit: |tool| tool.shape.result["properties"]["floor"] = json!({ "type": "integer" }),
        found: &[(Rule::ResultAdded, "/result/properties/floor", Safe, Safe)],
    },
    Row {
        what: "field added to a closed result",
        edit: |tool| {
            tool.shape.result["properties"]["by"]["properties"]["title"] =
                json!({ "type": "string" });
        },
        found: &[(Rule::ResultAdded, "/result/properties/by/properties/title", Breaking, Safe)],
    },
    Row {
        what: "required field added to an object that may be null",
        edit: |tool| {
            let site = &mut tool.shape.result["properties"]["site"]["anyOf"][0];
            site["properties"]["town"] = json!({ "type": "string" });
            site["required"] = json!(["street", "town"]);
        },
        found: &[(
            Rule::ResultAdded,
            "/result/properties/site/anyOf/0/properties/town",
            Safe,
            Breaking,
        )],
    },
    Row {
        what: "required field of the result removed",
        edit: |tool| {
            fields(&mut tool.shape.result).remove("note");
            tool.shape.result["required"] = json!(["id", "kind"]);
        },
        found: &[(Rule::ResultWeakened, "/result/properties/note", Breaking, Safe)],
    },
    Row {
        what: "field of the result may be missing",
        edit: |tool| tool.shape.result["required"] = json!(["id", "kind"]),
        found: &[(Rule::ResultWeakened, "/result/properties/note", Breaking, Safe)],
    },
    Row {
        what: "field of the result may be null",
        edit: |tool| {
            tool.shape.result["properties"]["id"] =
                json!({ "anyOf": [{ "type": "string" }, { "type": "null" }] });
        },
        found: &[(Rule::ResultWeakened, "/result/properties/id/anyOf", Breaking, Safe)],
    },
    Row {
        what: "words of the result widened",
        edit: |tool| {
            tool.shape.result["properties"]["kind"]["enum"] = json!(["hall", "lab", "yard"]);
        },
        found: &[(Rule::ResultWeakened, "/result/properties/kind/enum/2", Breaking, Safe)],
    },
    Row {
        what: "result narrowed",
        edit: |tool| tool.shape.result["properties"]["note"] = json!({ "type": "string" }),
        found: &[(Rule::ResultStrengthened, "/result/properties/note/anyOf", Safe, Breaking)],
    },
    Row {
        what: "field of the result always there",
        edit: |tool| tool.shape.result["required"] = json!(["by", "id", "kind", "note"]),
        found: &[(Rule::ResultStrengthened, "/result/properties/by", Safe, Breaking)],
    },
    Row {
        what: "scope narrowed",
        edit: |tool| tool.access.scope = ToolScope::Campus,
        found: &[(Rule::Scope, "/scope", Warning, Warning)],
    },
    Row {
        what: "permission changed",
        edit: |tool| {
            let permission = Permission { action: "update".into(), resource: "room".into() };
            tool.access.posture = Some(LockedPosture::Casl(permission));
        },
        found: &[(Rule::Auth, "/posture", SignOff, SignOff)],
    },
    Row {
        what: "posture changed",
        edit: |tool| tool.access.posture = Some(LockedPosture::Relationship),
        found: &[(Rule::Auth, "/posture", SignOff, SignOff)],
    },
    Row {
        what: "offered to one agent more",
        edit: |tool| tool.access.roles = vec!["class_teacher".into(), "rover".into()],
        found: &[(Rule::Auth, "/roles", SignOff, SignOff)],
    },
    Row {
        what: "writes no more",
        edit: |tool| tool.access.effect = Effect::Read,
        found: &[(Rule::Effect, "/effect", SignOff, SignOff)],
    },
    Row {
        what: "asks first from now on",
        edit: |tool| tool.access.approval = Some(Approval::Always),
        found: &[(Rule::Effect, "/approval", Warning, Warning)],
    },
    Row {
        what: "description changed",
        edit: |tool| tool.docs.description = "Make a room.".into(),
        found: &[(Rule::Prompt, "/docs/description", Safe, Safe)],
    },
    Row {
        what: "words of an argument changed",
        edit: |tool| drop(tool.docs.args.insert("/properties/name".into(), "Its name.".into())),
        found: &[(Rule::Prompt, "/docs/args/~1properties~1name", Safe, Safe)],
    },
    Row {
        what: "the same number, written otherwise",
        edit: |tool| tool.shape.args["properties"]["seats"]["minimum"] = json!(1.0),
        found: &[],
    },
];

fn fields(schema: &mut Value) -> &mut serde_json::Map<String, Value> {
    schema["properties"].as_object_mut().unwrap()
}

fn field<'s>(schema: &'s mut Value, name: &str) -> &'s mut serde_json::Map<String, Value> {
    schema["properties"][name].as_object_mut().unwrap()
}

/// The tool after an edit, with its hashes.
fn edited(edit: fn(&mut LockedTool)) -> LockedTool {
    let mut edited = tool();
    edit(&mut edited);
    LockedTool::new(NAME, edited.access, edited.shape, edited.docs)
}

#[test]
fn each_row_of_the_table() {
    for Row { what, edit, found } in ROWS {
        let (old, new) = (tool(), edited(*edit));
        let findings = compare(&lock_of(NAME, old.clone()), &lock_of(NAME, new.clone()));
        let told: Vec<_> = findings.iter().map(summary).collect();
        assert_eq!(told, *found, "{what}");
        for finding in &findings {
            assert_eq!(finding.subject, Subject::Tool(NAME.into()));
            shown(what, finding, &old.shape, &new.shape);
        }
    }
}

fn summary(finding: &Finding) -> (Rule, &str, Verdict, Verdict) {
    let Finding { rule, pointer, server_first, worker_first, .. } = finding;
    (*rule, pointer, server_first.verdict, worker_first.verdict)
}

/// What breaks on the wire has a value that the one side sends and the other refuses.
fn shown(what: &str, finding: &Finding, old: &Shape, new: &Shape) {
    let is_schema = (finding.pointer.starts_with("/args")
        || finding.pointer.starts_with("/result"))
        && finding.rule != Rule::ArgDefault;
    for (consequence, worker, server) in
        [(&finding.server_first, old, new), (&finding.worker_first, new, old)]
    {
        let Consequence { verdict, witness } = consequence;
        assert_eq!(witness.is_some(), is_schema && *verdict == Breaking, "{what}: {finding:?}");
        let Some(witness) = witness else { continue };
        let (sent, read) = match witness.sender {
            Side::Worker => (&worker.args, &server.args),
            Side::Server => (&server.result, &worker.result),
        };
        let is_valid = |schema: &Value| {
            let options = jsonschema::options().should_validate_formats(true);
            options
                .with_draft(jsonschema::Draft::Draft202012)
                .build(schema)
                .unwrap()
                .is_valid(&witness.value)
        };
        assert!(is_valid(sent) && !is_valid(read), "{what}: {witness:?}");
        assert_eq!(finding.pointer.starts_with("/args"), witness.sender == Side::Worker, "{what}");
    }
}

#[test]
fn tools_that_come_and_go() {
    let none = || sample::lock_of_none();
    let with = |tool: LockedTool| lock_of(NAME, tool);
    let found = |old: &Lock, new: &Lock| -> Vec<(Rule, String, Verdict, Verdict)> {
        let findings = compare(old, new);
        findings
            .iter()
            .map(|finding| {
                let (rule, _, server_first, worker_first) = summary(finding);
                (rule, finding.subject.to_string(), server_first, worker_first)
            })
            .collect()
    };
    let name = || NAME.to_owned();
    assert_eq!(found(&none(), &with(tool())), [(Rule::ToolAdded, name(), Safe, Breaking)]);
    assert_eq!(found(&with(tool()), &none()), [(Rule::ToolRemoved, name(), Breaking, Safe)]);

    let mut deprecated = tool();
    deprecated.deprecated = Some(sample::deprecated());
    assert_eq!(found(&with(deprecated), &none()), [(Rule::ToolRemoved, name(), Warning, Safe)]);

    let local = || edited(|tool| tool.shape.event = None);
    assert_eq!(found(&none(), &with(local())), [(Rule::ToolAdded, name(), Safe, Safe)]);
    assert_eq!(found(&with(local()), &none()), [(Rule::ToolRemoved, name(), Warning, Safe)]);
    // From the server to the worker and back: only who still calls the server needs it there.
    assert_eq!(
        found(&with(tool()), &with(local())),
        [(Rule::EventRenamed, name(), Breaking, Safe)]
    );
    assert_eq!(
        found(&with(local()), &with(tool())),
        [(Rule::EventRenamed, name(), Safe, Breaking)]
    );
    // Both ends of a local tool are in one process.
    let mut narrowed = local();
    narrowed.shape.args["properties"]["seats"]["maximum"] = json!(1);
    let narrowed = LockedTool::new(NAME, narrowed.access, narrowed.shape, narrowed.docs);
    assert_eq!(found(&with(local()), &with(narrowed)), [(Rule::ArgNarrowed, name(), Safe, Safe)]);

    // The event is what tells that it is the same tool; what else was changed is found under the new name.
    let renamed = LockedTool::new(
        "add_room",
        sample::access(),
        edited(|tool| tool.shape.args["required"] = json!([])).shape,
        Docs { description: "Add a room.".into(), ..sample::docs() },
    );
    assert_eq!(
        found(&with(tool()), &lock_of("add_room", renamed)),
        [
            (Rule::ToolRenamed, name(), Warning, Warning),
            (Rule::ArgRelaxed, "add_room".into(), Safe, Breaking),
            (Rule::Prompt, "add_room".into(), Safe, Safe),
        ]
    );
}

#[test]
fn scope_that_widens_and_approval_that_goes_need_a_signature() {
    let scoped = |scope| {
        let mut scoped = tool();
        scoped.access.scope = scope;
        LockedTool::new(NAME, scoped.access, scoped.shape, scoped.docs)
    };
    let table = [
        (Campus, General, SignOff),
        (School, General, SignOff),
        (Campus, School, SignOff),
        (School, Campus, SignOff),
        (General, Campus, Warning),
        (General, School, Warning),
    ];
    for (old, new, expected) in table {
        let found = compare(&lock_of(NAME, scoped(old)), &lock_of(NAME, scoped(new)));
        assert_eq!(
            found.iter().map(summary).collect::<Vec<_>>(),
            [(Rule::Scope, "/scope", expected, expected)]
        );
    }
    let asking = edited(|tool| tool.access.approval = Some(Approval::Always));
    let found = compare(&lock_of(NAME, asking), &lock_of(NAME, tool()));
    assert_eq!(
        found.iter().map(summary).collect::<Vec<_>>(),
        [(Rule::Effect, "/approval", SignOff, SignOff)]
    );
}

#[test]
fn the_envelope_is_judged_part_by_part() {
    type Edit = fn(&mut Lock);
    let rows: &[(Edit, &[Found])] = &[
        (|_| {}, &[]),
        (|lock| lock.envelope.version = 2, &[(Rule::Envelope, "/version", Breaking, Breaking)]),
        (
            |lock| lock.envelope.request["properties"]["locale"] = json!({ "type": "string" }),
            &[(Rule::Envelope, "/request/properties/locale", Safe, Safe)],
        ),
        (
            |lock| lock.envelope.request["required"] = json!(["identity", "scope", "args"]),
            &[(Rule::Envelope, "/request/properties/args", Breaking, Safe)],
        ),
        (
            |lock| {
                lock.envelope.context["required"] =
                    json!(["currentTime", "runMode", "userDetails"]);
            },
            &[(Rule::Envelope, "/context/properties/currentTime", Safe, Breaking)],
        ),
        (
            |lock| {
                lock.envelope.reply = json!({ "type": "object", "properties": {}, "required": [] });
            },
            &[(Rule::Envelope, "/reply/anyOf", Breaking, Safe)],
        ),
    ];
    for (edit, expected) in rows {
        let (old, mut new) = (Lock::of(&[]), Lock::of(&[]));
        edit(&mut new);
        let found = compare(&old, &new);
        assert_eq!(found.iter().map(summary).collect::<Vec<_>>(), *expected);
        assert!(found.iter().all(|finding| finding.subject == Subject::Envelope));
    }
}

#[test]
fn ids_are_for_ever() {
    let ids: Vec<_> = Rule::ALL.iter().map(|rule| rule.id()).collect();
    assert_eq!(
        ids,
        [
            "TOOL_ADDED",
            "TOOL_REMOVED",
            "TOOL_RENAMED",
            "EVENT_RENAMED",
            "ARG_OPTIONAL_ADDED",
            "ARG_REQUIRED",
            "ARG_RELAXED",
            "ARG_REMOVED",
            "ARG_NARROWED",
            "ARG_WIDENED",
            "ARG_DEFAULT",
            "ARG_TYPE",
            "ARG_RENAMED",
            "RESULT_ADDED",
            "RESULT_WEAKENED",
            "RESULT_STRENGTHENED",
            "SCOPE",
            "AUTH",
            "EFFECT",
            "PROMPT",
            "ENVELOPE",
        ]
    );
    assert!(Rule::ALL.iter().all(|rule| rule.id().parse() == Ok(*rule)));
    let wrong = "ARG_NAROWED".parse::<Rule>().unwrap_err().to_string();
    assert_eq!(wrong, "there is no rule `ARG_NAROWED`; did you mean `ARG_NARROWED`?");
}
