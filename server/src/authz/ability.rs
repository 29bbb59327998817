//! What one caller may do, read from the grants: for lists, for the gate, and for the snapshot.
//!
//! It holds allow rules only, so a union of grants is all there is to compute. It is built for one call from the
//! caller's live rows and is never kept.

use agent_contract::{Action, Reach, Resource, reaches};

use super::{Caller, Clause, Condition, Field, RecordRef};

/// The rights of one caller.
#[derive(Debug, Clone)]
pub struct Ability {
    caller: Caller,
}

impl Ability {
    /// The rights that the facts grant to this caller.
    pub fn new(caller: Caller) -> Self {
        Self { caller }
    }

    /// Whose rights these are.
    pub fn caller(&self) -> &Caller {
        &self.caller
    }

    /// Whether there may be a record that the caller may do this to: an offer, not a permit.
    pub fn can(&self, action: Action, resource: Resource) -> bool {
        self.condition(action, resource) != Condition::Nothing
    }

    /// Whether the caller may do this to this record.
    pub fn allows(&self, action: Action, record: &RecordRef) -> bool {
        record.school_id == self.caller.school()
            && match self.condition(action, record.resource) {
                Condition::Nothing => false,
                Condition::Everything => true,
                Condition::AnyOf(clauses) => clauses.iter().any(|clause| meets(record, clause)),
            }
    }

    /// Which records of `resource` the caller may do `action` to.
    pub fn condition(&self, action: Action, resource: Resource) -> Condition {
        let mut clauses: Vec<Clause> = Vec::new();
        for reach in self.reaches(action, resource) {
            let (field, values) = match reach {
                Reach::School => return Condition::Everything,
                Reach::Campus => (Field::Campus, self.caller.campuses()),
                Reach::Class => (Field::Class, self.caller.classes()),
                Reach::Teaching => (Field::Assignment, self.caller.assignments()),
            };
            // Two roles with the same reach say the same thing twice; a reach to nothing says nothing.
            if !values.is_empty() && clauses.iter().all(|clause| clause.field != field) {
                clauses.push(Clause { field, values: values.to_vec() });
            }
        }
        if clauses.is_empty() { Condition::Nothing } else { Condition::AnyOf(clauses) }
    }

    /// Whether any role of the caller is granted this at all, however far it reaches.
    pub(super) fn granted(&self, action: Action, resource: Resource) -> bool {
        self.reaches(action, resource).next().is_some()
    }

    fn reaches(&self, action: Action, resource: Resource) -> impl Iterator<Item = Reach> {
        self.caller.roles().iter().flat_map(move |&role| reaches(role, action, resource))
    }
}

fn meets(record: &RecordRef, clause: &Clause) -> bool {
    let places: &[String] = match clause.field {
        Field::Campus => record.campus_id.as_slice(),
        Field::Class => record.class_id.as_slice(),
        Field::Assignment => &record.assignment_ids,
        Field::Id => std::slice::from_ref(&record.id),
    };
    places.iter().any(|place| clause.values.contains(place))
}
