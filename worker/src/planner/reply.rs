//! What came of the calls, told from their envelopes.
//!
//! Every figure and name in a reply stands in a result. The scope of the data comes first, from
//! `scopeContext`; an error is told as one, and never beside a claim of success.

use serde_json::Value;

use super::catalog::{KnownTool, SlotKind};
use super::{choices, lookup, table};

/// Scopes that advise the model and say nothing to a person.
const FOR_THE_MODEL: &[&str] = &[
    "This is no school data, so no campus limits it.",
    "The specialist says itself what its answer covers; claim no more.",
];

/// A result, read as the envelope that every tool returns.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Outcome {
    /// It worked.
    Data {
        /// What the tool returned.
        data: Value,
        /// How the data was filtered.
        scope: Scope,
    },
    /// It did not; a sentence says why.
    Error(String),
}

/// How data was filtered, in words for a person.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Scope {
    /// A phrase to begin a sentence with, e.g. "Across Main Campus".
    phrase: Option<String>,
    /// What must be said as well, or instead.
    remark: Option<String>,
}

impl Outcome {
    /// Reads a result. A result that is no envelope is data without a scope.
    pub(super) fn of(result: &Value) -> Self {
        if let Some(error) = result.get("error") {
            return Self::Error(error.as_str().unwrap_or("something went wrong").to_owned());
        }
        match (result.get("data"), result.get("scopeContext").and_then(Value::as_str)) {
            (Some(data), scope) => {
                Self::Data { data: data.clone(), scope: Scope::of(scope.unwrap_or_default()) }
            }
            (None, _) => Self::Data { data: result.clone(), scope: Scope::default() },
        }
    }
}

impl Scope {
    /// Reads a `scopeContext`: sentences of fact, and the advice which words to use for them.
    pub(super) fn of(context: &str) -> Self {
        let mut remarks = Vec::new();
        let mut phrase = None;
        for sentence in sentences(context) {
            let advice = sentence.strip_prefix("Say \"").and_then(|rest| rest.split_once('"'));
            match advice {
                Some((words, _)) => phrase = Some(words.to_owned()),
                None if sentence.starts_with("Name them") || sentence.starts_with("Do not say") => {
                }
                None if FOR_THE_MODEL.contains(&sentence) => {}
                None => remarks.push(addressed(sentence)),
            }
        }
        // The last fact is what the phrase says in fewer words.
        let usable = phrase
            .filter(|phrase| phrase.contains(' '))
            .or_else(|| remarks.last().and_then(|remark| limited_to(remark)));
        if usable.is_some() {
            remarks.pop();
        }
        let remark = (!remarks.is_empty()).then(|| remarks.join(" "));
        Self { phrase: usable.map(|phrase| capitalised(&phrase)), remark }
    }

    /// `sentence`, said within this scope.
    fn qualify(&self, sentence: &str) -> String {
        self.remarked(match &self.phrase {
            Some(phrase) => format!("{phrase}: {sentence}"),
            None => capitalised(sentence),
        })
    }

    /// What was said, after what must be said as well.
    fn remarked(&self, said: String) -> String {
        match &self.remark {
            Some(remark) => format!("{remark} {said}"),
            None => said,
        }
    }
}

/// The reply to finished calls of one tool.
pub(super) fn tell(tool: &KnownTool, results: &[Value]) -> String {
    let told: Vec<String> = results
        .iter()
        .map(|result| match Outcome::of(result) {
            Outcome::Error(error) => failure(&error),
            Outcome::Data { data, scope } if tool.writes() => done(tool, &data, &scope),
            Outcome::Data { data, scope } => found(tool, &data, &scope),
        })
        .collect();
    match told.as_slice() {
        [only] => only.clone(),
        many => many.iter().map(|line| format!("- {line}")).collect::<Vec<_>>().join("\n"),
    }
}

/// The reply to work that a subagent did: its own words.
pub(super) fn report(result: &Value) -> String {
    match Outcome::of(result) {
        Outcome::Error(error) => failure(&error),
        Outcome::Data { data: Value::String(text), .. } => text,
        Outcome::Data { data, .. } if data["answer"].is_string() => {
            data["answer"].as_str().unwrap_or_default().to_owned()
        }
        Outcome::Data { data, scope } => scope.qualify(&table::plain(&data)),
    }
}

/// An error as a reply.
pub(super) fn failure(error: &str) -> String {
    let error = error.trim();
    if error.starts_with("the person did not approve this") {
        return "All right, I leave it there. Nothing was changed.".to_owned();
    }
    if let Some((_, faults)) = error.split_once("the arguments do not fit this tool:\n") {
        let faults: Vec<_> = faults.lines().map(misfit).collect();
        return format!("I could not do that. {}", faults.join(" "));
    }
    let end = if error.ends_with(['.', '!', '?']) { "" } else { "." };
    format!("I could not do that. {}{end}", capitalised(error))
}

/// Whether every call failed for want of a campus: the argument to give it in, and the campuses
/// that the server allows.
pub(super) fn campus_wanted(
    tool: &KnownTool,
    arguments: &[Value],
    results: &[Value],
) -> Option<(&'static str, Vec<String>)> {
    let slot = tool.slots.iter().find(|slot| slot.kind == SlotKind::Campus)?;
    let unnamed = arguments.iter().all(|set| set.get(slot.field.wire).is_none());
    let allowed = |result: &Value| match Outcome::of(result) {
        // "name a campus: …", at the start of a sentence or within one.
        Outcome::Error(error) => error.split_once("ame a campus").map(|(_, rest)| rest.to_owned()),
        Outcome::Data { .. } => None,
    };
    let allowed: Option<Vec<String>> = results.iter().map(allowed).collect();
    let listed = allowed.filter(|_| unnamed)?.pop()?;
    let options = listed.trim_start_matches(':').split(',');
    let options = options.map(|name| name.trim().trim_matches(['.', '"']).to_owned());
    Some((slot.field.wire, options.filter(|name| !name.is_empty()).collect()))
}

/// An argument that does not fit, in words for a person: "args.name: expected at most 80
/// characters, got …" is "The name: expected at most 80 characters."
fn misfit(fault: &str) -> String {
    let (path, expected) = fault.split_once(": ").unwrap_or(("", fault));
    let expected = expected.split_once(", got ").map_or(expected, |(expected, _)| expected);
    let field = path.rsplit('.').next().filter(|field| !field.is_empty() && *field != "args");
    match field {
        Some(field) => format!("The {}: {expected}.", table::heading(field).to_lowercase()),
        None => format!("{}.", capitalised(expected)),
    }
}

/// One sentence that names what was done, and where: on the campus of the record, or within the
/// scope.
fn done(tool: &KnownTool, data: &Value, scope: &Scope) -> String {
    let record = data.get("deleted").unwrap_or(data);
    let subject = tool.subject();
    let deed = past(tool.definition.verb);
    let of_subject = format!("{}Name", subject.replace(' ', ""));
    let name = ["name", "title", &of_subject].iter().find_map(|key| record[*key].as_str());
    let campus = record["campusName"].as_str();
    let head = match name.map(table::literal) {
        Some(name) if tool.definition.verb == "rename" => {
            format!("I {deed} the {subject} to “{name}”")
        }
        Some(name) if is_plural(&subject) => format!("I {deed} the {subject} of “{name}”"),
        Some(name) => format!("I {deed} the {subject} “{name}”"),
        None => format!("I {deed} {subject}"),
    };
    let place = campus.map(|campus| format!(" on {}", table::literal(campus))).unwrap_or_default();
    let known: Vec<&str> = name.into_iter().chain(campus).collect();
    let details = table::details(record, &known);
    let details = if details.is_empty() { details } else { format!(" ({details})") };
    let told = format!("{head}{place}{details}.");
    if campus.is_some() { scope.remarked(told) } else { scope.qualify(&told) }
}

/// A list as a table, a record as its fields, anything else as it is.
fn found(tool: &KnownTool, data: &Value, scope: &Scope) -> String {
    let subject = tool.subject();
    let noun = subject.strip_prefix("your ").unwrap_or(&subject);
    match lookup::list(data) {
        Some(rows) if rows.is_empty() => scope.qualify(&format!("I found no {noun}.")),
        Some(rows) => {
            let shown = i64::try_from(rows.len()).unwrap_or(i64::MAX);
            let (total, more) = lookup::page(data).unwrap_or((shown, false));
            let head = match (noun, total) {
                ("staff", 1) => "1 member of staff.".to_owned(),
                ("staff", count) => format!("{count} members of staff."),
                (noun, 1) if is_plural(noun) => format!("1 {}.", singular(noun)),
                (noun, count) if is_plural(noun) => format!("{count} {noun}."),
                (noun, _) => format!("here is the {noun}."),
            };
            let head = if more { format!("{head} Here are {shown} of them.") } else { head };
            format!("{}\n\n{}", scope.qualify(&head), table::rows(rows))
        }
        None => {
            let told = table::plain(data);
            if data.is_object() {
                let article = if subject.starts_with("your ") { "" } else { "the " };
                format!("{}\n\n{told}", scope.qualify(&format!("here is {article}{subject}.")))
            } else {
                scope.qualify(&told)
            }
        }
    }
}

fn is_plural(noun: &str) -> bool {
    noun.ends_with('s') && !noun.ends_with("ss")
}

/// The noun for one of them.
fn singular(noun: &str) -> String {
    if let Some(stem) = noun.strip_suffix("ies") {
        return format!("{stem}y");
    }
    let stem = noun.strip_suffix("es").filter(|stem| stem.ends_with("ss") || *stem == "campus");
    stem.or_else(|| noun.strip_suffix('s')).unwrap_or(noun).to_owned()
}

/// "Data is limited to your own records on the campus "Lakeside"." is "In your own records on
/// Lakeside", where the advice has no phrase for it.
fn limited_to(remark: &str) -> Option<String> {
    let reach = remark.strip_prefix("Data is limited to ")?.trim_end_matches('.');
    if let Some(within) = reach.strip_prefix("your own records") {
        return Some(format!("in your own records{}", unquoted(within)));
    }
    let names = reach.strip_prefix("the campuses you work on: ")?;
    Some(format!("on the campuses you work on ({})", unquoted(names)))
}

fn unquoted(text: &str) -> String {
    text.replace("the campus \"", "").replace('"', "")
}

fn past(verb: &str) -> String {
    match verb {
        "set" => "set".to_owned(),
        "send" => "sent".to_owned(),
        "withdraw" => "withdrew".to_owned(),
        "enrol" | "cancel" => format!("{verb}led"),
        "upsert" => "saved".to_owned(),
        verb if verb.ends_with('e') => format!("{verb}d"),
        verb => format!("{verb}ed"),
    }
}

/// The sentence speaks to the model about the person; here it is said to them.
fn addressed(sentence: &str) -> String {
    sentence
        .replace("this person's", "your")
        .replace("this person works", "you work")
        .replace("this person teaches", "you teach")
}

/// Sentences of a text; the marks that end them stay.
fn sentences(text: &str) -> Vec<&str> {
    let mut sentences = Vec::new();
    let mut start = 0;
    let mut quoted = false;
    for (at, letter) in text.char_indices() {
        if letter == '"' {
            quoted = !quoted;
        }
        let ends = letter == '.'
            && !quoted
            && text[at + 1..].chars().next().is_none_or(|next| next == ' ');
        if ends {
            sentences.push(text[start..=at].trim());
            start = at + 1;
        }
    }
    sentences.push(text[start..].trim());
    sentences.retain(|sentence| !sentence.is_empty());
    sentences
}

/// With a capital first letter.
pub(super) fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// A wire value as people read it.
pub(super) fn readable(value: &str) -> String {
    if value.contains('_') && !value.contains(' ') {
        choices::spoken(value)
    } else {
        value.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use agent_contract::{AgentRunModeName, DataReach, ScopeDescription, describe_scope_context};
    use serde_json::json;

    use super::*;

    fn tool(name: &str) -> KnownTool {
        let definitions = tools::agent_tools::DEFS.iter();
        KnownTool::new(definitions.copied().find(|definition| definition.name == name).unwrap())
    }

    /// The sentence that the server would send.
    fn scope(campus: Option<&str>, requested_other: bool, reach: DataReach) -> String {
        let mode =
            if campus.is_some() { AgentRunModeName::Campus } else { AgentRunModeName::School };
        describe_scope_context(&ScopeDescription {
            mode,
            campus_name: campus,
            requested_other,
            reach,
        })
    }

    #[test]
    fn a_write_is_one_sentence_that_names_it_and_its_scope() {
        let data = json!({"id": "d1", "name": "Mathematics", "campusId": "c1", "campusName": "Main Campus", "version": 1});
        let scope = scope(Some("Main Campus"), false, DataReach::Everything);
        let told =
            tell(&tool("create_department"), &[json!({"data": data, "scopeContext": scope})]);
        assert_eq!(told, "I created the department “Mathematics” on Main Campus.");
        let data = json!({"name": "S3 East", "campusName": "Main Campus", "students": 0});
        let told = tell(&tool("create_class"), &[json!({"data": data, "scopeContext": scope})]);
        assert_eq!(told, "I created the class “S3 East” on Main Campus (students: 0).");
        let data = json!({"name": "Maths", "campusName": "Main Campus"});
        let told =
            tell(&tool("rename_department"), &[json!({"data": data, "scopeContext": scope})]);
        assert_eq!(told, "I renamed the department to “Maths” on Main Campus.");
        let data = json!({"className": "S1 East", "teacherName": "Peter Mukasa"});
        let told = tell(&tool("assign_teacher"), &[json!({"data": data, "scopeContext": scope})]);
        assert_eq!(
            told,
            "Across Main Campus: I assigned the teacher “Peter Mukasa” (class: S1 East)."
        );
    }

    #[test]
    fn what_is_said_to_the_model_is_not_said_to_the_person() {
        let specialist = json!({
            "data": {"agent": "class_teacher", "answer": "In your classes: 2 students.\n\n| A |"},
            "scopeContext": "The specialist says itself what its answer covers; claim no more.",
        });
        assert_eq!(report(&specialist), "In your classes: 2 students.\n\n| A |");
        let date = json!({
            "data": {"date": "2026-12-01"},
            "scopeContext": "This is no school data, so no campus limits it.",
        });
        assert_eq!(
            tell(&tool("get_current_date"), &[date]),
            "Here is the current date.\n\n- Date: 2026-12-01"
        );
        assert_eq!(
            failure("the person did not approve this; nothing was changed"),
            "All right, I leave it there. Nothing was changed."
        );
        assert_eq!(
            failure(
                "the arguments do not fit this tool:\nargs.name: expected at most 80 characters, got string \"www…"
            ),
            "I could not do that. The name: expected at most 80 characters."
        );
    }

    #[test]
    fn counts_read_as_people_count() {
        let one =
            |name: &str| tell(&tool(name), &[json!({"data": [{"name": "A"}], "scopeContext": ""})]);
        for (name, expected) in [
            ("list_students", "1 student."),
            ("list_classes", "1 class."),
            ("list_my_classes", "1 class."),
            ("list_campuses", "1 campus."),
            ("list_staff", "1 member of staff."),
            ("list_class_attendance", "Here is the class attendance."),
        ] {
            assert!(one(name).starts_with(expected), "{}", one(name));
        }
        let none = json!({"data": [], "scopeContext": scope(None, false, DataReach::OwnRecords)});
        assert_eq!(
            tell(&tool("list_my_classes"), &[none]),
            "In your own records: I found no classes."
        );
    }

    #[test]
    fn the_scope_is_told_in_the_words_that_the_server_chose() {
        let everything = || DataReach::Everything;
        let cases = [
            (scope(None, false, everything()), "Across the school: yes."),
            (scope(Some("Lakeside"), false, everything()), "Across Lakeside: yes."),
            (scope(None, false, DataReach::OwnClasses), "In your classes: yes."),
            (
                scope(Some("Lakeside"), true, everything()),
                "Another campus was asked for, but this conversation works on the campus \"Lakeside\", and that one was used. Across Lakeside: yes.",
            ),
            (
                scope(None, false, DataReach::Campuses(vec!["A".to_owned(), "B".to_owned()])),
                "On the campuses you work on (A, B): yes.",
            ),
            (scope(None, false, DataReach::OwnRecords), "In your own records: yes."),
            (
                scope(Some("Lakeside"), false, DataReach::OwnRecords),
                "In your own records on Lakeside: yes.",
            ),
            (String::new(), "Yes."),
        ];
        for (context, expected) in cases {
            assert_eq!(Scope::of(&context).qualify("yes."), expected, "{context}");
        }
    }

    #[test]
    fn lists_are_tables_and_errors_are_errors() {
        let rows = json!([
            {"id": "1", "name": "Arts | Crafts", "campusId": "c", "campusName": "Main", "version": 3},
            {"id": "2", "name": "Music", "campusId": "c", "campusName": "Main", "version": 1},
        ]);
        let scope = scope(None, false, DataReach::Everything);
        let list = tool("list_departments");
        assert_eq!(
            tell(&list, &[json!({"data": rows, "scopeContext": scope})]),
            "Across the school: 2 departments.\n\n\
             | Name | Campus |\n| --- | --- |\n| Arts \\| Crafts | Main |\n| Music | Main |"
        );
        assert_eq!(
            tell(&list, &[json!({"data": [], "scopeContext": scope})]),
            "Across the school: I found no departments."
        );
        assert_eq!(
            tell(&list, &[json!({"error": "Permission denied: you may not read departments"})]),
            "I could not do that. Permission denied: you may not read departments."
        );
    }

    #[test]
    fn a_page_is_not_told_as_the_whole() {
        let scope = scope(None, false, DataReach::Everything);
        let list = tool("list_departments");
        let page = |total: i64, more: bool| {
            let items = json!([{"id": "1", "name": "Art"}, {"id": "2", "name": "Music"}]);
            let data = json!({"items": items, "total": total, "hasMore": more});
            tell(&list, &[json!({"data": data, "scopeContext": scope})])
        };
        let table = "| Name |\n| --- |\n| Art |\n| Music |";
        assert_eq!(page(2, false), format!("Across the school: 2 departments.\n\n{table}"));
        assert_eq!(
            page(17, true),
            format!("Across the school: 17 departments. Here are 2 of them.\n\n{table}")
        );
        let none = json!({"items": [], "total": 0, "hasMore": false});
        assert_eq!(
            tell(&list, &[json!({"data": none, "scopeContext": scope})]),
            "Across the school: I found no departments."
        );
    }

    #[test]
    fn a_want_of_a_campus_is_recognised() {
        let error = [json!({"error": "name a campus: Main Campus, Lakeside Campus"})];
        let create = tool("create_department");
        let names = vec!["Main Campus".to_owned(), "Lakeside Campus".to_owned()];
        assert_eq!(
            campus_wanted(&create, &[json!({"name": "A"})], &error),
            Some(("campusId", names))
        );
        assert_eq!(campus_wanted(&create, &[json!({"campusId": "x"})], &error), None);
        assert_eq!(campus_wanted(&tool("withdraw_student"), &[json!({})], &error), None);
    }
}
