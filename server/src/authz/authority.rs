//! The vocabulary between rows and rights: what a frame asks, and what an authority answers.
//!
//! A frame knows records and no policy; an authority knows policy and no SQL. They meet here.
//! Whoever implements [`Authority`] decides single records and states, for lists, the condition
//! that a row must meet. A verdict that could not be reached is [`Verdict::Broken`], which every
//! caller treats as a denial.

use agent_contract::{Action, Resource};

/// Decides what one caller may do. It lives for one call and is never cached.
pub trait Authority: Send + Sync {
    /// Whether the caller may do `action` to this one record.
    fn decide(&self, action: Action, record: &RecordRef) -> Verdict;

    /// Which records of `resource` the caller may do `action` to, as a condition that a list query
    /// can print.
    fn condition(&self, action: Action, resource: Resource) -> Condition;
}

/// What a policy may know about a record: where it hangs in the school, and nothing else of its
/// content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordRef {
    /// The kind of record.
    pub resource: Resource,
    /// The school that it belongs to.
    pub school_id: String,
    /// The record's own id; empty for one that is about to be created.
    pub id: String,
    /// The campus that it belongs to.
    pub campus_id: Option<String>,
    /// The class that it belongs to, or that it is.
    pub class_id: Option<String>,
    /// The teaching assignments of that class.
    pub assignment_ids: Vec<String>,
}

/// The answer about one record.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use = "a verdict that nobody reads lets everything through"]
pub enum Verdict {
    /// The caller may.
    Allow,
    /// The caller may not.
    Deny,
    /// The policy could not be evaluated. It is a denial and an alarm; the text is for the log
    /// only.
    Broken(String),
}

/// The answer about a whole list. The school itself is not part of it: the frame sees one school
/// only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Condition {
    /// No record at all.
    Nothing,
    /// Every record of the school.
    Everything,
    /// Every record that meets at least one of the clauses.
    AnyOf(Vec<Clause>),
}

/// One alternative: the record's `field` is one of `values`. No values means no record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clause {
    /// What is compared.
    pub field: Field,
    /// The ids that are let through.
    pub values: Vec<String>,
}

/// The places of a record that a condition can speak about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Field {
    /// The record's campus.
    Campus,
    /// The record's class, or the class itself.
    Class,
    /// Any teaching assignment of the record's class.
    Assignment,
    /// The record's own id.
    Id,
}

impl Field {
    /// Every place.
    pub(crate) const ALL: [Self; 4] = [Self::Campus, Self::Class, Self::Assignment, Self::Id];

    /// The place's name in a rule, and in the snapshot that a peer reads.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Campus => "campusId",
            Self::Class => "classId",
            Self::Assignment => "assignmentId",
            Self::Id => "id",
        }
    }
}
