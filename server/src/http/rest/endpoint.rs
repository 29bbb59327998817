//! The addresses: one line each.

use agent_contract::{ArgField, Prepare, ToolDefinition};
use axum::http::{Method, StatusCode};
use tools::agent_tools::ToolName;

use crate::db::{ReadFrame, WriteFrame};
use crate::domain::School;

/// The argument that is a version: it travels in `If-Match`.
const VERSION: &str = "version";

/// A tool and where it is reached.
#[derive(Debug)]
pub(in crate::http) struct Endpoint {
    pub(in crate::http) method: Method,
    /// `{name}` is the argument of that name.
    pub(in crate::http) path: &'static str,
    pub(in crate::http) tool: ToolName,
    /// What a success is answered with.
    pub(in crate::http) status: StatusCode,
}

/// An address and what runs behind it.
#[derive(Debug)]
pub(super) struct Served {
    pub(super) endpoint: &'static Endpoint,
    pub(super) run: Run,
}

/// The frame that the tool needs.
#[derive(Clone, Copy)]
pub(super) enum Run {
    Read(Prepare<School<ReadFrame>>),
    Write(Prepare<School<WriteFrame>>),
}

impl std::fmt::Debug for Run {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Read(_) => "Read",
            Self::Write(_) => "Write",
        })
    }
}

/// Every address of the school.
#[rustfmt::skip]
pub(in crate::http) const ENDPOINTS: &[Endpoint] = &[
    get("/api/departments", ToolName::ListDepartments),
    get("/api/departments/search", ToolName::FindDepartments),
    create("/api/departments", ToolName::CreateDepartment),
    change("/api/departments/{departmentId}", ToolName::RenameDepartment),
    remove("/api/departments/{departmentId}", ToolName::ArchiveDepartment),

    get("/api/campuses", ToolName::ListCampuses),
    get("/api/campuses/figures", ToolName::CompareCampuses),
    change("/api/campuses/{campusId}", ToolName::RenameCampus),
    act("/api/campuses/{campusId}/close", ToolName::CloseCampus),

    get("/api/classes", ToolName::ListClasses),
    get("/api/classes/search", ToolName::FindClasses),
    create("/api/classes", ToolName::CreateClass),
    create("/api/classes/{classId}/teachers", ToolName::AssignTeacher),
    get("/api/me/classes", ToolName::ListMyClasses),

    get("/api/students", ToolName::ListStudents),
    get("/api/students/search", ToolName::FindStudents),
    create("/api/students", ToolName::EnrolStudent),
    get("/api/students/{studentId}", ToolName::GetStudent),
    change("/api/students/{studentId}", ToolName::UpdateStudent),
    act("/api/students/{studentId}/move", ToolName::MoveStudent),
    act("/api/students/{studentId}/withdraw", ToolName::WithdrawStudent),

    get("/api/guardians/search", ToolName::FindGuardians),
    change("/api/guardians/{guardianId}", ToolName::UpdateGuardian),
    get("/api/students/{studentId}/guardians", ToolName::ListGuardians),
    create("/api/students/{studentId}/guardians", ToolName::CreateGuardian),
    put("/api/students/{studentId}/guardians/{guardianId}", ToolName::AssignGuardian),
    remove("/api/students/{studentId}/guardians/{guardianId}", ToolName::UnassignGuardian),

    get("/api/staff", ToolName::ListStaff),
    get("/api/staff/search", ToolName::FindStaff),
    create("/api/staff", ToolName::AddStaff),
    change("/api/staff/{memberId}", ToolName::UpdateStaff),
    put("/api/staff/{memberId}/roles", ToolName::SetStaffRoles),
    put("/api/staff/{memberId}/active", ToolName::SetStaffActive),
    get("/api/me/profile", ToolName::GetMyProfile),

    get("/api/years", ToolName::ListAcademicYears),
    create("/api/years", ToolName::CreateAcademicYear),
    get("/api/campuses/{campusId}/terms", ToolName::ListTerms),
    get("/api/campuses/{campusId}/terms/current", ToolName::GetCurrentTerm),
    change("/api/campuses/{campusId}/terms/{termNumber}", ToolName::SetTermDates),
    act("/api/campuses/{campusId}/terms/{termNumber}/open", ToolName::OpenTerm),
    act("/api/campuses/{campusId}/terms/{termNumber}/close", ToolName::CloseTerm),

    get("/api/attendance", ToolName::GetAttendanceSummary),
    get("/api/attendance/days", ToolName::ListAttendanceDays),
    get("/api/classes/{classId}/attendance", ToolName::ListClassAttendance),
    put("/api/classes/{classId}/attendance", ToolName::RecordAttendance),
    get("/api/students/{studentId}/attendance", ToolName::GetStudentAttendance),

    get("/api/announcements", ToolName::ListAnnouncements),
    create("/api/announcements", ToolName::CreateAnnouncement),
    act("/api/announcements/{announcementId}/publish", ToolName::PublishAnnouncement),
    act("/api/announcements/{announcementId}/withdraw", ToolName::WithdrawAnnouncement),
];

/// Reads.
const fn get(path: &'static str, tool: ToolName) -> Endpoint {
    Endpoint { method: Method::GET, path, tool, status: StatusCode::OK }
}

/// Makes a record.
const fn create(path: &'static str, tool: ToolName) -> Endpoint {
    Endpoint { method: Method::POST, path, tool, status: StatusCode::CREATED }
}

/// Does something with a record that is more than a change of its fields.
const fn act(path: &'static str, tool: ToolName) -> Endpoint {
    Endpoint { method: Method::POST, path, tool, status: StatusCode::OK }
}

/// Changes a record.
const fn change(path: &'static str, tool: ToolName) -> Endpoint {
    Endpoint { method: Method::PATCH, path, tool, status: StatusCode::OK }
}

/// Takes the place of what was there.
const fn put(path: &'static str, tool: ToolName) -> Endpoint {
    Endpoint { method: Method::PUT, path, tool, status: StatusCode::OK }
}

/// Takes a record out of use.
const fn remove(path: &'static str, tool: ToolName) -> Endpoint {
    Endpoint { method: Method::DELETE, path, tool, status: StatusCode::OK }
}

impl Endpoint {
    pub(in crate::http) fn def(&self) -> &'static ToolDefinition {
        self.tool.definition()
    }

    /// The event of the tool, under which a change stands in the audit log.
    pub(super) fn event(&self) -> &'static str {
        self.def().event.unwrap_or(self.def().name)
    }

    /// Method and path, as the audit row has them.
    pub(super) fn via(&self) -> String {
        format!("{} {}", self.method, self.path)
    }

    /// Names of the arguments that stand in the address.
    pub(in crate::http) fn in_path(&self) -> impl Iterator<Item = &'static str> {
        self.path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'))
    }

    /// The arguments that a request brings otherwise: in the query of a read, in the body of a change.
    pub(in crate::http) fn brought(&self) -> impl Iterator<Item = &'static ArgField> {
        let guarded = self.is_guarded();
        self.def().fields.iter().filter(move |field| {
            !self.in_path().any(|name| name == field.wire) && !(guarded && field.wire == VERSION)
        })
    }

    /// Whether a change needs the version that was seen.
    pub(in crate::http) fn is_guarded(&self) -> bool {
        self.method != Method::GET && self.def().fields.iter().any(|field| field.wire == VERSION)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use agent_contract::{Effect, Kind};
    use axum::http::Method;
    use tools::agent_tools;

    use super::ENDPOINTS;

    #[test]
    fn every_tool_of_the_server_has_one_address_and_no_other_tool_has_any() {
        let served: Vec<&str> = ENDPOINTS.iter().map(|endpoint| endpoint.tool.as_str()).collect();
        let once: BTreeSet<&str> = served.iter().copied().collect();
        assert_eq!(served.len(), once.len(), "a tool has two addresses");
        let of_the_server: BTreeSet<&str> = agent_tools::DEFS
            .iter()
            .filter(|def| def.kind != Kind::Local)
            .map(|def| def.name)
            .collect();
        assert_eq!(once, of_the_server, "a tool without an address belongs into the table");
    }

    #[test]
    fn an_address_fits_its_tool() {
        for endpoint in ENDPOINTS {
            let reads = endpoint.def().effect == Effect::Read;
            assert_eq!(reads, endpoint.method == Method::GET, "{endpoint:?}");
            for name in endpoint.in_path() {
                let known = endpoint.def().fields.iter().any(|field| field.wire == name);
                assert!(known, "{name} is no argument: {endpoint:?}");
            }
        }
    }
}
