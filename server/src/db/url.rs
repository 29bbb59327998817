//! Where the database is. A wrong address is refused before anything is opened.

use std::{fmt, path::PathBuf, str::FromStr};

use super::DbError;

/// The address of a database: a file, or a PostgreSQL server.
#[derive(Clone, PartialEq, Eq)]
pub enum DatabaseUrl {
    /// `sqlite:<path>`: a file that is made when it is missing.
    Sqlite(PathBuf),
    /// `postgres://…`: a server.
    Postgres(PostgresUrl),
}

/// The logins of one PostgreSQL database.
#[derive(Clone, PartialEq, Eq)]
pub struct PostgresUrl {
    /// Who works: a login that owns nothing and steps into `rover_app` and `rover_system`.
    pub(super) app: String,
    /// Who owns the tables and migrates them; none where that is a step of its own.
    pub(super) owner: Option<OwnerUrl>,
}

/// The login that owns the tables: it migrates, and nothing else is done under it.
#[derive(Clone, PartialEq, Eq)]
pub struct OwnerUrl(String);

impl OwnerUrl {
    pub(super) fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for OwnerUrl {
    type Err = DbError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if is_postgres(text) {
            Ok(Self(text.to_owned()))
        } else {
            Err(DbError::Address("of the owner must begin with postgres://"))
        }
    }
}

impl DatabaseUrl {
    /// The same database, which this login owns and migrates.
    pub fn owned_by(self, owner: OwnerUrl) -> Result<Self, DbError> {
        match self {
            Self::Postgres(url) => Ok(Self::Postgres(PostgresUrl { owner: Some(owner), ..url })),
            Self::Sqlite(_) => Err(DbError::Address("is a file, which has no owner to log in as")),
        }
    }
}

fn is_postgres(text: &str) -> bool {
    text.starts_with("postgres://") || text.starts_with("postgresql://")
}

impl FromStr for DatabaseUrl {
    type Err = DbError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if is_postgres(text) {
            return Ok(Self::Postgres(PostgresUrl { app: text.to_owned(), owner: None }));
        }
        match text.strip_prefix("sqlite:").map(|rest| rest.strip_prefix("//").unwrap_or(rest)) {
            Some("") => Err(DbError::Address("names no file")),
            Some(":memory:") => Err(DbError::Address(
                "must be a file: one in memory is another database in every connection",
            )),
            Some(path) => Ok(Self::Sqlite(PathBuf::from(path))),
            None => Err(DbError::Address("must begin with sqlite: or postgres://")),
        }
    }
}

impl fmt::Debug for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for DatabaseUrl {
    /// Without the login, which may hold a password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sqlite(path) => write!(f, "sqlite:{}", path.display()),
            Self::Postgres(url) => f.write_str(&without_login(&url.app)),
        }
    }
}

impl fmt::Debug for PostgresUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&without_login(&self.app))
    }
}

impl fmt::Debug for OwnerUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for OwnerUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&without_login(&self.0))
    }
}

/// The host and the database. What follows a `?` may name a password as well.
fn without_login(url: &str) -> String {
    let place = url.split_once("://").map_or("", |(_, rest)| rest);
    let place = place.split_once('?').map_or(place, |(place, _)| place);
    format!("postgres://{}", place.rsplit_once('@').map_or(place, |(_, host)| host))
}

#[cfg(test)]
mod tests {
    use super::{DatabaseUrl, OwnerUrl};

    #[test]
    fn an_address_is_a_file_or_a_server() {
        for (text, shown) in [
            ("sqlite:rover-data/rover.db", "sqlite:rover-data/rover.db"),
            ("sqlite:///var/rover.db", "sqlite:/var/rover.db"),
            ("postgres://owner:secret@db.example:5432/rover", "postgres://db.example:5432/rover"),
            ("postgresql://db.example/rover", "postgres://db.example/rover"),
            ("postgres://db.example/rover?user=u&password=p", "postgres://db.example/rover"),
        ] {
            assert_eq!(format!("{:?}", text.parse::<DatabaseUrl>().expect(text)), shown);
        }
    }

    #[test]
    fn anything_else_is_refused_with_the_reason() {
        for (text, reason) in [
            ("", "database address must begin with sqlite: or postgres://"),
            ("mysql://x", "database address must begin with sqlite: or postgres://"),
            ("sqlite:", "database address names no file"),
            (
                "sqlite::memory:",
                "database address must be a file: one in memory is another database in every connection",
            ),
        ] {
            assert_eq!(text.parse::<DatabaseUrl>().expect_err(text).to_string(), reason);
        }
    }
    #[test]
    fn only_a_server_has_an_owner() {
        let owner = || "postgres://owner:secret@db.example/rover".parse::<OwnerUrl>();
        assert_eq!(format!("{:?}", owner().expect("an owner")), "postgres://db.example/rover");
        for (database, login, reason) in [
            (
                "sqlite:x.db",
                "postgres://o@db/x",
                "database address is a file, which has no owner to log in as",
            ),
            (
                "postgres://a@db/x",
                "sqlite:x.db",
                "database address of the owner must begin with postgres://",
            ),
        ] {
            let database: DatabaseUrl = database.parse().expect(database);
            let refused = login.parse().and_then(|owner| database.owned_by(owner));
            assert_eq!(refused.expect_err(login).to_string(), reason);
        }
    }
}
