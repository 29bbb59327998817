//! The agents that a tool can be offered to. Who a person is, to the policy, is another question and another type:
//! [`StaffRole`](crate::StaffRole).

use serde::{Deserialize, Serialize};

/// An agent of the worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AgentRole {
    /// The supervisor, whom everybody talks to.
    Rover,
    /// Works on the class that a class teacher owns.
    ClassTeacher,
    /// Works on the subjects that a person teaches.
    SubjectTeacher,
    /// Works on the school's academic structure.
    DirectorOfStudies,
}

impl AgentRole {
    /// Every role, the supervisor first.
    pub const ALL: &[Self] =
        &[Self::Rover, Self::ClassTeacher, Self::SubjectTeacher, Self::DirectorOfStudies];

    /// The names of the variants, as `roles = […]` writes them.
    pub const NAMES: &[&str] = &["Rover", "ClassTeacher", "SubjectTeacher", "DirectorOfStudies"];

    /// The name on the wire and in skill paths.
    pub const fn wire_id(self) -> &'static str {
        match self {
            Self::Rover => "rover",
            Self::ClassTeacher => "class_teacher",
            Self::SubjectTeacher => "subject_teacher",
            Self::DirectorOfStudies => "director_of_studies",
        }
    }

    /// The title for people.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Rover => "Rover",
            Self::ClassTeacher => "Class teacher assistant",
            Self::SubjectTeacher => "Subject teacher assistant",
            Self::DirectorOfStudies => "Director of studies assistant",
        }
    }

    /// What the agent is for, as the supervisor's roster says it.
    pub const fn description(self) -> &'static str {
        match self {
            Self::Rover => {
                "Answers staff, looks things up and changes records, and hands work to the specialists."
            }
            Self::ClassTeacher => {
                "Looks after the class that the person is class teacher of: its students and its attendance."
            }
            Self::SubjectTeacher => "Looks after the classes and subjects that the person teaches.",
            Self::DirectorOfStudies => {
                "Looks after departments, classes, terms and who teaches what, across the school."
            }
        }
    }

    /// The role of this wire id.
    pub fn parse(wire_id: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|role| role.wire_id() == wire_id)
    }
}
