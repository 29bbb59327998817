//! Names of records turned into ids, by the rows that a lookup tool returned.
//!
//! One row that bears the name is the record. Rows that merely resemble it are a question.

use serde_json::Value;

use super::words::words;

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

/// The list that `data` is or holds.
pub(super) fn list(data: &Value) -> Option<&Vec<Value>> {
    let held = |data: &'_ Value| -> Option<usize> {
        let fields = data.as_object()?;
        let mut lists = fields.values().enumerate().filter(|(_, value)| value.is_array());
        let only = lists.next()?.0;
        lists.next().is_none().then_some(only)
    };
    match data {
        Value::Array(rows) => Some(rows),
        Value::Object(fields) => fields.values().nth(held(data)?)?.as_array(),
        _ => None,
    }
}

/// Finds the record that `text` names; `noun` is what such a record is called.
pub(super) fn find(text: &str, noun: &str, rows: &[Row]) -> Found {
    let said = name_words(text, noun);
    let matching = |fits: &dyn Fn(&Row) -> bool| {
        rows.iter().filter(|row| fits(row)).cloned().collect::<Vec<_>>()
    };
    let by_id_or_label = matching(&|row| row.id == text || row.label == text);
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

/// The name without its articles and without the noun: "the Sciences department" is "sciences".
fn name_words(text: &str, noun: &str) -> Vec<String> {
    let mut folds: Vec<String> = words(text).into_iter().map(|word| word.fold).collect();
    let is_noun = |fold: &String| noun.split(' ').any(|part| part == fold) || fold == "'s";
    while folds.len() > 1
        && folds.first().is_some_and(|fold| is_noun(fold) || matches!(fold.as_str(), "the" | "a" | "an" | "called" | "named"))
    {
        folds.remove(0);
    }
    while folds.len() > 1 && folds.last().is_some_and(is_noun) {
        folds.pop();
    }
    folds
}

/// Whether each word said is a word of the name or its beginning.
fn holds(label: &str, said: &[String]) -> bool {
    let label = words(label);
    let known = |fold: &String| {
        label.iter().any(|word| word.fold == *fold || (fold.len() > 2 && word.fold.starts_with(fold.as_str())))
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
        assert_eq!(rows(&json!({"a": [], "b": []})), []);
        assert_eq!(rows(&json!("text")), []);
    }
}
