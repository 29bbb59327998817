//! Announcements: a draft is its writer's alone, what is published is its audience's.
//!
//! Who may write for a place may write for no wider one: leave for one campus is none for the school.

use agent_contract::{
    Action, CampusId, ListQuery, Page, Resource, Timestamp, ToolError, ToolResult, Version,
};
use sqlx::FromRow;
use tools::announcements::{
    Announcement, AnnouncementSort, AnnouncementState, Announcements, Audience, EditAnnouncements,
};

use super::{
    School,
    campuses::{CampusRow, id_of, known},
    classes::ClassRow,
    fresh_id,
    name::named,
    parts,
    staff::{stored_role, title},
    version::{stored, unchanged, written},
};
use crate::db::{
    DbError, Draft, Found, Frame, Locked, Permitted, Place, Record, WriteFrame,
    statements::{Statement, announcements},
    values,
};

#[derive(Debug, FromRow)]
struct AnnouncementRow {
    id: String,
    title: String,
    body: String,
    campus_id: Option<String>,
    campus_name: Option<String>,
    class_id: Option<String>,
    class_name: Option<String>,
    role: Option<String>,
    state: String,
    writer_id: String,
    written_by: String,
    published_at_us: Option<i64>,
    version: i64,
    every_campus: String,
}

#[derive(FromRow)]
struct Id {
    #[expect(dead_code, reason = "that there is a row is the answer")]
    id: String,
}

impl Record for AnnouncementRow {
    const RESOURCE: Resource = Resource::Announcement;
    const WHAT: &'static str = "announcement";
    const FIND: Statement = announcements::FIND_ANNOUNCEMENT;

    fn id(&self) -> &str {
        &self.id
    }

    /// Where it is read: what is for the whole school, on every campus.
    fn places(&self) -> Vec<Place> {
        match &self.campus_id {
            Some(_) => vec![self.place()],
            None => parts(&self.every_campus)
                .into_iter()
                .map(|id| Place { campus_id: Some(id), ..Place::default() })
                .chain([Place::default()])
                .collect(),
        }
    }
}

impl AnnouncementRow {
    /// Where it is written: what is for the whole school, nowhere less.
    fn place(&self) -> Place {
        Place {
            campus_id: self.campus_id.clone(),
            class_id: self.class_id.clone(),
            assignment_ids: Vec::new(),
        }
    }

    fn shown(self) -> ToolResult<Announcement> {
        let published = self.published_at_us.map(moment).transpose()?;
        Ok(Announcement {
            audience: self.audience(),
            state: state(&self.state)?,
            published_at: published,
            version: stored(self.version)?,
            id: self.id,
            title: self.title,
            body: self.body,
            written_by: self.written_by,
        })
    }

    /// "S1 East", "Main Campus, class teachers", "The whole school".
    fn audience(&self) -> String {
        let place = self.class_name.as_ref().or(self.campus_name.as_ref());
        let place = place.cloned().unwrap_or_else(|| "The whole school".to_owned());
        match self.role.as_deref().and_then(title) {
            Some(role) => format!("{place}: {role}"),
            None => place,
        }
    }
}

impl<F: Frame> Announcements for School<F> {
    async fn list(
        &self,
        state: AnnouncementState,
        campus: Option<&CampusId>,
        query: ListQuery<AnnouncementSort>,
    ) -> ToolResult<Page<Announcement>> {
        let mut db = self.frame.session().lock().await;
        let reader = db.live_caller()?.profile_id.clone();
        let campus = known(&mut db, campus).await?;
        let values = values![reader, word(state), id_of(campus.as_ref())];
        let page: Page<AnnouncementRow> =
            db.page(announcements::ANNOUNCEMENTS, values, &query).await?;
        page.try_map(AnnouncementRow::shown)
    }
}

impl EditAnnouncements for School<WriteFrame> {
    async fn create(
        &self,
        title: String,
        body: String,
        audience: Audience,
    ) -> ToolResult<Announcement> {
        let mut db = self.frame.session().lock().await;
        let place = match (&audience.class_id, &audience.campus) {
            (Some(class_id), campus) => {
                let class = db.find::<ClassRow>(class_id).await?;
                if campus.as_ref().is_some_and(|campus| campus.as_str() != class.campus_id) {
                    return Err(ToolError::refused(format!(
                        "{} is not on that campus.",
                        class.name
                    )));
                }
                Place { assignment_ids: Vec::new(), ..class.place() }
            }
            (None, Some(campus)) => {
                let campus = db.find::<CampusRow>(campus.as_str()).await?;
                campus.places().remove(0)
            }
            (None, None) => Place::default(),
        };
        let draft = db.authorize_new::<AnnouncementRow>(place)?;
        let title = named("An announcement", &title)?;
        if body.trim().is_empty() {
            return Err(ToolError::refused("An announcement has to say something."));
        }
        let id =
            insert(&mut db, &draft, &title, body.trim(), audience.role.map(stored_role)).await?;
        reread(&mut db, &id).await
    }

    async fn publish(
        &self,
        announcement_id: String,
        seen: Option<Version>,
    ) -> ToolResult<Announcement> {
        let mut db = self.frame.session().lock().await;
        let found = readable(&mut db, &announcement_id).await?;
        let place = found.place();
        match state(&found.state)? {
            AnnouncementState::Draft => {}
            AnnouncementState::Published => {
                return Err(ToolError::conflict(format!(
                    "\"{}\" is published already.",
                    found.title
                )));
            }
            AnnouncementState::Withdrawn => {
                return Err(ToolError::refused(format!(
                    "\"{}\" was withdrawn; write it anew to publish it.",
                    found.title
                )));
            }
        }
        db.authorize_new::<AnnouncementRow>(place)?;
        let announcement = db.authorize(Action::Create, found)?;
        unchanged("announcement", &announcement.title, announcement.version, seen)?;
        let rows = publish(&mut db, &announcement).await?;
        written(rows, "announcement", &announcement.title)?;
        reread(&mut db, &announcement_id).await
    }

    async fn withdraw(
        &self,
        announcement_id: String,
        seen: Option<Version>,
    ) -> ToolResult<Announcement> {
        let mut db = self.frame.session().lock().await;
        let found = readable(&mut db, &announcement_id).await?;
        let place = found.place();
        let announcement = db.authorize(Action::Update, found)?;
        // It is read in more places than it may be changed from.
        db.authorize_move(&announcement, place)?;
        if state(&announcement.state)? == AnnouncementState::Withdrawn {
            return Err(ToolError::conflict(format!(
                "\"{}\" is withdrawn already.",
                announcement.title
            )));
        }
        unchanged("announcement", &announcement.title, announcement.version, seen)?;
        let rows = withdraw(&mut db, &announcement).await?;
        written(rows, "announcement", &announcement.title)?;
        reread(&mut db, &announcement_id).await
    }
}

/// An announcement that the caller could read in a list. What is not for them is not there.
async fn readable(db: &mut Locked<'_>, id: &str) -> ToolResult<Found<AnnouncementRow>> {
    let found = db.find::<AnnouncementRow>(id).await?;
    let reader = db.live_caller()?.profile_id.clone();
    if found.writer_id == reader {
        return Ok(found);
    }
    let for_them = match &found.role {
        None => true,
        Some(role) => {
            let has: Option<Id> =
                db.optional(announcements::HAS_ROLE, values![reader, role]).await?;
            has.is_some()
        }
    };
    if for_them && state(&found.state)? == AnnouncementState::Published {
        return Ok(found);
    }
    Err(ToolError::NotFound { what: AnnouncementRow::WHAT, id: Some(id.to_owned()) })
}

async fn insert(
    db: &mut Locked<'_>,
    draft: &Draft<AnnouncementRow>,
    title: &str,
    body: &str,
    role: Option<&'static str>,
) -> ToolResult<String> {
    let (id, place) = (fresh_id(), draft.place().clone());
    let writer = db.live_caller()?.profile_id.clone();
    let now = jiff::Timestamp::now().as_microsecond();
    let values =
        values![db.school(), &id, title, body, place.campus_id, place.class_id, role, writer, now,];
    db.execute(announcements::ADD_ANNOUNCEMENT, values).await?;
    Ok(id)
}

async fn publish(
    db: &mut Locked<'_>,
    announcement: &Permitted<AnnouncementRow>,
) -> Result<u64, DbError> {
    let now = jiff::Timestamp::now().as_microsecond();
    let values = values![db.school(), &announcement.id, announcement.version, now];
    db.execute(announcements::PUBLISH_ANNOUNCEMENT, values).await
}

async fn withdraw(
    db: &mut Locked<'_>,
    announcement: &Permitted<AnnouncementRow>,
) -> Result<u64, DbError> {
    let values = values![db.school(), &announcement.id, announcement.version];
    db.execute(announcements::WITHDRAW_ANNOUNCEMENT, values).await
}

async fn reread(db: &mut Locked<'_>, id: &str) -> ToolResult<Announcement> {
    let row: Option<AnnouncementRow> =
        db.optional(announcements::FIND_ANNOUNCEMENT, values![id]).await?;
    row.ok_or_else(|| ToolError::not_found("announcement"))?.shown()
}

fn word(state: AnnouncementState) -> &'static str {
    match state {
        AnnouncementState::Draft => "draft",
        AnnouncementState::Published => "published",
        AnnouncementState::Withdrawn => "withdrawn",
    }
}

fn state(stored: &str) -> ToolResult<AnnouncementState> {
    let known =
        [AnnouncementState::Draft, AnnouncementState::Published, AnnouncementState::Withdrawn];
    known
        .into_iter()
        .find(|state| word(*state) == stored)
        .ok_or_else(|| DbError::Stored("an announcement of an unknown state").into())
}

fn moment(microseconds: i64) -> ToolResult<Timestamp> {
    Timestamp::from_millisecond(microseconds / 1000)
        .map_err(|_| DbError::Stored("a moment that no calendar has").into())
}
