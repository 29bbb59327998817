//! Assessments: created in a class and subject for the term that their day lies in, published, closed.

use agent_contract::{
    Action, CampusId, Date, Hundredths, ListQuery, Page, Proof, Relation, Resource, ToolError,
    ToolResult,
};
use jiff::Timestamp;
use sqlx::FromRow;
use tools::assessments::{
    Assessment, AssessmentChange, AssessmentFilter, AssessmentSort, AssessmentState, Assessments,
    EditAssessments, NewAssessment, PublishOwnAssessment,
};

use super::super::{
    School, TermRow,
    calendar::day,
    campuses::{id_of, known},
    classes::ClassRow,
    fresh_id,
    name::{named, tidy},
    parts, relations,
    resemblance::{Spelling, ranked},
    school::today,
    subjects::{SubjectRow, is_taken_by},
    version::{stored, unchanged, written},
};
use crate::db::{
    DbError, Draft, Frame, Locked, Permitted, Place, Record, WriteFrame,
    statements::{self, Statement, marks},
    values,
};

/// The mark for a flawless paper, unless another is said: 100.
const USUAL_MAXIMUM: i64 = 10_000;

#[derive(Debug, Clone, FromRow)]
pub(in crate::domain) struct AssessmentRow {
    pub(super) id: String,
    pub(super) name: String,
    pub(in crate::domain) class_id: String,
    pub(super) class_name: String,
    pub(in crate::domain) campus_id: String,
    pub(in crate::domain) subject_id: String,
    pub(super) subject: String,
    term_id: String,
    pub(super) term: String,
    term_number: i64,
    pub(super) on_date: String,
    maximum: i64,
    pub(super) weight: i64,
    state: String,
    version: i64,
    marked: i64,
    assignment_ids: String,
}

impl Record for AssessmentRow {
    const RESOURCE: Resource = Resource::Assessment;
    const WHAT: &'static str = "assessment";
    const FIND: Statement = marks::FIND_ASSESSMENT;

    fn id(&self) -> &str {
        &self.id
    }

    fn places(&self) -> Vec<Place> {
        vec![Place {
            campus_id: Some(self.campus_id.clone()),
            class_id: Some(self.class_id.clone()),
            assignment_ids: parts(&self.assignment_ids),
        }]
    }
}

impl AssessmentRow {
    /// The mark for a flawless paper.
    pub(super) fn maximum(&self) -> ToolResult<Hundredths> {
        number(self.maximum)
    }

    pub(super) fn state(&self) -> ToolResult<AssessmentState> {
        match self.state.as_str() {
            "open" => Ok(AssessmentState::Open),
            "published" => Ok(AssessmentState::Published),
            "closed" => Ok(AssessmentState::Closed),
            _ => Err(DbError::Stored("an assessment in an unknown state").into()),
        }
    }

    fn shown(self) -> ToolResult<Assessment> {
        Ok(Assessment {
            date: day(&self.on_date)?,
            maximum: self.maximum()?,
            state: self.state()?,
            version: stored(self.version)?,
            id: self.id,
            name: self.name,
            class_id: self.class_id,
            class_name: self.class_name,
            subject_id: self.subject_id,
            subject: self.subject,
            term: self.term,
            weight: self.weight,
            marked: self.marked,
        })
    }

    /// Refuses a change of what is settled.
    pub(super) fn still_changes(&self) -> ToolResult<()> {
        if self.state()? == AssessmentState::Closed {
            return Err(ToolError::refused(format!(
                "{} in {} is closed, so its marks are settled.",
                self.name, self.subject
            )));
        }
        Ok(())
    }
}

/// What is settled about an assessment before it is written.
struct Settled {
    name: String,
    date: Date,
    maximum: Hundredths,
    weight: i64,
}

#[derive(FromRow)]
struct Id {
    id: String,
}

#[derive(FromRow)]
struct Greatest {
    score: Option<i64>,
}

impl<F: Frame> School<F> {
    /// One assessment, for a controller that is given its id.
    pub async fn assessment(&self, id: &str) -> ToolResult<Assessment> {
        let mut db = self.frame.session().lock().await;
        let found = db.find::<AssessmentRow>(id).await?;
        (*found).clone().shown()
    }
}

impl<F: Frame> Assessments for School<F> {
    async fn assessments(
        &self,
        filter: AssessmentFilter,
        campus: Option<&CampusId>,
        query: ListQuery<AssessmentSort>,
    ) -> ToolResult<Page<Assessment>> {
        let mut db = self.frame.session().lock().await;
        if let Some(class_id) = &filter.class_id {
            db.find::<ClassRow>(class_id).await?;
        }
        if let Some(subject_id) = &filter.subject_id {
            db.find::<SubjectRow>(subject_id).await?;
        }
        let campus = known(&mut db, campus).await?;
        let AssessmentFilter { class_id, subject_id, term_number, state } = filter;
        let state = state.map(word);
        let values = values![class_id, subject_id, term_number, state, id_of(campus.as_ref())];
        let page: Page<AssessmentRow> = db.page(marks::ASSESSMENTS, values, &query).await?;
        page.try_map(AssessmentRow::shown)
    }

    async fn find_assessments(
        &self,
        name: String,
        campus: Option<&CampusId>,
    ) -> ToolResult<Vec<Assessment>> {
        let mut db = self.frame.session().lock().await;
        let campus = known(&mut db, campus).await?;
        let visible = db.visible(marks::ASSESSMENTS_TO_FIND)?;
        let rows: Vec<AssessmentRow> = db.named(visible, values![id_of(campus.as_ref())]).await?;
        let found = ranked(rows, &tidy(&name), Spelling::Forgiving, |row| &row.name);
        found.into_iter().map(AssessmentRow::shown).collect()
    }
}

impl EditAssessments for School<WriteFrame> {
    async fn create_assessment(&self, new: NewAssessment) -> ToolResult<Assessment> {
        let mut db = self.frame.session().lock().await;
        let class = db.find::<ClassRow>(&new.class_id).await?;
        let subject = db.find::<SubjectRow>(&new.subject_id).await?;
        let place = taught_place(&mut db, &class, &subject.id).await?;
        let draft = db.authorize_new::<AssessmentRow>(place)?;
        if !is_taken_by(&mut db, &class.id, &subject.id).await? {
            return Err(ToolError::refused(format!(
                "{} does not take {}; offer it to the class first.",
                class.name, subject.name
            )));
        }
        let settled = Settled {
            name: named("An assessment", &new.name)?,
            date: match new.date {
                Some(date) => date,
                None => today(&mut db).await?,
            },
            maximum: usable(new.maximum)?,
            weight: new.weight,
        };
        let term = term_on(&mut db, &class.campus_id, settled.date).await?;
        must_be_open(&term)?;
        let id = insert(&mut db, &draft, &subject.id, &term.id, &settled)
            .await
            .map_err(|error| taken(error, &class.name, &subject.name, &settled.name))?;
        reread(&mut db, &id).await
    }

    async fn update_assessment(
        &self,
        assessment_id: String,
        change: AssessmentChange,
    ) -> ToolResult<Assessment> {
        let mut db = self.frame.session().lock().await;
        let found = db.find::<AssessmentRow>(&assessment_id).await?;
        let assessment = db.authorize(Action::Update, found)?;
        unchanged("assessment", &assessment.name, assessment.version, change.version)?;
        assessment.still_changes()?;
        term_of(&mut db, &assessment).await.and_then(|term| must_be_open(&term))?;
        let settled = Settled {
            name: match &change.name {
                Some(name) => named("An assessment", name)?,
                None => assessment.name.clone(),
            },
            date: match change.date {
                Some(date) => within_its_term(&mut db, &assessment, date).await?,
                None => day(&assessment.on_date)?,
            },
            maximum: match change.maximum {
                Some(maximum) => above_all_marks(&mut db, &assessment, maximum).await?,
                None => assessment.maximum()?,
            },
            weight: change.weight.unwrap_or(assessment.weight),
        };
        let rows = update(&mut db, &assessment, &settled).await.map_err(|error| {
            taken(error, &assessment.class_name, &assessment.subject, &settled.name)
        })?;
        written(rows, "assessment", &assessment.name)?;
        reread(&mut db, &assessment_id).await
    }

    async fn close_assessment(&self, assessment_id: String) -> ToolResult<Assessment> {
        let mut db = self.frame.session().lock().await;
        let found = db.find::<AssessmentRow>(&assessment_id).await?;
        let assessment = db.authorize(Action::Update, found)?;
        match assessment.state()? {
            AssessmentState::Published => {}
            AssessmentState::Closed => {
                return Err(ToolError::conflict(format!("{} is closed already.", assessment.name)));
            }
            AssessmentState::Open => {
                return Err(ToolError::refused(format!(
                    "{} is not published yet; its teacher publishes it first.",
                    assessment.name
                )));
            }
        }
        set_state(&mut db, &assessment, AssessmentState::Closed).await?;
        reread(&mut db, &assessment_id).await
    }
}

impl PublishOwnAssessment for School<WriteFrame> {
    async fn publish_assessment(&self, proof: &Proof) -> ToolResult<Assessment> {
        let mut db = self.frame.session().lock().await;
        let assessment = own(&mut db, proof).await?;
        match assessment.state()? {
            AssessmentState::Open => {}
            AssessmentState::Published | AssessmentState::Closed => {
                return Err(ToolError::conflict(format!(
                    "{} is published already.",
                    assessment.name
                )));
            }
        }
        if assessment.marked == 0 {
            return Err(ToolError::refused(format!(
                "{} has no marks yet, so there is nothing to publish.",
                assessment.name
            )));
        }
        set_state(&mut db, &assessment, AssessmentState::Published).await?;
        reread(&mut db, &assessment.id).await
    }
}

/// The assessment that the caller was proved to teach.
pub(super) async fn own(db: &mut Locked<'_>, proof: &Proof) -> ToolResult<AssessmentRow> {
    let Relation::Assesses { assessment_id } = proof.relation() else {
        return Err(relations::wrong_proof());
    };
    let row = db.optional(marks::FIND_ASSESSMENT, values![assessment_id]).await?;
    row.ok_or_else(|| ToolError::not_found("assessment"))
}

/// The term of the current year on a campus: the one of this number, or the one that runs today.
pub(super) async fn term_numbered(
    db: &mut Locked<'_>,
    campus_id: &str,
    number: Option<i64>,
) -> ToolResult<TermRow> {
    let terms: Vec<TermRow> =
        db.all(statements::school::TERMS_OF_CAMPUS, values![campus_id]).await?;
    if let Some(number) = number {
        return terms.into_iter().find(|term| term.term_number == number).ok_or_else(|| {
            ToolError::refused(format!("There is no term {number} in the current academic year."))
        });
    }
    let today = today(db).await?.to_string();
    terms.into_iter().find(|term| term.starts_on <= today && today <= term.ends_on).ok_or_else(
        || ToolError::refused("No term is running today, so say the number of the term."),
    )
}

/// Refuses a change in a term that is closed.
pub(super) fn must_be_open(term: &TermRow) -> ToolResult<()> {
    if term.closed {
        return Err(ToolError::refused(format!(
            "{} is closed on {}, so its marks and results are settled.",
            term.name, term.campus_name
        )));
    }
    Ok(())
}

/// The term of an assessment.
pub(super) async fn term_of(
    db: &mut Locked<'_>,
    assessment: &AssessmentRow,
) -> ToolResult<TermRow> {
    term_numbered(db, &assessment.campus_id, Some(assessment.term_number)).await
}

/// A stored number as what it is.
pub(super) fn number(stored: i64) -> ToolResult<Hundredths> {
    Hundredths::new(stored).map_err(|_| DbError::Stored("a mark out of bounds").into())
}

/// The present moment, as it is stored.
pub(super) fn now() -> i64 {
    Timestamp::now().as_microsecond()
}

/// The term that a day lies in.
async fn term_on(db: &mut Locked<'_>, campus_id: &str, date: Date) -> ToolResult<TermRow> {
    let terms: Vec<TermRow> =
        db.all(statements::school::TERMS_OF_CAMPUS, values![campus_id]).await?;
    let wanted = date.to_string();
    terms.into_iter().find(|term| term.starts_on <= wanted && wanted <= term.ends_on).ok_or_else(
        || ToolError::refused(format!("{date} lies in no term of the current academic year.")),
    )
}

async fn within_its_term(
    db: &mut Locked<'_>,
    assessment: &AssessmentRow,
    date: Date,
) -> ToolResult<Date> {
    let term = term_on(db, &assessment.campus_id, date).await?;
    if term.id == assessment.term_id {
        return Ok(date);
    }
    Err(ToolError::refused(format!(
        "{date} lies in {}, and {} belongs to {}.",
        term.name, assessment.name, assessment.term
    )))
}

async fn above_all_marks(
    db: &mut Locked<'_>,
    assessment: &AssessmentRow,
    maximum: Hundredths,
) -> ToolResult<Hundredths> {
    let maximum = usable(Some(maximum))?;
    // From here on nobody adds a mark until this is done.
    let held = values![db.school(), &assessment.id, now()];
    db.execute(marks::HOLD_ASSESSMENT, held).await?;
    let greatest: Option<Greatest> =
        db.optional(marks::GREATEST_MARK, values![&assessment.id]).await?;
    match greatest.and_then(|row| row.score).map(number).transpose()? {
        Some(greatest) if greatest > maximum => Err(ToolError::refused(format!(
            "A student has {greatest} in {}, so its maximum cannot be {maximum}.",
            assessment.name
        ))),
        _ => Ok(maximum),
    }
}

fn usable(maximum: Option<Hundredths>) -> ToolResult<Hundredths> {
    match maximum {
        None => number(USUAL_MAXIMUM),
        Some(Hundredths::ZERO) => Err(ToolError::refused("The maximum must be above 0.")),
        Some(maximum) => Ok(maximum),
    }
}

/// Where an assessment of a subject in a class hangs: on the class, and on whoever teaches the subject there.
async fn taught_place(
    db: &mut Locked<'_>,
    class: &ClassRow,
    subject_id: &str,
) -> ToolResult<Place> {
    let rows: Vec<Id> =
        db.all(statements::teaching::ASSIGNMENTS_IN, values![&class.id, subject_id]).await?;
    Ok(Place { assignment_ids: rows.into_iter().map(|row| row.id).collect(), ..class.place() })
}

/// The state as it is stored.
fn word(state: AssessmentState) -> &'static str {
    match state {
        AssessmentState::Open => "open",
        AssessmentState::Published => "published",
        AssessmentState::Closed => "closed",
    }
}

async fn insert(
    db: &mut Locked<'_>,
    draft: &Draft<AssessmentRow>,
    subject_id: &str,
    term_id: &str,
    settled: &Settled,
) -> Result<String, DbError> {
    let id = fresh_id();
    let values = values![
        db.school(),
        &id,
        draft.place().class_id.clone(),
        subject_id,
        term_id,
        &settled.name,
        settled.date.to_string(),
        settled.maximum.get(),
        settled.weight,
        word(AssessmentState::Open),
        now(),
    ];
    db.execute(marks::ADD_ASSESSMENT, values).await?;
    Ok(id)
}

async fn update(
    db: &mut Locked<'_>,
    assessment: &Permitted<AssessmentRow>,
    settled: &Settled,
) -> Result<u64, DbError> {
    let values = values![
        db.school(),
        &assessment.id,
        assessment.version,
        &settled.name,
        settled.date.to_string(),
        settled.maximum.get(),
        settled.weight,
        now(),
    ];
    db.execute(marks::UPDATE_ASSESSMENT, values).await
}

/// The caller has leave: by the policy, or by the proof that the assessment is theirs.
async fn set_state(
    db: &mut Locked<'_>,
    assessment: &AssessmentRow,
    state: AssessmentState,
) -> ToolResult<()> {
    term_of(db, assessment).await.and_then(|term| must_be_open(&term))?;
    let values = values![db.school(), &assessment.id, assessment.version, word(state), now()];
    let rows = db.execute(marks::SET_ASSESSMENT_STATE, values).await?;
    written(rows, "assessment", &assessment.name)
}

/// The assessment as it is now. What was just written is shown to whoever wrote it.
async fn reread(db: &mut Locked<'_>, id: &str) -> ToolResult<Assessment> {
    let row: Option<AssessmentRow> = db.optional(marks::FIND_ASSESSMENT, values![id]).await?;
    row.ok_or_else(|| ToolError::not_found("assessment"))?.shown()
}

fn taken(error: DbError, class: &str, subject: &str, name: &str) -> ToolError {
    match error {
        DbError::Duplicate(_) => ToolError::conflict(format!(
            "{class} already has an assessment called \"{name}\" in {subject} this term."
        )),
        other => other.into(),
    }
}
