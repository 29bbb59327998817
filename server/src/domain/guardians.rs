//! Guardians: whom to call about a student. A guardian is seen by whoever may see one of their students' places.

use agent_contract::{Action, CampusId, Resource, ToolError, ToolResult, Version};
use sqlx::FromRow;
use tools::guardians::{
    Contact, EditGuardians, Guardian, GuardianRelation, Guardians, StudentGuardian,
};

use super::{
    School,
    campuses::{id_of, known},
    fresh_id,
    name::{named, tidy},
    parts,
    resemblance::{Spelling, ranked},
    students::StudentRow,
    version::{stored, unchanged, written},
};
use crate::db::{
    DbError, Draft, Found, Frame, Locked, Permitted, Place, Record, WriteFrame,
    statements::{Statement, guardians},
    values,
};

/// Whom to call last.
const LAST: i64 = 9;

#[derive(Debug, FromRow)]
struct GuardianRow {
    id: String,
    name: String,
    phone: Option<String>,
    email: Option<String>,
    version: i64,
    students: String,
    places: String,
}

impl Record for GuardianRow {
    const RESOURCE: Resource = Resource::Guardian;
    const WHAT: &'static str = "guardian";
    const FIND: Statement = guardians::FIND_GUARDIAN;

    fn id(&self) -> &str {
        &self.id
    }

    fn places(&self) -> Vec<Place> {
        let places: Vec<Place> = parts(&self.places).iter().map(|place| place_of(place)).collect();
        // Without a student they hang on the school alone.
        if places.is_empty() { vec![Place::default()] } else { places }
    }
}

impl GuardianRow {
    fn shown(self) -> ToolResult<Guardian> {
        Ok(Guardian {
            version: stored(self.version)?,
            students: parts(&self.students),
            id: self.id,
            name: self.name,
            phone: self.phone,
            email: self.email,
        })
    }
}

#[derive(Debug, FromRow)]
struct LinkRow {
    id: String,
    name: String,
    relation: String,
    priority: i64,
    phone: Option<String>,
    email: Option<String>,
    student_name: String,
}

impl LinkRow {
    fn shown(self) -> ToolResult<StudentGuardian> {
        Ok(StudentGuardian {
            relation: relation(&self.relation)?,
            id: self.id,
            name: self.name,
            priority: self.priority,
            phone: self.phone,
            email: self.email,
            student_name: self.student_name,
        })
    }
}

impl<F: Frame> Guardians for School<F> {
    async fn of_student(&self, student_id: String) -> ToolResult<Vec<StudentGuardian>> {
        let mut db = self.frame.session().lock().await;
        let student = db.find::<StudentRow>(&student_id).await?;
        // Who may see the student in this place may not yet see whom to call there.
        db.authorize_reading::<GuardianRow>(&student.places())?;
        let rows: Vec<LinkRow> = db.all(guardians::GUARDIANS_OF, values![student_id]).await?;
        rows.into_iter().map(LinkRow::shown).collect()
    }

    async fn find(&self, name: String, campus: Option<&CampusId>) -> ToolResult<Vec<Guardian>> {
        let mut db = self.frame.session().lock().await;
        let campus = known(&mut db, campus).await?;
        let visible = db.visible(guardians::GUARDIANS_TO_FIND)?;
        let rows = db.named(visible, values![id_of(campus.as_ref())]).await?;
        let found = ranked(rows, &name, Spelling::Forgiving, |row: &GuardianRow| &row.name);
        found.into_iter().map(GuardianRow::shown).collect()
    }
}

impl EditGuardians for School<WriteFrame> {
    async fn create(
        &self,
        contact: Contact,
        student_id: String,
        relation: GuardianRelation,
        priority: Option<i64>,
    ) -> ToolResult<StudentGuardian> {
        let mut db = self.frame.session().lock().await;
        let student = db.find::<StudentRow>(&student_id).await?;
        let place = student.places().into_iter().next().unwrap_or_default();
        let draft = db.authorize_new::<GuardianRow>(place)?;
        let name = named("A guardian", &contact.name.unwrap_or_default())?;
        let id = insert(&mut db, &draft, &name, contact.phone, contact.email).await?;
        link(&mut db, &student, &id, relation, priority).await?;
        linked(&mut db, &student_id, &id).await
    }

    async fn update(
        &self,
        guardian_id: String,
        contact: Contact,
        seen: Option<Version>,
    ) -> ToolResult<Guardian> {
        let mut db = self.frame.session().lock().await;
        let found = db.find::<GuardianRow>(&guardian_id).await?;
        let guardian = db.authorize(Action::Update, found)?;
        unchanged("guardian", &guardian.name, guardian.version, seen)?;
        let rows = update(&mut db, &guardian, contact).await?;
        written(rows, "guardian", &guardian.name)?;
        reread(&mut db, &guardian_id).await
    }

    async fn assign(
        &self,
        student_id: String,
        guardian_id: String,
        relation: GuardianRelation,
        priority: Option<i64>,
    ) -> ToolResult<StudentGuardian> {
        let mut db = self.frame.session().lock().await;
        let student = db.find::<StudentRow>(&student_id).await?;
        let found = db.find::<GuardianRow>(&guardian_id).await?;
        let guardian = db.authorize(Action::Update, found)?;
        let place = student.places().into_iter().next().unwrap_or_default();
        db.authorize_move(&guardian, place)?;
        link(&mut db, &student, &guardian.id, relation, priority).await?;
        linked(&mut db, &student_id, &guardian_id).await
    }

    async fn unassign(&self, student_id: String, guardian_id: String) -> ToolResult<Guardian> {
        let mut db = self.frame.session().lock().await;
        let student = db.find::<StudentRow>(&student_id).await?;
        let found = db.find::<GuardianRow>(&guardian_id).await?;
        let guardian = db.authorize(Action::Update, found)?;
        if unlink(&mut db, &student, &guardian).await? == 0 {
            return Err(ToolError::refused(format!(
                "{} is no guardian of {}.",
                guardian.name, student.name
            )));
        }
        reread(&mut db, &guardian_id).await
    }
}

async fn insert(
    db: &mut Locked<'_>,
    _draft: &Draft<GuardianRow>,
    name: &str,
    phone: Option<String>,
    email: Option<String>,
) -> ToolResult<String> {
    let id = fresh_id();
    let values = values![db.school(), &id, name, filled(phone), filled(email)];
    db.execute(guardians::ADD_GUARDIAN, values).await?;
    Ok(id)
}

async fn update(
    db: &mut Locked<'_>,
    guardian: &Permitted<GuardianRow>,
    contact: Contact,
) -> ToolResult<u64> {
    let name = match contact.name {
        Some(name) => named("A guardian", &name)?,
        None => guardian.name.clone(),
    };
    let or_kept = |new: Option<String>, old: &Option<String>| match new {
        Some(new) => filled(Some(new)),
        None => old.clone(),
    };
    let phone = or_kept(contact.phone, &guardian.phone);
    let email = or_kept(contact.email, &guardian.email);
    let values = values![db.school(), &guardian.id, guardian.version, name, phone, email];
    Ok(db.execute(guardians::UPDATE_GUARDIAN, values).await?)
}

/// Without a priority they come after those who are there.
async fn link(
    db: &mut Locked<'_>,
    student: &Found<StudentRow>,
    guardian_id: &str,
    relation: GuardianRelation,
    priority: Option<i64>,
) -> ToolResult<()> {
    let priority = if let Some(priority) = priority {
        priority
    } else {
        let there: Vec<LinkRow> = db.all(guardians::GUARDIANS_OF, values![&student.id]).await?;
        let others = there.iter().filter(|row| row.id != guardian_id);
        (others.map(|row| row.priority).max().unwrap_or(0) + 1).min(LAST)
    };
    let values = values![db.school(), &student.id, guardian_id, word(relation), priority];
    db.execute(guardians::LINK_GUARDIAN, values).await?;
    Ok(())
}

async fn unlink(
    db: &mut Locked<'_>,
    student: &Found<StudentRow>,
    guardian: &Permitted<GuardianRow>,
) -> ToolResult<u64> {
    let values = values![db.school(), &student.id, &guardian.id];
    Ok(db.execute(guardians::UNLINK_GUARDIAN, values).await?)
}

async fn linked(
    db: &mut Locked<'_>,
    student_id: &str,
    guardian_id: &str,
) -> ToolResult<StudentGuardian> {
    let row: Option<LinkRow> =
        db.optional(guardians::GUARDIAN_OF, values![student_id, guardian_id]).await?;
    row.ok_or_else(|| ToolError::not_found("guardian"))?.shown()
}

async fn reread(db: &mut Locked<'_>, id: &str) -> ToolResult<Guardian> {
    let row: Option<GuardianRow> = db.optional(guardians::FIND_GUARDIAN, values![id]).await?;
    row.ok_or_else(|| ToolError::not_found("guardian"))?.shown()
}

/// Text that says something; blanks are none.
fn filled(text: Option<String>) -> Option<String> {
    text.map(|text| tidy(&text)).filter(|text| !text.is_empty())
}

/// "campus⇥class", where the class may be none.
fn place_of(joined: &str) -> Place {
    let (campus, class) = joined.split_once('\t').unwrap_or((joined, ""));
    Place {
        campus_id: Some(campus.to_owned()),
        class_id: (!class.is_empty()).then(|| class.to_owned()),
        assignment_ids: Vec::new(),
    }
}

fn word(relation: GuardianRelation) -> &'static str {
    match relation {
        GuardianRelation::Mother => "mother",
        GuardianRelation::Father => "father",
        GuardianRelation::Grandparent => "grandparent",
        GuardianRelation::Sibling => "sibling",
        GuardianRelation::Relative => "relative",
        GuardianRelation::Guardian => "guardian",
    }
}

fn relation(stored: &str) -> ToolResult<GuardianRelation> {
    use GuardianRelation::{Father, Grandparent, Guardian, Mother, Relative, Sibling};
    let known = [Mother, Father, Grandparent, Sibling, Relative, Guardian];
    known
        .into_iter()
        .find(|relation| word(*relation) == stored)
        .ok_or_else(|| DbError::Stored("a guardian of an unknown relation").into())
}
