//! The examples of the tools in the demo school: who runs one, where, and what it answered when the documentation was
//! written.

use std::borrow::Cow;
use std::collections::BTreeMap;

use agent_contract::{
    AgentToolResult, Example, FieldKind, GRANTS, Posture, StaffRole, ToolDefinition, ToolScope,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tools::agent_tools::ToolName;

use super::naalya::{MAIN, SCHOOL};
use super::plan::Person;

/// One example of one tool, as somebody of the demo school may run it.
#[derive(Clone, Debug)]
pub struct Showing {
    /// The tool.
    pub tool: &'static ToolDefinition,
    /// The arguments.
    pub arguments: Value,
    /// Address of the person.
    pub email: String,
    /// `school` or `campus:NAME`.
    pub mode: Cow<'static, str>,
    /// What the person answers, of a tool that asks.
    pub answer: Option<&'static str>,
}

/// Who may run the example and where; none for a tool that nobody of the demo school may run.
pub fn showing(tool: &'static ToolDefinition, example: Example) -> Option<Showing> {
    let person = SCHOOL.people.iter().find(|person| may_run(person, tool))?;
    Some(Showing {
        tool,
        arguments: example.to_json(tool.fields),
        email: SCHOOL.email(person),
        mode: mode(tool, example),
        answer: (tool.name == ToolName::AskStaffer.as_str()).then_some(ANSWER),
    })
}

/// What somebody of the demo school answers when asked.
const ANSWER: &str = "Main Campus";

/// Whoever has the right; of one's own records, a class teacher has most.
fn may_run(person: &Person, tool: &ToolDefinition) -> bool {
    let mut roles = person.roles.iter().filter_map(|role| StaffRole::parse(role));
    match tool.posture {
        None => true,
        Some(Posture::Relationship) => roles.any(|role| role == StaffRole::ClassTeacher),
        Some(Posture::Casl { action, resource }) => roles.any(|role| {
            GRANTS.iter().any(|grant| {
                grant.role == role && grant.action == action && grant.resource == resource
            })
        }),
    }
}

/// An example that names a campus is one of the whole school; any other is at home on the main campus.
fn mode(tool: &ToolDefinition, example: Example) -> Cow<'static, str> {
    let names_a_campus =
        tool.fields.iter().any(|field| field.kind == FieldKind::Campus && example.gives(field));
    if tool.scope == ToolScope::School || (tool.scope == ToolScope::General && names_a_campus) {
        return "school".into();
    }
    let main = SCHOOL.campuses.iter().find(|(id, _)| *id == MAIN);
    format!("campus:{}", main.map_or(MAIN, |(_, name)| name)).into()
}

impl Showing {
    /// The command that sends the call, for a shell.
    pub fn command(&self) -> String {
        let Self { tool, arguments, email, mode, answer } = self;
        let mut command = format!("rover call {} --as {email} --mode {}", tool.name, quoted(mode));
        if arguments.as_object().is_some_and(|arguments| !arguments.is_empty()) {
            command.push_str(" --args ");
            command.push_str(&quoted(&arguments.to_string()));
        }
        if let Some(words) = answer {
            command.push_str(" --answer ");
            command.push_str(&quoted(words));
        }
        command
    }
}

fn quoted(word: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "-_.:@".contains(letter);
    if word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// What the examples answered: by tool, in the order in which it shows them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Results(BTreeMap<String, Vec<Value>>);

impl Results {
    /// As documented with this build.
    pub fn documented() -> Self {
        // The file is generated; one that somebody broke shows no results, and the test that renews it fails.
        serde_json::from_str(include_str!("results.json")).unwrap_or_default()
    }

    /// Adds what the next example of the tool answered, with what differs from day to day in angle brackets.
    pub fn push(&mut self, showing: &Showing, result: &AgentToolResult) {
        let shown = serde_json::to_value(result).unwrap_or_default();
        let steady = steady(shown, &showing.arguments.to_string());
        self.0.entry(showing.tool.name.to_owned()).or_default().push(steady);
    }

    /// What the nth example of the tool answered.
    pub fn of(&self, tool: &str, n: usize) -> Option<&Value> {
        self.0.get(tool)?.get(n)
    }
}

/// How many items of a list are shown.
const SHOWN: usize = 2;

/// The value as it will be tomorrow: minted ids, days that were not asked for and years are left out, and of a long
/// list all but the beginning.
fn steady(value: Value, asked: &str) -> Value {
    match value {
        Value::String(text) => Value::String(steady_text(text, asked)),
        Value::Number(number) if number.as_i64().is_some_and(|n| (2000..2100).contains(&n)) => {
            "<year>".into()
        }
        Value::Array(items) => {
            let hidden = items.len().saturating_sub(SHOWN);
            let more = (hidden > 0).then(|| Value::String(format!("<{hidden} more>")));
            items.into_iter().take(SHOWN).map(|item| steady(item, asked)).chain(more).collect()
        }
        Value::Object(members) => {
            members.into_iter().map(|(name, member)| (name, steady(member, asked))).collect()
        }
        other => other,
    }
}

const WEEKDAYS: [&str; 7] =
    ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

fn is_time(text: &str) -> bool {
    matches!(text.as_bytes(), [h1, h2, b':', m1, m2] if [h1, h2, m1, m2].iter().all(|d| d.is_ascii_digit()))
}

fn steady_text(text: String, asked: &str) -> String {
    if asked.contains(&text) {
        return text;
    }
    if text.parse::<uuid::Uuid>().is_ok() {
        return "<id>".to_owned();
    }
    if text.parse::<agent_contract::Date>().is_ok() {
        return "<day>".to_owned();
    }
    if text.parse::<agent_contract::Timestamp>().is_ok() {
        return "<moment>".to_owned();
    }
    if WEEKDAYS.contains(&text.as_str()) {
        return "<weekday>".to_owned();
    }
    if is_time(&text) {
        return "<time>".to_owned();
    }
    let year = text
        .as_bytes()
        .windows(4)
        .position(|four| four.starts_with(b"20") && four.iter().all(u8::is_ascii_digit));
    match year {
        Some(at) => format!("{}<year>{}", &text[..at], &text[at + 4..]),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{quoted, steady};

    #[test]
    fn what_changes_from_day_to_day_is_left_out() {
        let fresh = json!({
            "id": "0199c3a1-0d5e-7000-8000-000000000001", "name": "Astronomy", "version": 1,
            "admissionNumber": "2026/0061", "startsOn": "2026-02-02", "endsOn": "2026-05-01",
            "year": 2026, "computedAt": "2026-12-01T13:19:36.007215Z", "list": [{ "date": "2026-10-20" }, 2, 3, 4],
            "weekday": "Tuesday", "time": "08:05",
        });
        let expected = json!({
            "id": "<id>", "name": "Astronomy", "version": 1,
            "admissionNumber": "<year>/0061", "startsOn": "2026-02-02", "endsOn": "<day>",
            "year": "<year>", "computedAt": "<moment>", "list": [{ "date": "<day>" }, 2, "<2 more>"],
            "weekday": "<weekday>", "time": "<time>",
        });
        assert_eq!(steady(fresh, r#"{"startsOn":"2026-02-02"}"#), expected);
    }

    #[test]
    fn words_survive_a_shell() {
        for (word, expected) in [
            ("school", "school"),
            ("campus:Main Campus", "'campus:Main Campus'"),
            (r#"{"name":"St. Mary's"}"#, r#"'{"name":"St. Mary'\''s"}'"#),
            ("", ""),
        ] {
            assert_eq!(quoted(word), expected);
        }
    }
}
