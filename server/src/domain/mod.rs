//! The school's services, one file each: the rules that hold whoever asks, in a frame that says for
//! whom.
//!
//! [`School`] over a frame implements the ports of the tools; the REST controllers call the same
//! methods. Records come in as witnesses of [`crate::db`], so a change that the policy did not
//! allow does not compile, and what the policy hides is answered like what does not exist.

mod accounts;
mod announcements;
mod attendance;
mod calendar;
mod caller;
mod campuses;
mod classes;
mod departments;
mod guardians;
mod marking;
mod name;
mod relations;
mod resemblance;
mod school;
mod staff;
mod streams;
mod students;
mod subjects;
mod teaching;
mod version;

#[cfg(test)]
mod tests;

pub use accounts::{Account, SignInError, account, account_by_email, account_of, sign_in};
pub(crate) use accounts::{hash_password, link};
pub use calendar::{TermRow, YearRow};
pub(crate) use caller::caller;
pub use caller::{CallerRow, OwnClass};
pub(crate) use marking::{compute as compute_results, usual as usual_scale};
pub use school::{SchoolRow, schools};
pub use teaching::TeachingRow;

use agent_contract::Host;

use crate::db::{Frame, ReadFrame, WriteFrame};

/// The services of one school, over one frame.
#[derive(Debug)]
pub struct School<F> {
    frame: F,
}

impl<F: Frame> School<F> {
    /// Services over this frame.
    pub fn new(frame: F) -> Self {
        Self { frame }
    }

    /// The frame.
    pub fn frame(&self) -> &F {
        &self.frame
    }

    /// Gives the frame back, to commit it.
    pub fn into_frame(self) -> F {
        self.frame
    }
}

/// What runs the school's tools: reads on a frame that cannot write, writes on one that can.
#[derive(Debug)]
pub enum SchoolHost {}

impl Host for SchoolHost {
    type Read = School<ReadFrame>;
    type Write = School<WriteFrame>;
}

/// The parts of a value that a query joined with line breaks.
fn parts(joined: &str) -> Vec<String> {
    joined.split('\n').filter(|part| !part.is_empty()).map(str::to_owned).collect()
}

/// A fresh id for a new record; later ones sort later.
fn fresh_id() -> String {
    uuid::Uuid::now_v7().to_string()
}
