//! Every tool in every form of a provider: it is taken, and a strict model's null is read as leaving out.

use agent_contract::{Form, ToolText};
use schema_samples::least;
use serde_json::Value;
use tools::agent_tools::{DEFS, readers};

#[test]
fn every_provider_takes_every_tool() {
    let schemas: Vec<Value> = DEFS.iter().map(|def| (def.args_schema)()).collect();
    let tools: Vec<ToolText<'_>> = DEFS
        .iter()
        .zip(&schemas)
        .map(|(def, schema)| ToolText { name: def.name, description: def.description, schema })
        .collect();
    for form in Form::ALL {
        let declared = form.declare(&tools).expect("so many tools are taken");
        assert_eq!(declared.refused, [], "{form:?}");
        assert_eq!(declared.tools.len(), DEFS.len());
    }
}

#[test]
fn a_null_for_what_may_be_left_out_is_leaving_it_out() {
    for reader in readers() {
        let def = reader.def;
        let schema = (def.args_schema)();
        let plain = least(&schema);
        let mut nulled = plain.clone();
        for field in def.fields.iter().filter(|field| !field.required) {
            nulled[field.wire] = Value::Null;
        }
        assert_eq!(Form::OpenAiStrict.take_back(nulled.clone(), &schema), plain, "{}", def.name);
        let (plain, nulled) = ((reader.args)(plain), (reader.args)(nulled));
        let (plain, nulled) =
            (plain.expect("the least is enough"), nulled.expect("nulls are read"));
        assert_eq!(nulled.canonical, plain.canonical, "{}", def.name);
    }
}
