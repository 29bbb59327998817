//! Every edge of a schema, one at a time: each place takes each of its edge values while the rest is as plain as can be.

use serde_json::{Value, json};

use crate::formats;
use crate::simple::{full, is_required, least, length};

/// The edge values of a schema, at every depth.
pub fn edges(schema: &Value) -> Vec<Value> {
    let mut edges = vec![least(schema), full(schema)];
    if let Some(branches) = schema["anyOf"].as_array() {
        edges.extend(branches.iter().flat_map(self::edges));
        edges.extend(two_in_one(branches));
        return edges;
    }
    for word in schema["enum"].as_array().into_iter().flatten() {
        edges.extend(near_word(word));
    }
    match schema["type"].as_str() {
        Some("object") => edges.extend(object(schema)),
        Some("array") => edges.extend(array(schema)),
        Some("integer") => edges.extend(integers(schema)),
        Some("number") => edges.extend(numbers(schema)),
        Some("string") => edges.extend(texts(schema)),
        _ => {}
    }
    edges.extend(strangers());
    edges
}

/// One value of each kind that JSON has, and of the kinds that damaged calls hold instead.
fn strangers() -> Vec<Value> {
    vec![
        Value::Null,
        json!(true),
        json!(false),
        json!(0),
        json!(1),
        json!(0.5),
        json!(""),
        json!("true"),
        json!("40"),
        json!("null"),
        json!("unknown"),
        json!([]),
        json!({}),
        json!("{}"),
        json!("[]"),
        json!({ "value": 1 }),
    ]
}

/// A value that claims to be of two forms at once.
fn two_in_one(branches: &[Value]) -> Option<Value> {
    let [first, .., last] = branches else { return None };
    let (Value::Object(mut both), Value::Object(other)) = (full(first), full(last)) else {
        return None;
    };
    both.extend(other);
    Some(Value::Object(both))
}

fn near_word(word: &Value) -> Vec<Value> {
    let Some(text) = word.as_str() else { return vec![word.clone()] };
    let spaced = format!(" {text}");
    [
        text,
        &text.to_uppercase(),
        &spaced,
        &text.replace('_', " "),
        &text.replace('_', "-"),
        &format!("{text}s"),
    ]
    .map(|text| json!(text))
    .to_vec()
}

fn object(schema: &Value) -> Vec<Value> {
    let (most, few) = (full(schema), least(schema));
    let mut edges = Vec::new();
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        for edge in self::edges(property) {
            edges.push(with(&most, name, edge.clone()));
            if !is_required(schema, name) {
                edges.push(with(&few, name, edge));
            }
        }
        edges.push(without(&most, name));
        edges.push(with(&without(&most, name), &name.to_uppercase(), most[name].clone()));
    }
    edges.push(with(&most, "unknown", json!(1)));
    edges.push(with(&most, "", Value::Null));
    // Serde would read a struct from a list, and a text is what a call that was quoted twice holds.
    edges.push(most.as_object().into_iter().flatten().map(|(_, value)| value.clone()).collect());
    edges.push(json!(most.to_string()));
    edges.push(json!({ "args": most }));
    edges
}

fn array(schema: &Value) -> Vec<Value> {
    let items = &schema["items"];
    let plain = full(items);
    let mut edges: Vec<Value> = self::edges(items).into_iter().map(|edge| json!([edge])).collect();
    edges.push(json!([plain, plain]));
    for key in ["minItems", "maxItems"] {
        for count in around(length(schema, key)) {
            edges.push((0..count).map(|_| plain.clone()).collect());
        }
    }
    edges.push(plain.clone());
    edges.push(json!(json!([plain]).to_string()));
    edges.push(json!("red, green"));
    edges
}

fn around(length: Option<usize>) -> impl Iterator<Item = usize> {
    let length = length.filter(|length| *length <= 2_000);
    length.into_iter().flat_map(|length| [length.saturating_sub(1), length, length + 1])
}

fn integers(schema: &Value) -> Vec<Value> {
    let mut edges = vec![
        json!(-1),
        json!(2),
        json!(3.0),
        json!(1e2),
        json!(-0.0),
        json!(1.5),
        json!(1e19),
        json!(1.844_674_407_370_955_2e19),
        json!(9_223_372_036_854_775_808.0),
        json!(-9_223_372_036_854_775_808.0),
        json!(9_007_199_254_740_993_i64),
        json!(i64::MIN),
        json!(i64::MAX),
        json!(u64::MAX),
        json!("3.0"),
        json!("007"),
        json!("1e2"),
        json!("+1"),
    ];
    for bits in [8, 16, 32] {
        edges.extend(
            [(1_i64 << bits) - 1, 1 << bits, (1 << (bits - 1)) - 1, 1 << (bits - 1)]
                .map(Value::from),
        );
        edges.extend([-(1_i64 << (bits - 1)), -(1_i64 << (bits - 1)) - 1].map(Value::from));
    }
    for key in ["minimum", "maximum"] {
        let bound = &schema[key];
        if let Some(bound) = bound.as_i64() {
            edges
                .extend([bound.saturating_sub(1), bound, bound.saturating_add(1)].map(Value::from));
        }
        if let Some(bound) = bound.as_f64() {
            edges.extend(
                [bound.next_down(), bound, bound.next_up(), bound - 1.0, bound + 1.0]
                    .map(Value::from),
            );
        }
    }
    edges
}

fn numbers(schema: &Value) -> Vec<Value> {
    let mut edges = vec![
        json!(-0.0),
        json!(-1),
        json!(1e2),
        json!(f64::MAX),
        json!(f64::MIN),
        json!(f64::MIN_POSITIVE),
        json!(5e-324),
        json!(3.5e38),
        json!(u64::MAX),
        json!(i64::MIN),
        json!("0.5"),
        json!("1e400"),
        json!("NaN"),
        json!("Infinity"),
    ];
    for key in ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"] {
        if let Some(bound) = schema[key].as_f64() {
            edges.extend([bound.next_down(), bound, bound.next_up()].map(Value::from));
        }
    }
    edges
}

fn texts(schema: &Value) -> Vec<Value> {
    if let Some(format) = schema["format"].as_str() {
        return formats::around(format).iter().map(|text| json!(text)).collect();
    }
    let mut edges: Vec<Value> = [
        "é",
        "e\u{301}",
        "😀",
        "👩‍👩‍👧",
        "\u{2028}",
        "\u{feff}",
        "two\nlines",
        "\u{fffd}",
        "]}\",{",
        "\\d",
        "１",
    ]
    .map(|text| json!(text))
    .to_vec();
    // What fits in letters and not in bytes, or in UTF-16 units.
    for letter in ["a", "é", "😀"] {
        for key in ["minLength", "maxLength"] {
            edges.extend(around(length(schema, key)).map(|count| json!(letter.repeat(count))));
        }
    }
    edges.extend(["\u{0}", "bell\u{7}"].map(|text| json!(text)));
    edges
}

fn with(object: &Value, name: &str, value: Value) -> Value {
    let mut object = object.as_object().cloned().unwrap_or_default();
    object.insert(name.to_owned(), value);
    Value::Object(object)
}

fn without(object: &Value, name: &str) -> Value {
    let mut object = object.as_object().cloned().unwrap_or_default();
    object.shift_remove(name);
    Value::Object(object)
}
