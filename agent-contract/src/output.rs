//! What a tool may return: serialisable with a schema, naming what it changed, and proven where the posture asks.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::error::{ToolError, ToolResult};
use crate::kind;
use crate::schema;
use crate::whole;

/// A value that can be the data of a result. Implemented for everything that has the three traits, and for [`Owned`]
/// values of it. That it can be read back is what lets a schema be held against the type: every value of the schema is
/// one that the type can write.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a tool's output",
    label = "must implement `serde::Serialize`, `serde::Deserialize` and `schemars::JsonSchema`",
    note = "add `#[derive(Serialize, Deserialize, JsonSchema)]` to the type"
)]
pub trait ToolOutput: Serialize + JsonSchema {
    /// Reads a value of the schema and writes it again.
    #[doc(hidden)]
    fn reread(value: Value) -> Result<Value, serde_json::Error>;
}

#[diagnostic::do_not_recommend]
impl<T: Serialize + DeserializeOwned + JsonSchema> ToolOutput for T {
    fn reread(value: Value) -> Result<Value, serde_json::Error> {
        serde_json::to_value(serde_json::from_value::<T>(value)?)
    }
}

/// Reads a result as the type that wrote it, and writes it again.
pub(crate) fn reread<T: ToolOutput>(value: Value) -> Result<Value, serde_json::Error> {
    if !whole::is_in(&value) {
        return T::reread(value);
    }
    let (value, _) = whole::freed(&value, &schema::of_output::<T>(), "data");
    T::reread(value)
}

/// An owned value is written as the value itself. It is never read as owned: a proof cannot be read from JSON.
#[diagnostic::do_not_recommend]
impl<T: ToolOutput> ToolOutput for Owned<T> {
    fn reread(value: Value) -> Result<Value, serde_json::Error> {
        T::reread(value)
    }
}

/// A result that names the records it changed, for the audit trail.
#[diagnostic::on_unimplemented(
    message = "a write tool must return something that names what it changed, and `{Self}` does not",
    label = "not an `AuditSubject`",
    note = "derive it: `#[derive(AuditSubject)] #[audit(kind = \"department\")]` with `#[audit(id)]` on the id field; a delete returns `Deleted<T>`"
)]
pub trait AuditSubject {
    /// The records; never none after a successful write.
    fn subjects(&self) -> Vec<Subject>;
}

/// A record that a write changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subject {
    /// What it is, e.g. "department".
    pub kind: Cow<'static, str>,
    /// Its id.
    pub id: String,
}

impl Subject {
    /// The record of this kind and id.
    pub fn new(kind: impl Into<Cow<'static, str>>, id: impl Into<String>) -> Self {
        Self { kind: kind.into(), id: id.into() }
    }
}

#[diagnostic::do_not_recommend]
impl<T: AuditSubject> AuditSubject for Vec<T> {
    fn subjects(&self) -> Vec<Subject> {
        self.iter().flat_map(AuditSubject::subjects).collect()
    }
}

#[diagnostic::do_not_recommend]
impl<T: AuditSubject> AuditSubject for Owned<T> {
    fn subjects(&self) -> Vec<Subject> {
        self.value.subjects()
    }
}

#[diagnostic::do_not_recommend]
impl<T: AuditSubject> AuditSubject for Deleted<T> {
    fn subjects(&self) -> Vec<Subject> {
        self.deleted.subjects()
    }
}

/// The record that a delete took away.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Deleted<T> {
    /// The record as it last was.
    deleted: T,
}

impl<T> Deleted<T> {
    /// The record as it last was.
    pub fn new(deleted: T) -> Self {
        Self { deleted }
    }

    /// The record.
    pub fn value(&self) -> &T {
        &self.deleted
    }
}

/// A way in which a record can be the caller's own. Only the server's frame can answer for one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Relation {
    /// The caller teaches in the class.
    Teaches {
        /// The class.
        class_id: String,
    },
    /// The caller teaches this subject in the class.
    TeachesSubject {
        /// The class.
        class_id: String,
        /// The subject.
        subject_id: String,
    },
    /// The caller teaches the subject of this assessment in its class.
    Assesses {
        /// The assessment.
        assessment_id: String,
    },
    /// The caller is class teacher of the class.
    ClassTeacherOf {
        /// The class.
        class_id: String,
    },
    /// The record is the caller's own profile or hangs on it.
    OwnProfile,
}

impl Relation {
    /// The class that the relation is about.
    pub fn class_id(&self) -> Option<&str> {
        match self {
            Self::Teaches { class_id }
            | Self::TeachesSubject { class_id, .. }
            | Self::ClassTeacherOf { class_id } => Some(class_id),
            Self::Assesses { .. } | Self::OwnProfile => None,
        }
    }

    pub(crate) fn denial(&self) -> &'static str {
        match self {
            Self::Teaches { .. } => "you do not teach in this class",
            Self::TeachesSubject { .. } => "you do not teach this subject in this class",
            Self::Assesses { .. } => "this is no assessment of a subject that you teach",
            Self::ClassTeacherOf { .. } => "you are not the class teacher of this class",
            Self::OwnProfile => "this is not your own record",
        }
    }
}

/// Proof that a relation holds for the caller. Only `ToolCx::prove` makes one.
#[derive(Debug)]
pub struct Proof {
    relation: Relation,
}

impl Proof {
    pub(crate) fn of(relation: Relation) -> Self {
        Self { relation }
    }

    /// What was proven.
    pub fn relation(&self) -> &Relation {
        &self.relation
    }
}

/// A value whose ownership was proven.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(transparent)]
pub struct Owned<T> {
    value: T,
}

impl<T> Owned<T> {
    /// Spends the proof on the value that it was made for.
    pub fn new(_proof: Proof, value: T) -> Self {
        Self { value }
    }

    /// The value.
    pub fn value(&self) -> &T {
        &self.value
    }
}

/// A result that carries proof of ownership.
#[diagnostic::on_unimplemented(
    message = "a `relationship` tool must return proof that the caller owns the record",
    label = "expected `Owned<…>`",
    note = "get the proof with `cx.prove(relation).await?` and return `Owned::new(proof, value)`"
)]
pub trait OwnershipProven {}
impl<T> OwnershipProven for Owned<T> {}

/// The return type of a tool of kind `K`. Recognised by trait, so that an alias of `ToolResult` works.
#[diagnostic::on_unimplemented(
    message = "an agent tool must return `ToolResult<T>`, not `{Self}`",
    label = "expected `ToolResult<…>`",
    note = "write `-> ToolResult<T>`; the error type is `ToolError`, which the model can read"
)]
pub trait HandlerReturn<K> {
    /// The data of a successful call.
    type Ok: ToolOutput + Send;

    /// The result as such.
    fn into_result(self) -> ToolResult<Self::Ok>;

    /// The records that the call changed; empty for a read.
    fn subjects(value: &Self::Ok) -> Vec<Subject>;
}

macro_rules! returns {
    ($($kind:ident, $subjects:expr $(, $bound:ident)*;)*) => { $(
        impl<T: ToolOutput + Send $(+ $bound)*> HandlerReturn<kind::$kind> for Result<T, ToolError> {
            type Ok = T;

            fn into_result(self) -> ToolResult<T> {
                self
            }

            fn subjects(value: &T) -> Vec<Subject> {
                let subjects: fn(&T) -> Vec<Subject> = $subjects;
                subjects(value)
            }
        }
    )* };
}
returns! {
    Read, |_| Vec::new();
    Local, |_| Vec::new();
    Write, AuditSubject::subjects, AuditSubject;
    OwnedRead, |_| Vec::new(), OwnershipProven;
    OwnedWrite, AuditSubject::subjects, OwnershipProven, AuditSubject;
}
