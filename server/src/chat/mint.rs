//! The runtime context of a turn: every field from the person's live rows, none from what the client says.
//!
//! Of the post only the wish for a campus counts, and that only as the id of a row that this person may see.
//! A campus that is missing, of another school or closed to them is one answer, and no turn begins.

use agent_contract::{
    AcademicYear, AgentRunMode, AgentRuntimeContextInput, AgentUserDetails, CampusRef,
    Capabilities, IanaZone, StaffRole, TeachingAssignment, TeachingDuty, TermInput, TimeInput,
    Timestamp, ToolError, ToolResult,
};
use jiff::tz::TimeZone;
use tools::campuses::Campuses as _;

use super::{ModeWish, Person};
use crate::domain::{CallerRow, SchoolRow, TermRow};

/// Why no context could be minted.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MintFault {
    /// The campus is none that this person may work on.
    #[error("there is no campus of that id that you can work on")]
    Campus(String),
    /// The rows could not be read.
    #[error(transparent)]
    Rows(#[from] ToolError),
}

/// Mints the context of a turn that begins, or goes on, now.
pub(crate) async fn mint(
    person: &Person,
    wish: &ModeWish,
) -> Result<AgentRuntimeContextInput, MintFault> {
    let school = person.school().school().await?;
    let zone = zone(&school)?;
    let run_mode = run_mode(person, wish).await?;
    let now = Timestamp::now();
    Ok(AgentRuntimeContextInput {
        user_details: user_details(person, &school),
        current_time: Some(TimeInput::Text(now.to_string())),
        user_permissions: Some(person.rights().ability().flatten()),
        capabilities: Some(capabilities(person.row())),
        current_academic_year: academic_year(person, &run_mode).await?,
        terms: Some(terms(person, &run_mode, zone.as_ref(), now).await?),
        teaching_map: teaching_map(person.row()),
        time_zone: zone.map(String::from),
        attachments: Some(Vec::new()),
        run_mode,
    })
}

fn zone(school: &SchoolRow) -> ToolResult<Option<IanaZone>> {
    school.time_zone.as_deref().map(IanaZone::get).transpose().map_err(|error| {
        tracing::error!(%error, school = school.id, "the school's time zone is not known");
        ToolError::Internal
    })
}

async fn run_mode(person: &Person, wish: &ModeWish) -> Result<AgentRunMode, MintFault> {
    let ModeWish::Campus { campus_id } = wish else { return Ok(AgentRunMode::School) };
    let visible = person.school().list().await?;
    let campus = visible.into_iter().find(|campus| campus.id == *campus_id);
    let campus = campus.ok_or_else(|| MintFault::Campus(campus_id.clone()))?;
    Ok(AgentRunMode::Campus { campus: CampusRef { id: campus.id, name: campus.name } })
}

fn user_details(person: &Person, school: &SchoolRow) -> AgentUserDetails {
    let identity = person.identity().clone();
    AgentUserDetails {
        name: person.row().name.clone(),
        email: identity.email,
        user_id: identity.sub,
        profile_id: identity.profile_id,
        user_type: identity.user_type,
        school_id: identity.school_id,
        school_name: Some(school.name.clone()),
        campus_id: identity.campus_id,
    }
}

fn capabilities(row: &CallerRow) -> Capabilities {
    let director = StaffRole::DirectorOfStudies.as_str();
    Capabilities {
        is_class_teacher: !row.class_teacher_of.is_empty(),
        is_subject_teacher: !row.teaching.is_empty(),
        is_director_of_studies: row.roles.iter().any(|role| role == director),
    }
}

async fn academic_year(
    person: &Person,
    run_mode: &AgentRunMode,
) -> ToolResult<Option<AcademicYear>> {
    let Some(year) = person.school().current_year().await? else { return Ok(None) };
    let campus_academic_year_id = match run_mode.campus() {
        Some(campus) => person.school().campus_year_id(&campus.id).await?,
        None => None,
    };
    let number = i32::try_from(year.year).map_err(|_| ToolError::Internal)?;
    Ok(Some(AcademicYear { name: year.name, year: number, campus_academic_year_id }))
}

/// A campus keeps its own terms, so without one there are none to state.
async fn terms(
    person: &Person,
    run_mode: &AgentRunMode,
    zone: Option<&IanaZone>,
    now: Timestamp,
) -> ToolResult<Vec<TermInput>> {
    let Some(campus) = run_mode.campus() else { return Ok(Vec::new()) };
    let zone = zone.map_or(TimeZone::UTC, |zone| zone.zone().clone());
    // ISO 8601 days compare as text.
    let today = now.instant().to_zoned_datetime(zone).date().to_string();
    let rows = person.school().terms_of(&campus.id).await?;
    rows.into_iter().map(|row| term(row, &today)).collect()
}

fn term(row: TermRow, today: &str) -> ToolResult<TermInput> {
    Ok(TermInput {
        is_current: (row.starts_on.as_str()..=row.ends_on.as_str()).contains(&today),
        id: row.id,
        name: row.name,
        term_number: u32::try_from(row.term_number).map_err(|_| ToolError::Internal)?,
        starts_on: row.starts_on,
        ends_on: row.ends_on,
    })
}

/// Left out for those who teach nothing: being there is what says that somebody does.
fn teaching_map(row: &CallerRow) -> Option<Vec<TeachingAssignment>> {
    let classes = row.class_teacher_of.iter().map(|class| TeachingAssignment {
        class_id: class.id.clone(),
        class_name: class.name.clone(),
        duty: TeachingDuty::ClassTeacher,
    });
    let subjects = row.teaching.iter().map(|taught| TeachingAssignment {
        class_id: taught.class_id.clone(),
        class_name: taught.class_name.clone(),
        duty: TeachingDuty::SubjectTeacher {
            subject_id: taught.subject_id.clone(),
            subject_name: taught.subject_name.clone(),
        },
    });
    let map: Vec<_> = classes.chain(subjects).collect();
    (!map.is_empty()).then_some(map)
}
