//! Whoever makes a request, as live rows know them now. What a bearer token says about a person is only how
//! they are found.

use std::sync::Arc;

use agent_contract::{AgentIdentity, SchoolId, ToolError, UserId};

use super::threads::Owner;
use crate::authz::{Caller, Policy, Rights};
use crate::db::{Database, DbError, Frame as _, ReadFrame};
use crate::domain::{self, CallerRow, School};
use crate::identity::Principal;

/// Finds people.
#[derive(Clone, Debug)]
pub struct People {
    database: Database,
    policy: Arc<Policy>,
}

/// A person of a school, with the rights they have now and a frame to look around in.
#[derive(Debug)]
pub struct Person {
    row: CallerRow,
    identity: AgentIdentity,
    owner: Owner,
    rights: Arc<Rights>,
    school: School<ReadFrame>,
}

/// Why nobody was found.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PersonFault {
    /// The account is gone, is switched off or has changed hands since it signed in.
    #[error("this account can no longer be used; please sign in again")]
    Gone,
    /// The account has no school.
    #[error("{}", agent_contract::NO_TENANT_SCOPE_ERROR)]
    NoSchool,
    /// The database failed.
    #[error(transparent)]
    Database(#[from] DbError),
}

impl People {
    /// People in this database, under this policy.
    pub fn new(database: Database, policy: Arc<Policy>) -> Self {
        Self { database, policy }
    }

    /// The person behind a bearer token.
    pub async fn find(&self, principal: &Principal) -> Result<Person, PersonFault> {
        let tenant = principal.tenant().ok_or(PersonFault::NoSchool)?;
        let mut frame = self.database.read(&tenant).await?;
        let row = domain::caller(frame.session(), &principal.identity()).await?;
        let row = row.ok_or(PersonFault::Gone)?;
        let rights = Arc::new(Rights::new(Arc::clone(&self.policy), Caller::from(&row)));
        frame.bind(Arc::clone(&rights) as _);
        let nameless = |_| PersonFault::Gone;
        Ok(Person {
            identity: identity_of(&row),
            owner: Owner {
                school: SchoolId::new(&row.school_id).map_err(nameless)?,
                account: UserId::new(&row.user_id).map_err(nameless)?,
            },
            rights,
            school: School::new(frame),
            row,
        })
    }
}

impl Person {
    /// The person's rows.
    pub fn row(&self) -> &CallerRow {
        &self.row
    }

    /// The identity that their calls carry.
    pub fn identity(&self) -> &AgentIdentity {
        &self.identity
    }

    /// Whose conversations are theirs.
    pub fn owner(&self) -> &Owner {
        &self.owner
    }

    /// What they may do.
    pub fn rights(&self) -> &Arc<Rights> {
        &self.rights
    }

    /// Their school, as they may see it.
    pub fn school(&self) -> &School<ReadFrame> {
        &self.school
    }

    /// Gives the school away, with the rights that are bound to it.
    pub fn into_school(self) -> School<ReadFrame> {
        self.school
    }
}

impl From<PersonFault> for ToolError {
    fn from(fault: PersonFault) -> Self {
        match fault {
            PersonFault::Gone => Self::denied(fault.to_string()),
            PersonFault::NoSchool => Self::NoTenant,
            PersonFault::Database(error) => error.into(),
        }
    }
}

/// Somebody who works on one campus only is bound to it.
fn identity_of(row: &CallerRow) -> AgentIdentity {
    AgentIdentity {
        sub: row.user_id.clone(),
        email: row.email.clone(),
        user_type: row.user_type,
        profile_id: row.profile_id.clone(),
        school_id: Some(row.school_id.clone()),
        campus_id: match row.campus_ids.as_slice() {
            [only] => Some(only.clone()),
            _ => None,
        },
    }
}
