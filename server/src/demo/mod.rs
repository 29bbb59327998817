//! The demo school, so that the first minute with Rover is spent in a school and not in a form.
//!
//! Two schools are planted: one to sign in to, and one that nobody of the first may ever see.
//! Planting is a write like any other: it claims a call id, so it happens once, and it leaves one
//! audit row in each school. It refuses a database that has a school: the demo's accounts have a
//! password that everybody knows.

mod marks;
mod naalya;
mod plan;
mod plant;
mod planting;
mod riverbend;
mod showing;

pub use plant::{PlantError, is_planted, plant};
pub use showing::{Results, Showing, showing};

/// The password of every demo account.
pub const PASSWORD: &str = "rover-demo";

/// Somebody to sign in as.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DemoAccount {
    /// Full name.
    pub name: &'static str,
    /// Address to sign in with.
    pub email: String,
    /// Roles, as the policy writes them.
    pub roles: &'static [&'static str],
    /// Display names of the campuses the person works on.
    pub campuses: Vec<&'static str>,
}

/// The accounts of the demo school, for the sign-in page. The second school is not offered.
pub fn accounts() -> Vec<DemoAccount> {
    let campus_name = |id: &&str| {
        naalya::SCHOOL.campuses.iter().find(|(campus, _)| campus == id).map_or("", |(_, name)| name)
    };
    naalya::SCHOOL
        .people
        .iter()
        .map(|person| DemoAccount {
            name: person.name,
            email: naalya::SCHOOL.email(person),
            roles: person.roles,
            campuses: person.campuses.iter().map(campus_name).collect(),
        })
        .collect()
}
