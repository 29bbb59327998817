//! The only place that names oso: facts and rules in, one verdict out.
//!
//! A verdict that cannot be reached is a denial and an alarm, never the next best guess; Polar's own words print
//! policy source, so they go to the log and nowhere else. Nothing here is called per row of a list.

use agent_contract::{Action, FACTS, GRANTS, Resource};
use oso::{Oso, OsoError, PolarClass, ToPolarList};

use super::{Caller, RecordRef, Verdict};

const RULES: &str = include_str!("../../policy/rules.polar");

/// The policy, loaded once at start-up and shared by every call.
pub struct Policy {
    engine: Oso,
}

/// Why the policy could not be loaded. The server does not start without one.
#[derive(Debug, thiserror::Error)]
pub enum PolicyError {
    /// The engine refuses the text, or cannot evaluate it.
    #[error("the policy does not load")]
    Load(#[source] Box<OsoError>),
    /// The engine reads a grant differently than the compiler did.
    #[error("the policy engine does not know the grant of {operation} to {role}")]
    Differs {
        /// Who is granted it.
        role: &'static str,
        /// What is granted.
        operation: String,
    },
}

impl Policy {
    /// Loads facts and rules, and makes sure that the engine knows every grant that the compiler knows.
    pub fn load() -> Result<Self, PolicyError> {
        Self::from_text(&format!("{FACTS}\n{RULES}"))
    }

    /// One text: a second load into the same engine is an error.
    fn from_text(text: &str) -> Result<Self, PolicyError> {
        let policy = Self { engine: engine(text).map_err(PolicyError::Load)? };
        policy.agrees_with_the_compiler()?;
        Ok(policy)
    }

    /// Whether the caller may do `action` to this one record.
    pub fn decide(&self, caller: &Caller, action: Action, record: &RecordRef) -> Verdict {
        let question =
            (PolarCaller::of(caller), operation(record.resource, action), PolarRecord::of(record));
        match self.holds("allow", question) {
            Ok(true) => Verdict::Allow,
            Ok(false) => Verdict::Deny,
            Err(error) => {
                tracing::error!(%error, action = %action, resource = %record.resource, "policy broken");
                Verdict::Broken(error.to_string())
            }
        }
    }

    /// Whether the engine still decides: somebody to whom the first grant is made is allowed what it grants.
    pub fn decides(&self) -> bool {
        GRANTS.iter().take(1).all(|grant| {
            let operation = operation(grant.resource, grant.action);
            let fact = (grant.role.as_str(), operation, grant.reach.as_str());
            self.holds("grant", fact).unwrap_or(false)
        })
    }

    /// A query is collected at once: it is not `Send`, so it must not live across an await.
    fn holds(&self, rule: &str, question: impl ToPolarList) -> Result<bool, Box<OsoError>> {
        let answer = self.engine.query_rule(rule, question)?.next().transpose()?;
        Ok(answer.is_some())
    }

    fn agrees_with_the_compiler(&self) -> Result<(), PolicyError> {
        for grant in GRANTS {
            let operation = operation(grant.resource, grant.action);
            let fact = (grant.role.as_str(), operation.clone(), grant.reach.as_str());
            if !self.holds("grant", fact).map_err(PolicyError::Load)? {
                return Err(PolicyError::Differs { role: grant.role.as_str(), operation });
            }
        }
        Ok(())
    }

    #[cfg(test)]
    pub(super) fn of_rules(rules: &str) -> Result<Self, PolicyError> {
        Self::from_text(&format!("{FACTS}\n{rules}"))
    }

    /// Every `grant(role, operation, reach)` as the engine reads it.
    #[cfg(test)]
    pub(super) fn grants(&self) -> Vec<[String; 3]> {
        self.engine
            .query("grant(role, operation, reach)")
            .unwrap()
            .map(|answer| {
                let answer = answer.unwrap();
                ["role", "operation", "reach"].map(|name| answer.get_typed(name).unwrap())
            })
            .collect()
    }
}

impl std::fmt::Debug for Policy {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Policy").finish_non_exhaustive()
    }
}

fn engine(text: &str) -> Result<Oso, Box<OsoError>> {
    let mut engine = Oso::new();
    engine.register_class(PolarCaller::get_polar_class())?;
    engine.register_class(PolarRecord::get_polar_class())?;
    engine.load_str(text)?;
    Ok(engine)
}

/// An operation as the facts write it.
pub(super) fn operation(resource: Resource, action: Action) -> String {
    format!("{resource}:{action}")
}

/// A caller in the terms of the rules.
#[derive(Clone, PolarClass)]
#[polar(class_name = "Caller")]
struct PolarCaller {
    #[polar(attribute)]
    school: String,
    #[polar(attribute)]
    roles: Vec<String>,
    #[polar(attribute)]
    campuses: Vec<String>,
    #[polar(attribute)]
    classes: Vec<String>,
    #[polar(attribute)]
    assignments: Vec<String>,
}

/// A record in the terms of the rules: a place that it does not have is an empty list.
#[derive(Clone, PolarClass)]
#[polar(class_name = "Record")]
struct PolarRecord {
    #[polar(attribute)]
    school: String,
    #[polar(attribute)]
    campuses: Vec<String>,
    #[polar(attribute)]
    classes: Vec<String>,
    #[polar(attribute)]
    assignments: Vec<String>,
}

impl PolarCaller {
    fn of(caller: &Caller) -> Self {
        Self {
            school: caller.school().to_owned(),
            roles: caller.roles().iter().map(|role| role.as_str().to_owned()).collect(),
            campuses: caller.campuses().to_vec(),
            classes: caller.classes().to_vec(),
            assignments: caller.assignments().to_vec(),
        }
    }
}

impl PolarRecord {
    fn of(record: &RecordRef) -> Self {
        Self {
            school: record.school_id.clone(),
            campuses: record.campus_id.iter().cloned().collect(),
            classes: record.class_id.iter().cloned().collect(),
            assignments: record.assignment_ids.clone(),
        }
    }
}
