//! An identity together with whoever vouches for it, and the scope that follows from it.

use agent_contract::{AgentIdentity, CampusId, JwtPayload, SchoolId};

use super::{Principal, VerifiedContext};
use crate::db::TenantScope;

/// An identity that somebody vouches for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Vouched {
    /// This server, by the token that it signed for the turn.
    Signed(VerifiedContext),
    /// The operator, who runs the server in [`IdentityMode::Plain`](super::IdentityMode::Plain).
    Plain(AgentIdentity),
}

impl Vouched {
    /// The identity.
    pub fn identity(&self) -> &AgentIdentity {
        match self {
            Self::Signed(context) => context.identity(),
            Self::Plain(identity) => identity,
        }
    }

    /// The signed context, if there is one.
    pub fn context(&self) -> Option<&VerifiedContext> {
        match self {
            Self::Signed(context) => Some(context),
            Self::Plain(_) => None,
        }
    }

    /// The identity's school, narrowed to the campus in use; none for an account without a school.
    pub fn tenant(&self, campus: Option<CampusId>) -> Option<TenantScope> {
        let school = SchoolId::new(self.identity().tenant()?).ok()?;
        Some(TenantScope::new(school, campus))
    }
}

impl Principal {
    /// Who signed in.
    pub fn identity(&self) -> AgentIdentity {
        let JwtPayload { sub, email, user_type, profile_id, school_id, campus_id, .. } =
            self.payload().clone();
        AgentIdentity { sub, email, user_type, profile_id, school_id, campus_id }
    }

    /// The person's school; none for an account without one.
    pub fn tenant(&self) -> Option<TenantScope> {
        let school = self.payload().school_id.as_deref().filter(|school| !school.is_empty())?;
        Some(TenantScope::new(SchoolId::new(school).ok()?, None))
    }
}
