//! From draft 4 to draft 2020-12, as far as the later draft can say the same.

use serde_json::{Map, Value, json};

/// A schema of draft 4 as draft 2020-12 writes it.
pub(crate) struct Modern(pub(crate) Value);

impl Modern {
    /// The schema, or why it has no equal.
    pub(crate) fn of(schema: &Value) -> Result<Self, &'static str> {
        translated(schema).map(Self)
    }
}

fn translated(schema: &Value) -> Result<Value, &'static str> {
    let Some(old) = schema.as_object() else { return Ok(schema.clone()) };
    if old.contains_key("$ref") {
        // Draft 4 does not look at what stands beside a reference.
        return Ok(json!({ "$ref": old["$ref"] }));
    }
    let mut new = Map::new();
    for (key, value) in old {
        let (key, value) = match (key.as_str(), value) {
            ("$schema", _) | ("exclusiveMinimum" | "exclusiveMaximum", Value::Bool(_)) => continue,
            ("minimum", limit) if old.get("exclusiveMinimum") == Some(&json!(true)) => {
                ("exclusiveMinimum", limit.clone())
            }
            ("maximum", limit) if old.get("exclusiveMaximum") == Some(&json!(true)) => {
                ("exclusiveMaximum", limit.clone())
            }
            ("items", Value::Array(_)) => ("prefixItems", each(value)?),
            ("additionalItems", _) if !old.get("items").is_some_and(Value::is_array) => continue,
            ("additionalItems", _) => ("items", translated(value)?),
            ("dependencies", _) => return Err("`dependencies` is two keywords now"),
            ("properties" | "patternProperties" | "definitions", Value::Object(named)) => {
                let named =
                    named.iter().map(|(name, schema)| Ok((name.clone(), translated(schema)?)));
                (key.as_str(), Value::Object(named.collect::<Result<_, &str>>()?))
            }
            ("allOf" | "anyOf" | "oneOf", Value::Array(_)) => (key.as_str(), each(value)?),
            ("not" | "items" | "additionalProperties", _) => (key.as_str(), translated(value)?),
            _ => (key.as_str(), value.clone()),
        };
        new.insert(key.to_owned(), value);
    }
    Ok(Value::Object(new))
}

fn each(schemas: &Value) -> Result<Value, &'static str> {
    schemas.as_array().into_iter().flatten().map(translated).collect()
}
