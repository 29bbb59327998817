//! What a person teaches. There is no empty map: having one is what says that they teach.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A teacher's classes and subjects, at least one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct TeachingMap(Vec<TeachingAssignment>);

/// One duty at one class.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TeachingAssignment {
    /// Id of the class.
    pub class_id: String,
    /// Its display name.
    pub class_name: String,
    /// What the person does there.
    #[serde(flatten)]
    pub duty: TeachingDuty,
}

/// What a teacher does at a class.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "duty", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum TeachingDuty {
    /// Answers for the class.
    ClassTeacher,
    /// Teaches it a subject.
    SubjectTeacher {
        /// Id of the subject.
        subject_id: String,
        /// Its display name.
        subject_name: String,
    },
}

impl TeachingMap {
    /// The map of these assignments; none for somebody without any.
    pub fn new(assignments: Vec<TeachingAssignment>) -> Option<Self> {
        (!assignments.is_empty()).then_some(Self(assignments))
    }

    /// The assignments, at least one.
    pub fn assignments(&self) -> &[TeachingAssignment] {
        &self.0
    }
}

impl From<TeachingMap> for Vec<TeachingAssignment> {
    fn from(map: TeachingMap) -> Self {
        map.0
    }
}
