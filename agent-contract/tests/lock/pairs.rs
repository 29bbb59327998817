//! Whether one schema covers another, asked of two public collections of pairs whose makers say the answer.
//!
//! A pair that is said to be covered and is not would let a deployment through that breaks; there is none. Where a
//! maker's label is not what draft 2020-12 with formats asserted says, the pair stands here by name, with the reason.

use std::collections::BTreeMap;
use std::time::Instant;

use agent_contract::lock::{Coverage, covers};
use serde::Deserialize;
use serde_json::Value;

use crate::draft4::Modern;

const IBM: &str = include_str!("schema-pairs/ibm-jsonsubschema.json");
const JSONCOMPAT: &str = include_str!("schema-pairs/jsoncompat.json");

/// How the answers compare with those of the makers.
#[derive(Debug, Default)]
struct Tally {
    covered: usize,
    proven: usize,
    uncovered: usize,
    refuted: usize,
    /// Proven to be covered, though the makers say that it is not: a false "compatible", unless the label is wrong.
    proven_against_label: Vec<String>,
    /// Refuted by a value, though the makers say that it is covered.
    refuted_against_label: Vec<String>,
}

impl Tally {
    fn take(&mut self, name: &str, expected: bool, read: &Value, sent: &Value) {
        let found = covers(read, sent);
        if let Coverage::Refuted(value) = &found {
            assert!(
                is_valid(sent, value) && !is_valid(read, value),
                "{name}: {value} shows nothing"
            );
        }
        if expected {
            self.covered += 1;
        } else {
            self.uncovered += 1;
        }
        match (expected, &found) {
            (true, Coverage::Proven) => self.proven += 1,
            (false, Coverage::Refuted(_)) => self.refuted += 1,
            (false, Coverage::Proven) => self.proven_against_label.push(name.to_owned()),
            (true, Coverage::Refuted(value)) => {
                self.refuted_against_label.push(format!("{name}: {value}"));
            }
            (_, Coverage::Undecided) => {}
        }
    }
}

/// What the validator of either side says.
fn is_valid(schema: &Value, value: &Value) -> bool {
    let options = jsonschema::options().with_draft(jsonschema::Draft::Draft202012);
    options.should_validate_formats(true).build(schema).unwrap().is_valid(value)
}

#[derive(Deserialize)]
struct Ibm {
    sub: Value,
    sup: Value,
    expect: bool,
}

#[test]
fn of_the_pairs_of_ibm_none_is_proven_against_label() {
    let pairs: Vec<Ibm> = serde_json::from_str(IBM).unwrap();
    let (mut tally, mut unsupported) = (Tally::default(), BTreeMap::<_, Vec<usize>>::new());
    let begun = Instant::now();
    for (index, Ibm { sub, sup, expect }) in pairs.iter().enumerate() {
        match (Modern::of(sub), Modern::of(sup)) {
            (Ok(sub), Ok(sup)) => {
                let name = format!("#{index}");
                tally.take(&name, *expect, &sup.0, &sub.0);
            }
            (Err(reason), _) | (_, Err(reason)) => {
                unsupported.entry(reason).or_default().push(index);
            }
        }
    }
    println!("ibm: {tally:#?}\nunsupported: {unsupported:?}\n{:?}", begun.elapsed());
    assert_eq!(tally.proven_against_label, [""; 0]);
    // The wider schema asks for an address by `format`, which that checker takes for a comment.
    let refuted_against_label: Vec<_> =
        tally.refuted_against_label.iter().filter_map(|line| line.split(':').next()).collect();
    assert_eq!(refuted_against_label, ["#374", "#376", "#378"]);
    assert_eq!((tally.covered, tally.uncovered), (153, 268));
    assert!(tally.proven >= 144, "fewer proofs than before");
    assert!(tally.refuted >= 253, "fewer witnesses than before");
    assert_eq!(unsupported, BTreeMap::from([("`dependencies` is two keywords now", vec![340])]));
}

#[derive(Deserialize)]
struct Compat {
    old: Value,
    new: Value,
    expect: Roles,
    #[serde(default)]
    examples: Examples,
}

/// Values that the makers give beside the schemas.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Examples {
    old_only: Vec<Value>,
    new_only: Vec<Value>,
}

#[derive(Deserialize)]
struct Roles {
    serializer: bool,
    deserializer: bool,
}

#[test]
fn of_the_pairs_of_jsoncompat_none_is_proven_against_label() {
    let pairs: BTreeMap<String, Compat> = serde_json::from_str(JSONCOMPAT).unwrap();
    let mut tally = Tally::default();
    let begun = Instant::now();
    for (name, Compat { old, new, expect, .. }) in &pairs {
        // A new writer meets the old reader, and a new reader the old writer.
        tally.take(&format!("{name} written"), expect.serializer, old, new);
        tally.take(&format!("{name} read"), expect.deserializer, new, old);
    }
    println!("jsoncompat: {tally:#?}\n{:?}", begun.elapsed());
    // That checker cannot read the pattern and says no to be safe. The new schema allows only keys that are one
    // control character, so none of its objects has the `x` that the old one restricts: covered is right.
    let overcautious = "unsupported_subset_pattern_properties_additional_fallback written";
    assert_eq!(tally.proven_against_label, [overcautious]);
    let refuted_against_label: Vec<_> =
        tally.refuted_against_label.iter().filter_map(|line| line.split(':').next()).collect();
    assert_eq!(
        refuted_against_label,
        [
            // `format` is a comment to that checker.
            "format_annotation_changed written",
            "format_annotation_changed read",
            // Its own example of a value that only the old schema takes is `{"x": "text"}`.
            "pattern_properties_fall_back_to_additional_properties read",
        ]
    );
    assert_eq!((tally.covered, tally.uncovered), (54, 72));
    assert!(tally.proven >= 50, "fewer proofs than before");
    assert!(tally.refuted >= 67, "fewer witnesses than before");
}

#[test]
fn what_only_one_side_takes_is_never_called_covered() {
    let pairs: BTreeMap<String, Compat> = serde_json::from_str(JSONCOMPAT).unwrap();
    let mut looked_at = 0;
    for (name, Compat { old, new, examples, .. }) in &pairs {
        for (read, sent, values) in [(new, old, &examples.old_only), (old, new, &examples.new_only)]
        {
            let separating =
                values.iter().find(|value| is_valid(sent, value) && !is_valid(read, value));
            if let Some(value) = separating {
                assert!(!covers(read, sent).is_proven(), "{name}: {value}");
                looked_at += 1;
            }
        }
    }
    println!("jsoncompat: {looked_at} values that one side alone takes");
    assert_eq!(looked_at, 55);
}
