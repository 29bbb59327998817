//! What the classes of the demo are marked on: a term that is over, and one in the middle.
//!
//! Of this term one test counts, one is marked and waits to be published, and one waits for its marks.

use jiff::{Timestamp, ToSpan as _, civil::Date};

use super::{
    PlantError,
    plan::{ClassPlan, terms_around},
    planting::{Planting, student_id},
};
use crate::{
    db::{statements::marks, values},
    domain::{compute_results, usual_scale},
};

/// A test that every subject of a class has.
struct Test {
    slug: &'static str,
    name: &'static str,
    /// Number of the term, and weeks after its beginning.
    held: (i64, i64),
    /// In whole marks.
    maximum: i64,
    weight: i64,
    state: &'static str,
    is_marked: bool,
}

const TESTS: [Test; 4] = [
    Test {
        slug: "end-1",
        name: "End of term exam",
        held: (1, 12),
        maximum: 100,
        weight: 100,
        state: "closed",
        is_marked: true,
    },
    Test {
        slug: "begin-2",
        name: "Beginning of term test",
        held: (2, 1),
        maximum: 40,
        weight: 20,
        state: "published",
        is_marked: true,
    },
    Test {
        slug: "mid-2",
        name: "Mid-term exam",
        held: (2, 5),
        maximum: 100,
        weight: 30,
        state: "open",
        is_marked: true,
    },
    Test {
        slug: "unit-2",
        name: "Unit test",
        held: (2, 6),
        maximum: 100,
        weight: 50,
        state: "open",
        is_marked: false,
    },
];

impl Planting<'_> {
    /// The scale that a school has anyway, as its own, so that it can be changed.
    pub(super) async fn grading_scale(&mut self) -> Result<(), PlantError> {
        let school_id = self.plan.id;
        self.db.execute(marks::ADD_GRADING_SCALE, values![school_id]).await?;
        for band in usual_scale() {
            let row = values![school_id, band.grade, band.from.get(), band.remark];
            self.db.execute(marks::ADD_BAND, row).await?;
        }
        Ok(())
    }

    /// The tests of a class in all its subjects, their marks, and the results of both terms.
    pub(super) async fn marks(
        &mut self,
        class: &ClassPlan,
        first: usize,
    ) -> Result<(), PlantError> {
        for (nth, (code, teacher)) in class.taught.iter().enumerate() {
            for test in &TESTS {
                let id = self.test(class, code, test).await?;
                if test.is_marked {
                    for n in first..first + class.students {
                        let row = values![
                            self.plan.id,
                            &id,
                            student_id(self.plan, n),
                            score(n, nth, test),
                            self.plan.slug("staff", teacher),
                            now(),
                        ];
                        self.db.execute(marks::ADD_MARK, row).await?;
                    }
                }
            }
        }
        let class_id = self.plan.slug("class", class.slug);
        for number in [1, 2] {
            let term_id = format!("{}-term-{number}", class.campus);
            compute_results(&mut self.db, &class_id, &term_id, number)
                .await
                .map_err(|_| PlantError::Plan("results that cannot be computed"))?;
        }
        Ok(())
    }

    async fn test(
        &mut self,
        class: &ClassPlan,
        code: &str,
        test: &Test,
    ) -> Result<String, PlantError> {
        let plan = self.plan;
        let id = plan.slug("assessment", &format!("{}-{code}-{}", class.slug, test.slug));
        let row = values![
            plan.id,
            &id,
            plan.slug("class", class.slug),
            plan.slug("subject", code),
            format!("{}-term-{}", class.campus, test.held.0),
            test.name,
            day(self.today, test).to_string(),
            test.maximum * 100,
            test.weight,
            test.state,
            now(),
        ];
        self.db.execute(marks::ADD_ASSESSMENT, row).await?;
        Ok(id)
    }
}

fn day(today: Date, test: &Test) -> Date {
    let [first, second, _] = terms_around(today);
    let (number, weeks) = test.held;
    let term = if number == 1 { first } else { second };
    term.0.saturating_add(weeks.weeks())
}

/// From 35 to 95 percent, in steps of a whole one; now and then somebody was absent.
fn score(student: usize, subject: usize, test: &Test) -> Option<i64> {
    if (student * 3 + subject + test.slug.len()) % 17 == 3 {
        return None;
    }
    let percent = 35 + (student * 23 + subject * 17 + test.slug.len() * 7) % 61;
    i64::try_from(percent).ok().map(|percent| percent * test.maximum)
}

fn now() -> i64 {
    Timestamp::now().as_microsecond()
}
