//! The policy against its own facts, against the ability, and against texts that it must refuse.

mod agreement;
mod casl;

use std::collections::BTreeSet;
use std::sync::Arc;

use agent_contract::{Action, GRANTS, Grant, Reach, Resource, StaffRole};
use proptest::collection::{btree_set, vec};
use proptest::prelude::*;
use proptest::sample::{select, subsequence};

use super::policy::operation;
use super::{Ability, Caller, Policy, RecordRef, Rights, Verdict};

const SCHOOLS: [&str; 2] = ["sch_naalya", "sch_riverbend"];
const CAMPUSES: [&str; 3] = ["cam_main", "cam_lakeside", "cam_other"];
const CLASSES: [&str; 3] = ["cls_s1e", "cls_s1w", "cls_s2"];
const ASSIGNMENTS: [&str; 4] = ["asg_1", "asg_2", "asg_3", "asg_4"];

fn record(resource: Resource) -> RecordRef {
    RecordRef {
        resource,
        school_id: SCHOOLS[0].to_owned(),
        id: "rec_1".to_owned(),
        campus_id: Some(CAMPUSES[0].to_owned()),
        class_id: Some(CLASSES[0].to_owned()),
        assignment_ids: vec![ASSIGNMENTS[0].to_owned()],
    }
}

/// Somebody of one role, who works at the places of [`record`].
fn insider(role: StaffRole) -> Caller {
    Caller::of_school(SCHOOLS[0])
        .with_roles([role.as_str()])
        .on_campuses([CAMPUSES[0].to_owned()])
        .class_teacher_of([CLASSES[0].to_owned()])
        .teaching([ASSIGNMENTS[0].to_owned()])
}

#[test]
fn the_engine_reads_the_grants_as_the_compiler_does() {
    let engine: BTreeSet<_> = Policy::load().unwrap().grants().into_iter().collect();
    let compiler: BTreeSet<_> = GRANTS
        .iter()
        .map(|&Grant { role, action, resource, reach }| {
            [role.to_string(), operation(resource, action), reach.to_string()]
        })
        .collect();
    assert_eq!(engine, compiler);
}

/// The record that is as near as [`record`], but for the one thing that the reach looks at.
fn beyond(reach: Reach, near: &RecordRef) -> RecordRef {
    let mut far = near.clone();
    match reach {
        Reach::School => far.school_id = SCHOOLS[1].to_owned(),
        Reach::Campus => far.campus_id = Some(CAMPUSES[1].to_owned()),
        Reach::Class => far.class_id = Some(CLASSES[1].to_owned()),
        Reach::Teaching => far.assignment_ids = vec![ASSIGNMENTS[1].to_owned()],
    }
    far
}

/// Every grant lets its own role through at home, and stops it where the grant does not reach: beyond its own reach,
/// and in another school whatever the places are called there.
#[test]
fn each_grant_has_a_record_that_it_allows_and_one_that_it_denies() {
    let policy = Policy::load().unwrap();
    for &Grant { role, action, resource, reach } in GRANTS {
        let caller = insider(role);
        let near = record(resource);
        let verdict = policy.decide(&caller, action, &near);
        assert_eq!(verdict, Verdict::Allow, "{role} {action} {near:?}");
        for far in [beyond(reach, &near), beyond(Reach::School, &near)] {
            let verdict = policy.decide(&caller, action, &far);
            assert_eq!(verdict, Verdict::Deny, "{role} {action} {far:?}");
        }
    }
}

/// Without any one of the rules some grant no longer allows what it must: each rule is reached, and none is there for show.
#[test]
fn every_rule_decides_something() {
    let text: String = include_str!("../../policy/rules.polar")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .collect();
    let rules: Vec<&str> = text.split_inclusive(';').collect();
    for (left_out, gone) in rules.iter().enumerate() {
        let rest = rules.iter().enumerate().filter(|&(n, _)| n != left_out);
        let rest: String = rest.map(|(_, rule)| *rule).collect();
        let policy = Policy::of_rules(&rest).unwrap_or_else(|fault| panic!("{gone}: {fault}"));
        let misses = GRANTS.iter().filter(|grant| {
            let near = record(grant.resource);
            policy.decide(&insider(grant.role), grant.action, &near) != Verdict::Allow
        });
        assert!(misses.count() > 0, "nobody misses {gone}");
    }
}

#[test]
fn what_no_fact_grants_is_denied() {
    let policy = Policy::load().unwrap();
    for &role in StaffRole::ALL {
        for &resource in Resource::ALL {
            for &action in Action::ALL {
                let granted = GRANTS.iter().any(|grant| {
                    grant.role == role && grant.resource == resource && grant.action == action
                });
                let verdict = policy.decide(&insider(role), action, &record(resource));
                assert_eq!(verdict == Verdict::Allow, granted, "{role} {action} {resource}");
            }
        }
    }
}

#[test]
fn a_record_without_a_place_is_out_of_every_narrow_reach() {
    let policy = Policy::load().unwrap();
    let nowhere = |resource| RecordRef {
        campus_id: None,
        class_id: None,
        assignment_ids: Vec::new(),
        ..record(resource)
    };
    for &Grant { role, action, resource, reach } in GRANTS {
        let verdict = policy.decide(&insider(role), action, &nowhere(resource));
        assert_eq!(verdict == Verdict::Allow, reach == Reach::School, "{role} {action} {resource}");
    }
}

#[test]
fn a_word_that_is_no_role_grants_nothing() {
    let caller = Caller::of_school(SCHOOLS[0]).with_roles(["headteacher", "HEAD_TEACHER", ""]);
    assert_eq!(caller.roles(), []);
    assert_eq!(Ability::new(caller).flatten(), []);
}

/// A rule may call itself for ever; Polar then spends seconds before it fails, so no rule may.
#[test]
fn no_rule_calls_itself() {
    let rules: String = include_str!("../../policy/rules.polar")
        .lines()
        .map(|line| line.split('#').next().unwrap())
        .collect();
    let mut heads = Vec::new();
    for rule in rules.split(';').map(str::trim).filter(|rule| !rule.is_empty()) {
        let (head, body) = rule.split_once(" if ").unwrap_or((rule, ""));
        let name = head.split('(').next().unwrap();
        // Rules may call only what comes after them in this order.
        let may_call: &[&str] = if name == "allow" { &["grant", "in_scope"] } else { &[] };
        for word in
            body.split(|letter: char| !letter.is_alphanumeric() && letter != '_' && letter != '(')
        {
            if let Some((called, _)) = word.split_once('(') {
                assert!(may_call.contains(&called), "`{name}` calls `{called}`");
            }
        }
        heads.push(name.to_owned());
    }
    assert_eq!(heads, ["allow", "in_scope", "in_scope", "in_scope", "in_scope"]);
}

#[test]
fn a_policy_that_breaks_denies() {
    // An attribute that no caller has is found only when the rule is reached.
    let broken = Policy::of_rules(
        "allow(caller: Caller, _operation: String, _record: Record) if caller.rank = 1;",
    )
    .unwrap();
    let verdict = broken.decide(
        &insider(StaffRole::HeadTeacher),
        Action::Read,
        &record(Resource::Department),
    );
    assert!(matches!(verdict, Verdict::Broken(_)), "{verdict:?}");
}

#[test]
fn a_policy_that_does_not_parse_does_not_load() {
    for text in ["allow(caller: Caller", "allow(_, _, _) if no_such_rule();"] {
        assert!(Policy::of_rules(text).is_err(), "{text}");
    }
}

#[test]
fn the_gate_names_what_is_not_granted() {
    let rights = Rights::new(Arc::new(Policy::load().unwrap()), insider(StaffRole::Bursar));
    assert_eq!(rights.demand(Action::Read, Resource::Student), Ok(()));
    let refused = rights.demand(Action::Create, Resource::Department).unwrap_err();
    assert_eq!(refused.to_string(), "Permission denied: you may not create departments");
}

#[test]
fn the_snapshot_of_a_subject_teacher() {
    let caller = Caller::of_school(SCHOOLS[0])
        .with_roles(["teacher"])
        .on_campuses(["cam_main".to_owned(), "cam_lakeside".to_owned()])
        .teaching(["asg_1".to_owned()]);
    insta::assert_json_snapshot!(Ability::new(caller).flatten());
}

fn ids(from: &'static [&'static str]) -> impl Strategy<Value = Vec<String>> {
    subsequence(from, 0..=from.len())
        .prop_map(|ids| ids.into_iter().map(ToOwned::to_owned).collect())
}

fn callers() -> impl Strategy<Value = Caller> {
    let roles = btree_set(select(StaffRole::ALL), 0..4);
    (select(&SCHOOLS), roles, ids(&CAMPUSES), ids(&CLASSES), ids(&ASSIGNMENTS)).prop_map(
        |(school, roles, campuses, classes, assignments)| {
            Caller::of_school(school)
                .with_roles(roles.into_iter().map(StaffRole::as_str))
                .on_campuses(campuses)
                .class_teacher_of(classes)
                .teaching(assignments)
        },
    )
}

fn records() -> impl Strategy<Value = RecordRef> {
    let place = |from: &'static [&'static str]| prop::option::of(select(from));
    (
        select(Resource::ALL),
        select(&SCHOOLS),
        place(&CAMPUSES),
        place(&CLASSES),
        vec(select(&ASSIGNMENTS), 0..3),
    )
        .prop_map(|(resource, school, campus, class, assignments)| RecordRef {
            resource,
            school_id: school.to_owned(),
            id: "rec_1".to_owned(),
            campus_id: campus.map(ToOwned::to_owned),
            class_id: class.map(ToOwned::to_owned),
            assignment_ids: assignments.into_iter().map(ToOwned::to_owned).collect(),
        })
}
