//! The other school as an attacker would know it: its ids, and what would give it away.

use std::collections::{BTreeMap, BTreeSet};

use super::{Outside, shape::Table};

/// What a school has that another must not hear of.
#[derive(Debug)]
pub(crate) struct Other {
    /// Ids of its records, by table.
    pub(crate) ids: BTreeMap<String, Vec<String>>,
    /// Its ids and names, less those that the first school has too.
    pub(crate) secrets: BTreeSet<String>,
}

impl Other {
    pub(crate) async fn of(
        outside: &mut Outside,
        tables: &[Table],
        ours: &str,
        theirs: &str,
    ) -> Self {
        let (mut ids, mut secrets) = (BTreeMap::new(), BTreeSet::new());
        for table in tables {
            for column in table.columns.iter().map(|column| column.name.as_str()) {
                let is_id = column == "id" || (column.ends_with("_id") && column != "school_id");
                let is_name = column.ends_with("name") || column == "email" || column == "title";
                if !is_id && !is_name {
                    continue;
                }
                let texts = |school| {
                    format!(
                        "SELECT DISTINCT CAST({column} AS TEXT) FROM main.{} \
                         WHERE school_id = '{school}' AND {column} IS NOT NULL ORDER BY 1",
                        table.name
                    )
                };
                let known: BTreeSet<_> = outside.texts(&texts(ours)).await.into_iter().collect();
                let found = outside.texts(&texts(theirs)).await;
                if column == "id" {
                    ids.insert(table.name.clone(), found.clone());
                }
                let telling = found.into_iter().filter(|text| text.len() > 3);
                secrets.extend(telling.filter(|text| !known.contains(text)));
            }
        }
        ids.insert("school".to_owned(), vec![theirs.to_owned()]);
        Self { ids, secrets }
    }
}

/// A text with the id that was asked for, and ids that are minted anew each time, left out.
pub(crate) fn steady(text: &str, id: &str) -> String {
    let mut rest = &*text.replace(id, "…");
    let mut steady = String::new();
    while let Some(next) = rest.chars().next() {
        let minted = rest.get(..36).is_some_and(|head| head.parse::<uuid::Uuid>().is_ok());
        let length = if minted { 36 } else { next.len_utf8() };
        steady.push_str(if minted { "<id>" } else { &rest[..length] });
        rest = &rest[length..];
    }
    steady
}

/// The same without versions, for a write that rightly reaches a record of one's own grows it each time.
pub(crate) fn steady_but_for_versions(text: &str, id: &str) -> String {
    let steady = steady(text, id);
    let mut parts = steady.split("\"version\":");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |told, part| {
        told + "\"version\":…" + part.trim_start_matches(|letter: char| letter.is_ascii_digit())
    })
}
