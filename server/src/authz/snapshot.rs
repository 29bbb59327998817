//! The ability flattened for the runtime context: advice for the model, never a decision.
//!
//! One entry an alternative, allow rules only, conditions of equality and `$in`. The school is in no condition: a
//! turn sees one school. What cannot be said this way is left out, which offers less and allows nothing.

use agent_contract::{Action, PermissionRule, Resource};
use serde_json::{Map, Value, json};

use super::{Ability, Clause, Condition, Field};

impl Ability {
    /// What the caller may do, as `userPermissions` carries it; in the order of the vocabulary.
    pub fn flatten(&self) -> Vec<PermissionRule> {
        let mut rules = Vec::new();
        for &resource in Resource::ALL {
            for &action in Action::ALL {
                rules.extend(alternatives(self.condition(action, resource)).into_iter().map(
                    |condition| PermissionRule {
                        action: action.as_str().to_owned(),
                        resource: resource.as_str().to_owned(),
                        condition,
                    },
                ));
            }
        }
        rules
    }
}

fn alternatives(condition: Condition) -> Vec<Option<Map<String, Value>>> {
    match condition {
        Condition::Nothing => Vec::new(),
        Condition::Everything => vec![None],
        Condition::AnyOf(clauses) => {
            clauses.into_iter().map(|clause| Some(equal(clause))).collect()
        }
    }
}

fn equal(clause: Clause) -> Map<String, Value> {
    let field = match clause.field {
        Field::Campus => "campusId",
        Field::Class => "classId",
        Field::Assignment => "assignmentId",
        Field::Id => "id",
    };
    let test = match <[String; 1]>::try_from(clause.values) {
        Ok([only]) => Value::String(only),
        Err(several) => json!({ "$in": several }),
    };
    Map::from_iter([(field.to_owned(), test)])
}
