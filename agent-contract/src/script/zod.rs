//! Zod 4 schemas: what they take is what the canonical schemas take.

use std::fmt::Write as _;

use serde_json::Value;

use super::{envelope, is_required, key, pascal, quoted};
use crate::definition::ToolDefinition;

/// Helpers where Zod counts or reads otherwise than JSON Schema: letters and not UTF-16 units, RFC 3339 to the letter.
const HEAD: &str = r#"// Written by `rover contract export --zod` from the registry; do not edit.
import { z } from "zod";

/** Text of so many letters. JSON Schema counts code points, JavaScript's `length` UTF-16 units. */
const text = (min: number, max: number) =>
  z.string().refine((value) => {
    const letters = [...value].length;
    return letters >= min && letters <= max;
  }, { error: max === Infinity ? `expected at least ${min} characters` : `expected ${min} to ${max} characters` });

const isDay = (value: string): boolean => {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(value);
  if (!parts) return false;
  const [year, month, day] = parts.slice(1).map(Number) as [number, number, number];
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1];
  return days !== undefined && day >= 1 && day <= days;
};

/** A day of RFC 3339. */
const day = () => z.string().refine(isDay, { error: "expected a date such as 2026-02-01" });

const isInstant = (value: string): boolean => {
  const parts = /^(\d{4}-\d{2}-\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/.exec(value);
  if (!parts) return false;
  const [, date, hour, minute, second, zone] = parts as unknown as [string, string, string, string, string, string];
  if (!isDay(date) || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60) return false;
  const offset = /^[Zz]$/.test(zone) ? "+00:00" : zone;
  if (Number(offset.slice(1, 3)) > 23 || Number(offset.slice(4)) > 59) return false;
  const shift = (Number(offset.slice(1, 3)) * 60 + Number(offset.slice(4))) * (offset[0] === "-" ? -1 : 1);
  const utc = Number(hour) * 60 + Number(minute) - shift;
  if (Number(second) === 60 && ((utc % 1440) + 1440) % 1440 !== 1439) return false;
  const seconds = Number(second) === 60 ? "59" : second;
  const at = Date.parse(`${date}T${hour}:${minute}:${seconds}Z`) - shift * 60_000;
  return at >= -62_167_219_200_000 && at <= 253_402_207_200_000;
};

/** An instant of RFC 3339, of the years 0 to 9999. */
const instant = () => z.string().refine(isInstant, { error: "expected an instant such as 2026-02-01T08:30:00Z" });
"#;

/// What no schema says: the envelope is generic over the tool. Unknown keys are ignored on both.
const ENVELOPE: &str = "
/** One call: who, where, and the model's arguments. */
export const agentToolRequest = <A extends z.ZodType>(args: A) =>
  z.looseObject({ identity: agentIdentity, scope: agentCallScope, args });

/** What every call ends in. A result that holds both is no success, so the error is read first. */
export const agentToolResult = <T extends z.ZodType>(data: T) =>
  z.union([z.looseObject({ error: z.string() }), z.looseObject({ data, scopeContext: z.string() })]);
";

/// The file of schemas.
pub fn zod(defs: &[&ToolDefinition]) -> String {
    let mut text = HEAD.to_owned();
    for (name, schema) in envelope() {
        let _ = write!(text, "\nexport const {} = {};\n", camel(name), of(&schema, ""));
    }
    text.push_str(ENVELOPE);
    for def in defs {
        let name = camel(&pascal(def.name));
        let _ = write!(text, "\nexport const {name}Args = {};\n", of(&(def.args_schema)(), ""));
        let _ = write!(text, "\nexport const {name}Result = {};\n", of(&(def.output_schema)(), ""));
    }
    for (table, what) in [("toolArgs", "Args"), ("toolResults", "Result")] {
        let row = |def: &&ToolDefinition| {
            format!("  {}: {}{what},\n", key(def.name), camel(&pascal(def.name)))
        };
        let rows: String = defs.iter().map(row).collect();
        let _ = write!(text, "\nexport const {table} = {{\n{rows}}} as const;\n");
    }
    text
}

/// `CreateDepartment` as `createDepartment`.
fn camel(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map(|first| first.to_ascii_lowercase()).into_iter().chain(letters).collect()
}

/// The schema, with its description.
fn of(schema: &Value, indent: &str) -> String {
    let mut text = bare(schema, indent);
    if let Some(description) = schema["description"].as_str() {
        let _ = write!(text, ".describe({})", quoted(description));
    }
    text
}

fn bare(schema: &Value, indent: &str) -> String {
    if let Some(branches) = schema["anyOf"].as_array() {
        let branches: Vec<String> = branches.iter().map(|branch| of(branch, indent)).collect();
        return format!("z.union([{}])", branches.join(", "));
    }
    if let Some(words) = schema.get("enum") {
        return format!("z.literal({words})");
    }
    match schema["type"].as_str() {
        Some("object") => object(schema, indent),
        Some("array") => array(schema, indent),
        Some("integer") => number("z.int()", schema),
        Some("number") => number("z.number()", schema),
        Some("boolean") => "z.boolean()".to_owned(),
        Some("null") => "z.null()".to_owned(),
        Some("string") => string(schema),
        _ => "z.json()".to_owned(),
    }
}

fn string(schema: &Value) -> String {
    let lengths = (schema["minLength"].as_u64(), schema["maxLength"].as_u64());
    let mut text = match (schema["format"].as_str(), lengths) {
        (Some("date"), _) => "day()".to_owned(),
        (Some("date-time"), _) => "instant()".to_owned(),
        (Some("time"), _) => "z.iso.time()".to_owned(),
        (Some("email"), _) => "z.email()".to_owned(),
        (Some("uuid"), _) => "z.guid()".to_owned(),
        (Some("ipv4"), _) => "z.ipv4()".to_owned(),
        (Some("ipv6"), _) => "z.ipv6()".to_owned(),
        (_, (None, None)) => "z.string()".to_owned(),
        (_, (min, max)) => {
            let max = max.map_or("Infinity".to_owned(), |max| max.to_string());
            format!("text({}, {max})", min.unwrap_or(0))
        }
    };
    if let Some(pattern) = schema["pattern"].as_str() {
        let _ = write!(text, ".regex(new RegExp({}, \"u\"))", quoted(pattern));
    }
    text
}

/// Bounds that JavaScript cannot hold exactly are those that `z.int()` sets anyway.
fn number(kind: &str, schema: &Value) -> String {
    const SAFE: u64 = 9_007_199_254_740_991;
    let mut text = kind.to_owned();
    for (key, method) in [
        ("minimum", "gte"),
        ("maximum", "lte"),
        ("exclusiveMinimum", "gt"),
        ("exclusiveMaximum", "lt"),
        ("multipleOf", "multipleOf"),
    ] {
        let Some(bound) = schema.get(key) else { continue };
        let beyond = bound.as_i64().is_some_and(|bound| bound.unsigned_abs() > SAFE)
            || bound.as_u64().is_some_and(|bound| bound > SAFE);
        if !beyond {
            let _ = write!(text, ".{method}({bound})");
        }
    }
    text
}

fn array(schema: &Value, indent: &str) -> String {
    let mut text = format!("z.array({})", of(&schema["items"], indent));
    for (key, method) in [("minItems", "min"), ("maxItems", "max")] {
        if let Some(count) = schema.get(key) {
            let _ = write!(text, ".{method}({count})");
        }
    }
    if schema["uniqueItems"] == true {
        text.push_str(".refine((items) => new Set(items.map((item) => JSON.stringify(item))).size === items.length)");
    }
    text
}

fn object(schema: &Value, indent: &str) -> String {
    let inner = format!("{indent}  ");
    let mut fields = String::new();
    for (name, field) in schema["properties"].as_object().into_iter().flatten() {
        let mark = if is_required(schema, name) { "" } else { ".optional()" };
        let _ = write!(fields, "\n{inner}{}: {}{mark},", key(name), of(field, &inner));
    }
    let fields =
        if fields.is_empty() { "{}".to_owned() } else { format!("{{{fields}\n{indent}}}") };
    match schema.get("additionalProperties") {
        Some(Value::Bool(false)) => format!("z.strictObject({fields})"),
        Some(values @ Value::Object(_)) => {
            format!("z.object({fields}).catchall({})", of(values, indent))
        }
        _ => format!("z.looseObject({fields})"),
    }
}
