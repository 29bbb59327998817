//! The ability flattened for the runtime context: advice for the model, never a decision.
//!
//! One entry a rule, allow rules only, conditions of equality and `$in`. The school is in no condition: a turn sees
//! one school. Where one rule allows everything, the narrower ones beside it are left out.

use agent_contract::{Action, PermissionRule, Resource};
use serde_json::{Map, Value, json};

use super::{
    Ability,
    rules::{Check, Rule, Test},
};

impl Ability {
    /// What the caller may do, as `userPermissions` carries it; in the order of the vocabulary.
    pub fn flatten(&self) -> Vec<PermissionRule> {
        let mut entries = Vec::new();
        for &resource in Resource::ALL {
            for &action in Action::ALL {
                let rules: Vec<&Rule> =
                    self.rules().about(action.as_str(), resource.as_str()).collect();
                let widest = rules.iter().position(|rule| rule.tests().is_empty());
                let told = widest.map_or(&rules[..], |at| &rules[at..=at]);
                entries.extend(told.iter().map(|rule| PermissionRule {
                    action: action.as_str().to_owned(),
                    resource: resource.as_str().to_owned(),
                    condition: condition(rule),
                }));
            }
        }
        entries
    }
}

fn condition(rule: &Rule) -> Option<Map<String, Value>> {
    let tests = rule.tests();
    let entry = |test: &Test| (test.path().to_owned(), wanted(test.check()));
    (!tests.is_empty()).then(|| tests.iter().map(entry).collect())
}

/// A list of one says the same as its only value.
fn wanted(check: &Check) -> Value {
    match check {
        Check::Equal(value) => value.clone(),
        Check::NotEqual(value) => json!({ "$ne": value }),
        Check::In(values) => match &values[..] {
            [only] => only.clone(),
            several => json!({ "$in": several }),
        },
    }
}
