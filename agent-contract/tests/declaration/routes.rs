//! From a packet's arguments through the route to the handler and back.

use std::future::Future;
use std::sync::Mutex;

use agent_contract::{
    AgentCallScope, AgentIdentity, AgentTool, Approval, AuditSubject, CampusArg, CampusId,
    Dispatch, Effect, Host, Kind, Owned, Posture, Prepared, Proof, ProveRelation, Relation, Route,
    Subject, ToolArgs, ToolCx, ToolError, ToolReply, ToolResult, ToolScope, UserType, agent_tool,
    registry,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

#[derive(Debug, Serialize, Deserialize, JsonSchema, AuditSubject)]
#[audit(kind = "department")]
struct Department {
    #[audit(id)]
    id: String,
    name: String,
    campus: String,
}

trait Departments: Send + Sync {
    fn list(
        &self,
        campus: Option<&CampusId>,
    ) -> impl Future<Output = ToolResult<Vec<String>>> + Send;
    fn own(&self, proof: &Proof) -> impl Future<Output = ToolResult<Vec<String>>> + Send;
}

trait EditDepartments: Departments {
    fn create(
        &self,
        name: String,
        campus: &CampusId,
    ) -> impl Future<Output = ToolResult<Department>> + Send;
}

trait Clock: Send + Sync {
    fn now(&self) -> String;
}

/// On a campus.
#[derive(Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct OnCampus {
    /// The campus.
    #[serde(default)]
    campus_id: CampusArg,
}

/// A name on a campus.
#[derive(Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct NameOnCampus {
    /// The name.
    name: String,
    /// The campus.
    #[serde(default)]
    campus_id: CampusArg,
}

/// A class.
#[derive(Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct OneClass {
    /// Id of the class.
    #[arg(lookup = list_departments)]
    class_id: String,
}

/// Nothing.
#[derive(Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields)]
struct Nothing {}

/// List departments.
#[agent_tool(
    scope = general,
    posture = casl(Read, Department),
    roles = [Rover],
    label = "Listing",
    examples = [{}, { campus_id: "main" }],
)]
async fn list_departments(
    cx: &ToolCx<impl Departments>,
    args: OnCampus,
) -> ToolResult<Vec<String>> {
    cx.services().list(args.campus_id.filter()).await
}

/// Create a department.
#[agent_tool(
    scope = campus,
    posture = casl(Create, Department),
    roles = [Rover, DirectorOfStudies],
    label = "Creating",
    say = ["create a department [called|named] {name}"],
    examples = [{ name: "Mathematics" }],
    approval = always,
)]
async fn create_department(
    cx: &ToolCx<impl EditDepartments>,
    args: NameOnCampus,
) -> ToolResult<Department> {
    cx.services().create(args.name, args.campus_id.required()?).await
}

/// Remove every department of the campus.
#[agent_tool(scope = school, posture = casl(Delete, Department), roles = [Rover], label = "Removing")]
async fn remove_departments(
    _cx: &ToolCx<impl EditDepartments>,
    _args: Nothing,
) -> ToolResult<Vec<Department>> {
    Ok(Vec::new())
}

/// List the departments of a class of one's own.
#[agent_tool(
    legacy_event = "fetch.own_departments",
    scope = general,
    posture = relationship,
    roles = [ClassTeacher],
    label = "Looking up",
    examples = [{ class_id: "s1-east" }],
)]
async fn list_own_departments(
    cx: &ToolCx<impl Departments + ProveRelation>,
    args: OneClass,
) -> ToolResult<Owned<Vec<String>>> {
    let proof = cx.prove(Relation::ClassTeacherOf { class_id: args.class_id }).await?;
    let names = cx.services().own(&proof).await?;
    Ok(Owned::new(proof, names))
}

/// Get the time.
#[agent_tool(local, roles = [Rover], label = "Looking at the clock")]
async fn get_time(cx: &ToolCx<impl Clock>, _args: Nothing) -> ToolResult<String> {
    Ok(cx.services().now())
}

registry! {
    pub(crate) mod tools = [
        list_departments, create_department, remove_departments, list_own_departments, get_time,
    ];
}

struct Server;
impl Host for Server {
    type Read = Frame;
    type Write = Frame;
}

#[derive(Default)]
struct Frame {
    created: Mutex<Vec<String>>,
}

impl Departments for Frame {
    async fn list(&self, campus: Option<&CampusId>) -> ToolResult<Vec<String>> {
        Ok(vec![campus.map_or("everywhere".to_owned(), ToString::to_string)])
    }

    async fn own(&self, proof: &Proof) -> ToolResult<Vec<String>> {
        Ok(proof.relation().class_id().map(str::to_owned).into_iter().collect())
    }
}

impl EditDepartments for Frame {
    async fn create(&self, name: String, campus: &CampusId) -> ToolResult<Department> {
        self.created.lock().expect("nothing panics under the lock").push(name.clone());
        Ok(Department { id: "d1".to_owned(), name, campus: campus.to_string() })
    }
}

impl ProveRelation for Frame {
    async fn holds(&self, _caller: &AgentIdentity, relation: &Relation) -> ToolResult<bool> {
        Ok(relation.class_id() == Some("mine"))
    }
}

struct Worker;
impl Clock for Worker {
    fn now(&self) -> String {
        "08:05".to_owned()
    }
}

fn identity() -> AgentIdentity {
    AgentIdentity {
        sub: "u1".to_owned(),
        email: "a@b.example".to_owned(),
        user_type: UserType::Staff,
        profile_id: "p1".to_owned(),
        school_id: Some("s1".to_owned()),
        campus_id: None,
    }
}

fn prepared(name: &str, args: Value, scope: &AgentCallScope) -> Result<Prepared<Frame>, ToolError> {
    let routes = tools::routes::<Server>();
    let route: &Route<Server> =
        routes.iter().find(|route| route.def.name == name).expect("a route");
    match route.run {
        Dispatch::Read(prepare) | Dispatch::Write(prepare) => prepare(args, scope),
        Dispatch::Local => panic!("{name} is local"),
    }
}

async fn run(name: &str, args: Value, scope: AgentCallScope) -> ToolResult<ToolReply> {
    let prepared = prepared(name, args, &scope)?;
    let cx = ToolCx::new(Frame::default(), identity(), prepared.scope.clone());
    prepared.call(&cx).await
}

#[tokio::test]
async fn a_write_names_what_it_changed() {
    let reply =
        run("create_department", json!({ "name": "Physics" }), AgentCallScope::campus("c1"));
    let reply = reply.await.unwrap();
    assert_eq!(reply.data, json!({ "id": "d1", "name": "Physics", "campus": "c1" }));
    assert_eq!(reply.subjects, [Subject::new("department", "d1")]);
}

#[tokio::test]
async fn a_write_that_changed_nothing_says_so() {
    let error = run("remove_departments", json!({}), AgentCallScope::School).await.unwrap_err();
    assert_eq!(error.to_string(), "nothing matched, so nothing was changed");
}

#[tokio::test]
async fn the_pinned_campus_wins() {
    let args = json!({ "campusId": "c2" });
    let prepared =
        prepared("list_departments", args.clone(), &AgentCallScope::campus("c1")).unwrap();
    assert_eq!(prepared.requested_other_campus.as_deref(), Some("c2"));
    assert_eq!(prepared.scope, AgentCallScope::campus("c1"));
    assert_eq!(prepared.canonical, args);
    let reply = run("list_departments", args, AgentCallScope::campus("c1")).await.unwrap();
    assert_eq!(reply.data, json!(["c1"]));
    assert_eq!(reply.subjects, []);
}

#[tokio::test]
async fn a_campus_in_school_mode_narrows_the_scope() {
    let args = json!({ "campusId": "c2" });
    let prepared = prepared("list_departments", args.clone(), &AgentCallScope::School).unwrap();
    assert_eq!(prepared.requested_other_campus, None);
    assert_eq!(prepared.scope, AgentCallScope::campus("c2"));
    assert_eq!(
        run("list_departments", args, AgentCallScope::School).await.unwrap().data,
        json!(["c2"])
    );
    let everywhere = run("list_departments", json!({}), AgentCallScope::School).await.unwrap();
    assert_eq!(everywhere.data, json!(["everywhere"]));
}

#[tokio::test]
async fn a_required_campus_is_asked_for() {
    let error =
        run("create_department", json!({ "name": "Physics" }), AgentCallScope::School).await;
    assert_eq!(error, Err(ToolError::CampusRequired { allowed: vec![] }));
}

#[tokio::test]
async fn ownership_is_proven_for_the_class_that_is_read() {
    let mine =
        run("list_own_departments", json!({ "classId": "mine" }), AgentCallScope::School).await;
    assert_eq!(mine.unwrap().data, json!(["mine"]));
    let other =
        run("list_own_departments", json!({ "classId": "other" }), AgentCallScope::School).await;
    assert!(matches!(other, Err(ToolError::Denied(_))));
}

#[tokio::test]
async fn a_local_tool_runs_in_the_worker_only() {
    let routes = tools::routes::<Server>();
    assert!(matches!(routes[4].run, Dispatch::Local));
    let proxies = tools::proxies::<Worker>();
    let rpc = proxies.iter().filter(|proxy| matches!(proxy, AgentTool::Rpc(_))).count();
    assert_eq!(rpc, 4);
    let AgentTool::Local(definition, prepare) = &proxies[4] else {
        panic!("the last one is local")
    };
    assert_eq!(definition.event, None);
    let call = prepare(json!({}), &AgentCallScope::School).unwrap();
    let cx = ToolCx::new(Worker, identity(), AgentCallScope::School);
    assert_eq!(call.call(&cx).await.unwrap().data, json!("08:05"));
}

#[test]
fn a_definition_holds_what_was_written_and_what_follows() {
    let create = tools::ToolName::CreateDepartment.definition();
    assert_eq!(create.name, "create_department");
    assert_eq!(create.event, Some("create.department"));
    assert_eq!(create.description, "Create a department.");
    assert_eq!(create.scope, ToolScope::Campus);
    assert!(matches!(create.posture, Some(Posture::Casl { .. })));
    assert_eq!(create.effect, Effect::Write);
    assert_eq!(create.kind, Kind::Rpc);
    assert_eq!(create.verb, "create");
    assert_eq!((create.approval, create.asks_first()), (Approval::Always, true));
    assert_eq!(create.say[0].slots, ["name"]);
    assert_eq!(create.say[0].variants.len(), 3);
    assert!(create.file.ends_with("routes.rs"));
    let own = tools::ToolName::ListOwnDepartments.definition();
    assert_eq!(own.event, Some("fetch.own_departments"));
    assert!(own.legacy_event);
    assert_eq!(own.posture, Some(Posture::Relationship));
    assert_eq!(own.fields[0].lookup, Some("list_departments"));
    assert!(tools::ToolName::RemoveDepartments.definition().asks_first());
    assert!(!own.asks_first());
}

#[test]
fn names_and_events_are_closed() {
    assert_eq!(tools::ToolName::ALL.len(), 5);
    for name in tools::ToolName::ALL {
        assert_eq!(tools::ToolName::parse(name.as_str()), Some(*name));
        assert_eq!(
            name.event().map(tools::ToolEvent::tool),
            name.definition().event.map(|_| *name)
        );
    }
    assert_eq!(tools::ToolName::GetTime.event(), None);
    assert_eq!(tools::ToolEvent::parse("get.time"), None);
    assert_eq!(tools::ToolName::parse("drop_tables"), None);
}
