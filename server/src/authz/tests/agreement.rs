//! The engine, the ability and the snapshot give one answer, whoever asks about whatever record.
//!
//! The callers and records are random, over the whole vocabulary; `ROVER_POLICY_CASES` asks for more of them.

use std::sync::Arc;

use agent_contract::Action;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};

use super::{callers, records};
use crate::authz::ability::subject;
use crate::authz::{Ability, Authority, Condition, Policy, Rights, Rules, Verdict};

/// How many are tried unless more are asked for.
const CASES: u32 = 20_000;

fn runner() -> (TestRunner, u32) {
    let asked = std::env::var("ROVER_POLICY_CASES").ok();
    let cases = asked.map_or(CASES, |asked| asked.parse().expect("a number of cases"));
    (
        TestRunner::new(ProptestConfig {
            failure_persistence: None,
            ..ProptestConfig::with_cases(cases)
        }),
        cases,
    )
}

#[test]
fn ability_engine_and_snapshot_agree() {
    let policy = Arc::new(Policy::load().unwrap());
    let (mut runner, cases) = runner();
    let allowed = std::cell::Cell::new(0_u32);
    runner
        .run(&(callers(), records(), select(Action::ALL)), |(caller, record, action)| {
            let rights = Rights::new(Arc::clone(&policy), caller);
            let engine = rights.decide(action, &record) == Verdict::Allow;
            allowed.set(allowed.get() + u32::from(engine));
            let ability = rights.ability();
            prop_assert_eq!(ability.allows(action, &record), engine);
            let at_home = record.school_id == ability.caller().school();
            let rules = told(ability);
            let (word, kind) = (action.as_str(), Some(record.resource.as_str()));
            let offered = rules.deciding(word, kind, Some(&subject(&record))).is_some();
            prop_assert_eq!(at_home && offered, engine);
            if engine {
                // The gate may let through what the frame then denies, and never the other way round.
                prop_assert!(rights.demand(action, record.resource).is_ok());
                prop_assert!(ability.can(action, record.resource));
                prop_assert!(rights.condition(action, record.resource) != Condition::Nothing);
            }
            Ok(())
        })
        .unwrap();
    assert!(allowed.get() > cases / 100, "nearly nothing is allowed, which proves nothing");
    assert!(allowed.get() < cases / 2, "nearly everything is allowed, which proves nothing");
}

/// The snapshot, read again as a peer with CASL reads it.
fn told(ability: &Ability) -> Rules {
    let raw = ability.flatten().into_iter().map(|rule| {
        let mut raw = json!({ "action": rule.action, "subject": rule.resource });
        if let Some(condition) = rule.condition {
            raw["conditions"] = Value::Object(condition);
        }
        raw
    });
    Rules::read(&raw.collect::<Vec<_>>()).unwrap()
}
