//! Expansions as code, so that a change of what authors get is seen in review.

use proc_macro2::TokenStream;
use quote::quote;

use crate::{args, audit, expand, policy, registry, verb};

/// The tokens as formatted source.
fn source(tokens: TokenStream) -> String {
    let file: syn::File = syn::parse2(tokens).expect("the expansion is a list of items");
    prettyplease::unparse(&file)
}

#[test]
fn read_tool() {
    let attribute = quote! {
        scope = general, posture = casl(Read, Department), roles = [Rover, DirectorOfStudies],
        label = "Listing departments", say = ["list [the] departments", "departments of {campus_id}"],
        examples = [{}, { campus_id: "main", seats: -3, share: 0.5, kinds: ["a", { open: true }] }],
    };
    let function = quote! {
        /// List the departments.
        pub async fn list_departments(cx: &ToolCx<impl Departments>, args: ListDepartments) -> ToolResult<Vec<Department>> {
            cx.services().list(args.campus_id.filter()).await
        }
    };
    insta::assert_snapshot!(source(expand::agent_tool(attribute, &function)));
}

#[test]
fn write_tool() {
    let attribute = quote! {
        legacy_event = "make.department", scope = campus, posture = casl(Create, Department),
        roles = [Rover], label = "Creating a department", approval = always,
    };
    let function = quote! {
        /// Create a department.
        ///
        /// Use it when someone asks to open one.
        async fn create_department(cx: &Cx<impl Departments + Clock>, args: CreateDepartment) -> Answer {
            cx.services().create(args.name).await
        }
    };
    insta::assert_snapshot!(source(expand::agent_tool(attribute, &function)));
}

#[test]
fn relationship_tool() {
    let attribute = quote! {
        scope = general, posture = relationship, roles = [ClassTeacher], label = "Looking up your classes",
    };
    let function = quote! {
        /// List the caller's classes.
        pub async fn list_my_classes(cx: &ToolCx<impl Classes>, _args: NoArgs) -> ToolResult<Owned<Vec<Class>>> {
            let proof = cx.prove(Relation::OwnProfile).await?;
            let classes = cx.services().own(&proof).await?;
            Ok(Owned::new(proof, classes))
        }
    };
    insta::assert_snapshot!(source(expand::agent_tool(attribute, &function)));
}

#[test]
fn local_tool() {
    let attribute = quote!(local, roles = [Rover], label = "Checking the date");
    let function = quote! {
        /// Get today's date.
        pub async fn get_current_date(cx: &ToolCx<impl Clock>, _args: NoArgs) -> ToolResult<CurrentDate> {
            Ok(cx.services().today())
        }
    };
    insta::assert_snapshot!(source(expand::agent_tool(attribute, &function)));
}

/// A faulty tool still is a tool to the registry, so that the fault is the only error.
#[test]
fn faulty_tool() {
    let attribute = quote!(scope = nowhere, roles = [], label = "Creating");
    let function = quote! {
        pub async fn creat_department() {}
    };
    insta::assert_snapshot!(source(expand::agent_tool(attribute, &function)));
}

/// Editors find documentation, types and definitions in the function: it stays as the author wrote it, word by word.
#[test]
fn the_function_stays_as_it_was_written() {
    let function = quote! {
        /// Get today's date.
        ///
        /// Use it before any reckoning.
        #[must_use]
        pub async fn get_current_date(cx: &ToolCx<impl Clock>, _args: NoArgs) -> ToolResult<CurrentDate> {
            let today = cx.services().today();
            Ok(today)
        }
    };
    for attribute in [
        quote!(local, roles = [Rover], label = "Checking the date"),
        quote!(local, roles = [], label = ""),
        quote!(what),
    ] {
        let expansion = expand::agent_tool(attribute, &function).to_string();
        assert!(expansion.contains(&function.to_string()), "{expansion}");
    }
}

#[test]
fn what_is_no_function_is_left_as_it_is() {
    let tokens = expand::agent_tool(
        quote!(local),
        &quote!(
            struct NotAFunction;
        ),
    )
    .to_string();
    assert!(tokens.contains("compile_error"), "{tokens}");
    assert!(tokens.ends_with("struct NotAFunction ;"), "{tokens}");
}

#[test]
fn argument_struct() {
    let item = quote! {
        #[derive(Deserialize, JsonSchema, ToolArgs)]
        #[serde(deny_unknown_fields, rename_all = "camelCase")]
        pub struct MoveStudent {
            /// Id of the student.
            #[arg(lookup = find_students)]
            pub student_id: String,
            /// Why.
            #[serde(default)]
            pub reason: Option<String>,
            /// Campus; leave out for the campus in use.
            #[serde(default)]
            pub campus_id: CampusArg,
        }
    };
    insta::assert_snapshot!(source(args::derive(item)));
}

#[test]
fn argument_enums() {
    let words = quote! {
        #[serde(rename_all = "snake_case")]
        enum Kind { Academic, Other }
    };
    let objects = quote! {
        #[serde(deny_unknown_fields, tag = "by")]
        enum When {
            Whenever,
            Day {
                /// The day.
                on_day: Date,
            },
        }
    };
    insta::assert_snapshot!(source(args::derive(words)));
    insta::assert_snapshot!(source(args::derive(objects)));
}

#[test]
fn audit_subject() {
    let item = quote! {
        #[audit(kind = "department")]
        pub struct Department {
            #[audit(id)]
            pub id: String,
            pub name: String,
        }
    };
    insta::assert_snapshot!(source(audit::derive(item)));
}

#[test]
fn registry_of_two() {
    let input = quote! {
        pub mod agent_tools = [departments::create_department, crate::local::get_current_date];
    };
    insta::assert_snapshot!(source(registry::expand(input)));
}

#[test]
fn vocabulary() {
    let facts = "# who\ngrant(\"head_teacher\", \"department:create\", \"school\");\n\ngrant(\"teacher\", \"department:read\", \"campus\"); # reads\n";
    let tokens = policy::vocabulary("grants.polar", facts, proc_macro2::Span::call_site());
    insta::assert_snapshot!(source(tokens));
}

#[test]
fn verbs_are_emitted_once_each() {
    let mut words: Vec<&str> = verb::VERBS.iter().map(|verb| verb.word).collect();
    words.sort_unstable();
    words.dedup();
    assert_eq!(words.len(), verb::VERBS.len());
    let emitted = verb::table().to_string();
    assert_eq!(emitted.matches(":: agent_contract :: Verb {").count(), words.len());
}
