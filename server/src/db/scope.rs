//! Whose rows a frame may see.

use agent_contract::{CampusId, SchoolId};

/// One school and, in campus mode, one campus of it. It is made only inside this crate, from a
/// verified identity: text that came from a model or a browser is no scope.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TenantScope {
    school: SchoolId,
    campus: Option<CampusId>,
}

impl TenantScope {
    /// The scope of a verified identity and the campus that its call is pinned to.
    pub(crate) fn new(school: SchoolId, campus: Option<CampusId>) -> Self {
        Self { school, campus }
    }

    /// The school.
    pub fn school(&self) -> &SchoolId {
        &self.school
    }

    /// The campus that everything is narrowed to, if any.
    pub fn campus(&self) -> Option<&CampusId> {
        self.campus.as_ref()
    }
}
