//! The caller as the database knows them now. Whatever a token or a snapshot says, this is what
//! counts.

use agent_contract::{AgentIdentity, UserType};
use sqlx::FromRow;

use super::{TeachingRow, teaching};
use crate::db::{
    DbError, Locked, Session,
    statements::{Statement, people},
    values,
};

/// A caller who exists, is enabled and belongs to the school in the frame.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallerRow {
    /// User id.
    pub user_id: String,
    /// Address.
    pub email: String,
    /// Full name.
    pub name: String,
    /// Kind of account.
    pub user_type: UserType,
    /// Profile under which the person acts; for staff, the id of the member of staff.
    pub profile_id: String,
    /// The school in the frame.
    pub school_id: String,
    /// Roles, as the policy writes them.
    pub roles: Vec<String>,
    /// Campuses that the person works on.
    pub campus_ids: Vec<String>,
    /// Classes of this year that the person is class teacher of.
    pub class_teacher_of: Vec<OwnClass>,
    /// What the person teaches this year.
    pub teaching: Vec<TeachingRow>,
}

/// A class that somebody is class teacher of.
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct OwnClass {
    /// Id of the class.
    pub id: String,
    /// Display name.
    pub name: String,
    /// Campus of the class.
    pub campus_id: String,
}

#[derive(FromRow)]
struct Live {
    id: String,
    email: String,
    name: String,
    user_type: String,
    profile_id: String,
}

#[derive(FromRow)]
struct Id {
    id: String,
}

/// Reads the caller anew and remembers them for the relationship ports of this frame.
///
/// `None` is one answer for many causes: unknown, disabled, no longer employed, of another school,
/// or an identity that contradicts the row.
pub(crate) async fn caller(
    session: &Session,
    identity: &AgentIdentity,
) -> Result<Option<CallerRow>, DbError> {
    let mut db = session.lock().await;
    if identity.tenant() != Some(db.school()) {
        return Ok(None);
    }
    let live: Option<Live> = db.optional(people::CALLER, values![&identity.sub]).await?;
    let Some(live) = live else { return Ok(None) };
    let user_type = user_type(&live.user_type)?;
    if live.profile_id != identity.profile_id
        || live.email != identity.email
        || user_type != identity.user_type
    {
        return Ok(None);
    }
    let profile = &live.profile_id;
    let row = CallerRow {
        roles: ids(&mut db, people::ROLES_OF, profile).await?,
        campus_ids: ids(&mut db, people::CAMPUSES_OF, profile).await?,
        class_teacher_of: db.all(people::CLASS_TEACHER_OF, values![profile]).await?,
        teaching: teaching::of(&mut db, profile).await?,
        school_id: db.school().to_owned(),
        user_id: live.id,
        email: live.email,
        name: live.name,
        profile_id: live.profile_id,
        user_type,
    };
    drop(db);
    session.remember(&row);
    Ok(Some(row))
}

async fn ids(
    db: &mut Locked<'_>,
    statement: Statement,
    profile: &str,
) -> Result<Vec<String>, DbError> {
    let rows: Vec<Id> = db.all(statement, values![profile]).await?;
    Ok(rows.into_iter().map(|row| row.id).collect())
}

fn user_type(text: &str) -> Result<UserType, DbError> {
    match text {
        "staff" => Ok(UserType::Staff),
        "guardian" => Ok(UserType::Guardian),
        "student" => Ok(UserType::Student),
        "platform" => Ok(UserType::Platform),
        _ => Err(DbError::Stored("an account of an unknown kind")),
    }
}
