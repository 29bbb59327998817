//! Announcements: written, then published to an audience, and withdrawn when they no longer hold.
//!
//! The audience is the whole school, a campus or a class, and in any of them one role if one is named. A draft is its
//! writer's alone.

use std::future::Future;

use agent_contract::{
    AuditSubject, CampusArg, CampusId, ListQuery, Order, Page, PageSize, Timestamp, ToolArgs,
    ToolCx, ToolResult, Version, agent_tool, sort_keys,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::staff::StaffRoleArg;

/// Something that staff are told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, AuditSubject)]
#[serde(rename_all = "camelCase")]
#[audit(kind = "announcement")]
pub struct Announcement {
    /// Id of the announcement.
    #[audit(id)]
    pub id: String,
    /// What it is about, in a line.
    pub title: String,
    /// What it says.
    pub body: String,
    /// Whom it is for, e.g. "Main Campus, class teachers".
    pub audience: String,
    /// Where it stands.
    pub state: AnnouncementState,
    /// Name of who wrote it.
    pub written_by: String,
    /// When it was published, if it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub published_at: Option<Timestamp>,
    /// Grows by one with every change; guards against lost updates.
    pub version: Version,
}

/// Where an announcement stands.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, ToolArgs,
)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum AnnouncementState {
    /// Written; only its writer sees it.
    Draft,
    /// Its audience sees it.
    #[default]
    Published,
    /// Taken back; only its writer sees it.
    Withdrawn,
}

sort_keys! {
    /// What announcements can be sorted by.
    pub enum AnnouncementSort {
        /// By the time at which they were written.
        Written = "written",
        /// By title.
        Title = "title",
    }
}

/// Whom an announcement is for.
#[derive(Clone, Debug, Default)]
pub struct Audience {
    /// One campus; none means the whole school, unless a class is named.
    pub campus: Option<CampusId>,
    /// One class.
    pub class_id: Option<String>,
    /// One role.
    pub role: Option<StaffRoleArg>,
}

/// What reading announcements needs of the domain.
pub trait Announcements: Send + Sync {
    /// A page of the announcements that the caller may read; of one campus if one is given.
    fn list(
        &self,
        state: AnnouncementState,
        campus: Option<&CampusId>,
        query: ListQuery<AnnouncementSort>,
    ) -> impl Future<Output = ToolResult<Page<Announcement>>> + Send;
}

/// What changing announcements needs of the domain.
pub trait EditAnnouncements: Announcements {
    /// Writes a draft.
    fn create(
        &self,
        title: String,
        body: String,
        audience: Audience,
    ) -> impl Future<Output = ToolResult<Announcement>> + Send;

    /// Shows a draft to its audience.
    fn publish(
        &self,
        announcement_id: String,
        seen: Option<Version>,
    ) -> impl Future<Output = ToolResult<Announcement>> + Send;

    /// Takes an announcement back.
    fn withdraw(
        &self,
        announcement_id: String,
        seen: Option<Version>,
    ) -> impl Future<Output = ToolResult<Announcement>> + Send;
}

/// What the model supplies to list announcements.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct ListAnnouncements {
    /// Published ones, own drafts, or own ones that were withdrawn; leave out for published ones.
    #[serde(default)]
    pub state: Option<AnnouncementState>,
    /// Campus whose announcements to list; leave out for every campus in scope.
    #[serde(default)]
    pub campus_id: CampusArg,
    /// What to sort by; leave out for the time at which they were written.
    #[serde(default)]
    pub sort: Option<AnnouncementSort>,
    /// Which end comes first; leave out for the newest first.
    #[serde(default)]
    pub order: Option<Order>,
    /// How many to return, 1 to 100; leave out for 50.
    #[serde(default)]
    pub limit: Option<PageSize>,
    /// `nextCursor` of the page before; leave out for the first page.
    #[serde(default)]
    pub cursor: Option<String>,
}

/// List the announcements for the person chatting, the newest first. Use it for "what is new" and "any announcements".
#[agent_tool(
    scope = general,
    posture = casl(Read, Announcement),
    roles = [Rover, ClassTeacher, SubjectTeacher, DirectorOfStudies],
    label = "Reading announcements",
    say = [
        "list [all] [the] announcements",
        "(show|give) [me] [all] [the] announcements",
        "list [all] [the] announcements (at|on|for) {campus_id}",
        "(are there|do we have) any announcements",
    ],
    examples = [{}, { campus_id: "naalya-campus-lakeside" }],
)]
pub async fn list_announcements(
    cx: &ToolCx<impl Announcements>,
    args: ListAnnouncements,
) -> ToolResult<Page<Announcement>> {
    let order = args.order.unwrap_or(Order::Descending);
    let query = ListQuery::new(args.sort, Some(order), args.limit, args.cursor.as_deref())?;
    cx.services().list(args.state.unwrap_or_default(), args.campus_id.filter(), query).await
}

/// What the model supplies to create an announcement.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct CreateAnnouncement {
    /// What it is about, in a line, e.g. "Staff meeting on Friday".
    #[schemars(length(min = 1, max = 120))]
    pub title: String,
    /// What it says.
    #[schemars(length(min = 1, max = 4000))]
    pub body: String,
    /// Campus that it is for; leave out for the whole school in scope.
    #[serde(default)]
    pub campus_id: CampusArg,
    /// Id of the class whose teachers it is for; leave out for everybody.
    #[serde(default)]
    #[arg(lookup = find_classes)]
    pub class_id: Option<String>,
    /// Role that it is for; leave out for every role.
    #[serde(default)]
    pub role: Option<StaffRoleArg>,
}

/// Write an announcement. Nobody else sees it until it is published.
#[agent_tool(
    scope = general,
    posture = casl(Create, Announcement),
    roles = [Rover, DirectorOfStudies],
    label = "Writing an announcement",
    say = [
        "create [an] announcement [called|titled] {title} saying {body}",
        "write [an] announcement [called|titled] {title} saying {body}",
        "draft [an] announcement [called|titled] {title} saying {body}",
    ],
    examples = [
        { title: "Staff meeting", body: "On Friday at four, in the library." },
        {
            title: "Registers",
            body: "Please close the registers by Thursday.",
            campus_id: "naalya-campus-main",
            role: "class_teacher",
        },
    ],
)]
pub async fn create_announcement(
    cx: &ToolCx<impl EditAnnouncements>,
    args: CreateAnnouncement,
) -> ToolResult<Announcement> {
    let audience = Audience {
        campus: args.campus_id.filter().cloned(),
        class_id: args.class_id,
        role: args.role,
    };
    cx.services().create(args.title, args.body, audience).await
}

/// What the model supplies to publish an announcement.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct PublishAnnouncement {
    /// Id of the announcement, a draft of the person chatting.
    pub announcement_id: String,
    /// Version that you saw; leave out to publish it whatever it is by now.
    #[serde(default)]
    pub version: Option<Version>,
}

/// Publish an announcement: its audience sees it from now on.
#[agent_tool(
    scope = general,
    posture = casl(Create, Announcement),
    roles = [Rover, DirectorOfStudies],
    label = "Publishing an announcement",
    say = ["publish [the] announcement {announcement_id}"],
    examples = [{ announcement_id: "naalya-announcement-draft" }],
)]
pub async fn publish_announcement(
    cx: &ToolCx<impl EditAnnouncements>,
    args: PublishAnnouncement,
) -> ToolResult<Announcement> {
    cx.services().publish(args.announcement_id, args.version).await
}

/// What the model supplies to withdraw an announcement.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct WithdrawAnnouncement {
    /// Id of the announcement.
    pub announcement_id: String,
    /// Version that you saw; leave out to withdraw it whatever it is by now.
    #[serde(default)]
    pub version: Option<Version>,
}

/// Withdraw an announcement: its audience does not see it any more.
#[agent_tool(
    scope = general,
    posture = casl(Update, Announcement),
    roles = [Rover, DirectorOfStudies],
    label = "Withdrawing an announcement",
    say = [
        "withdraw [the] announcement {announcement_id}",
        "take back [the] announcement {announcement_id}",
    ],
    examples = [{ announcement_id: "naalya-announcement-welcome" }],
)]
pub async fn withdraw_announcement(
    cx: &ToolCx<impl EditAnnouncements>,
    args: WithdrawAnnouncement,
) -> ToolResult<Announcement> {
    cx.services().withdraw(args.announcement_id, args.version).await
}
