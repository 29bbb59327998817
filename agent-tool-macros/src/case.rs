//! Serde's renaming rules, as far as they make names that every provider accepts.

/// A naming rule of `#[serde(rename_all = "…")]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rule {
    /// The Rust name as it stands.
    AsWritten,
    Lower,
    Upper,
    Pascal,
    Camel,
    Snake,
    ScreamingSnake,
}

impl Rule {
    /// The rule that serde calls by this name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "lowercase" => Self::Lower,
            "UPPERCASE" => Self::Upper,
            "PascalCase" => Self::Pascal,
            "camelCase" => Self::Camel,
            "snake_case" => Self::Snake,
            "SCREAMING_SNAKE_CASE" => Self::ScreamingSnake,
            _ => return None,
        })
    }

    /// The wire name of a field.
    pub(crate) fn field(self, name: &str) -> String {
        match self {
            Self::AsWritten | Self::Lower | Self::Snake => name.to_owned(),
            Self::Upper | Self::ScreamingSnake => name.to_ascii_uppercase(),
            Self::Pascal => pascal(name),
            Self::Camel => lower_first(&pascal(name)),
        }
    }

    /// The wire name of a variant.
    pub(crate) fn variant(self, name: &str) -> String {
        match self {
            Self::AsWritten | Self::Pascal => name.to_owned(),
            Self::Lower => name.to_ascii_lowercase(),
            Self::Upper => name.to_ascii_uppercase(),
            Self::Camel => lower_first(name),
            Self::Snake => snake(name),
            Self::ScreamingSnake => snake(name).to_ascii_uppercase(),
        }
    }
}

/// `NonAcademic` as `non_academic`.
fn snake(name: &str) -> String {
    let mut snake = String::new();
    for letter in name.chars() {
        if letter.is_ascii_uppercase() && !snake.is_empty() {
            snake.push('_');
        }
        snake.push(letter.to_ascii_lowercase());
    }
    snake
}

/// `create_department` as `CreateDepartment`.
pub(crate) fn pascal(name: &str) -> String {
    name.split('_')
        .map(|word| {
            let mut letters = word.chars();
            let first = letters.next().map(|first| first.to_ascii_uppercase());
            first.into_iter().chain(letters).collect::<String>()
        })
        .collect()
}

/// A name without case and underscores, for comparing names that differ only in spelling.
pub(crate) fn fold(name: &str) -> String {
    let letters = name.chars().filter(|letter| *letter != '_' && *letter != '-');
    letters.map(|letter| letter.to_ascii_lowercase()).collect()
}

fn lower_first(name: &str) -> String {
    let mut letters = name.chars();
    let first = letters.next().map(|first| first.to_ascii_lowercase());
    first.into_iter().chain(letters).collect()
}
