//! Where the database is. A wrong address is refused before anything is opened.

use std::{fmt, path::PathBuf, str::FromStr};

use super::DbError;

/// The address of a database: a file, or a PostgreSQL server.
#[derive(Clone, PartialEq, Eq)]
pub enum DatabaseUrl {
    /// `sqlite:<path>`: a file that is made when it is missing.
    Sqlite(PathBuf),
    /// `postgres://…`: the login that owns the tables; work is done under the narrower roles it
    /// grants itself.
    Postgres(String),
}

impl FromStr for DatabaseUrl {
    type Err = DbError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text.starts_with("postgres://") || text.starts_with("postgresql://") {
            return Ok(Self::Postgres(text.to_owned()));
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
            Self::Postgres(url) => {
                let place = url.split_once("://").map_or("", |(_, rest)| rest);
                write!(f, "postgres://{}", place.rsplit_once('@').map_or(place, |(_, host)| host))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::DatabaseUrl;

    #[test]
    fn an_address_is_a_file_or_a_server() {
        for (text, shown) in [
            ("sqlite:rover-data/rover.db", "sqlite:rover-data/rover.db"),
            ("sqlite:///var/rover.db", "sqlite:/var/rover.db"),
            ("postgres://owner:secret@db.example:5432/rover", "postgres://db.example:5432/rover"),
            ("postgresql://db.example/rover", "postgres://db.example/rover"),
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
}
