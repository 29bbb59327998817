//! Raw arguments to a value, once: repair, validate by the schema, deserialise. There is no second way in, so what the
//! model was shown, what is accepted and what the handler gets cannot differ.

mod faults;

use std::any::TypeId;
use std::collections::HashMap;
use std::sync::{Arc, LazyLock, PoisonError, RwLock};

use jsonschema::Validator;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::args::ToolArgs;
use crate::error::{ArgumentFault, ToolError};
use crate::repair::{Repair, Repaired, normalise_integers, repair_root, repair_values};
use crate::schema::{self, HasSchema};

/// Arguments that passed.
#[derive(Debug)]
pub struct Decoded<T> {
    /// The value that the handler gets.
    pub args: T,
    /// What had to be repaired.
    pub repairs: Vec<Repair>,
    /// The JSON after repair.
    pub canonical: Value,
}

/// A type of arguments that is read from JSON. Every type with `Deserialize` is one; the words for a type without it are
/// ours, which is why this is a trait and not a bound.
#[diagnostic::on_unimplemented(
    message = "the arguments `{Self}` cannot be read from JSON",
    label = "does not derive `Deserialize`",
    note = "derive all three: `#[derive(Deserialize, JsonSchema, ToolArgs)]`"
)]
pub trait ReadFromJson: Sized {
    /// The value of this JSON.
    #[doc(hidden)]
    fn read_from_json(value: &Value) -> Result<Self, serde_json::Error>;
}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned> ReadFromJson for T {
    fn read_from_json(value: &Value) -> Result<Self, serde_json::Error> {
        T::deserialize(value)
    }
}

/// Decodes the arguments of a tool.
pub fn decode<T>(value: Value) -> Result<Decoded<T>, ToolError>
where
    T: ToolArgs + ReadFromJson + HasSchema + 'static,
{
    let (canonical, repairs) = accept(TypeId::of::<T>(), schema::of_args::<T>, value)?;
    // The schema accepts nothing that serde refuses; if it ever does, the caller still gets no Rust text.
    match T::read_from_json(&canonical) {
        Ok(args) => Ok(Decoded { args, repairs, canonical }),
        Err(_) => Err(unreadable()),
    }
}

/// All that needs no type: the compiler makes it once, and what stands above for each tool.
fn accept(
    id: TypeId,
    schema: fn() -> Value,
    value: Value,
) -> Result<(Value, Vec<Repair>), ToolError> {
    let compiled = compiled(id, schema)?;
    let Repaired { value, mut repairs } = repair_root(value);
    refuse_controls(&value)?;
    let Repaired { value: canonical, repairs: inner } = compiled.accept(&value)?;
    if !inner.is_empty() {
        // A repair reads JSON that stood in a text, where a control character was spelt with plain letters.
        refuse_controls(&canonical)?;
    }
    repairs.extend(inner);
    Ok((canonical, repairs))
}

fn unreadable() -> ToolError {
    ToolError::Invalid(vec![ArgumentFault::new(
        "args",
        "values that this tool can read",
        "a value that its schema allows and it cannot read",
    )])
}

/// The same without the value: whether arguments pass, and what becomes of them on the way.
pub(crate) fn read<T>(value: Value) -> Result<Decoded<()>, ToolError>
where
    T: ToolArgs + ReadFromJson + HasSchema + 'static,
{
    let Decoded { args: _, repairs, canonical } = decode::<T>(value)?;
    Ok(Decoded { args: (), repairs, canonical })
}

/// No text of the arguments holds a control character, whichever database it would reach.
fn refuse_controls(value: &Value) -> Result<(), ToolError> {
    match faults::control(value) {
        Some(fault) => Err(ToolError::Invalid(vec![fault])),
        None => Ok(()),
    }
}

/// A schema and its validator.
struct Compiled {
    schema: Value,
    validator: Validator,
}

impl Compiled {
    /// The value in the form that serde reads, repaired if it did not validate as it was.
    fn accept(&self, value: &Value) -> Result<Repaired, ToolError> {
        if self.validator.is_valid(value) {
            return Ok(normalise_integers(value, &self.schema));
        }
        let repaired = repair_values(value, &self.schema);
        if self.validator.is_valid(&repaired.value) {
            return Ok(repaired);
        }
        Err(ToolError::Invalid(faults::faults(&self.validator, &self.schema, value)))
    }
}

/// Compiled once for each argument type; compiling costs a hundred times what validating does.
fn compiled(id: TypeId, schema: fn() -> Value) -> Result<Arc<Compiled>, ToolError> {
    static COMPILED: LazyLock<RwLock<HashMap<TypeId, Arc<Compiled>>>> =
        LazyLock::new(RwLock::default);
    if let Some(compiled) = COMPILED.read().unwrap_or_else(PoisonError::into_inner).get(&id) {
        return Ok(Arc::clone(compiled));
    }
    let schema = schema();
    let validator = crate::schema::validator(&schema).map_err(|_| ToolError::Internal)?;
    let compiled = Arc::new(Compiled { schema, validator });
    let mut all = COMPILED.write().unwrap_or_else(PoisonError::into_inner);
    Ok(Arc::clone(all.entry(id).or_insert(compiled)))
}
