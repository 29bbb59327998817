//! The tool of `docs/adding-an-rpc-tool.md`, compiled and run: the page's snippets are parts of this file.
#![expect(unreachable_pub, reason = "the snippets are written as their crates export them")]

use agent_contract::{AgentCallScope, Dispatch, ToolCx};
use serde_json::json;

use super::{LAKESIDE, Rights, identity, reading};
use crate::{
    db::{Database, testing::on_both},
    demo,
    domain::SchoolHost,
};

/// What the page adds to `tools/src/departments.rs`.
mod departments {
    use std::future::Future;

    use agent_contract::{CampusArg, CampusId, ToolArgs, ToolCx, ToolResult, agent_tool};
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    /// How many departments there are.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    pub struct DepartmentCount {
        /// Departments in use.
        pub departments: i64,
    }

    /// What counting departments needs of the domain.
    pub trait DepartmentNumbers: Send + Sync {
        /// How many departments the caller may see; of one campus if one is given.
        fn count(
            &self,
            campus: Option<&CampusId>,
        ) -> impl Future<Output = ToolResult<DepartmentCount>> + Send;
    }

    /// What the model supplies to count departments.
    #[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
    #[serde(deny_unknown_fields, rename_all = "camelCase")]
    pub struct CountDepartments {
        /// Campus to count on; leave out for every campus in scope.
        #[serde(default)]
        pub campus_id: CampusArg,
    }

    /// Count the departments the caller may see. Use it for "how many departments do we have".
    #[agent_tool(
        scope = general,
        posture = casl(Read, Department),
        roles = [Rover, DirectorOfStudies],
        label = "Counting departments",
        say = ["how many departments (are there|do we have)"],
        examples = [{}, { campus_id: "naalya-campus-lakeside" }],
    )]
    pub async fn count_departments(
        cx: &ToolCx<impl DepartmentNumbers>,
        args: CountDepartments,
    ) -> ToolResult<DepartmentCount> {
        cx.services().count(args.campus_id.filter()).await
    }
}

/// What it adds to `server/src/domain/departments.rs`.
mod service {
    use agent_contract::{CampusId, ListQuery, ToolResult};
    use tools::departments::Departments;

    use super::departments::{DepartmentCount, DepartmentNumbers};
    use crate::{db::Frame, domain::School};

    impl<F: Frame> DepartmentNumbers for School<F> {
        async fn count(&self, campus: Option<&CampusId>) -> ToolResult<DepartmentCount> {
            let page = Departments::list(self, campus, ListQuery::default()).await?;
            Ok(DepartmentCount { departments: page.total() })
        }
    }
}

agent_contract::registry! {
    mod agent_tools = [
        departments::count_departments,
    ];
}

on_both! {
    async fn the_tool_of_the_walkthrough_counts(database: Database) {
        demo::plant(&database).await.expect("planted");
        let routes = agent_tools::routes::<SchoolHost>();
        let Dispatch::Read(prepare) = routes[0].run else { panic!("it reads") };
        for (args, departments) in [(json!({}), 5), (json!({ "campusId": LAKESIDE }), 2)] {
            let call = prepare(args, &AgentCallScope::School).expect("arguments that fit");
            let school = reading(&database, None, Rights::all()).await;
            let cx = ToolCx::new(school, identity("grace.namutebi"), AgentCallScope::School);
            let reply = call.call(&cx).await.expect("counted");
            assert_eq!(reply.data, json!({ "departments": departments }));
        }
    }
}
