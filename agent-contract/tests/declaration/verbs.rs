//! The verb table and the policy's vocabulary, against the design's tables.

use agent_contract::{Action, Resource};
use agent_contract::{
    AgentRole, AgentRunModeName, Effect, GRANTS, RESERVED_NAMES, Reach, StaffRole, ToolScope,
    VERBS, Verb, VerbPlace, is_granted, is_mutating_event, label_fallback, reaches,
};

#[test]
fn every_verb_of_the_design() {
    let rows = [
        ("get list search find count compare export", Effect::Read, "Read", ""),
        (
            "create add open publish send import assign enrol",
            Effect::Write,
            "Create",
            "send publish import",
        ),
        ("record mark upsert", Effect::Write, "Update", ""),
        (
            "update set rename move recompute close restore approve reject",
            Effect::Write,
            "Update",
            "",
        ),
        ("archive delete remove cancel", Effect::Write, "Delete", "archive delete remove cancel"),
        ("unassign withdraw", Effect::Write, "Update", "unassign withdraw"),
    ];
    let mut count = 0;
    for (words, effect, action, asking) in rows {
        for word in words.split(' ') {
            let verb = Verb::named(word).unwrap_or_else(|| panic!("{word} is missing"));
            assert_eq!(verb.effect, effect, "{word}");
            assert_eq!(verb.actions.first(), Some(&action), "{word}");
            assert_eq!(verb.asks_first, asking.split(' ').any(|asks| asks == word), "{word}");
            count += 1;
        }
    }
    assert_eq!(count, VERBS.iter().filter(|verb| verb.place == VerbPlace::Tools).count());
    let local: Vec<&str> =
        VERBS.iter().filter(|verb| verb.place == VerbPlace::Local).map(|verb| verb.word).collect();
    assert_eq!(local, ["ask", "load", "save"]);
}

#[test]
fn fallback_labels_read_well() {
    insta::assert_snapshot!(
        VERBS
            .iter()
            .map(|verb| label_fallback(&format!("{}_class_group", verb.word)))
            .collect::<Vec<_>>()
            .join("\n")
    );
    assert_eq!(label_fallback("frobnicate_class"), "Using frobnicate class");
    assert_eq!(label_fallback("task"), "Using task");
}

#[test]
fn events_of_unknown_verbs_are_taken_to_mutate() {
    for (event, mutates) in [
        ("list.departments", false),
        ("create.department", true),
        ("fetch.departments", false),
        ("frobnicate.department", true),
        ("", true),
    ] {
        assert_eq!(is_mutating_event(&[], event), mutates, "{event}");
    }
}

#[test]
fn facts_are_types() {
    assert_eq!(
        GRANTS.len(),
        agent_contract::FACTS.lines().filter(|line| line.starts_with("grant(")).count()
    );
    assert!(is_granted(Action::Create, Resource::Department));
    assert!(!is_granted(Action::Delete, Resource::Campus));
    let reach: Vec<Reach> = reaches(StaffRole::Teacher, Action::Read, Resource::Student).collect();
    assert_eq!(reach, [Reach::Teaching]);
    assert_eq!(StaffRole::parse("head_teacher"), Some(StaffRole::HeadTeacher));
    assert_eq!(StaffRole::HeadTeacher.as_str(), "head_teacher");
}

#[test]
fn roles_and_scopes() {
    assert_eq!(AgentRole::ALL.len(), AgentRole::NAMES.len());
    for (role, name) in AgentRole::ALL.iter().zip(AgentRole::NAMES) {
        assert_eq!(format!("{role:?}"), *name);
        assert_eq!(AgentRole::parse(role.wire_id()), Some(*role));
        assert_eq!(serde_json::to_value(role).unwrap(), role.wire_id());
    }
    let offered = |scope: ToolScope| {
        [AgentRunModeName::School, AgentRunModeName::Campus].map(|mode| scope.admits(mode))
    };
    assert_eq!(offered(ToolScope::General), [true, true]);
    assert_eq!(offered(ToolScope::School), [true, false]);
    assert_eq!(offered(ToolScope::Campus), [false, true]);
    assert!(RESERVED_NAMES.contains(&"task"));
}
