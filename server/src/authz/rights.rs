//! The authority of one call: oso for records, the ability for lists, the grants for the gate.

use std::sync::Arc;

use agent_contract::{Action, Posture, Resource, ToolError};

use super::{Ability, Authority, Caller, Condition, Policy, RecordRef, Verdict};

/// What one caller may do, for the time of one call.
#[derive(Debug, Clone)]
pub struct Rights {
    policy: Arc<Policy>,
    ability: Ability,
}

impl Rights {
    /// The rights of this caller under this policy.
    pub fn new(policy: Arc<Policy>, caller: Caller) -> Self {
        Self { policy, ability: Ability::new(caller) }
    }

    /// The rights as conditions.
    pub fn ability(&self) -> &Ability {
        &self.ability
    }

    /// Refuses a caller none of whose roles is granted this. It is a look into the table that the compiler read;
    /// whether it holds for a certain record, the frame asks later.
    pub fn demand(&self, action: Action, resource: Resource) -> Result<(), ToolError> {
        if self.ability.granted(action, resource) {
            Ok(())
        } else {
            Err(ToolError::denied(format!("you may not {action} {}", plural(resource))))
        }
    }
}

impl Rights {
    /// Whether the posture gate lets this caller pass, whatever the record will be. A relationship is proved later.
    pub fn admit(&self, posture: Option<Posture>) -> Result<(), ToolError> {
        match posture {
            Some(Posture::Casl { action, resource }) => self.demand(action, resource),
            Some(Posture::Relationship) | None => Ok(()),
        }
    }
}

impl Authority for Rights {
    fn decide(&self, action: Action, record: &RecordRef) -> Verdict {
        self.policy.decide(self.ability.caller(), action, record)
    }

    fn condition(&self, action: Action, resource: Resource) -> Condition {
        self.ability.condition(action, resource)
    }
}

/// A resource as staff would say it.
fn plural(resource: Resource) -> String {
    let word = resource.as_str();
    match word {
        "staff" => "staff records".to_owned(),
        "attendance" => "attendance records".to_owned(),
        _ if word.ends_with('s') => format!("{word}es"),
        _ => format!("{word}s"),
    }
}
