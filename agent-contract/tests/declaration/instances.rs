//! One definition agrees with itself: whatever the schema accepts, the type reads; whatever a type writes, its schema
//! accepts. Here on types that have every kind of field; `tools/tests/agreement.rs` asks the same of every tool.

use std::collections::BTreeMap;
use std::num::{NonZeroU8, NonZeroU64};

use agent_contract::schema::{of_args, of_output, validator};
use agent_contract::{
    Date, Timestamp, ToolCx, ToolError, ToolResult, UserId, agent_tool, decode, registry,
};
use jsonschema::{Draft, Validator};
use proptest::prelude::*;
use schema_samples::{instances, neighbours, samples};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::sample::{Everything, Kind};

/// A result with every kind of field that results of tools have.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Outcome {
    size: usize,
    offset: isize,
    some: NonZeroU8,
    more: Option<NonZeroU64>,
    /// What no integer may be.
    share: f32,
    exact: Option<f64>,
    day: Option<Date>,
    at: Timestamp,
    kind: Option<Kind>,
    record: UserId,
    #[serde(skip_serializing_if = "Option::is_none")]
    absent: Option<u16>,
    counts: BTreeMap<String, i32>,
    parts: Vec<Part>,
}

/// A part that names its own form.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "is", rename_all = "camelCase")]
enum Part {
    Whole,
    Number { value: i8 },
    Text { value: String },
}

/// Get everything.
#[agent_tool(local, roles = [Rover], label = "Getting everything")]
async fn get_everything(_cx: &ToolCx<impl Send + Sync>, _args: Everything) -> ToolResult<Outcome> {
    Err(ToolError::Internal)
}

registry! {
    mod wide = [get_everything];
}

/// What any other validator makes of the schema.
fn plain(schema: &Value) -> Validator {
    let options = jsonschema::options().with_draft(Draft::Draft202012);
    options.should_validate_formats(true).build(schema).expect("it compiles")
}

/// Any JSON, for what the schema does not say.
fn junk() -> BoxedStrategy<Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        any::<i64>().prop_map(|number| json!(number)),
        any::<u64>().prop_map(|number| json!(number)),
        any::<f64>().prop_map(|number| json!(number)),
        "[0-9]{1,3}|true|\\{\\}|\\[\\]|\\PC{0,6}".prop_map(|text| json!(text)),
        Just(json!([])),
        Just(json!({})),
    ]
    .boxed()
}

proptest! {
    #[test]
    fn what_the_schema_accepts_the_type_reads(args in instances(&of_args::<Everything>())) {
        let decoded = decode::<Everything>(args.clone());
        prop_assert!(decoded.is_ok(), "{args}: {decoded:?}");
    }

    /// A neighbour is taken by both or by neither, unless a repair has made it another.
    #[test]
    fn schema_and_reader_give_one_verdict(args in neighbours(&of_args::<Everything>())) {
        let taken = validator(&of_args::<Everything>()).unwrap().is_valid(&args);
        match decode::<Everything>(args.clone()) {
            Ok(decoded) => prop_assert!(taken || !decoded.repairs.is_empty(), "{args}"),
            Err(error) => prop_assert!(!taken || error.to_string().contains("control"), "{args}: {error}"),
        }
    }

    /// Whatever stands in one place, the answer is a value or a line about that place, and never a third thing.
    #[test]
    fn damage_is_repaired_or_explained(
        mut args in instances(&of_args::<Everything>()),
        field in proptest::sample::select(vec!["name", "capacity", "small", "bigger", "share", "urgent", "day", "at", "kind", "campusId", "labels", "contact", "when"]),
        value in junk(),
    ) {
        args[field] = value;
        match decode::<Everything>(args.clone()) {
            Ok(decoded) => {
                let again = decode::<Everything>(decoded.canonical.clone()).unwrap();
                prop_assert_eq!(again.canonical, decoded.canonical);
                prop_assert_eq!(again.repairs, []);
            }
            Err(ToolError::Invalid(faults)) => {
                let place = format!("args.{field}");
                prop_assert!(!faults.is_empty());
                prop_assert!(faults.iter().all(|fault| fault.path().starts_with(&place)), "{args}: {faults:?}");
                let unreadable = "values that this tool can read";
                prop_assert!(faults.iter().all(|fault| fault.expected() != unreadable), "{args}");
            }
            Err(other) => prop_assert!(false, "{args}: {other}"),
        }
    }
}

/// Every edge of every kind of field, in arguments.
#[test]
fn every_edge_of_the_arguments() {
    let schema = of_args::<Everything>();
    let validator = validator(&schema).unwrap();
    let disagrees = |args: &Value| {
        let taken = validator.is_valid(args);
        let decoded = decode::<Everything>(args.clone());
        let control = args.to_string().contains("\\u00");
        let agrees =
            decoded.as_ref().map_or(!taken || control, |ok| taken || !ok.repairs.is_empty());
        (!agrees).then(|| format!("{args}: the schema says {taken}, the reader {decoded:?}"))
    };
    let found: Vec<String> = samples(&schema, 0).iter().filter_map(disagrees).collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// And in results: what the schema takes is read, and what is written the schema takes.
#[test]
fn every_edge_of_a_result() {
    let schema = of_output::<Outcome>();
    let validator = validator(&schema).unwrap();
    let mut taken = 0;
    for value in samples(&schema, 500) {
        let accepted = validator.is_valid(&value);
        match (wide::readers()[0].output)(value.clone()) {
            Ok(written) if accepted => {
                assert!(validator.is_valid(&written), "{value} was written as {written}");
            }
            // Beyond its range an `f32` is infinite, which JSON cannot write.
            Ok(_) => {}
            Err(error) => assert!(!accepted, "{value}: {error}"),
        }
        taken += usize::from(accepted);
    }
    assert!(taken > 500, "{taken}");
}

/// Where the contract is stricter than the standard: the hours at the ends of the calendar, and nothing else.
#[test]
fn only_the_ends_of_the_calendar_are_ours() {
    let schema = of_args::<Everything>();
    let (ours, plain) = (validator(&schema).unwrap(), plain(&schema));
    let differ = |args: &Value| ours.is_valid(args) != plain.is_valid(args);
    let mut found: Vec<Value> = samples(&schema, 300)
        .iter()
        .filter(|args| differ(args))
        .map(|args| args["at"].clone())
        .collect();
    found.dedup();
    found.truncate(6);
    let ends = ["0000-01-01T00:00:00+01:00", "9999-12-31T23:59:59Z", "9999-12-31T23:59:59-01:00"];
    assert_eq!(found[..3], ends);
    assert!(found.iter().all(|at| ends.iter().any(|end| at == end)), "{found:?}");
}
