//! Every SQL statement of the server, one file a subject.
//!
//! One text runs on both databases: parameters are `$1`…, reads name a table plainly (and meet the
//! frame's view or policy), writes name it `main.table`. A test prepares each statement on both and
//! compares the columns. Only [`Statement`] and [`Listing`] can be run, and only this module makes
//! them.

use std::sync::Arc;

use agent_contract::Resource;
use sqlx::{AssertSqlSafe, SqlSafeStr as _, SqlStr};

pub(crate) mod announcements;
pub(crate) mod attendance;
pub(crate) mod audit;
pub(crate) mod chat;
pub(crate) mod classes;
pub(crate) mod departments;
pub(crate) mod files;
pub(super) mod frame;
pub(crate) mod guardians;
pub(crate) mod limits;
pub(crate) mod marks;
mod paging;
pub(crate) mod people;
pub(crate) mod results;
pub(crate) mod runs;
pub(crate) mod school;
pub(crate) mod students;
pub(crate) mod subjects;
pub(crate) mod teaching;
pub(crate) mod turn_log;
pub(super) mod upkeep;

pub(crate) use paging::Paged;

/// Every file of the catalogue.
#[cfg(test)]
pub(super) const CATALOGUE: &[&[Catalogued]] = &[
    announcements::ALL,
    attendance::ALL,
    audit::ALL,
    chat::ALL,
    classes::ALL,
    departments::ALL,
    files::ALL,
    guardians::ALL,
    limits::ALL,
    marks::ALL,
    people::ALL,
    results::ALL,
    runs::ALL,
    school::ALL,
    students::ALL,
    subjects::ALL,
    teaching::ALL,
    turn_log::ALL,
];

/// A fixed text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Statement(&'static str);

/// A list, whose `{visible}` is replaced by what the caller may see. The columns say how.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Listing {
    sql: &'static str,
    /// The kind of record that is listed, and that the condition must be made for.
    pub(crate) resource: Resource,
    /// Where a condition finds the campus, class and id of a row; a place that is `None` matches
    /// nothing.
    pub(crate) places: Places,
}

/// SQL expressions of one listing. `{}` stands for the list of values.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Places {
    pub(crate) campus: &'static str,
    pub(crate) class: Option<&'static str>,
    pub(crate) assignment: Option<&'static str>,
    pub(crate) id: &'static str,
}

/// A text that may be run: it came from here.
pub(crate) trait Text {
    fn sql(self) -> SqlStr;
}

impl Text for Statement {
    fn sql(self) -> SqlStr {
        self.0.into_sql_str()
    }
}

/// A listing with its condition filled in.
#[derive(Debug)]
pub(crate) struct Filled(Arc<str>);

impl Text for Filled {
    fn sql(self) -> SqlStr {
        AssertSqlSafe(self.0).into_sql_str()
    }
}

impl Listing {
    /// Fills in a condition that [`super::condition`] printed: SQL of the places above and `$n`, no
    /// value.
    pub(super) fn filled(self, condition: &str) -> Filled {
        Filled(self.sql.replace("{visible}", condition).into())
    }

    /// The same, of the first so many rows.
    pub(super) fn filled_up_to(self, condition: &str, most: usize) -> Filled {
        let sql = self.sql.replace("{visible}", condition);
        Filled(format!("{sql} LIMIT {most}").into())
    }

    /// The number of parameters of its own; nine are more than any listing needs.
    pub(super) fn parameters(self) -> usize {
        (1..=9).take_while(|n| self.sql.contains(&format!("${n}"))).count()
    }
}

/// Any text, for tests that ask what our statements do not.
#[cfg(test)]
#[derive(Debug)]
pub(crate) struct Raw(pub(crate) String);

#[cfg(test)]
impl Text for Raw {
    fn sql(self) -> SqlStr {
        AssertSqlSafe(self.0).into_sql_str()
    }
}

/// One line of the catalogue, for the test that prepares all of it.
#[derive(Debug, Clone, Copy)]
#[cfg_attr(not(test), expect(dead_code, reason = "read by the test that prepares the catalogue"))]
pub(crate) enum Catalogued {
    Statement(&'static str, Statement),
    Listing(&'static str, Listing),
    /// A list in pages, as the texts that can come of it.
    Paged(&'static str, fn() -> Vec<Filled>),
}

/// Declares the statements of a file and the list of them, so that none escapes the test.
macro_rules! catalogue {
    (@entry $name:ident listing) => { $crate::db::statements::Catalogued::Listing(stringify!($name), $name) };
    (@entry $name:ident statement) => { $crate::db::statements::Catalogued::Statement(stringify!($name), $name) };
    (@entry $name:ident paged) => {
        $crate::db::statements::Catalogued::Paged(
            stringify!($name),
            #[cfg(test)]
            || $name.texts(),
            #[cfg(not(test))]
            Vec::new,
        )
    };
    (@const $(#[$doc:meta])* $name:ident paged { $resource:ident, $places:expr, $sorts:ty: $key:expr, $sql:expr }) => {
        $(#[$doc])*
        pub(crate) const $name: $crate::db::statements::Paged<$sorts> = $crate::db::statements::Paged {
            listing: $crate::db::statements::Listing {
                sql: $sql,
                resource: agent_contract::Resource::$resource,
                places: $places,
            },
            key: $key,
        };
    };
    (@const $(#[$doc:meta])* $name:ident statement { $sql:expr }) => {
        $(#[$doc])*
        pub(crate) const $name: $crate::db::statements::Statement = $crate::db::statements::Statement($sql);
    };
    (@const $(#[$doc:meta])* $name:ident listing { $resource:ident, $places:expr, $sql:expr }) => {
        $(#[$doc])*
        pub(crate) const $name: $crate::db::statements::Listing = $crate::db::statements::Listing {
            sql: $sql,
            resource: agent_contract::Resource::$resource,
            places: $places,
        };
    };
    ($($(#[$doc:meta])* $kind:ident $name:ident { $($body:tt)* })+) => {
        $($crate::db::statements::catalogue!(@const $(#[$doc])* $name $kind { $($body)* });)+
        #[cfg_attr(not(test), expect(dead_code, reason = "read by the test that prepares the catalogue"))]
        pub(crate) const ALL: &[$crate::db::statements::Catalogued] =
            &[$($crate::db::statements::catalogue!(@entry $name $kind)),+];
    };
}
use catalogue;
