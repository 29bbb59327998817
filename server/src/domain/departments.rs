//! Departments: a name is unique among those of one campus that are in use.

use agent_contract::{
    Action, CampusId, Deleted, ListQuery, Page, Resource, ToolError, ToolResult, Version,
};
use jiff::Timestamp;
use sqlx::FromRow;
use tools::departments::{Department, DepartmentSort, Departments, EditDepartments};

use super::{
    School,
    campuses::{CampusRow, id_of, known},
    fresh_id,
    name::named,
    resemblance::{Spelling, ranked},
    version::{stored, unchanged, written},
};
use crate::db::{
    DbError, Draft, Frame, Locked, Permitted, Place, Record, WriteFrame,
    statements::{Statement, departments},
    values,
};

#[derive(Debug, FromRow)]
pub(super) struct DepartmentRow {
    pub(super) id: String,
    name: String,
    pub(super) campus_id: String,
    campus_name: String,
    version: i64,
}

impl Record for DepartmentRow {
    const RESOURCE: Resource = Resource::Department;
    const WHAT: &'static str = "department";
    const FIND: Statement = departments::FIND_DEPARTMENT;

    fn id(&self) -> &str {
        &self.id
    }

    fn places(&self) -> Vec<Place> {
        vec![Place { campus_id: Some(self.campus_id.clone()), ..Place::default() }]
    }
}

impl DepartmentRow {
    fn shown(self) -> ToolResult<Department> {
        Ok(Department {
            version: stored(self.version)?,
            id: self.id,
            name: self.name,
            campus_id: self.campus_id,
            campus_name: self.campus_name,
        })
    }
}

impl<F: Frame> School<F> {
    /// One department, for a controller that is given its id.
    pub async fn department(&self, id: &str) -> ToolResult<Department> {
        let mut db = self.frame.session().lock().await;
        db.find::<DepartmentRow>(id).await?.into_inner().shown()
    }
}

impl<F: Frame> Departments for School<F> {
    async fn list(
        &self,
        campus: Option<&CampusId>,
        query: ListQuery<DepartmentSort>,
    ) -> ToolResult<Page<Department>> {
        let mut db = self.frame.session().lock().await;
        let campus = known(&mut db, campus).await?;
        let values = values![id_of(campus.as_ref())];
        let page: Page<DepartmentRow> = db.page(departments::DEPARTMENTS, values, &query).await?;
        page.try_map(DepartmentRow::shown)
    }

    async fn find(&self, name: String, campus: Option<&CampusId>) -> ToolResult<Vec<Department>> {
        let mut db = self.frame.session().lock().await;
        let campus = known(&mut db, campus).await?;
        let visible = db.visible(departments::DEPARTMENTS_TO_FIND)?;
        let rows = db.named(visible, values![id_of(campus.as_ref())]).await?;
        let found = ranked(rows, &name, Spelling::Forgiving, |row: &DepartmentRow| &row.name);
        found.into_iter().map(DepartmentRow::shown).collect()
    }
}

impl EditDepartments for School<WriteFrame> {
    async fn create(&self, name: String, campus: &CampusId) -> ToolResult<Department> {
        let mut db = self.frame.session().lock().await;
        let campus = db.find::<CampusRow>(campus.as_str()).await?;
        let draft = db.authorize_new::<DepartmentRow>(campus.places().remove(0))?;
        let name = named("A department", &name)?;
        let id = insert(&mut db, &draft, &name)
            .await
            .map_err(|error| taken(error, &campus.name, &name))?;
        reread(&mut db, &id).await
    }

    async fn rename(
        &self,
        department_id: String,
        name: String,
        seen: Option<Version>,
    ) -> ToolResult<Department> {
        let mut db = self.frame.session().lock().await;
        let found = db.find::<DepartmentRow>(&department_id).await?;
        let department = db.authorize(Action::Update, found)?;
        unchanged("department", &department.name, department.version, seen)?;
        let name = named("A department", &name)?;
        let renamed = rename(&mut db, &department, &name)
            .await
            .map_err(|error| taken(error, &department.campus_name, &name))?;
        written(renamed, "department", &department.name)?;
        reread(&mut db, &department_id).await
    }

    async fn archive(
        &self,
        department_id: String,
        seen: Option<Version>,
    ) -> ToolResult<Deleted<Department>> {
        let mut db = self.frame.session().lock().await;
        let found = db.find::<DepartmentRow>(&department_id).await?;
        let department = db.authorize(Action::Delete, found)?;
        unchanged("department", &department.name, department.version, seen)?;
        let archived = archive(&mut db, &department).await?;
        written(archived, "department", &department.name)?;
        Ok(Deleted::new(department.into_inner().shown()?))
    }
}

async fn insert(
    db: &mut Locked<'_>,
    draft: &Draft<DepartmentRow>,
    name: &str,
) -> Result<String, DbError> {
    let id = fresh_id();
    let values = values![db.school(), &id, draft.place().campus_id.clone(), name];
    db.execute(departments::ADD_DEPARTMENT, values).await?;
    Ok(id)
}

async fn rename(
    db: &mut Locked<'_>,
    department: &Permitted<DepartmentRow>,
    name: &str,
) -> Result<u64, DbError> {
    let values = values![db.school(), &department.id, department.version, name];
    db.execute(departments::RENAME_DEPARTMENT, values).await
}

async fn archive(
    db: &mut Locked<'_>,
    department: &Permitted<DepartmentRow>,
) -> Result<u64, DbError> {
    let now = Timestamp::now().as_microsecond();
    let values = values![db.school(), &department.id, department.version, now];
    db.execute(departments::ARCHIVE_DEPARTMENT, values).await
}

/// The department as it is now. What was just written is shown to whoever wrote it.
async fn reread(db: &mut Locked<'_>, id: &str) -> ToolResult<Department> {
    let row: Option<DepartmentRow> = db.optional(departments::FIND_DEPARTMENT, values![id]).await?;
    row.ok_or_else(|| ToolError::not_found("department"))?.shown()
}

fn taken(error: DbError, campus: &str, name: &str) -> ToolError {
    match error {
        DbError::Duplicate(_) => {
            ToolError::conflict(format!("{campus} already has a department called \"{name}\"."))
        }
        other => other.into(),
    }
}
