//! Marks and what comes of them: assessments, marks, the grading scale, results and reports.
//!
//! [`reckoning`] says how numbers are made of marks and knows no database; the others are services.

mod assessments;
mod marks;
mod reckoning;
mod reports;
mod results;
mod scale;

pub(super) use assessments::AssessmentRow;
pub(crate) use results::compute;
pub(crate) use scale::usual;
