//! Staff of the school, and the caller's own profile.

use agent_contract::{CampusId, ListQuery, Page, Proof, Resource, ToolError, ToolResult};
use sqlx::FromRow;
use tools::staff::{MyProfile, OwnProfile, Staff, StaffMember, StaffRoleArg, StaffSort};

use super::{
    School,
    campuses::{id_of, known},
    parts, relations,
    resemblance::{Spelling, ranked},
    school,
};
use crate::db::{
    Frame, Place, Record,
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

impl From<StaffRow> for StaffMember {
    fn from(row: StaffRow) -> Self {
        Self {
            id: row.id,
            name: row.name,
            email: row.email,
            roles: titles(&parts(&row.roles)),
            campuses: parts(&row.campuses),
        }
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
        let values = values![role.map(stored), id_of(campus.as_ref())];
        let page: Page<StaffRow> = db.page(people::STAFF_LIST, values, &query).await?;
        Ok(page.map(StaffMember::from))
    }

    async fn find(&self, name: String, campus: Option<&CampusId>) -> ToolResult<Vec<StaffMember>> {
        let mut db = self.frame.session().lock().await;
        let campus = known(&mut db, campus).await?;
        let visible = db.visible(people::STAFF_TO_FIND)?;
        let rows = db.list(visible, values![id_of(campus.as_ref())]).await?;
        let found = ranked(rows, &name, Spelling::Forgiving, |row: &StaffRow| &row.name);
        Ok(found.into_iter().map(StaffMember::from).collect())
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
fn stored(role: StaffRoleArg) -> &'static str {
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

/// Roles as people say them: `head_teacher` is a "Head teacher".
fn titles(roles: &[String]) -> Vec<String> {
    let title = |role: &String| {
        let words = role.replace('_', " ");
        let mut letters = words.chars();
        letters.next().map(|first| first.to_uppercase().collect::<String>() + letters.as_str())
    };
    roles.iter().filter_map(title).collect()
}
