//! Staff of the school, and the caller's own profile.

use std::collections::BTreeSet;

use agent_contract::{
    Action, CampusId, ListQuery, Page, Proof, Resource, ToolError, ToolResult, Version,
};
use sqlx::FromRow;
use tools::staff::{EditStaff, MyProfile, OwnProfile, Staff, StaffMember, StaffRoleArg, StaffSort};

use super::{
    School,
    campuses::{CampusRow, id_of, known},
    fresh_id,
    name::{named, tidy},
    parts, relations,
    resemblance::{Spelling, ranked},
    school,
    version::{stored, unchanged, written},
};
use crate::db::{
    DbError, Draft, Frame, Locked, Permitted, Place, Record, WriteFrame,
    statements::{Statement, people},
    values,
};

#[derive(Debug, FromRow)]
pub(super) struct StaffRow {
    pub(super) id: String,
    pub(super) name: String,
    email: String,
    pub(super) roles: String,
    campus_ids: String,
    campuses: String,
    active: bool,
    version: i64,
}

/// A member of staff, be it that they do not work here any more.
#[derive(Debug, FromRow)]
struct AnyStaffRow {
    #[sqlx(flatten)]
    row: StaffRow,
}

impl Record for AnyStaffRow {
    const RESOURCE: Resource = Resource::Staff;
    const WHAT: &'static str = StaffRow::WHAT;
    const FIND: Statement = people::FIND_ANY_STAFF;

    fn id(&self) -> &str {
        &self.row.id
    }

    fn places(&self) -> Vec<Place> {
        self.row.places()
    }
}

#[derive(FromRow)]
struct Count {
    n: i64,
}

impl Record for StaffRow {
    const RESOURCE: Resource = Resource::Staff;
    const WHAT: &'static str = "member of staff";
    const FIND: Statement = people::FIND_STAFF;

    fn id(&self) -> &str {
        &self.id
    }

    fn places(&self) -> Vec<Place> {
        let campuses = parts(&self.campus_ids).into_iter();
        let on = |id| Place { campus_id: Some(id), ..Place::default() };
        let places: Vec<_> = campuses.map(on).collect();
        // Somebody of no campus is the school's, and within reach of whoever reaches all of it.
        if places.is_empty() { vec![Place::default()] } else { places }
    }
}

impl StaffRow {
    fn shown(self) -> ToolResult<StaffMember> {
        Ok(StaffMember {
            version: stored(self.version)?,
            roles: titles(&parts(&self.roles)),
            campuses: parts(&self.campuses),
            id: self.id,
            name: self.name,
            email: self.email,
            active: self.active,
        })
    }
}

impl<F: Frame> Staff for School<F> {
    async fn list(
        &self,
        role: Option<StaffRoleArg>,
        campus: Option<&CampusId>,
        query: ListQuery<StaffSort>,
    ) -> ToolResult<Page<StaffMember>> {
        let mut db = self.frame.session().lock().await;
        let campus = known(&mut db, campus).await?;
        let values = values![role.map(stored_role), id_of(campus.as_ref())];
        let page: Page<StaffRow> = db.page(people::STAFF_LIST, values, &query).await?;
        page.try_map(StaffRow::shown)
    }

    async fn find(&self, name: String, campus: Option<&CampusId>) -> ToolResult<Vec<StaffMember>> {
        let mut db = self.frame.session().lock().await;
        let campus = known(&mut db, campus).await?;
        let visible = db.visible(people::STAFF_TO_FIND)?;
        let rows = db.named(visible, values![id_of(campus.as_ref())]).await?;
        let found = ranked(rows, &name, Spelling::Forgiving, |row: &StaffRow| &row.name);
        found.into_iter().map(StaffRow::shown).collect()
    }
}

impl EditStaff for School<WriteFrame> {
    async fn add(
        &self,
        name: String,
        email: String,
        roles: Vec<StaffRoleArg>,
        campus: &CampusId,
    ) -> ToolResult<StaffMember> {
        let mut db = self.frame.session().lock().await;
        let campus = db.find::<CampusRow>(campus.as_str()).await?;
        let draft = db.authorize_new::<StaffRow>(campus.places().remove(0))?;
        let (name, email) = (named("A member of staff", &name)?, address(&email)?);
        let id =
            insert(&mut db, &draft, &name, &email).await.map_err(|error| taken(error, &email))?;
        give(&mut db, &id, &roles).await?;
        reread(&mut db, &id).await
    }

    async fn update(
        &self,
        member_id: String,
        name: Option<String>,
        email: Option<String>,
        seen: Option<Version>,
    ) -> ToolResult<StaffMember> {
        let mut db = self.frame.session().lock().await;
        let member = changeable(&mut db, &member_id, seen).await?;
        let name = match name {
            Some(name) => named("A member of staff", &name)?,
            None => member.row.name.clone(),
        };
        let email = match email {
            Some(email) => address(&email)?,
            None => member.row.email.clone(),
        };
        let rows =
            update(&mut db, &member, &name, &email).await.map_err(|error| taken(error, &email))?;
        written(rows, StaffRow::WHAT, &member.row.name)?;
        reread(&mut db, &member_id).await
    }

    async fn set_roles(
        &self,
        member_id: String,
        roles: Vec<StaffRoleArg>,
        seen: Option<Version>,
    ) -> ToolResult<StaffMember> {
        let mut db = self.frame.session().lock().await;
        let member = changeable(&mut db, &member_id, seen).await?;
        if db.live_caller()?.profile_id == member_id {
            return Err(ToolError::refused(
                "Nobody sets their own roles; ask another head teacher.",
            ));
        }
        if !roles.contains(&StaffRoleArg::HeadTeacher) {
            another_head_teacher(&mut db, &member).await?;
        }
        set_roles(&mut db, &member, &roles).await?;
        reread(&mut db, &member_id).await
    }

    async fn set_active(
        &self,
        member_id: String,
        active: bool,
        seen: Option<Version>,
    ) -> ToolResult<StaffMember> {
        let mut db = self.frame.session().lock().await;
        let member = changeable(&mut db, &member_id, seen).await?;
        if db.live_caller()?.profile_id == member_id {
            return Err(ToolError::refused("Nobody takes themselves out of service."));
        }
        if member.row.active == active {
            let state = if active { "works here already" } else { "does not work here any more" };
            return Err(ToolError::conflict(format!("{} {state}.", member.row.name)));
        }
        if !active {
            another_head_teacher(&mut db, &member).await?;
        }
        let rows = set_active(&mut db, &member, active).await?;
        written(rows, StaffRow::WHAT, &member.row.name)?;
        reread(&mut db, &member_id).await
    }
}

/// A member of staff whom the caller may change, at the version that was seen.
async fn changeable(
    db: &mut Locked<'_>,
    id: &str,
    seen: Option<Version>,
) -> ToolResult<Permitted<AnyStaffRow>> {
    let found = db.find::<AnyStaffRow>(id).await?;
    let member = db.authorize(Action::Update, found)?;
    unchanged(StaffRow::WHAT, &member.row.name, member.row.version, seen)?;
    Ok(member)
}

/// A school is never left without a head teacher: nobody could give the role again.
async fn another_head_teacher(
    db: &mut Locked<'_>,
    member: &Permitted<AnyStaffRow>,
) -> ToolResult<()> {
    let head = stored_role(StaffRoleArg::HeadTeacher);
    if !parts(&member.row.roles).iter().any(|role| role == head) {
        return Ok(());
    }
    let others: Option<Count> =
        db.optional(people::OTHERS_OF_ROLE, values![head, &member.row.id]).await?;
    if others.is_some_and(|others| others.n > 0) {
        return Ok(());
    }
    Err(ToolError::refused(format!("{} is the only head teacher.", member.row.name)))
}

async fn insert(
    db: &mut Locked<'_>,
    draft: &Draft<StaffRow>,
    name: &str,
    email: &str,
) -> Result<String, DbError> {
    let id = fresh_id();
    db.execute(people::ADD_STAFF, values![db.school(), &id, name, email]).await?;
    let campus = draft.place().campus_id.clone();
    db.execute(people::ADD_STAFF_CAMPUS, values![db.school(), &id, campus]).await?;
    Ok(id)
}

async fn update(
    db: &mut Locked<'_>,
    member: &Permitted<AnyStaffRow>,
    name: &str,
    email: &str,
) -> Result<u64, DbError> {
    let values = values![db.school(), &member.row.id, member.row.version, name, email];
    db.execute(people::UPDATE_STAFF, values).await
}

async fn set_active(
    db: &mut Locked<'_>,
    member: &Permitted<AnyStaffRow>,
    active: bool,
) -> Result<u64, DbError> {
    let values = values![db.school(), &member.row.id, member.row.version, active];
    db.execute(people::SET_STAFF_ACTIVE, values).await
}

async fn set_roles(
    db: &mut Locked<'_>,
    member: &Permitted<AnyStaffRow>,
    roles: &[StaffRoleArg],
) -> ToolResult<()> {
    let values = values![db.school(), &member.row.id, member.row.version];
    let rows = db.execute(people::TOUCH_STAFF, values).await?;
    written(rows, StaffRow::WHAT, &member.row.name)?;
    db.execute(people::CLEAR_STAFF_ROLES, values![db.school(), &member.row.id]).await?;
    give(db, &member.row.id, roles).await
}

/// Each role once, however often it was named.
async fn give(db: &mut Locked<'_>, staff_id: &str, roles: &[StaffRoleArg]) -> ToolResult<()> {
    let roles: BTreeSet<&str> = roles.iter().copied().map(stored_role).collect();
    for role in roles {
        db.execute(people::ADD_STAFF_ROLE, values![db.school(), staff_id, role]).await?;
    }
    Ok(())
}

async fn reread(db: &mut Locked<'_>, id: &str) -> ToolResult<StaffMember> {
    let row: Option<StaffRow> = db.optional(people::FIND_ANY_STAFF, values![id]).await?;
    row.ok_or_else(|| ToolError::not_found(StaffRow::WHAT))?.shown()
}

/// An address as it is kept: in small letters, with something on both sides of the @.
fn address(text: &str) -> ToolResult<String> {
    let address = tidy(text).to_lowercase();
    let whole = address.split_once('@').is_some_and(|(local, host)| {
        !local.is_empty() && !host.is_empty() && !host.contains('@') && !address.contains(' ')
    });
    if whole {
        Ok(address)
    } else {
        Err(ToolError::refused("A work address looks like name@school.example."))
    }
}

fn taken(error: DbError, email: &str) -> ToolError {
    match error {
        DbError::Duplicate(_) => {
            ToolError::conflict(format!("Somebody else here has the address {email} already."))
        }
        other => other.into(),
    }
}

impl<F: Frame> OwnProfile for School<F> {
    async fn profile(&self, proof: &Proof) -> ToolResult<MyProfile> {
        let session = self.frame.session();
        let own = relations::own_profile(session, proof)?;
        let mut db = session.lock().await;
        let school = school::row(&mut db).await?;
        // Their own record, whatever the policy lets them see of others.
        let row: Option<StaffRow> =
            db.optional(people::FIND_STAFF, values![&own.profile_id]).await?;
        let row = row.ok_or_else(|| ToolError::not_found("profile"))?;
        Ok(MyProfile {
            name: row.name,
            email: row.email,
            school: school.name,
            roles: titles(&parts(&row.roles)),
            campuses: parts(&row.campuses),
            class_teacher_of: own.class_teacher_of.first().map(|class| class.name.clone()),
        })
    }
}

/// The role as the policy writes it.
pub(super) fn stored_role(role: StaffRoleArg) -> &'static str {
    match role {
        StaffRoleArg::HeadTeacher => "head_teacher",
        StaffRoleArg::DirectorOfStudies => "director_of_studies",
        StaffRoleArg::CampusAdmin => "campus_admin",
        StaffRoleArg::Registrar => "registrar",
        StaffRoleArg::ClassTeacher => "class_teacher",
        StaffRoleArg::Teacher => "teacher",
        StaffRoleArg::Bursar => "bursar",
    }
}

fn titles(roles: &[String]) -> Vec<String> {
    roles.iter().filter_map(|role| title(role)).collect()
}

/// A role as people say it: `head_teacher` is a "Head teacher".
pub(super) fn title(role: &str) -> Option<String> {
    let words = role.replace('_', " ");
    let mut letters = words.chars();
    letters.next().map(|first| first.to_uppercase().collect::<String>() + letters.as_str())
}
