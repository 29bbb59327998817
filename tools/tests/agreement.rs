//! Every definition of the registry agrees with itself: what its schema takes, its types read; what its types write,
//! its schema takes. Nothing here names a tool, so a new one is held to it without a line.
//!
//! The samples are made from the schema alone, and `jsonschema` says which of them it takes. Both tests print how many
//! were tried: `cargo nextest run -p tools --no-capture -E 'test(agreement)'`.

use agent_contract::schema::validator;
use agent_contract::{Reader, RepairKind, ToolDefinition, ToolError};
use jsonschema::Validator;
use schema_samples::samples;
use serde_json::Value;
use tools::agent_tools::{DEFS, readers};

/// Random instances, and as many random neighbours, beside the edges of each schema.
const RANDOM: usize = 100;

#[test]
fn what_the_schema_of_the_arguments_takes_the_tool_reads() {
    let mut tally = Tally::default();
    for reader in readers() {
        let def = reader.def;
        let schema = (def.args_schema)();
        let validator = validator(&schema).expect("it compiles");
        for sample in samples(&schema, RANDOM) {
            let taken = validator.is_valid(&sample);
            tally.count(taken, args_fault(&reader, &validator, taken, &sample), def, &sample);
        }
    }
    tally.tell("arguments");
}

#[test]
fn what_the_schema_of_the_result_takes_the_tool_reads_and_writes() {
    let mut tally = Tally::default();
    for reader in readers() {
        let def = reader.def;
        let schema = (def.output_schema)();
        let validator = validator(&schema).expect("it compiles");
        for sample in samples(&schema, RANDOM) {
            let taken = validator.is_valid(&sample);
            tally.count(taken, output_fault(&reader, &validator, taken, &sample), def, &sample);
        }
    }
    tally.tell("results");
}

/// How schema and reader disagree about these arguments, if they do.
fn args_fault(
    reader: &Reader,
    validator: &Validator,
    taken: bool,
    sample: &Value,
) -> Option<String> {
    match (reader.args)(sample.clone()) {
        Ok(decoded) => {
            let again = (reader.args)(decoded.canonical.clone());
            let only_points =
                decoded.repairs.iter().all(|repair| repair.kind == RepairKind::WholeFloat);
            match again {
                _ if !validator.is_valid(&decoded.canonical) => {
                    Some("read as what the schema refuses".into())
                }
                _ if taken && !only_points => {
                    Some(format!("whole, and repaired: {:?}", decoded.repairs))
                }
                _ if !taken && decoded.repairs.is_empty() => {
                    Some("refused by the schema and read".into())
                }
                Ok(again) if again.canonical == decoded.canonical && again.repairs.is_empty() => {
                    None
                }
                other => Some(format!("read otherwise the second time: {other:?}")),
            }
        }
        // The one rule that stands above every schema.
        Err(ToolError::Invalid(_)) if holds_control(sample) => None,
        Err(ToolError::Invalid(faults)) => {
            let told = ToolError::Invalid(faults.clone()).to_string();
            match faults.len() {
                1..=8 if !taken && !told.contains("cannot read") => None,
                _ => Some(format!("refused: {told}")),
            }
        }
        Err(other) => Some(format!("refused: {other}")),
    }
}

/// How schema and type disagree about this result, if they do.
fn output_fault(
    reader: &Reader,
    validator: &Validator,
    taken: bool,
    sample: &Value,
) -> Option<String> {
    match (reader.output)(sample.clone()) {
        Ok(written) if !validator.is_valid(&written) => {
            Some(format!("written as what the schema refuses: {written}"))
        }
        Ok(written) => match (reader.output)(written.clone()) {
            Ok(again) if again == written => None,
            other => Some(format!("read otherwise the second time: {other:?}")),
        },
        Err(error) if taken => Some(format!("not read: {error}")),
        Err(_) => None,
    }
}

fn holds_control(value: &Value) -> bool {
    match value {
        Value::String(text) => {
            text.chars().any(|letter| letter.is_control() && !matches!(letter, '\n' | '\r' | '\t'))
        }
        Value::Array(items) => items.iter().any(holds_control),
        Value::Object(fields) => fields.values().any(holds_control),
        _ => false,
    }
}

/// The figure.
#[derive(Default)]
struct Tally {
    taken: usize,
    refused: usize,
    mismatches: Vec<String>,
}

impl Tally {
    fn count(&mut self, taken: bool, fault: Option<String>, def: &ToolDefinition, sample: &Value) {
        *if taken { &mut self.taken } else { &mut self.refused } += 1;
        self.mismatches.extend(fault.map(|fault| format!("{}: {sample}: {fault}", def.name)));
    }

    fn tell(&self, what: &str) {
        let Self { taken, refused, mismatches } = self;
        eprintln!(
            "{what} of {} tools: {} samples, {taken} taken and {refused} refused by the schema, {} mismatches",
            DEFS.len(),
            taken + refused,
            mismatches.len(),
        );
        let shown = mismatches.iter().take(20).map(String::as_str).collect::<Vec<_>>().join("\n");
        assert!(mismatches.is_empty(), "{} mismatches, among them\n{shown}", mismatches.len());
        // A sampler that misses everything would prove nothing.
        assert!(*taken > 50 * DEFS.len() && *refused > 20 * DEFS.len(), "{taken} {refused}");
    }
}
