//! What does not fit, one line for each place: where, what was expected, what came. The model reads these lines and
//! tries again, so each says enough to do it right.

use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::{ValidationError, Validator};
use serde_json::{Map, Value};

use crate::error::ArgumentFault;
use crate::plain::{clean, first_control};
use crate::repair::is_tagged;

/// More lines than this do not help.
const LIMIT: usize = 8;

/// The faults of a value that the validator refuses.
pub(super) fn faults(validator: &Validator, schema: &Value, value: &Value) -> Vec<ArgumentFault> {
    if let Some(fault) = wrapped(schema, value) {
        return vec![fault];
    }
    let mut faults = Vec::new();
    for error in validator.iter_errors(value) {
        explain(&error, "args", error.instance_path().as_str(), schema, &mut faults);
    }
    if let Some((fault, strays)) = unwrapped(schema, value) {
        let follows = |path: &str| {
            path == fault.path() || strays.iter().any(|stray| path == format!("args.{stray}"))
        };
        faults.retain(|other| !follows(other.path()));
        faults.insert(0, fault);
    }
    faults.truncate(LIMIT);
    faults
}

/// The fault of a text, or of a field's name, that holds a control character.
pub(super) fn control(value: &Value) -> Option<ArgumentFault> {
    let (at, text) = first_control("args", value)?;
    Some(ArgumentFault::new(
        clean(&at),
        "text without control characters",
        shown(&Value::from(text)),
    ))
}

/// Arguments inside one more object would otherwise be a line for every missing field.
fn wrapped(schema: &Value, value: &Value) -> Option<ArgumentFault> {
    let object = value.as_object()?;
    let (name, inner) = object.iter().next().filter(|_| object.len() == 1)?;
    let known = schema["properties"].get(name).is_some();
    let wraps = ["args", "arguments", "input", "parameters"].contains(&name.as_str());
    let holds =
        inner.is_object() || inner.as_str().is_some_and(|text| text.trim_start().starts_with('{'));
    (!known && wraps && holds).then(|| {
        ArgumentFault::new(
            "args",
            "the arguments themselves",
            format!("them wrapped in \"{name}\"; leave that level out"),
        )
    })
}

/// The fields of an inner object, given beside the outer ones instead of inside: one line for them, and their names.
fn unwrapped<'a>(schema: &Value, value: &'a Value) -> Option<(ArgumentFault, Vec<&'a str>)> {
    let properties = schema["properties"].as_object()?;
    let fields = value.as_object()?.keys().map(String::as_str);
    let strays: Vec<&str> = fields.filter(|name| !properties.contains_key(*name)).collect();
    let holds_them = |inner: &Value| {
        let known = inner["properties"].as_object();
        known.is_some_and(|known| strays.iter().all(|stray| known.contains_key(*stray)))
    };
    let mut homes =
        properties.iter().filter(|(name, inner)| value.get(name).is_none() && holds_them(inner));
    let (name, _) = homes.next().filter(|_| !strays.is_empty() && homes.next().is_none())?;
    let expected = format!("an object that holds {}", strays.join(", "));
    let got = "them one level up; put them into that object";
    Some((ArgumentFault::new(format!("args.{name}"), expected, got), strays))
}

/// The lines of one error; `pointer` leads from `root`, which `schema` describes, to the faulty value.
fn explain(
    error: &ValidationError<'_>,
    root: &str,
    pointer: &str,
    schema: &Value,
    faults: &mut Vec<ArgumentFault>,
) {
    let at = path(root, pointer);
    let here = node(schema, pointer);
    let properties = here.and_then(|node| node["properties"].as_object());
    match error.kind() {
        ValidationErrorKind::Required { property } => {
            let name = property.as_str().unwrap_or_default();
            let field = properties.and_then(|properties| properties.get(name));
            let wanted = field.map_or_else(|| "a value".to_owned(), wanted);
            faults.push(ArgumentFault::new(format!("{at}.{name}"), wanted, "nothing"));
        }
        ValidationErrorKind::AdditionalProperties { unexpected } => {
            faults.extend(unexpected.iter().take(LIMIT).map(|name| {
                let known = no_such_field(name, properties);
                ArgumentFault::new(format!("{at}.{}", clean(name)), known, "an unknown field")
            }));
        }
        ValidationErrorKind::AnyOf { context } => any_of(error, context, &at, here, faults),
        kind => faults.push(ArgumentFault::new(at, expected(kind, here), shown(error.instance()))),
    }
}

/// A value that names its own form is judged by that form.
fn any_of(
    error: &ValidationError<'_>,
    context: &[Vec<ValidationError<'static>>],
    at: &str,
    here: Option<&Value>,
    faults: &mut Vec<ArgumentFault>,
) {
    let forms = here.and_then(|node| node["anyOf"].as_array()).map_or(&[][..], Vec::as_slice);
    let meant = forms.iter().zip(context).find(|(form, _)| is_tagged(error.instance(), form));
    let Some((form, errors)) = meant else {
        let forms: Vec<String> = forms.iter().map(wanted).collect();
        faults.push(ArgumentFault::new(at, forms.join(" or "), shown(error.instance())));
        return;
    };
    // The errors inside carry paths from the root of the arguments.
    let outside = error.instance_path().as_str();
    for error in errors {
        let inside = error.instance_path().as_str().strip_prefix(outside).unwrap_or_default();
        explain(error, at, inside, form, faults);
    }
}

/// `/names/2` as `args.names[2]`.
fn path(root: &str, pointer: &str) -> String {
    let mut path = root.to_owned();
    for part in pointer.split('/').skip(1) {
        if part.parse::<usize>().is_ok() {
            path.extend(["[", part, "]"]);
        } else {
            path.push('.');
            path.push_str(&part.replace("~1", "/").replace("~0", "~"));
        }
    }
    path
}

/// The schema of the value at this place.
fn node<'a>(schema: &'a Value, pointer: &str) -> Option<&'a Value> {
    let mut node = schema;
    for part in pointer.split('/').skip(1) {
        node = match node.get("items") {
            Some(items) => items,
            None => node.get("properties")?.get(part.replace("~1", "/").replace("~0", "~"))?,
        };
    }
    Some(node)
}

fn expected(kind: &ValidationErrorKind, node: Option<&Value>) -> String {
    match kind {
        ValidationErrorKind::Type { kind: TypeKind::Single(name) } => {
            node.map_or_else(|| name.to_string(), wanted)
        }
        ValidationErrorKind::Enum { options } => one_of(options),
        ValidationErrorKind::Format { format } => form(format),
        ValidationErrorKind::MinLength { limit: 1 } => "text that is not empty".to_owned(),
        ValidationErrorKind::MinLength { limit } => format!("at least {limit} characters"),
        ValidationErrorKind::MaxLength { limit } => format!("at most {limit} characters"),
        ValidationErrorKind::MinItems { limit } => format!("at least {limit} items"),
        ValidationErrorKind::MaxItems { limit } => format!("at most {limit} items"),
        ValidationErrorKind::UniqueItems => "items that differ from one another".to_owned(),
        ValidationErrorKind::Minimum { limit } => format!("at least {limit}"),
        ValidationErrorKind::Maximum { limit } => format!("at most {limit}"),
        ValidationErrorKind::ExclusiveMinimum { limit } => format!("more than {limit}"),
        ValidationErrorKind::ExclusiveMaximum { limit } => format!("less than {limit}"),
        ValidationErrorKind::MultipleOf { multiple_of } => format!("a multiple of {multiple_of}"),
        ValidationErrorKind::Pattern { pattern } => format!("text of the form {pattern}"),
        _ => node.map_or_else(|| "another value".to_owned(), wanted),
    }
}

/// What a schema asks for, in a few words.
fn wanted(node: &Value) -> String {
    if let Some((name, tag)) = tag(node) {
        return format!("an object with {name} {tag}");
    }
    if let Some(words) = node.get("enum") {
        return one_of(words);
    }
    if let Some(format) = node.get("format").and_then(Value::as_str) {
        return form(format);
    }
    node.get("type").and_then(Value::as_str).unwrap_or("another value").to_owned()
}

/// The field by which a form of several names itself, and its word.
fn tag(node: &Value) -> Option<(&String, &Value)> {
    node.get("properties")?.as_object()?.iter().find_map(|(name, field)| {
        let [word] = &field.get("enum")?.as_array()?[..] else { return None };
        Some((name, word))
    })
}

fn one_of(words: &Value) -> String {
    let words: Vec<String> = words.as_array().into_iter().flatten().map(Value::to_string).collect();
    match &words[..] {
        [only] => only.clone(),
        _ => format!("one of {}", words.join(", ")),
    }
}

fn form(format: &str) -> String {
    match format {
        "date" => "a date such as 2026-02-01".to_owned(),
        "date-time" => "an instant such as 2026-02-01T08:30:00Z".to_owned(),
        other => format!("text in {other} form"),
    }
}

fn no_such_field(name: &str, known: Option<&Map<String, Value>>) -> String {
    let known: Vec<&str> = known.into_iter().flatten().map(|(name, _)| name.as_str()).collect();
    if known.is_empty() {
        return "no fields".to_owned();
    }
    let nearest = known
        .iter()
        .map(|candidate| (strsim::levenshtein(&fold(name), &fold(candidate)), *candidate))
        .min()
        .filter(|(distance, candidate)| *distance <= candidate.len() / 2);
    match nearest {
        Some((_, nearest)) => {
            format!("one of the fields {} (nearest: {nearest})", known.join(", "))
        }
        None => format!("one of the fields {}", known.join(", ")),
    }
}

fn fold(name: &str) -> String {
    name.chars().filter(|letter| *letter != '_').map(|letter| letter.to_ascii_lowercase()).collect()
}

/// The value with its type, cut to a readable length.
fn shown(value: &Value) -> String {
    let name = match value {
        Value::Null => return "null".to_owned(),
        Value::Bool(value) => return value.to_string(),
        Value::Array(items) => return format!("an array of {}", items.len()),
        Value::Object(_) => return "an object".to_owned(),
        Value::Number(_) => "number",
        Value::String(_) => "string",
    };
    format!("{name} {}", clean(&value.to_string()))
}
