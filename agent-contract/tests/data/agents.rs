//! Who is offered what: by run mode, by agent, by capability; and the search among them.

use agent_contract::{
    AgentRole, AgentRunModeName, Capabilities, ToolDefinition, build_agent_map,
    eligible_agent_roles, tools_for_mode, tools_for_role,
};

/// Four tools that differ in scope and agents, and in nothing that matters here.
mod tools {
    use agent_contract::{ToolArgs, ToolCx, ToolResult, agent_tool};
    use schemars::JsonSchema;
    use serde::Deserialize;

    /// Nothing.
    #[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
    #[serde(deny_unknown_fields)]
    pub(crate) struct Nothing {}

    /// List the departments.
    #[agent_tool(
        local,
        roles = [Rover, DirectorOfStudies],
        label = "Listing the departments",
        say = ["(which|what) faculties are there"],
    )]
    pub(crate) async fn list_departments(
        _cx: &ToolCx<impl Send + Sync>,
        _args: Nothing,
    ) -> ToolResult<Vec<String>> {
        Ok(Vec::new())
    }

    /// Compare the campuses of the school by the number of students.
    #[agent_tool(
        local,
        scope = school,
        roles = [Rover],
        label = "Comparing the campuses",
    )]
    pub(crate) async fn compare_campuses(
        _cx: &ToolCx<impl Send + Sync>,
        _args: Nothing,
    ) -> ToolResult<Vec<String>> {
        Ok(Vec::new())
    }

    /// List the attendance of a class on the campus in use.
    #[agent_tool(
        local,
        scope = campus,
        roles = [ClassTeacher],
        label = "Listing the attendance",
    )]
    pub(crate) async fn list_attendance(
        _cx: &ToolCx<impl Send + Sync>,
        _args: Nothing,
    ) -> ToolResult<Vec<String>> {
        Ok(Vec::new())
    }

    /// Find the students by name.
    #[agent_tool(
        local,
        roles = [Rover, ClassTeacher, SubjectTeacher],
        label = "Finding the students",
    )]
    pub(crate) async fn find_students(
        _cx: &ToolCx<impl Send + Sync>,
        _args: Nothing,
    ) -> ToolResult<Vec<String>> {
        Ok(Vec::new())
    }

    agent_contract::registry! {
        /// The tools of this test.
        pub(crate) mod list = [
            list_departments,
            compare_campuses,
            list_attendance,
            find_students,
        ];
    }
}

const DEFS: &[&ToolDefinition] = tools::list::DEFS;

fn names(tools: &[&ToolDefinition]) -> Vec<&'static str> {
    tools.iter().map(|tool| tool.name).collect()
}

#[test]
fn a_run_mode_offers_its_own_tools_and_the_general_ones() {
    let rows = [
        (AgentRunModeName::School, vec!["list_departments", "compare_campuses", "find_students"]),
        (AgentRunModeName::Campus, vec!["list_departments", "list_attendance", "find_students"]),
    ];
    for (mode, offered) in rows {
        assert_eq!(names(&tools_for_mode(DEFS, mode)), offered);
    }
}

#[test]
fn an_agent_has_its_own_tools_and_inherits_none() {
    let rows = [
        (AgentRole::Rover, vec!["list_departments", "compare_campuses", "find_students"]),
        (AgentRole::ClassTeacher, vec!["list_attendance", "find_students"]),
        (AgentRole::SubjectTeacher, vec!["find_students"]),
        (AgentRole::DirectorOfStudies, vec!["list_departments"]),
    ];
    for (role, offered) in rows {
        assert_eq!(names(&tools_for_role(DEFS, role)), offered);
    }
}

#[test]
fn the_map_is_each_agent_with_its_tools_in_the_mode() {
    let map = build_agent_map(DEFS, AgentRunModeName::Campus);
    let seen: Vec<_> =
        map.agents().iter().map(|entry| (entry.role.wire_id(), names(&entry.tools))).collect();
    assert_eq!(
        seen,
        [
            ("rover", vec!["list_departments", "find_students"]),
            ("class_teacher", vec!["list_attendance", "find_students"]),
            ("subject_teacher", vec!["find_students"]),
            ("director_of_studies", vec!["list_departments"]),
        ]
    );
}

#[test]
fn specialists_exist_by_capability_alone() {
    let capabilities = |class, subject, director| Capabilities {
        is_class_teacher: class,
        is_subject_teacher: subject,
        is_director_of_studies: director,
    };
    let rows = [
        (capabilities(false, false, false), vec![]),
        (capabilities(true, false, false), vec![AgentRole::ClassTeacher]),
        (capabilities(false, true, false), vec![AgentRole::SubjectTeacher]),
        (capabilities(false, false, true), vec![AgentRole::DirectorOfStudies]),
        (capabilities(true, true, false), vec![AgentRole::ClassTeacher, AgentRole::SubjectTeacher]),
    ];
    for (capabilities, roles) in rows {
        assert_eq!(eligible_agent_roles(&capabilities), roles);
        let map = build_agent_map(DEFS, AgentRunModeName::School).with_specialists(&roles);
        let agents: Vec<_> = map.agents().iter().map(|entry| entry.role).collect();
        assert_eq!(agents, [vec![AgentRole::Rover], roles].concat(), "Rover is always there");
    }
}

#[test]
fn a_search_ranks_pairs_of_agent_and_tool() {
    let map = build_agent_map(DEFS, AgentRunModeName::Campus);
    let search = |text: &str| {
        let hits = map.search(text);
        hits.iter().map(|hit| (hit.role.wire_id(), hit.tool.name)).collect::<Vec<_>>()
    };
    let students = [
        ("rover", "find_students"),
        ("class_teacher", "find_students"),
        ("subject_teacher", "find_students"),
    ];
    let departments = [("rover", "list_departments"), ("director_of_studies", "list_departments")];

    assert_eq!(search("find a student"), students, "plural and singular are one");
    assert_eq!(search("the Departments!"), departments);
    assert_eq!(search("who knows the faculties"), departments, "words of the sentences count");
    assert_eq!(search("attendance today"), [("class_teacher", "list_attendance")]);
    let found = search("compare campuses");
    assert!(!found.contains(&("rover", "compare_campuses")), "not of this mode, not found");
    assert_eq!(search("bake a cake").first(), None);
    assert_eq!(search("  ").first(), None);
}

#[test]
fn better_matches_score_higher() {
    let map = build_agent_map(DEFS, AgentRunModeName::School);
    let hits = map.search("compare the students of the campuses");
    assert!(hits.is_sorted_by(|a, b| a.score >= b.score));
    assert_eq!(hits.first().map(|hit| hit.tool.name), Some("compare_campuses"));
}
