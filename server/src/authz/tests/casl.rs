//! The rules against CASL: every case of `tests/data/casl.json`, which the real `@casl/ability` 7 answered.
//!
//! A case within our part of CASL is decided as CASL decides it, by the same rule. Any other is refused when its rules
//! are read, for the reason that the table says.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use crate::authz::{RuleFault, Rules};

/// How many cases are ours, and why the others are refused. CASL takes all of these; we do not, on purpose:
/// a snapshot is allow rules only, a denial cannot be folded into a list filter without its whole history, and an
/// operator that one side does not know would silently let through or silently shut out.
const DEVIATIONS: [(&str, usize); 19] = [
    ("answered alike", 70),
    ("aliases: a set of actions is written as a list", 5),
    ("denies", 45),
    ("fields: only whole records are decided on", 14),
    ("$all", 3),
    ("$and: read as the name of a field by CASL, which then never matches", 1),
    ("$elemMatch", 2),
    ("$exists", 4),
    ("$foo: an error in CASL too", 1),
    ("$gt", 3),
    ("$gte", 3),
    ("$lt: CASL lets a missing or odd value through", 3),
    ("$lte: CASL lets a missing or odd value through", 3),
    ("$nin", 3),
    ("$not: read as the name of a field by CASL", 1),
    ("$or: read as the name of a field by CASL, which then never matches", 2),
    ("$regex", 3),
    ("$size", 3),
    ("$in without a list: an error in CASL too, but only when it is asked", 1),
];

#[derive(Deserialize)]
struct Vectors {
    cases: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Case {
    id: String,
    rules: Vec<Value>,
    query: Query,
    allowed: Option<bool>,
    matched_rule: Option<usize>,
    error: Option<String>,
    aliases: Option<Value>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Query {
    action: String,
    subject_type: Option<String>,
    object: Option<Value>,
    field: Option<String>,
}

#[test]
fn cases_within_our_part_are_decided_as_casl_decides_them_and_all_others_are_refused() {
    let vectors: Vectors =
        serde_json::from_str(include_str!("../../../tests/data/casl.json")).unwrap();
    let mut counted = BTreeMap::<String, usize>::new();
    for case in vectors.cases {
        *counted.entry(verdict(&case)).or_default() += 1;
    }
    let word = |told: &str| told.split(':').next().unwrap_or_default().to_owned();
    let expected: BTreeMap<_, _> =
        DEVIATIONS.iter().map(|&(told, cases)| (word(told), cases)).collect();
    assert_eq!(counted, expected);
}

/// The word of the table that this case belongs to; a case of ours is decided here.
fn verdict(case: &Case) -> String {
    let Case { id, query, .. } = case;
    if case.aliases.is_some() {
        return "aliases".to_owned();
    }
    let rules = match Rules::read(&case.rules) {
        Ok(rules) => rules,
        Err(RuleFault::Denies) => return "denies".to_owned(),
        Err(RuleFault::Fields) => return "fields".to_owned(),
        Err(RuleFault::Operator(operator)) => return operator,
        Err(RuleFault::NoList) => {
            assert!(case.error.is_some(), "{id}");
            return "$in without a list".to_owned();
        }
        Err(fault) => panic!("{id}: {fault}"),
    };
    assert_eq!(query.field, None, "{id}: a rule without fields is for all of them");
    let decided =
        rules.deciding(&query.action, query.subject_type.as_deref(), query.object.as_ref());
    assert_eq!(decided, case.matched_rule, "{id}");
    assert_eq!(Some(decided.is_some()), case.allowed, "{id}");
    "answered alike".to_owned()
}

#[test]
fn a_rule_that_is_refused_is_told_what_to_write() {
    let fault =
        |json: &str| Rules::read(&[serde_json::from_str(json).unwrap()]).unwrap_err().to_string();
    let table = [
        (
            r#"{ "action": "read", "subject": "mark", "inverted": true }"#,
            "it denies; write what is allowed instead",
        ),
        (
            r#"{ "action": "read", "subject": "mark", "fields": ["score"] }"#,
            "it is for single fields; only whole records are decided on",
        ),
        (
            r#"{ "action": "read", "subject": "mark", "conditions": { "score": { "$gt": 1 } } }"#,
            "`$gt` is not understood; conditions are equality, `$in` and `$ne`",
        ),
        (
            r#"{ "action": "read", "subject": "mark", "conditions": { "$or": [] } }"#,
            "`$or` is not understood; conditions are equality, `$in` and `$ne`",
        ),
        (
            r#"{ "action": "read", "subject": "mark", "conditions": { "score": { "$in": 1 } } }"#,
            "`$in` wants a list",
        ),
        (r#"{ "subject": "mark" }"#, "it is no rule: missing field `action`"),
    ];
    for (rule, expected) in table {
        assert_eq!(fault(rule), expected, "{rule}");
    }
}
