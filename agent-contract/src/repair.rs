//! Lossless repairs of damaged arguments. Models send numbers as strings, objects as JSON text and null for what they
//! leave out; each has one meaning under the schema. Whatever has two stays as it is and is refused: a cut-off text is
//! not completed, a list is not split at commas, a word is not matched to the nearest.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::strict::{self, TextFault};
use crate::whole;

/// One repair, for the turn's record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Repair {
    /// Where, e.g. `args.capacity`.
    pub path: String,
    /// What was done.
    pub kind: RepairKind,
}

/// The repairs that exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RepairKind {
    /// Nothing at all was taken for no arguments.
    EmptyToObject,
    /// JSON in a string was read.
    Unquoted,
    /// Raw control characters inside a string were escaped.
    ControlsEscaped,
    /// Digits in a string were taken for a number.
    TextToNumber,
    /// `true` or `false` in a string was taken for a truth value.
    TextToBool,
    /// A number such as `3.0` was taken for an integer.
    WholeFloat,
    /// Null, or an empty string where a formatted text is wanted, was taken for leaving out.
    LeftOut,
}

impl std::fmt::Display for Repair {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let done = match self.kind {
            RepairKind::EmptyToObject => "nothing was taken for no arguments",
            RepairKind::Unquoted => "JSON inside a string was read",
            RepairKind::ControlsEscaped => "raw control characters were escaped",
            RepairKind::TextToNumber => "digits in a string were taken for a number",
            RepairKind::TextToBool => "a word was taken for true or false",
            RepairKind::WholeFloat => "a whole number was freed of its decimal point",
            RepairKind::LeftOut => "an empty value was taken for leaving the argument out",
        };
        write!(f, "{}: {done}", self.path)
    }
}

/// Arguments with the repairs that made them.
#[derive(Clone, Debug, PartialEq)]
pub struct Repaired {
    /// The arguments.
    pub value: Value,
    /// What was done to them.
    pub repairs: Vec<Repair>,
}

/// Reads the text that a model gave as arguments. The worker does this; the text never travels.
pub fn repair_text(text: &str) -> Result<Repaired, TextFault> {
    if text.trim().is_empty() {
        return Ok(repair_root(Value::String(String::new())));
    }
    let fault = match strict::parse(text) {
        Ok(value) => return unquoted(value),
        Err(fault) => fault,
    };
    let escaped = escape_controls(text);
    if escaped == text {
        return Err(fault);
    }
    let mut repaired = unquoted(strict::parse(&escaped)?)?;
    repaired.repairs.insert(0, repair("args", RepairKind::ControlsEscaped));
    Ok(repaired)
}

/// The root of a text, whose quoted object is text of the model as well.
fn unquoted(value: Value) -> Result<Repaired, TextFault> {
    match &value {
        Value::String(inner) if inner.trim_start().starts_with('{') => {
            strict::parse(inner).map(drop)?;
        }
        _ => {}
    }
    Ok(repair_root(value))
}

/// Repairs what stands where an object must: nothing, or the object as text.
pub fn repair_root(value: Value) -> Repaired {
    match value {
        Value::Null => empty(),
        Value::String(text) if text.trim().is_empty() || text.trim() == "null" => empty(),
        Value::String(text) => match strict::parse(&text) {
            Ok(inner @ (Value::Object(_) | Value::String(_))) => {
                let mut repaired = repair_root(inner);
                repaired.repairs.insert(0, repair("args", RepairKind::Unquoted));
                repaired
            }
            _ => Repaired { value: Value::String(text), repairs: Vec::new() },
        },
        value => Repaired { value, repairs: Vec::new() },
    }
}

/// Repairs the values inside an object by its schema. The caller adopts the result only if the whole then validates.
pub(crate) fn repair_values(value: &Value, schema: &Value) -> Repaired {
    let mut mender = Mender { repairs: Vec::new() };
    let value = mender.mend(value, schema, "args");
    Repaired { value, repairs: mender.repairs }
}

/// Frees whole floats of their decimal point, which the schema accepts as integers and serde does not.
pub(crate) fn normalise_integers(value: &Value, schema: &Value) -> Repaired {
    let (value, places) = whole::freed(value, schema, "args");
    let repairs = places.iter().map(|place| repair(place, RepairKind::WholeFloat)).collect();
    Repaired { value, repairs }
}

fn empty() -> Repaired {
    Repaired {
        value: Value::Object(Map::new()),
        repairs: vec![repair("args", RepairKind::EmptyToObject)],
    }
}

fn repair(path: &str, kind: RepairKind) -> Repair {
    Repair { path: path.to_owned(), kind }
}

struct Mender {
    repairs: Vec<Repair>,
}

impl Mender {
    fn mend(&mut self, value: &Value, schema: &Value, path: &str) -> Value {
        if let Some(branches) = schema.get("anyOf").and_then(Value::as_array) {
            return self.mend_any(value, branches, path);
        }
        match (schema.get("type").and_then(Value::as_str), value) {
            (Some("object"), Value::Object(fields)) => self.mend_fields(fields, schema, path),
            (Some("array"), Value::Array(items)) => self.mend_items(items, schema, path),
            (Some(wanted @ ("object" | "array")), Value::String(text)) => {
                match strict::parse(text) {
                    Ok(inner) if is_a(&inner, wanted) => {
                        self.repairs.push(repair(path, RepairKind::Unquoted));
                        self.mend(&inner, schema, path)
                    }
                    _ => value.clone(),
                }
            }
            (Some(wanted @ ("integer" | "number")), Value::String(text)) => {
                match number(text, wanted) {
                    Some(number) => {
                        self.repairs.push(repair(path, RepairKind::TextToNumber));
                        number
                    }
                    None => value.clone(),
                }
            }
            (Some("boolean"), Value::String(text)) if text == "true" || text == "false" => {
                self.repairs.push(repair(path, RepairKind::TextToBool));
                Value::Bool(text == "true")
            }
            (Some("integer"), Value::Number(given)) => match whole::integer(given) {
                Some(number) => {
                    self.repairs.push(repair(path, RepairKind::WholeFloat));
                    number
                }
                None => value.clone(),
            },
            _ => value.clone(),
        }
    }

    fn mend_fields(&mut self, fields: &Map<String, Value>, schema: &Value, path: &str) -> Value {
        let mut mended = Map::new();
        for (name, value) in fields {
            let at = format!("{path}.{name}");
            let Some(field) = schema.get("properties").and_then(|properties| properties.get(name))
            else {
                mended.insert(name.clone(), value.clone());
                continue;
            };
            if !is_required(schema, name) && stands_for_nothing(value, field) {
                self.repairs.push(repair(&at, RepairKind::LeftOut));
                continue;
            }
            mended.insert(name.clone(), self.mend(value, field, &at));
        }
        Value::Object(mended)
    }

    fn mend_items(&mut self, items: &[Value], schema: &Value, path: &str) -> Value {
        let Some(item) = schema.get("items") else { return Value::Array(items.to_vec()) };
        let mend = |(i, value): (usize, &Value)| self.mend(value, item, &format!("{path}[{i}]"));
        Value::Array(items.iter().enumerate().map(mend).collect())
    }

    /// Of several objects the one that the value names itself is meant; text is read only if no branch takes text.
    fn mend_any(&mut self, value: &Value, branches: &[Value], path: &str) -> Value {
        if let Value::String(text) = value {
            let takes_text = branches
                .iter()
                .any(|branch| branch.get("type").and_then(Value::as_str) != Some("object"));
            if !takes_text && let Ok(inner @ Value::Object(_)) = strict::parse(text) {
                self.repairs.push(repair(path, RepairKind::Unquoted));
                return self.mend_any(&inner, branches, path);
            }
            return value.clone();
        }
        match branches.iter().find(|branch| is_tagged(value, branch)) {
            Some(branch) => self.mend(value, branch, path),
            None => value.clone(),
        }
    }
}

/// Whether the value carries the tag of this branch: a required field with one allowed word.
pub(crate) fn is_tagged(value: &Value, branch: &Value) -> bool {
    let Some(properties) = branch.get("properties").and_then(Value::as_object) else {
        return false;
    };
    properties.iter().any(|(name, field)| {
        let words = field.get("enum").and_then(Value::as_array);
        is_required(branch, name)
            && words.is_some_and(|words| words.len() == 1 && value.get(name) == words.first())
    })
}

fn is_required(schema: &Value, name: &str) -> bool {
    let required = schema.get("required").and_then(Value::as_array);
    required.is_some_and(|required| required.iter().any(|required| required == name))
}

fn stands_for_nothing(value: &Value, schema: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty() && schema.get("format").is_some(),
        _ => false,
    }
}

fn is_a(value: &Value, wanted: &str) -> bool {
    match wanted {
        "object" => value.is_object(),
        _ => value.is_array(),
    }
}

/// A JSON number in a string; nothing else looks enough like one (`007`, `+1`, ` 4` do not).
fn number(text: &str, wanted: &str) -> Option<Value> {
    if text.trim() != text {
        return None;
    }
    let number: serde_json::Number = serde_json::from_str(text).ok()?;
    if wanted == "integer" && number.is_f64() {
        whole::integer(&number)
    } else {
        Some(Value::Number(number))
    }
}

/// Escapes raw control characters that stand inside JSON strings.
fn escape_controls(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let (mut inside, mut escaped) = (false, false);
    for letter in text.chars() {
        match letter {
            _ if escaped => {
                escaped = false;
                out.push(letter);
            }
            '\\' if inside => {
                escaped = true;
                out.push(letter);
            }
            '"' => {
                inside = !inside;
                out.push(letter);
            }
            '\n' if inside => out.push_str("\\n"),
            '\r' if inside => out.push_str("\\r"),
            '\t' if inside => out.push_str("\\t"),
            control if inside && (control as u32) < 0x20 => {
                // Writing to a string cannot fail.
                let _written = write!(out, "\\u{:04x}", control as u32);
            }
            _ => out.push(letter),
        }
    }
    out
}
