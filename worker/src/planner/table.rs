//! Results as text: rows as a Markdown table, a record as a list of its fields.
//!
//! Ids and versions are for tools, so they are left out; everything else is shown as it came.

use std::fmt::Write;

use serde_json::{Map, Value};

use super::reply::{capitalised, readable};

/// More rows than this are counted, not shown.
const ROW_LIMIT: usize = 50;

/// Rows as a table; as a list if they are no records.
pub(super) fn rows(rows: &[Value]) -> String {
    let shown = &rows[..rows.len().min(ROW_LIMIT)];
    let columns = columns(shown);
    let mut text = if columns.is_empty() { bullets(shown) } else { grid(shown, &columns) };
    if rows.len() > ROW_LIMIT {
        let _ = write!(text, "\n\n… and {} more.", rows.len() - ROW_LIMIT);
    }
    text
}

/// A value without a table: a record line by line, anything else in one line.
pub(super) fn plain(value: &Value) -> String {
    match value {
        Value::Object(fields) => {
            let fields = fields.iter().filter(|(key, value)| is_telling(key) && !value.is_null());
            let lines = fields.map(|(key, value)| format!("- {}: {}", heading(key), cell(value)));
            lines.collect::<Vec<_>>().join("\n")
        }
        Value::Array(items) => rows(items),
        other => cell(other),
    }
}

/// The fields of a record in one line, without the names that were said already.
pub(super) fn details(record: &Value, said_already: &[&str]) -> String {
    let Value::Object(fields) = record else { return String::new() };
    let said = |value: &Value| {
        value.as_str().is_some_and(|text| said_already.contains(&text))
            || value.is_null()
            || value.is_object()
    };
    let fields = fields.iter().filter(|(key, value)| is_telling(key) && !said(value));
    let parts =
        fields.map(|(key, value)| format!("{}: {}", heading(key).to_lowercase(), cell(value)));
    parts.collect::<Vec<_>>().join(", ")
}

fn columns(rows: &[Value]) -> Vec<&str> {
    let mut columns: Vec<&str> = Vec::new();
    for key in rows.iter().filter_map(Value::as_object).flat_map(Map::keys) {
        if is_telling(key) && !columns.contains(&key.as_str()) {
            columns.push(key);
        }
    }
    columns
}

fn grid(rows: &[Value], columns: &[&str]) -> String {
    let line = |cells: Vec<String>| format!("| {} |", cells.join(" | "));
    let mut lines = vec![
        line(columns.iter().map(|key| heading(key)).collect()),
        line(columns.iter().map(|_| "---".to_owned()).collect()),
    ];
    for row in rows {
        lines.push(line(columns.iter().map(|key| cell(&row[*key]).replace('|', "\\|")).collect()));
    }
    lines.join("\n")
}

fn bullets(rows: &[Value]) -> String {
    rows.iter().map(|row| format!("- {}", cell(row))).collect::<Vec<_>>().join("\n")
}

fn is_telling(key: &str) -> bool {
    key != "id" && key != "version" && !key.ends_with("Id") && !key.ends_with("Ids")
}

/// `campusName` is "Campus", `startsOn` is "Starts on".
pub(super) fn heading(key: &str) -> String {
    let key = key.strip_suffix("Name").filter(|stem| !stem.is_empty()).unwrap_or(key);
    let mut words = String::new();
    for letter in key.chars() {
        if letter.is_uppercase() {
            words.push(' ');
        }
        words.extend(letter.to_lowercase());
    }
    capitalised(&words.replace('_', " "))
}

/// A text from a row so that Markdown leaves it as it is.
pub(super) fn literal(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    let mut before = ' ';
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let next = letters.peek().copied().unwrap_or(' ');
        let inside_a_word = before.is_alphanumeric() && next.is_alphanumeric();
        if matches!(letter, '*' | '`' | '[' | '\\') || (letter == '_' && !inside_a_word) {
            escaped.push('\\');
        }
        escaped.push(letter);
        before = letter;
    }
    escaped
}

fn cell(value: &Value) -> String {
    match value {
        Value::Null => "–".to_owned(),
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        Value::Number(number) => number.to_string(),
        Value::String(text) => literal(&readable(&text.replace(['\n', '\r'], " "))),
        Value::Array(items) => items.iter().map(cell).collect::<Vec<_>>().join(", "),
        Value::Object(fields) => {
            let fields = fields.iter().filter(|(key, _)| is_telling(key));
            let parts = fields.map(|(key, value)| format!("{}: {}", heading(key), cell(value)));
            parts.collect::<Vec<_>>().join("; ")
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn records_become_lines_and_rows_a_table() {
        let profile = json!({"id": "1", "name": "Ruth", "roles": ["Class teacher", "Teacher"], "classTeacherOf": null});
        assert_eq!(plain(&profile), "- Name: Ruth\n- Roles: Class teacher, Teacher");
        let rows = rows(&[
            json!({"name": "Term 1", "isCurrent": true}),
            json!({"name": "Term 2", "isCurrent": false, "startsOn": "2026-05-25"}),
        ]);
        assert_eq!(
            rows,
            "| Name | Is current | Starts on |\n| --- | --- | --- |\n\
             | Term 1 | yes | – |\n| Term 2 | no | 2026-05-25 |"
        );
    }

    #[test]
    fn names_are_no_markup() {
        assert_eq!(literal("**B** [x](y) `c` _i_ a_b"), r"\*\*B\*\* \[x](y) \`c\` \_i\_ a_b");
        assert_eq!(plain(&json!({"name": "*"})), r"- Name: \*");
    }

    #[test]
    fn long_lists_say_what_they_leave_out() {
        let many: Vec<Value> = (0..53).map(|number| json!(number)).collect();
        let text = rows(&many);
        assert!(text.starts_with("- 0\n- 1\n"), "{text}");
        assert!(text.ends_with("- 49\n\n… and 3 more."), "{text}");
    }
}
