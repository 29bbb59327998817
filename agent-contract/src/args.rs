//! What may stand in a tool's arguments. The traits are implemented by the derive, by plain values and by `Option`
//! and `Vec` of them, and by nothing else: that is what keeps identity and free-form JSON out at every depth.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer};

use crate::call_scope::AgentCallScope;
use crate::date::{Date, Timestamp};
use crate::error::{ArgumentFault, ToolError, ToolResult};
use crate::example::ArgShape;
use crate::hundredths::Hundredths;
use crate::id::CampusId;

/// A value inside a tool's arguments.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be used in a tool's arguments",
    label = "not a `ToolArg`",
    note = "write `String`, `bool`, `i8` to `i64`, `u8` to `u64`, `f64`, `Hundredths`, `Date`, `Timestamp`, `CampusArg` or `CampusTarget`, or an `Option` or a `Vec` of one of them; a map or a tuple is a struct with named fields, or a `Vec` of such",
    note = "a type of your own derives it: `#[derive(Deserialize, JsonSchema, ToolArgs)]`; the derive is what proves that no identity field and no free-form JSON hides inside"
)]
pub trait ToolArg: Sized {
    /// Whether the field must be given.
    const REQUIRED: bool = true;
    /// What kind of value it is.
    const KIND: FieldKind;
    /// What an example of it must look like.
    const SHAPE: ArgShape;
    /// The same in one place for all arguments of the type.
    #[doc(hidden)]
    const SHAPE_REF: &'static ArgShape = &Self::SHAPE;
    /// How it deals with campuses.
    #[doc(hidden)]
    const CAMPUS: CampusUse = CampusUse::None;

    /// Pins every campus inside to the call scope.
    fn pin(&mut self, pins: &mut Pins<'_>) -> Result<(), ToolError>;
}

/// The arguments of a tool: a struct with named fields.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the arguments of a tool",
    label = "not a struct that derives `ToolArgs`",
    note = "write a struct with named fields and `#[derive(Deserialize, JsonSchema, ToolArgs)]`; the derive is what proves that no identity field hides inside"
)]
pub trait ToolArgs: ToolArg {
    /// The fields, in source order.
    const FIELDS: &'static [ArgField];
}

/// One argument, as data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArgField {
    /// The Rust name, which sentences use.
    pub name: &'static str,
    /// The name in JSON.
    pub wire: &'static str,
    /// Whether it must be given.
    pub required: bool,
    /// What kind of value it is.
    pub kind: FieldKind,
    /// What an example of it must look like.
    pub shape: &'static ArgShape,
    /// What the model reads.
    pub description: &'static str,
    /// The tool that finds values for it.
    pub lookup: Option<&'static str>,
}

/// Kinds of argument, as far as speech and forms care.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FieldKind {
    /// Any text.
    Text,
    /// A number.
    Number,
    /// Yes or no.
    Bool,
    /// One of several words.
    Enum,
    /// A day or an instant.
    Date,
    /// The id of a record.
    Id,
    /// A campus.
    Campus,
    /// Several values.
    List,
    /// A value with fields of its own.
    Object,
}

impl FieldKind {
    /// Whether a person can say such a value in a sentence.
    pub const fn is_speakable(self) -> bool {
        !matches!(self, Self::List | Self::Object)
    }
}

/// How a type deals with campuses.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CampusUse {
    /// It is no campus.
    None,
    /// It is pinned by the call scope.
    Pinned,
    /// It names a campus as a target, which the ability judges.
    Target,
    /// It wraps a pinned campus, so that leaving it out would escape the pinning.
    Wrapped,
}

/// The pinning of one call's arguments: the scope going in, the effective campus coming out.
#[derive(Debug)]
pub struct Pins<'a> {
    scope: &'a AgentCallScope,
    effective: Option<CampusId>,
    requested_other: Option<String>,
}

impl<'a> Pins<'a> {
    pub(crate) fn new(scope: &'a AgentCallScope) -> Self {
        Self { scope, effective: None, requested_other: None }
    }

    /// The scope narrowed to the campus that the arguments name.
    pub(crate) fn effective_scope(&self) -> AgentCallScope {
        match &self.effective {
            Some(campus_id) => AgentCallScope::Campus { campus_id: campus_id.clone() },
            None => self.scope.clone(),
        }
    }

    /// The campus that the model asked for, if it is another than the pinned one.
    pub(crate) fn into_requested_other(self) -> Option<String> {
        self.requested_other
    }

    fn campus(&mut self, requested: Option<&str>) -> Result<Option<CampusId>, ToolError> {
        if let Some(pinned) = self.scope.campus_id() {
            if let Some(other) = requested.filter(|requested| *requested != pinned.as_str()) {
                self.requested_other = Some(other.to_owned());
            }
            return Ok(Some(pinned.clone()));
        }
        let Some(requested) = requested else { return Ok(None) };
        if let Some(first) = &self.effective
            && first.as_str() != requested
        {
            return Err(ToolError::Invalid(vec![ArgumentFault::new(
                "args",
                format!("one campus for the whole call (`{first}` was named first)"),
                format!("a second campus `{requested}`"),
            )]));
        }
        let campus = CampusId::pinned(requested);
        self.effective = Some(campus.clone());
        Ok(Some(campus))
    }
}

/// The campus that the model asked for; the handler reads the one that the call is pinned to.
#[derive(Clone, Debug, Default)]
pub struct CampusArg {
    requested: Option<String>,
    pinned: Option<CampusId>,
}

impl CampusArg {
    /// The campus; in school mode the model must have named one.
    pub fn required(&self) -> ToolResult<&CampusId> {
        self.pinned.as_ref().ok_or(ToolError::CampusRequired { allowed: Vec::new() })
    }

    /// The campus to filter a list by; none means the whole school.
    pub fn filter(&self) -> Option<&CampusId> {
        self.pinned.as_ref()
    }
}

#[diagnostic::do_not_recommend]
impl ToolArg for CampusArg {
    const REQUIRED: bool = false;
    const KIND: FieldKind = FieldKind::Campus;
    const SHAPE: ArgShape = ArgShape::Text;
    const CAMPUS: CampusUse = CampusUse::Pinned;

    fn pin(&mut self, pins: &mut Pins<'_>) -> Result<(), ToolError> {
        self.pinned = pins.campus(self.requested.as_deref())?;
        Ok(())
    }
}

/// A campus that something is sent to. It is not pinned, so the ability judges it where it is used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CampusTarget(CampusId);

impl CampusTarget {
    /// The campus.
    pub fn id(&self) -> &CampusId {
        &self.0
    }
}

#[diagnostic::do_not_recommend]
impl ToolArg for CampusTarget {
    const KIND: FieldKind = FieldKind::Campus;
    const SHAPE: ArgShape = ArgShape::Text;
    const CAMPUS: CampusUse = CampusUse::Target;

    fn pin(&mut self, _pins: &mut Pins<'_>) -> Result<(), ToolError> {
        Ok(())
    }
}

impl<'de> Deserialize<'de> for CampusArg {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let requested = String::deserialize(deserializer)?;
        Ok(Self { requested: Some(requested), pinned: None })
    }
}

impl<'de> Deserialize<'de> for CampusTarget {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(|text| Self(CampusId::pinned(text)))
    }
}

macro_rules! campus_schema {
    ($($name:ident),*) => { $(
        impl JsonSchema for $name {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!({ "type": "string", "minLength": 1 })
            }
        }
    )* };
}
campus_schema!(CampusArg, CampusTarget);

macro_rules! plain {
    ($($kind:ident as $shape:ident: $($ty:ty),*;)*) => { $($(
        #[diagnostic::do_not_recommend]
        impl ToolArg for $ty {
            const KIND: FieldKind = FieldKind::$kind;
            const SHAPE: ArgShape = ArgShape::$shape;

            fn pin(&mut self, _pins: &mut Pins<'_>) -> Result<(), ToolError> {
                Ok(())
            }
        }
    )*)* };
}
plain! {
    Text as Text: String;
    Bool as Bool: bool;
    Number as Whole: i8, i16, i32, i64, u8, u16, u32, u64;
    Number as Number: f64, Hundredths;
    Date as Day: Date;
    Date as Text: Timestamp;
}

impl<T: ToolArg> ToolArg for Option<T> {
    const REQUIRED: bool = false;
    const KIND: FieldKind = T::KIND;
    const SHAPE: ArgShape = T::SHAPE;
    const CAMPUS: CampusUse = wrapped(T::CAMPUS);

    fn pin(&mut self, pins: &mut Pins<'_>) -> Result<(), ToolError> {
        self.as_mut().map_or(Ok(()), |value| value.pin(pins))
    }
}

impl<T: ToolArg> ToolArg for Vec<T> {
    const KIND: FieldKind = FieldKind::List;
    const SHAPE: ArgShape = ArgShape::List(&T::SHAPE);
    const CAMPUS: CampusUse = wrapped(T::CAMPUS);

    fn pin(&mut self, pins: &mut Pins<'_>) -> Result<(), ToolError> {
        self.iter_mut().try_for_each(|value| value.pin(pins))
    }
}

const fn wrapped(inner: CampusUse) -> CampusUse {
    match inner {
        CampusUse::Pinned | CampusUse::Wrapped => CampusUse::Wrapped,
        CampusUse::None => CampusUse::None,
        CampusUse::Target => CampusUse::Target,
    }
}
