//! Bounds in words. What a provider's dialect has no key for is moved into the description, where the model still
//! reads it; the server holds every call to it in any case.

use serde_json::{Map, Value, json};

/// Takes these keys out of the node and says at the end of its description what they meant.
pub(super) fn into_words(node: &mut Map<String, Value>, keys: &[&str]) {
    let words: Vec<String> =
        keys.iter().filter_map(|key| worded(key, &node.shift_remove(*key)?)).collect();
    if words.is_empty() {
        return;
    }
    let limits = format!("Limits: {}.", words.join(", "));
    let said = node.get("description").and_then(Value::as_str);
    let said = said.map_or_else(|| limits.clone(), |said| format!("{said} {limits}"));
    node.insert("description".to_owned(), json!(said));
}

fn worded(key: &str, value: &Value) -> Option<String> {
    Some(match key {
        "pattern" => format!("matches the regular expression {}", value.as_str()?),
        "minLength" if value == 1 => "not empty".to_owned(),
        "minLength" => format!("at least {} long", counted(value, "character")),
        "maxLength" => format!("at most {} long", counted(value, "character")),
        "minimum" => format!("at least {value}"),
        "maximum" => format!("at most {value}"),
        "exclusiveMinimum" => format!("more than {value}"),
        "exclusiveMaximum" => format!("less than {value}"),
        "multipleOf" => format!("a multiple of {value}"),
        "minItems" => format!("at least {}", counted(value, "item")),
        "maxItems" => format!("at most {}", counted(value, "item")),
        "uniqueItems" => (value == true).then(|| "no item twice".to_owned())?,
        "enum" => {
            let words: Vec<String> = value.as_array()?.iter().map(Value::to_string).collect();
            format!("one of {}", words.join(", "))
        }
        "format" => match value.as_str()? {
            "email" => "an e-mail address".to_owned(),
            "uuid" => "a UUID".to_owned(),
            "ipv4" => "an IPv4 address".to_owned(),
            "ipv6" => "an IPv6 address".to_owned(),
            time => format!("an RFC 3339 {time}"),
        },
        _ => return None,
    })
}

fn counted(value: &Value, thing: &str) -> String {
    if value == 1 { format!("1 {thing}") } else { format!("{value} {thing}s") }
}
