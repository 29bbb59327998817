//! A small school in memory behind a real tool endpoint: the packets are read, the arguments
//! decoded and pinned, and the handlers of `tools` run. Only the rows are not in a database, and
//! nobody is refused but guests.

use std::sync::{Arc, Mutex};

use agent_contract::wire::{classify, encode_no_handler, encode_reply};
use agent_contract::{
    AgentCallScope, AgentIdentity, AgentToolRequest, AgentToolResult, CampusId, DataReach, Deleted,
    Dispatch, Host, ListQuery, Outcome, Packet, PacketData, Page, Prepare, Prepared, Proof,
    ProveRelation, Relation, Route, ScopeDescription, Serve, Tool, ToolCx, ToolEndpoint, ToolError,
    ToolResult, Version, WireMessage, WireReply, describe_scope_context,
};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use serde_json::Value;
use tools::classes::{self, OwnTeaching, TeachingAssignment};
use tools::departments::{self, Department, DepartmentSort, Departments, EditDepartments};

/// The tools that this school serves.
fn routes() -> Vec<Route<School>> {
    vec![
        route::<departments::create_department>(),
        route::<departments::list_departments>(),
        route::<departments::find_departments>(),
        route::<departments::archive_department>(),
        route::<classes::list_my_classes>(),
    ]
}

fn route<T: Tool>() -> Route<School>
where
    T::Kind: Serve<School, T>,
{
    <T::Kind as Serve<School, T>>::route()
}

/// The rows, and every message that came.
#[derive(Clone, Default)]
pub(crate) struct School {
    departments: Arc<Mutex<Vec<Department>>>,
    messages: Arc<Mutex<Vec<WireMessage>>>,
}

impl Host for School {
    type Read = Self;
    type Write = Self;
}

impl School {
    pub(crate) fn departments(&self) -> Vec<String> {
        let rows = self.departments.lock().unwrap();
        rows.iter().map(|row| format!("{} @ {}", row.name, row.campus_id)).collect()
    }

    pub(crate) fn messages(&self) -> Vec<WireMessage> {
        self.messages.lock().unwrap().clone()
    }

    fn on(&self, campus: Option<&CampusId>) -> Vec<Department> {
        let rows = self.departments.lock().unwrap();
        let here = |row: &&Department| campus.is_none_or(|id| id.as_str() == row.campus_id);
        rows.iter().filter(here).cloned().collect()
    }

    async fn answer(&self, id: Value, event: &str, data: PacketData) -> WireReply {
        let Some(route) = routes().into_iter().find(|route| route.def.event == Some(event)) else {
            return WireReply::new(encode_no_handler(&id));
        };
        let PacketData::Json(data) = data else { panic!("a call holds JSON") };
        let request = AgentToolRequest::from_data(data).expect("a request");
        let result = match route.run {
            Dispatch::Read(prepare) | Dispatch::Write(prepare) => self.run(prepare, request).await,
            Dispatch::Local => panic!("the registry of this school holds no local tool"),
        };
        let outcome = match &result {
            Ok(_) => Outcome::Ok,
            Err(error) => error.outcome(),
        };
        let envelope = result.unwrap_or_else(AgentToolResult::from);
        WireReply::new(encode_reply(&envelope).unwrap()).with_outcome(outcome)
    }

    async fn run(
        &self,
        prepare: Prepare<Self>,
        request: AgentToolRequest,
    ) -> ToolResult<AgentToolResult> {
        if request.identity.sub == "usr_guest" {
            return Err(ToolError::denied("guests may not do this"));
        }
        let prepared: Prepared<Self> = prepare(request.args, &request.scope)?;
        let words = describe_scope_context(&ScopeDescription {
            mode: prepared.scope.mode(),
            campus_name: prepared.scope.campus_id().map(CampusId::as_str),
            requested_other: prepared.requested_other_campus.is_some(),
            reach: DataReach::Everything,
        });
        let scope: AgentCallScope = prepared.scope.clone();
        let cx = ToolCx::new(self.clone(), request.identity, scope);
        let reply = prepared.call(&cx).await?;
        Ok(AgentToolResult::ok(reply.data, words))
    }
}

impl ToolEndpoint for School {
    fn handle(&self, message: WireMessage) -> BoxFuture<'_, Option<WireReply>> {
        async move {
            self.messages.lock().unwrap().push(message.clone());
            let Packet::Request { id, pattern: Some(pattern), data } = classify(&message.body)
            else {
                return None;
            };
            Some(self.answer(id, pattern.as_str(), data).await)
        }
        .boxed()
    }
}

impl Departments for School {
    async fn list(
        &self,
        campus: Option<&CampusId>,
        _query: ListQuery<DepartmentSort>,
    ) -> ToolResult<Page<Department>> {
        Ok(Page::whole(self.on(campus)))
    }

    async fn find(&self, name: String, campus: Option<&CampusId>) -> ToolResult<Vec<Department>> {
        Ok(self.on(campus).into_iter().filter(|row| row.name.contains(&name)).collect())
    }
}

impl EditDepartments for School {
    async fn create(&self, name: String, campus: &CampusId) -> ToolResult<Department> {
        let mut rows = self.departments.lock().unwrap();
        if rows.iter().any(|row| row.name == name && row.campus_id == campus.as_str()) {
            return Err(ToolError::conflict(format!("there is a department {name} already")));
        }
        let department = Department {
            id: format!("dep_{}", rows.len() + 1),
            name,
            campus_id: campus.to_string(),
            campus_name: campus.to_string(),
            version: Version::new(1).unwrap(),
        };
        rows.push(department.clone());
        Ok(department)
    }

    async fn rename(
        &self,
        id: String,
        _name: String,
        _seen: Option<Version>,
    ) -> ToolResult<Department> {
        Err(ToolError::NotFound { what: "department", id: Some(id) })
    }

    async fn archive(&self, id: String, _seen: Option<Version>) -> ToolResult<Deleted<Department>> {
        Err(ToolError::NotFound { what: "department", id: Some(id) })
    }
}

impl ProveRelation for School {
    async fn holds(&self, caller: &AgentIdentity, relation: &Relation) -> ToolResult<bool> {
        Ok(matches!(relation, Relation::OwnProfile) && !caller.profile_id.is_empty())
    }
}

impl OwnTeaching for School {
    async fn assignments(&self, _proof: &Proof) -> ToolResult<Vec<TeachingAssignment>> {
        Ok(vec![TeachingAssignment {
            id: "tas_1".to_owned(),
            class_id: "cls_1".to_owned(),
            class_name: "S1 East".to_owned(),
            subject_id: "sub_1".to_owned(),
            subject: "Physics".to_owned(),
            teacher: "Ruth Akello".to_owned(),
            campus_name: "Main Campus".to_owned(),
        }])
    }
}
