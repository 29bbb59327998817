//! Whole numbers with a decimal point. `3.0` is an integer to JSON Schema and none to serde, so it is freed of its point
//! wherever the schema wants an integer, and nowhere else.

use serde_json::{Number, Value};

/// The value without needless points, and the places that had one.
pub(crate) fn freed(value: &Value, schema: &Value, path: &str) -> (Value, Vec<String>) {
    let mut value = value.clone();
    let mut places = Vec::new();
    free(&mut value, schema, path, &mut places);
    (value, places)
}

/// Whether a number with a needless point stands anywhere in the value.
pub(crate) fn is_in(value: &Value) -> bool {
    match value {
        Value::Number(number) => integer(number).is_some(),
        Value::Array(items) => items.iter().any(is_in),
        Value::Object(fields) => fields.values().any(is_in),
        Value::Null | Value::Bool(_) | Value::String(_) => false,
    }
}

fn free(value: &mut Value, schema: &Value, path: &str, places: &mut Vec<String>) {
    // Where several forms are allowed, a point that one of them does not want is needless in all.
    for branch in schema.get("anyOf").and_then(Value::as_array).into_iter().flatten() {
        free(value, branch, path, places);
    }
    match value {
        Value::Number(number) if schema.get("type").is_some_and(|name| name == "integer") => {
            if let Some(integer) = integer(number) {
                *value = integer;
                places.push(path.to_owned());
            }
        }
        Value::Array(items) => {
            let Some(schema) = schema.get("items") else { return };
            for (i, item) in items.iter_mut().enumerate() {
                free(item, schema, &format!("{path}[{i}]"), places);
            }
        }
        Value::Object(fields) => {
            for (name, field) in fields {
                if let Some(schema) = schema.get("properties").and_then(|all| all.get(name)) {
                    free(field, schema, &format!("{path}.{name}"), places);
                }
            }
        }
        _ => {}
    }
}

/// The integer that a number with a point exactly is, within the integers that the contract has.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the range and the fraction are checked first"
)]
pub(crate) fn integer(number: &Number) -> Option<Value> {
    const I64_END: f64 = 9_223_372_036_854_775_808.0;
    const U64_END: f64 = 18_446_744_073_709_551_616.0;
    if !number.is_f64() {
        return None;
    }
    let float = number.as_f64().filter(|float| float.fract() == 0.0)?;
    if (-I64_END..I64_END).contains(&float) {
        Some(Value::from(float as i64))
    } else if (0.0..U64_END).contains(&float) {
        Some(Value::from(float as u64))
    } else {
        None
    }
}
