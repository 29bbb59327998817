//! The small grammars: sentences, facts, verbs, wire names, and how faults are collected.

use proc_macro2::Span;
use quote::quote;
use syn::LitStr;

use crate::case::Rule;
use crate::fault::Faults;
use crate::policy;
use crate::say::{self, Grammar};
use crate::verb::{self, Place};
use crate::{args, expand};

#[test]
fn templates_expand() {
    let rows: [(&str, &[&str]); 6] = [
        ("List  Departments", &["list departments"]),
        (
            "list [all] [the] departments",
            &[
                "list all departments",
                "list all the departments",
                "list departments",
                "list the departments",
            ],
        ),
        ("(add|open) a {kind}", &["add a {kind}", "open a {kind}"]),
        ("show [me|us] it", &["show it", "show me it", "show us it"]),
        ("call [the [new]] one", &["call one", "call the new one", "call the one"]),
        ("what's up", &["what's up"]),
    ];
    for (template, variants) in rows {
        let (_, texts) =
            say::expand(template).unwrap_or_else(|fault| panic!("{template}: {fault:?}"));
        assert_eq!(texts.iter().collect::<Vec<_>>(), variants, "{template}");
    }
}

#[test]
fn faulty_templates_are_refused() {
    let rows = [
        ("list [the", Grammar::Unclosed('[')),
        ("list (a|b", Grammar::Unclosed('(')),
        ("list {name", Grammar::Unclosed('{')),
        ("list the]", Grammar::Unopened(']')),
        ("a|b", Grammar::Unopened('|')),
        ("list }", Grammar::Unopened('}')),
        ("list {}", Grammar::Slot(String::new())),
        ("list {the name}", Grammar::Slot("the name".to_owned())),
        ("list {a}{b}", Grammar::Touching),
        ("[list]", Grammar::Empty),
        ("", Grammar::Empty),
        ("[a|b] [a|b] [a|b] [a|b] x", Grammar::TooMany),
    ];
    for (template, fault) in rows {
        assert_eq!(say::expand(template).unwrap_err(), fault, "{template}");
    }
}

#[test]
fn slots_are_blanked_for_comparison() {
    let mut faults = Faults::default();
    let literals = ["create {name}", "create {title}", "create {title} now"]
        .map(|text| LitStr::new(text, Span::call_site()));
    let sentences = say::sentences(&literals, &mut faults);
    assert!(faults.into_tokens().is_empty());
    let hashes: Vec<u64> = sentences.iter().map(|sentence| sentence.variants[0].hash).collect();
    assert_eq!(hashes[0], hashes[1]);
    assert_ne!(hashes[0], hashes[2]);
    assert_eq!(hashes[0], say::fnv("create {}"));
}

#[test]
fn facts_are_strict() {
    let fact = policy::fact("grant(\"head_teacher\", \"department:create\", \"school\");").unwrap();
    assert_eq!(
        [fact.role, fact.resource, fact.action, fact.reach],
        ["head_teacher", "department", "create", "school"]
    );
    for line in [
        "grant(\"a\", \"b:c\", \"d\")",
        "grant(\"a\", \"b\", \"d\");",
        "grant(\"a\", \"b:c\");",
        "grant(a, \"b:c\", \"d\");",
        "grant(\"A\", \"b:c\", \"d\");",
        "grant(\"a\", \"b:c\", \"d\") if true;",
        "grant(\"a\", \"b:c\", \"d\", \"e\");",
        "allow(\"a\", \"b:c\", \"d\");",
    ] {
        assert_eq!(policy::fact(line), None, "{line}");
    }
}

#[test]
fn a_faulty_fact_names_its_line() {
    let text = "\ngrant(\"a\", \"b:c\", \"d\");\ngrant(\"a\", \"b:c\", \"d\");\nrule(x);\n";
    let tokens = policy::vocabulary("grants.polar", text, Span::call_site()).to_string();
    assert!(tokens.contains("grants.polar:3: this fact is given twice"), "{tokens}");
    assert!(tokens.contains("grants.polar:4: expected one fact a line"), "{tokens}");
}

#[test]
fn a_misspelt_verb_finds_its_neighbour() {
    assert_eq!(verb::nearest("creat", Place::Tools), Some("create"));
    assert_eq!(verb::nearest("lst", Place::Tools), Some("list"));
    assert_eq!(verb::nearest("asc", Place::Local), Some("ask"));
    assert_eq!(verb::nearest("frobnicate", Place::Tools), None);
}

#[test]
fn wire_names_are_serdes() {
    for (rule, field, variant) in [
        ("lowercase", "campus_id", "nonacademic"),
        ("UPPERCASE", "CAMPUS_ID", "NONACADEMIC"),
        ("PascalCase", "CampusId", "NonAcademic"),
        ("camelCase", "campusId", "nonAcademic"),
        ("snake_case", "campus_id", "non_academic"),
        ("SCREAMING_SNAKE_CASE", "CAMPUS_ID", "NON_ACADEMIC"),
    ] {
        let rule = Rule::named(rule).unwrap();
        assert_eq!(
            (rule.field("campus_id"), rule.variant("NonAcademic")),
            (field.into(), variant.into())
        );
    }
    assert_eq!(Rule::named("kebab-case"), None);
}

/// Names that could carry the caller's identity, in any spelling; and names of people who are acted on.
#[test]
fn identity_has_many_spellings() {
    let faults = |name: &str| {
        let name = syn::Ident::new(name, Span::call_site());
        let tokens = args::derive(quote! {
            #[serde(deny_unknown_fields)]
            struct Args {
                /// A field.
                #name: String,
            }
        });
        tokens.to_string().contains("must not carry the caller's identity")
    };
    for name in [
        "sub",
        "user",
        "user_id",
        "userId",
        "USER_ID",
        "staff",
        "staff_id",
        "profile",
        "profile_id",
        "school",
        "school_id",
        "tenant",
        "tenant_id",
        "identity",
        "caller",
        "actor",
        "current_user",
        "currentUser",
        "me",
    ] {
        assert!(faults(name), "{name}");
    }
    for name in [
        "teacher_id",
        "member_id",
        "assignee_id",
        "student_id",
        "email",
        "name",
        "type_",
        "school_year",
    ] {
        assert!(!faults(name), "{name}");
    }
}

#[test]
fn all_faults_of_an_attribute_come_together() {
    let tokens = expand::agent_tool(
        quote!(
            scope = nowhere,
            posture = casl,
            role = [Rover],
            label = 5,
            label = "",
            effect = maybe
        ),
        &quote!(
            fn creat(x: u32) {}
        ),
    )
    .to_string();
    // The name has no subject, so its verb is not judged; everything else is.
    for message in [
        "unknown scope `nowhere`",
        "a `casl` tool must name the permission",
        "unknown key `role`",
        "expected string literal",
        "key `label` is given twice",
        "unknown effect `maybe`",
        "must read `verb_subject`",
        "no doc comment",
        "names no roles",
        "write `async fn`",
        "does not take these two parameters",
    ] {
        assert!(tokens.contains(message), "{message} is missing in {tokens}");
    }
}
