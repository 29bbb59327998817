//! Ids as types, so that a school's id can never stand where a person's was meant.
//!
//! Ids are strings on the wire (a JavaScript peer rounds larger numbers), never empty and without control characters. A
//! [`CampusId`] cannot be made from text outside this crate: it comes from a call scope or from a
//! pinned argument, which is what keeps a campus named by the model from reaching a query unpinned.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// What an id is, as a schema says it.
const PRINTABLE: &str = "^[^\\u0000-\\u001f\\u007f-\\u009f]+$";

/// A text that is no id. Each says which id it was to be, in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IdError {
    /// It is empty.
    #[error("{0} must not be empty")]
    Empty(&'static str),
    /// It holds a NUL, a line break or another control character.
    #[error("{0} must not hold control characters")]
    Control(&'static str),
}

macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $kind:literal) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub struct $name(String);

        impl $name {
            /// Takes an id over from text; the empty string is none, nor is one with control characters.
            pub fn new(text: impl Into<String>) -> Result<Self, IdError> {
                let text = text.into();
                if text.is_empty() {
                    Err(IdError::Empty($kind))
                } else if text.chars().any(char::is_control) {
                    Err(IdError::Control($kind))
                } else {
                    Ok(Self(text))
                }
            }
        }

        impl TryFrom<String> for $name {
            type Error = IdError;

            fn try_from(text: String) -> Result<Self, IdError> {
                Self::new(text)
            }
        }

        impl std::str::FromStr for $name {
            type Err = IdError;

            fn from_str(text: &str) -> Result<Self, IdError> {
                Self::new(text)
            }
        }

        id!(@reading $name);
    };
    (@reading $name:ident) => {
        impl $name {
            /// The id as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl From<$name> for String {
            fn from(id: $name) -> Self {
                id.0
            }
        }

        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl JsonSchema for $name {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!({ "type": "string", "pattern": PRINTABLE })
            }
        }
    };
}

macro_rules! minted {
    ($name:ident) => {
        impl $name {
            /// A fresh id; ids minted later sort later.
            pub fn mint() -> Self {
                Self(Uuid::now_v7().to_string())
            }
        }
    };
}

id!(
    /// A person's account.
    UserId,
    "a user id"
);
id!(
    /// The profile under which a person acts at a school.
    ProfileId,
    "a profile id"
);
id!(
    /// A school: the tenant.
    SchoolId,
    "a school id"
);
id!(
    /// A conversation.
    ThreadId,
    "a thread id"
);
id!(
    /// One exchange of a conversation: a message and all that Rover does about it.
    TurnId,
    "a turn id"
);
id!(
    /// One tool call; the server runs a write at most once for each.
    CallId,
    "a call id"
);
id!(
    /// A file attached to a message.
    AttachmentId,
    "an attachment id"
);
minted!(ThreadId);
minted!(TurnId);
minted!(CallId);
minted!(AttachmentId);

/// A campus that the call scope or a pinned argument names.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(into = "String")]
pub struct CampusId(String);

id!(@reading CampusId);

impl CampusId {
    /// For the two places that may name a campus: the call scope and the pinning of an argument.
    pub(crate) fn pinned(text: impl Into<String>) -> Self {
        Self(text.into())
    }
}

impl CallId {
    /// A digest is never empty, so nothing needs checking.
    pub(crate) fn from_digest(hex: String) -> Self {
        Self(hex)
    }
}
