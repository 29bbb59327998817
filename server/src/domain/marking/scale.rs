//! The grading scale of the school.

use agent_contract::{Action, Hundredths, Resource, ToolError, ToolResult};
use sqlx::FromRow;
use tools::grading::{EditGrading, GradeBand, Grading, GradingScale};

use super::super::{School, name::tidy, parts};
use crate::db::{
    DbError, Frame, Locked, Permitted, Place, Record, WriteFrame,
    statements::{Statement, marks},
    values,
};

/// A hundred percent.
const TOP: i64 = 10_000;

/// The scale as a record: it is the whole school's, so it is on every campus.
#[derive(Debug, FromRow)]
struct ScaleRow {
    id: String,
    version: i64,
    campus_ids: String,
}

impl Record for ScaleRow {
    const RESOURCE: Resource = Resource::GradingScale;
    const WHAT: &'static str = "grading scale";
    const FIND: Statement = marks::GRADING_SCALE;

    fn id(&self) -> &str {
        &self.id
    }

    fn places(&self) -> Vec<Place> {
        let campuses = parts(&self.campus_ids).into_iter();
        campuses.map(|id| Place { campus_id: Some(id), ..Place::default() }).collect()
    }
}

#[derive(FromRow)]
struct BandRow {
    grade: String,
    from_percent: i64,
    remark: String,
}

impl<F: Frame> Grading for School<F> {
    async fn grading_scale(&self) -> ToolResult<GradingScale> {
        let mut db = self.frame.session().lock().await;
        let school = db.school().to_owned();
        let scale = db.find::<ScaleRow>(&school).await?;
        Ok(GradingScale { id: school, bands: bands(&mut db).await?, version: scale.version })
    }
}

impl EditGrading for School<WriteFrame> {
    async fn set_grading_scale(
        &self,
        bands: Vec<GradeBand>,
        version: i64,
    ) -> ToolResult<GradingScale> {
        let mut db = self.frame.session().lock().await;
        let school = db.school().to_owned();
        let found = db.find::<ScaleRow>(&school).await?;
        let scale = db.authorize(Action::Update, found)?;
        let bands = whole(bands)?;
        if version != scale.version {
            return Err(changed());
        }
        replace(&mut db, &scale, &bands).await?;
        Ok(GradingScale { id: school, bands, version: version + 1 })
    }
}

/// The bands of the school in the frame, highest first.
pub(super) async fn bands(db: &mut Locked<'_>) -> ToolResult<Vec<GradeBand>> {
    let rows: Vec<BandRow> = db.all(marks::GRADE_BANDS, values![]).await?;
    if rows.is_empty() {
        return Ok(usual());
    }
    rows.into_iter()
        .map(|row| {
            let from = Hundredths::new(row.from_percent)
                .map_err(|_| DbError::Stored("a band below nothing"))?;
            Ok(GradeBand { grade: row.grade, from, remark: row.remark })
        })
        .collect()
}

/// The scale of a school that has set none: that of Uganda's lower secondary curriculum.
pub(crate) fn usual() -> Vec<GradeBand> {
    [
        ("A", 8_000, "Exceptional"),
        ("B", 7_000, "Outstanding"),
        ("C", 6_000, "Satisfactory"),
        ("D", 5_000, "Basic"),
        ("E", 0, "Elementary"),
    ]
    .into_iter()
    .filter_map(|(grade, from, remark)| {
        let from = Hundredths::new(from).ok()?;
        Some(GradeBand { grade: grade.to_owned(), from, remark: remark.to_owned() })
    })
    .collect()
}

/// The bands sorted and tidy, if every percentage has exactly one grade and every grade one band.
fn whole(bands: Vec<GradeBand>) -> ToolResult<Vec<GradeBand>> {
    let tidied = |band: GradeBand| GradeBand {
        grade: tidy(&band.grade),
        from: band.from,
        remark: tidy(&band.remark),
    };
    let mut bands: Vec<GradeBand> = bands.into_iter().map(tidied).collect();
    bands.sort_by(|left, right| right.from.cmp(&left.from));
    if bands.iter().any(|band| band.grade.is_empty()) {
        return Err(ToolError::refused("Every band needs a grade."));
    }
    if let Some(band) = bands.iter().find(|band| band.from.get() > TOP) {
        return Err(ToolError::refused(format!(
            "The band {} begins at {} percent, which nobody reaches.",
            band.grade, band.from
        )));
    }
    if let Some(pair) = bands.windows(2).find(|pair| pair[0].from == pair[1].from) {
        return Err(ToolError::refused(format!(
            "The bands {} and {} both begin at {} percent.",
            pair[0].grade, pair[1].grade, pair[0].from
        )));
    }
    let same = |band: &GradeBand| {
        let grade = band.grade.to_lowercase();
        bands.iter().filter(|other| other.grade.to_lowercase() == grade).count() > 1
    };
    if let Some(band) = bands.iter().find(|band| same(band)) {
        return Err(ToolError::refused(format!("The grade {} has two bands.", band.grade)));
    }
    match bands.last() {
        Some(last) if last.from == Hundredths::ZERO => Ok(bands),
        _ => Err(ToolError::refused(
            "The lowest band must begin at 0, so that every percentage has a grade.",
        )),
    }
}

async fn replace(
    db: &mut Locked<'_>,
    scale: &Permitted<ScaleRow>,
    bands: &[GradeBand],
) -> ToolResult<()> {
    let held = if scale.version == 0 {
        db.execute(marks::ADD_GRADING_SCALE, values![db.school()]).await
    } else {
        db.execute(marks::NEXT_GRADING_SCALE, values![db.school(), scale.version]).await
    };
    match held {
        Ok(1) => {}
        Ok(_) | Err(DbError::Duplicate(_)) => return Err(changed()),
        Err(other) => return Err(other.into()),
    }
    db.execute(marks::CLEAR_BANDS, values![db.school()]).await?;
    for GradeBand { grade, from, remark } in bands {
        db.execute(marks::ADD_BAND, values![db.school(), grade, from.get(), remark]).await?;
    }
    Ok(())
}

fn changed() -> ToolError {
    ToolError::stale(
        "Somebody else changed the grading scale since you looked; look at it again first.",
    )
}
