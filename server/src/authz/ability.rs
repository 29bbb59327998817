//! What one caller may do, read from the grants: for lists, for the gate, and for the snapshot.
//!
//! It is a list of allow rules, one for each grant of the caller's roles with the caller's own places as its condition,
//! and every answer is read from these rules. It is built for one call from the caller's live rows and is never kept.

use agent_contract::{Action, GRANTS, Reach, Resource, reaches};
use serde_json::{Value, json};

use super::{
    Caller, Clause, Condition, Field, RecordRef,
    rules::{Check, Rule, Rules, Test},
};

/// The rights of one caller.
#[derive(Debug, Clone)]
pub struct Ability {
    caller: Caller,
    rules: Rules,
}

impl Ability {
    /// The rights that the facts grant to this caller.
    pub fn new(caller: Caller) -> Self {
        let mut rules = Rules::default();
        for &role in caller.roles() {
            for grant in GRANTS.iter().filter(|grant| grant.role == role) {
                if let Some(tests) = within(&caller, grant.reach) {
                    let (action, resource) = (grant.action.as_str(), grant.resource.as_str());
                    rules.add(Rule::allow(action, resource, tests));
                }
            }
        }
        Self { caller, rules }
    }

    /// Whose rights these are.
    pub fn caller(&self) -> &Caller {
        &self.caller
    }

    /// The rights as rules. The school is in no condition: they hold in the caller's own.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Whether there may be a record that the caller may do this to: an offer, not a permit.
    pub fn can(&self, action: Action, resource: Resource) -> bool {
        self.rules.deciding(action.as_str(), Some(resource.as_str()), None).is_some()
    }

    /// Whether the caller may do this to this record.
    pub fn allows(&self, action: Action, record: &RecordRef) -> bool {
        let (action, resource) = (action.as_str(), record.resource.as_str());
        record.school_id == self.caller.school()
            && self.rules.deciding(action, Some(resource), Some(&subject(record))).is_some()
    }

    /// Which records of `resource` the caller may do `action` to.
    pub fn condition(&self, action: Action, resource: Resource) -> Condition {
        let mut clauses = Vec::new();
        for rule in self.rules.about(action.as_str(), resource.as_str()) {
            match rule.tests() {
                [] => return Condition::Everything,
                [test] => clauses.extend(clause(test)),
                // No grant makes such a rule. What cannot be said in a condition lets nothing through.
                _ => tracing::error!(?rule, "a rule that no list can be filtered by"),
            }
        }
        if clauses.is_empty() { Condition::Nothing } else { Condition::AnyOf(clauses) }
    }

    /// Whether any role of the caller is granted this at all, however far it reaches.
    pub(super) fn granted(&self, action: Action, resource: Resource) -> bool {
        self.caller.roles().iter().any(|&role| reaches(role, action, resource).next().is_some())
    }
}

/// What a record must be to be within reach of the caller; none if nothing can be.
fn within(caller: &Caller, reach: Reach) -> Option<Vec<Test>> {
    let (field, values) = match reach {
        Reach::School => return Some(Vec::new()),
        Reach::Campus => (Field::Campus, caller.campuses()),
        Reach::Class => (Field::Class, caller.classes()),
        Reach::Teaching => (Field::Assignment, caller.assignments()),
    };
    (!values.is_empty()).then(|| vec![Test::one_of(field.as_str(), values)])
}

fn clause(test: &Test) -> Option<Clause> {
    let field = Field::ALL.into_iter().find(|field| field.as_str() == test.path())?;
    let Check::In(values) = test.check() else { return None };
    let values = values.iter().filter_map(Value::as_str).map(ToOwned::to_owned).collect();
    Some(Clause { field, values })
}

/// A record as the conditions of the snapshot speak of it.
pub(super) fn subject(record: &RecordRef) -> Value {
    let mut subject = json!({
        Field::Id.as_str(): record.id,
        Field::Assignment.as_str(): record.assignment_ids,
    });
    for (field, place) in [(Field::Campus, &record.campus_id), (Field::Class, &record.class_id)] {
        if let Some(id) = place {
            subject[field.as_str()] = Value::from(id.as_str());
        }
    }
    subject
}
