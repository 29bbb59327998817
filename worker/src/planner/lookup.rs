//! Names of records turned into ids, by the rows that a lookup tool returned.
//!
//! One row that bears the name is the record. Rows that merely resemble it are a question.

use serde_json::Value;

use super::words::{Word, text, words};

/// A row that a lookup returned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Row {
    /// What a tool calls it.
    pub(super) id: String,
    /// What people call it.
    pub(super) name: String,
    /// Name and what tells it from others of that name.
    pub(super) label: String,
}

/// What a name stands for among some rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// This record.
    One(Row),
    /// Several that bear the name.
    Several(Vec<Row>),
    /// None; these resemble it.
    Resembling(Vec<Row>),
}

/// Fields that tell two records of one name apart, in order of preference.
const TELLING: &[&str] =
    &["className", "admissionNumber", "campusName", "email", "subject", "termNumber"];

/// The rows of a lookup's data: a list, or the one list inside an object.
pub(super) fn rows(data: &Value) -> Vec<Row> {
    list(data).map(Vec::as_slice).unwrap_or_default().iter().filter_map(row).collect()
}

/// The list that `data` is, or the one list of records that it holds beside counts and the like.
pub(super) fn list(data: &Value) -> Option<&Vec<Value>> {
    let of_records = |list: &&Vec<Value>| !list.is_empty() && list.iter().all(Value::is_object);
    match data {
        Value::Array(rows) => Some(rows),
        Value::Object(_) if page(data).is_some() => data["items"].as_array(),
        Value::Object(fields) => {
            let mut lists = fields.values().filter_map(Value::as_array).filter(of_records);
            let only = lists.next()?;
            lists.next().is_none().then_some(only)
        }
        _ => None,
    }
}

/// How many records the whole list has, and whether more follow, if `data` is a page of one.
pub(super) fn page(data: &Value) -> Option<(i64, bool)> {
    data["items"].as_array()?;
    Some((data["total"].as_i64()?, data["hasMore"].as_bool()?))
}

/// Finds the record that `said_as` names; `noun` is what such a record is called.
pub(super) fn find(said_as: &str, noun: &str, rows: &[Row]) -> Found {
    let said = name_words(said_as, noun);
    let matching = |fits: &dyn Fn(&Row) -> bool| {
        rows.iter().filter(|row| fits(row)).cloned().collect::<Vec<_>>()
    };
    let by_id_or_label = matching(&|row| row.id == said_as || row.label == said_as);
    let by_name = matching(&|row| name_words(&row.name, noun) == said);
    let by_part = matching(&|row| holds(&row.label, &said));
    for mut hits in [by_id_or_label, by_name, by_part] {
        match hits.len() {
            0 => {}
            1 => return Found::One(hits.remove(0)),
            _ => return Found::Several(hits),
        }
    }
    Found::Resembling(rows.to_vec())
}

/// The name itself: "the Sciences department" and "department called Sciences" are "Sciences".
pub(super) fn bare<'a>(said: &'a str, noun: &str) -> &'a str {
    let found = words(said);
    let is_noun =
        |word: &Word| word.quotation.is_none() && noun.split(' ').any(|part| part == word.fold);
    let leads = |word: &Word| {
        is_noun(word)
            || word.quotation.is_none()
                && matches!(word.fold.as_str(), "the" | "a" | "an" | "called" | "named")
    };
    let mut kept = found.as_slice();
    while let [first, rest @ ..] = kept
        && !rest.is_empty()
        && leads(first)
    {
        kept = rest;
    }
    while let [rest @ .., last] = kept
        && !rest.is_empty()
        && (is_noun(last) || last.fold == "'s")
    {
        kept = rest;
    }
    text(said, kept)
}

fn name_words(said: &str, noun: &str) -> Vec<String> {
    words(bare(said, noun)).into_iter().map(|word| word.fold).collect()
}

/// Whether each word said is a word of the name or its beginning.
fn holds(label: &str, said: &[String]) -> bool {
    let label = words(label);
    let known = |fold: &String| {
        label.iter().any(|word| {
            word.fold == *fold || (fold.len() > 2 && word.fold.starts_with(fold.as_str()))
        })
    };
    !said.is_empty() && said.iter().all(known)
}

fn row(value: &Value) -> Option<Row> {
    let text = |key: &str| match &value[key] {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    };
    let id = text("id")?;
    let name = text("name").or_else(|| text("title")).or_else(|| text("fullName"))?;
    let telling: Vec<String> = TELLING.iter().filter_map(|key| text(key)).take(2).collect();
    let label =
        if telling.is_empty() { name.clone() } else { format!("{name} ({})", telling.join(", ")) };
    Some(Row { id, name, label })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn students() -> Vec<Row> {
        rows(&json!([
            {"id": "1", "name": "Amina Nakato", "className": "S1 East"},
            {"id": "2", "name": "John Kato", "className": "S1 East"},
            {"id": "3", "name": "Kato", "className": "S1 West"},
            {"id": "4", "name": "Grace Kato", "className": "S2 West"},
        ]))
    }

    #[test]
    fn one_row_of_the_name_is_the_record() {
        let cases = [
            ("Amina Nakato", "1"),
            ("the student amina nakato", "1"),
            ("Amina", "1"),
            ("Nak", "1"),
            ("Kato", "3"),
            ("John Kato", "2"),
            ("John Kato (S1 East)", "2"),
            ("4", "4"),
            ("Kato S2", "4"),
        ];
        for (text, id) in cases {
            match find(text, "student", &students()) {
                Found::One(row) => assert_eq!(row.id, id, "{text}"),
                other => panic!("{text}: {other:?}"),
            }
        }
    }

    #[test]
    fn several_rows_are_a_question_and_none_is_said() {
        let several = find("Kat", "student", &students());
        assert!(matches!(several, Found::Several(rows) if rows.len() == 3));
        let none = find("Ka", "student", &students());
        assert!(matches!(none, Found::Resembling(rows) if rows.len() == 4));
        assert_eq!(find("Kato", "student", &[]), Found::Resembling(Vec::new()));
    }

    #[test]
    fn rows_are_found_inside_an_object() {
        let paged = json!({"total": 1, "items": [{"id": 7, "name": "Term 1"}]});
        assert_eq!(rows(&paged)[0].id, "7");
        let none = json!({"items": [], "total": 0, "hasMore": false});
        assert_eq!((list(&none).map(Vec::len), page(&none)), (Some(0), Some((0, false))));
        assert_eq!(rows(&json!({"name": "Ruth", "roles": ["Teacher"]})), []);
        assert_eq!(rows(&json!("text")), []);
    }
}
