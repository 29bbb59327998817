//! One text for one JSON value, and its hash.
//!
//! Two sides compare arguments and contracts by hash, so the text must not depend on the order in
//! which a peer wrote its keys. Numbers are taken as written: `1` and `1.0` differ.

use std::fmt::Write as _;

use serde_json::Value;
use sha2::{Digest, Sha256};

/// The value as JSON without spaces and with the keys of every object in byte order.
pub fn canonical_json(value: &Value) -> String {
    let mut text = String::new();
    write(value, &mut text);
    text
}

/// SHA-256 of [`canonical_json`], in lower-case hexadecimal.
pub fn canonical_hash(value: &Value) -> String {
    sha256_hex(canonical_json(value))
}

/// SHA-256 of bytes, in lower-case hexadecimal.
pub fn sha256_hex(bytes: impl AsRef<[u8]>) -> String {
    hex::encode(Sha256::digest(bytes))
}

fn write(value: &Value, text: &mut String) {
    match value {
        Value::Object(map) => {
            let mut entries: Vec<_> = map.iter().collect();
            entries.sort_unstable_by_key(|(key, _)| *key);
            text.push('{');
            for (position, (key, value)) in entries.into_iter().enumerate() {
                if position > 0 {
                    text.push(',');
                }
                scalar(&Value::from(key.as_str()), text);
                text.push(':');
                write(value, text);
            }
            text.push('}');
        }
        Value::Array(items) => {
            text.push('[');
            for (position, item) in items.iter().enumerate() {
                if position > 0 {
                    text.push(',');
                }
                write(item, text);
            }
            text.push(']');
        }
        scalar_value => scalar(scalar_value, text),
    }
}

/// Writing to a string cannot fail, so the result of `write!` carries nothing.
fn scalar(value: &Value, text: &mut String) {
    let _ = write!(text, "{value}");
}
