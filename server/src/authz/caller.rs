//! The person of one call, as the policy sees them.
//!
//! It is made from live rows inside the frame of the call, and dies with it. A word in the role table that the
//! policy does not know grants nothing, so it is dropped here and not passed on.

use agent_contract::StaffRole;

use crate::domain::CallerRow;

/// Whom the policy is asked about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    school: String,
    roles: Vec<StaffRole>,
    campuses: Vec<String>,
    classes: Vec<String>,
    assignments: Vec<String>,
}

impl Caller {
    /// Somebody of this school without any role, who may do nothing.
    pub fn of_school(school: impl Into<String>) -> Self {
        Self {
            school: school.into(),
            roles: Vec::new(),
            campuses: Vec::new(),
            classes: Vec::new(),
            assignments: Vec::new(),
        }
    }

    /// The same person with the roles that these words name.
    #[must_use]
    pub fn with_roles<'a>(mut self, words: impl IntoIterator<Item = &'a str>) -> Self {
        self.roles = distinct(words.into_iter().filter_map(StaffRole::parse));
        self
    }

    /// The same person, working on these campuses.
    #[must_use]
    pub fn on_campuses(mut self, ids: impl IntoIterator<Item = String>) -> Self {
        self.campuses = distinct(ids);
        self
    }

    /// The same person, class teacher of these classes.
    #[must_use]
    pub fn class_teacher_of(mut self, ids: impl IntoIterator<Item = String>) -> Self {
        self.classes = distinct(ids);
        self
    }

    /// The same person, with these teaching assignments.
    #[must_use]
    pub fn teaching(mut self, ids: impl IntoIterator<Item = String>) -> Self {
        self.assignments = distinct(ids);
        self
    }

    /// The school that the person belongs to.
    pub fn school(&self) -> &str {
        &self.school
    }

    /// The roles that the person holds, each once, in the order of the policy.
    pub fn roles(&self) -> &[StaffRole] {
        &self.roles
    }

    /// The campuses that the person works on.
    pub fn campuses(&self) -> &[String] {
        &self.campuses
    }

    /// The classes that the person is class teacher of.
    pub fn classes(&self) -> &[String] {
        &self.classes
    }

    /// The person's teaching assignments.
    pub fn assignments(&self) -> &[String] {
        &self.assignments
    }
}

impl From<&CallerRow> for Caller {
    fn from(row: &CallerRow) -> Self {
        Self::of_school(&row.school_id)
            .with_roles(row.roles.iter().map(String::as_str))
            .on_campuses(row.campus_ids.iter().cloned())
            .class_teacher_of(row.class_teacher_of.iter().map(|class| class.id.clone()))
            .teaching(row.teaching.iter().map(|assignment| assignment.id.clone()))
    }
}

/// Sorted and without doubles, so that conditions and snapshots come out the same whatever order the rows had.
fn distinct<T: Ord>(values: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut values: Vec<T> = values.into_iter().collect();
    values.sort_unstable();
    values.dedup();
    values
}
