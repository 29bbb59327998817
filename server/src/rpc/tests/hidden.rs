//! What a caller may not see looks like what does not exist, and what they own is theirs alone: asked of every tool in
//! the registry that names a record, with the examples that it shows.

use std::collections::{BTreeMap, BTreeSet};

use agent_contract::{
    AgentRunMode, ArgField, Example, FieldKind, GRANTS, Posture, Reach, StaffRole, ToolDefinition,
};
use serde_json::{Value, json};
use tools::agent_tools;

use super::bench::{Bench, Caller, GRACE, LAKESIDE, SARAH, campus, envelope};
use crate::demo;

/// Someone who owns a class, and none of the main campus.
const LYDIA: &str = "lydia.achieng@naalya.example";
/// The roles of Sarah, who works on the other campus than the examples are from.
const SARAHS: StaffRole = StaffRole::CampusAdmin;
/// Records of the whole school, which are hidden on no campus of it.
const EVERYBODYS: [&str; 3] = ["naalya-subject-", "naalya-year-", "naalya-announcement-"];

/// An argument of a served tool that names a record, and an example that gives it.
struct Naming {
    def: &'static ToolDefinition,
    field: &'static ArgField,
    arguments: Value,
}

fn namings() -> impl Iterator<Item = Naming> {
    agent_tools::DEFS.iter().filter(|def| def.event.is_some()).flat_map(|&def| {
        let ids = def.fields.iter().filter(|field| field.kind == FieldKind::Id);
        ids.filter_map(move |field| {
            let example = def.examples.iter().find(|example: &&Example| example.gives(field))?;
            Some(Naming { def, field, arguments: example.to_json(def.fields) })
        })
    })
}

/// Who could name the record and may not see it: with the right on another campus, owner of another class, or at work
/// on another campus for now.
async fn strangers(bench: &Bench, def: &ToolDefinition) -> Vec<Caller> {
    let lakeside = || campus(LAKESIDE, "Lakeside Campus");
    let mut strangers = Vec::new();
    let modes = [AgentRunMode::School, lakeside()];
    let admits = |mode: &AgentRunMode| def.scope.admits(mode.name());
    for mode in modes.iter().filter(|mode| admits(mode)) {
        let email = match def.posture {
            Some(Posture::Casl { action, resource }) => {
                let mut grants = GRANTS.iter().filter(|grant| {
                    grant.role == SARAHS && grant.action == action && grant.resource == resource
                });
                grants.any(|grant| grant.reach == Reach::Campus).then_some(SARAH)
            }
            _ => Some(LYDIA),
        };
        if let Some(email) = email {
            strangers.push(bench.caller(email, mode.clone()).await);
        }
    }
    if matches!(def.posture, Some(Posture::Casl { .. })) && admits(&lakeside()) {
        strangers.push(bench.caller(GRACE, lakeside()).await);
    }
    strangers
}

/// Rows of each table but those that a caller's own turn adds.
async fn records(bench: &Bench) -> BTreeMap<String, i64> {
    let mut rows = bench.rows().await;
    rows.retain(|table, _| !["thread", "turn"].contains(&table.as_str()));
    rows
}

#[tokio::test(flavor = "multi_thread")]
async fn a_record_that_is_hidden_looks_like_one_that_does_not_exist() {
    let bench = Bench::new().await;
    let before = records(&bench).await;
    let (mut tools, mut compared) = (BTreeSet::new(), 0);
    for Naming { def, field, arguments } in namings() {
        let hidden = arguments[field.wire].as_str().expect("an id is a text").to_owned();
        if EVERYBODYS.iter().any(|kind| hidden.starts_with(kind)) {
            continue;
        }
        let absent = format!("{hidden}-none");
        for stranger in strangers(&bench, def).await {
            let mut answers = Vec::new();
            for id in [&absent, &hidden] {
                let mut arguments = arguments.clone();
                arguments[field.wire] = json!(id);
                let call = format!("{}-{compared}-{}", def.name, answers.len());
                let call = stranger.call(def.event.unwrap(), &call, arguments);
                let answer = envelope(&bench.executor, call).await.to_string();
                assert!(answer.starts_with("{\"error\""), "{} sees {id}: {answer}", def.name);
                answers.push(answer.replace(&format!("\"{id}\""), "ID").replace(id, "ID"));
            }
            assert_eq!(
                answers[0], answers[1],
                "{}, {} of {:?}",
                def.name, field.wire, stranger.mode
            );
            compared += 1;
            tools.insert(def.name);
        }
    }
    assert_eq!(records(&bench).await, before, "nothing was written");
    assert!(tools.len() >= 8, "only {tools:?} were asked");
}

/// A proof of one class covers no other: whoever owns a class is served for it, and is answered for every other class as
/// for one that does not exist.
#[tokio::test(flavor = "multi_thread")]
async fn a_relationship_holds_for_its_own_class_and_no_other() {
    let bench = Bench::new().await;
    let mut sql = bench.sql().await;
    let pairs = |rows: Vec<Vec<Option<String>>>| -> BTreeSet<(String, String)> {
        let pair = |row: Vec<Option<String>>| {
            let [email, class] = row.try_into().expect("two columns");
            (email.expect("an address"), class.expect("a class"))
        };
        rows.into_iter().map(pair).collect()
    };
    let owned = "SELECT a.email, c.id FROM class c JOIN account a ON a.profile_id = c.class_teacher_id \
                 WHERE c.school_id = 'naalya'";
    let taught = "SELECT DISTINCT a.email, t.class_id FROM teaching_assignment t \
                  JOIN account a ON a.profile_id = t.staff_id WHERE t.school_id = 'naalya'";
    let [owners, teachers] = [pairs(sql.rows(owned).await), pairs(sql.rows(taught).await)];
    let mut of_subject = BTreeMap::new();
    for subject in sql.texts("SELECT id FROM subject WHERE school_id = 'naalya'").await {
        let taught = format!("{taught} AND t.subject_id = '{subject}'");
        of_subject.insert(subject, pairs(sql.rows(&taught).await));
    }
    let classes = sql.texts("SELECT id FROM class ORDER BY school_id, id").await;
    drop(sql);

    let mut tools = 0;
    let by_class = |naming: &Naming| {
        naming.def.posture == Some(Posture::Relationship) && naming.field.wire == "classId"
    };
    for Naming { def, field, arguments } in namings().filter(by_class) {
        tools += 1;
        // Lists name records of the example's own class.
        let plain =
            def.fields.iter().filter(|field| field.required || field.kind != FieldKind::List);
        let plain: serde_json::Map<_, _> = plain
            .filter_map(|field| Some((field.wire.to_owned(), arguments.get(field.wire)?.clone())))
            .collect();
        let mut served = BTreeSet::new();
        for account in demo::accounts() {
            let caller = bench.caller(&account.email, AgentRunMode::School).await;
            let ask = async |class: &str| {
                let mut arguments = Value::Object(plain.clone());
                arguments[field.wire] = json!(class);
                let id = format!("{}-{}-{class}", def.name, account.email);
                envelope(&bench.executor, caller.call(def.event.unwrap(), &id, arguments)).await
            };
            let absent = ask("no-such-class").await;
            for class in &classes {
                let answer = ask(class).await;
                // Whoever is answered otherwise than for a class that is not there has been let in.
                if answer != absent {
                    served.insert((account.email.clone(), class.clone()));
                }
            }
        }
        // A tool that names a subject serves who teaches it there, and nobody else.
        let relations = match plain.get("subjectId").and_then(Value::as_str) {
            Some(subject) => vec![&of_subject[subject]],
            None => vec![&owners, &teachers],
        };
        assert!(relations.contains(&&served), "{} serves {served:?}", def.name);
    }
    assert!(tools >= 2, "{tools} tools are gated by a class");
}
