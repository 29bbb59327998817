//! Ids as types, so that a school's id can never stand where a person's was meant.
//!
//! Ids are strings on the wire (a JavaScript peer rounds larger numbers) and never empty. A
//! [`CampusId`] cannot be made from text outside this crate: it comes from a call scope or from a
//! pinned argument, which is what keeps a campus named by the model from reaching a query unpinned.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// An id was the empty string.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{kind} must not be empty")]
pub struct EmptyId {
    /// Which id it was, in words.
    kind: &'static str,
}

macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $kind:literal) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub struct $name(String);

        impl $name {
            /// Takes an id over from text; the empty string is none.
            pub fn new(text: impl Into<String>) -> Result<Self, EmptyId> {
                let text = text.into();
                if text.is_empty() { Err(EmptyId { kind: $kind }) } else { Ok(Self(text)) }
            }
        }

        impl TryFrom<String> for $name {
            type Error = EmptyId;

            fn try_from(text: String) -> Result<Self, EmptyId> {
                Self::new(text)
            }
        }

        impl std::str::FromStr for $name {
            type Err = EmptyId;

            fn from_str(text: &str) -> Result<Self, EmptyId> {
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
                json_schema!({ "type": "string" })
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
