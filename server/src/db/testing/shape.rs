//! The schema as the database tells it, so that tests over every table need no list of tables.

use super::Outside;

/// A table that belongs to a school.
#[derive(Debug)]
pub(crate) struct Table {
    pub(crate) name: String,
    pub(crate) columns: Vec<Column>,
    pub(crate) references: Vec<Reference>,
}

#[derive(Debug)]
pub(crate) struct Column {
    pub(crate) name: String,
    kind: String,
    required: bool,
}

/// A foreign key: the table it leads to, and pairs of our column and theirs.
#[derive(Debug)]
pub(crate) struct Reference {
    pub(crate) parent: String,
    pub(crate) pairs: Vec<(String, String)>,
}

impl Table {
    /// Its columns after `school_id`, each behind a comma.
    pub(crate) fn following(&self) -> String {
        let names = self.columns.iter().map(|column| column.name.as_str());
        names.filter(|name| *name != "school_id").fold(String::new(), |all, name| all + ", " + name)
    }
}

impl Reference {
    /// What makes a row refer to this one of the school's and no other; empty where the key is the
    /// school alone.
    pub(crate) fn own_pairs(&self) -> impl Iterator<Item = &(String, String)> {
        self.pairs.iter().filter(|(ours, _)| ours != "school_id")
    }
}

/// Every table with a `school_id`.
pub(crate) async fn tenant_tables(outside: &mut Outside) -> Vec<Table> {
    let mut tables = Vec::new();
    for name in outside.tables().await {
        let columns = columns(outside, &name).await;
        if columns.iter().any(|column| column.name == "school_id") {
            let references = references(outside, &name).await;
            tables.push(Table { name, columns, references });
        }
    }
    assert!(tables.len() >= 24, "{} tables", tables.len());
    tables
}

async fn columns(outside: &mut Outside, table: &str) -> Vec<Column> {
    let query = match outside {
        Outside::Sqlite(_) => format!(
            "SELECT name, type, CAST(\"notnull\" AND dflt_value IS NULL AS TEXT) FROM pragma_table_info('{table}')"
        ),
        Outside::Postgres(_) => format!(
            "SELECT column_name::text, upper(data_type::text), \
             CASE WHEN is_nullable = 'NO' AND column_default IS NULL THEN '1' ELSE '0' END \
             FROM information_schema.columns WHERE table_schema = 'main' AND table_name = '{table}' \
             ORDER BY ordinal_position"
        ),
    };
    let column = |row: Vec<Option<String>>| {
        let [name, kind, required] = <[_; 3]>::try_from(row).expect("three columns");
        let (name, kind) = (name.expect("a name"), kind.expect("a type"));
        Column { name, kind, required: required.as_deref() == Some("1") }
    };
    outside.rows(&query).await.into_iter().map(column).collect()
}

async fn references(outside: &mut Outside, table: &str) -> Vec<Reference> {
    let query = match outside {
        Outside::Sqlite(_) => format!(
            "SELECT CAST(id AS TEXT), \"table\", \"from\", \"to\" FROM pragma_foreign_key_list('{table}') ORDER BY id, seq"
        ),
        Outside::Postgres(_) => format!(
            "SELECT c.oid::text, p.relname::text, a.attname::text, b.attname::text FROM pg_constraint c \
             JOIN pg_class p ON p.oid = c.confrelid \
             CROSS JOIN LATERAL unnest(c.conkey, c.confkey) WITH ORDINALITY AS k (ours, theirs, n) \
             JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = k.ours \
             JOIN pg_attribute b ON b.attrelid = c.confrelid AND b.attnum = k.theirs \
             WHERE c.contype = 'f' AND c.conrelid = 'main.{table}'::regclass ORDER BY c.oid, k.n"
        ),
    };
    let mut all: Vec<(String, Reference)> = Vec::new();
    for row in outside.rows(&query).await {
        let row: Vec<String> = row.into_iter().map(Option::unwrap_or_default).collect();
        let [id, parent, ours, theirs] = <[_; 4]>::try_from(row).expect("four columns");
        match all.last_mut() {
            Some((last, reference)) if *last == id => reference.pairs.push((ours, theirs)),
            _ => all.push((id, Reference { parent, pairs: vec![(ours, theirs)] })),
        }
    }
    all.into_iter().map(|(_, reference)| reference).collect()
}

/// Plants a row of each school into every table that has none of it, made from the schema alone.
pub(crate) async fn a_row_in_each(outside: &mut Outside, tables: &[Table], schools: &[&str]) {
    outside.without_checks().await;
    for school in schools {
        let mut waiting: Vec<&Table> = tables.iter().collect();
        while !waiting.is_empty() {
            let before = waiting.len();
            let mut still = Vec::new();
            for table in waiting {
                let own = format!("{} WHERE school_id = '{school}'", table.name);
                if outside.count(&own).await > 0 {
                    continue;
                }
                if !has_parents(outside, table, school).await {
                    still.push(table);
                    continue;
                }
                outside.run(&insert(table, school)).await;
            }
            waiting = still;
            assert!(waiting.len() < before, "no row can be made for {waiting:?}");
        }
    }
}

/// Whether there is a row for every key that must lead to one.
async fn has_parents(outside: &mut Outside, table: &Table, school: &str) -> bool {
    for reference in &table.references {
        let own = format!("{} WHERE school_id = '{school}'", reference.parent);
        let other = reference.parent != table.name;
        if other && table.requires(reference) && outside.count(&own).await == 0 {
            return false;
        }
    }
    true
}

impl Table {
    fn requires(&self, reference: &Reference) -> bool {
        let is_required =
            |name: &str| self.columns.iter().any(|column| column.name == name && column.required);
        reference.pairs.iter().all(|(ours, _)| is_required(ours))
    }
}

fn insert(table: &Table, school: &str) -> String {
    let (mut names, mut values) = (Vec::new(), Vec::new());
    for column in table.columns.iter().filter(|c| c.required || c.name == "school_id") {
        names.push(column.name.clone());
        values.push(value(table, column, school));
    }
    format!("INSERT INTO main.{} ({}) VALUES ({})", table.name, names.join(", "), values.join(", "))
}

fn value(table: &Table, column: &Column, school: &str) -> String {
    if column.name == "school_id" {
        return format!("'{school}'");
    }
    for reference in &table.references {
        let pair = reference.own_pairs().find(|(ours, _)| *ours == column.name);
        if let Some((_, theirs)) = pair {
            let order: Vec<&str> = reference.pairs.iter().map(|(_, theirs)| &**theirs).collect();
            return format!(
                "(SELECT {theirs} FROM main.{} WHERE school_id = '{school}' ORDER BY {} LIMIT 1)",
                reference.parent,
                order.join(", ")
            );
        }
    }
    match column.kind.as_str() {
        kind if kind.contains("INT") => "1".to_owned(),
        kind if kind.contains("BOOL") => "FALSE".to_owned(),
        kind if kind.contains("REAL") || kind.contains("DOUBLE") => "1.5".to_owned(),
        "TEXT" => format!("'{school}-{}-{}'", table.name, column.name),
        kind => format!("CAST('{school}' AS {kind})"),
    }
}
