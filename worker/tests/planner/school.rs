//! A school of a few rows that answers tool calls, and the loop that a turn runs.

use std::collections::VecDeque;
use std::sync::LazyLock;

use agent_contract::{AgentRole, Effect, ToolDefinition};
use serde_json::{Value, json};
use tools::agent_tools::DEFS;
use worker::planner::{
    Delegate, MadeCall, PlannedCall, Planner, PlannerAnswer, PlannerMessage, PlannerRequest, Role,
    TermFact, TurnFacts,
};

/// The planner of the real registry.
pub(crate) static PLANNER: LazyLock<Planner> = LazyLock::new(|| Planner::new(DEFS));

/// How a conversation went.
#[derive(Debug)]
pub(crate) struct Talk {
    /// Every call, in order, those of subagents included.
    pub(crate) calls: Vec<PlannedCall>,
    /// The final text; none if a question was left open.
    pub(crate) text: Option<String>,
}

/// Who is asked, and what the person answers to questions.
pub(crate) struct Turn<'a> {
    pub(crate) tools: Vec<String>,
    pub(crate) roster: Vec<Delegate>,
    pub(crate) answers: VecDeque<&'a str>,
    /// Results that replace the school's, by tool.
    pub(crate) results: Vec<(&'a str, Value)>,
}

impl<'a> Turn<'a> {
    /// Rover with a class teacher to hand work to, and answers to give.
    pub(crate) fn of_rover(answers: &[&'a str]) -> Self {
        let mut tools = names(AgentRole::Rover);
        tools.push("task".to_owned());
        let class_teacher = Delegate {
            subagent_type: "class_teacher".to_owned(),
            tools: names(AgentRole::ClassTeacher),
        };
        let answers = answers.iter().copied().collect();
        Self { tools, roster: vec![class_teacher], answers, results: Vec::new() }
    }

    /// Runs the sentence to the end, or to a question that nobody answers.
    pub(crate) fn say(&mut self, sentence: &str) -> Talk {
        let mut messages =
            vec![message(Role::System, "You are Rover."), message(Role::User, sentence)];
        let mut talk = Talk { calls: Vec::new(), text: None };
        for step in 0..30 {
            let request = PlannerRequest {
                messages: messages.clone(),
                tools: self.tools.clone(),
                facts: facts(self.roster.clone()),
            };
            let calls = match PLANNER.answer(&request) {
                PlannerAnswer::Text(text) => {
                    talk.text = Some(text);
                    return talk;
                }
                PlannerAnswer::Calls(calls) => calls,
            };
            let made = |(at, call): (usize, &PlannedCall)| MadeCall {
                id: format!("call-{step}-{at}"),
                name: call.name.clone(),
                arguments: call.arguments.clone(),
            };
            let made: Vec<MadeCall> = calls.iter().enumerate().map(made).collect();
            let said = PlannerMessage { tool_calls: made.clone(), ..message(Role::Assistant, "") };
            messages.push(said);
            for (call, made) in calls.into_iter().zip(made) {
                assert!(self.tools.contains(&call.name), "{} was not offered", call.name);
                talk.calls.push(call.clone());
                let Some(result) = self.result(&call, &mut talk) else { return talk };
                let answer = message(Role::Tool, &result.to_string());
                messages.push(PlannerMessage { tool_call_id: Some(made.id), ..answer });
            }
        }
        panic!("{sentence:?} never ends: {:?}", talk.calls);
    }

    fn result(&mut self, call: &PlannedCall, talk: &mut Talk) -> Option<Value> {
        if let Some((_, result)) = self.results.iter().find(|(name, _)| *name == call.name) {
            return Some(result.clone());
        }
        match call.name.as_str() {
            "ask_staffer" => {
                let options = call.arguments["options"].as_array().cloned().unwrap_or_default();
                let nobody = options.contains(&json!("Nobody"));
                let answer = if nobody { Some("Nobody") } else { self.answers.pop_front() };
                answer.map(|answer| json!({"data": {"answer": answer}, "scopeContext": ""}))
            }
            "task" => {
                let is_named = |it: &&Delegate| call.arguments["subagent_type"] == it.subagent_type;
                let delegate = self.roster.iter().find(is_named).expect("the roster has it");
                let mut inner = Turn {
                    tools: delegate.tools.clone(),
                    roster: Vec::new(),
                    answers: std::mem::take(&mut self.answers),
                    results: self.results.clone(),
                };
                let done =
                    inner.say(call.arguments["description"].as_str().expect("a task is described"));
                talk.calls.extend(done.calls);
                done.text.map(Value::from)
            }
            name => Some(answer(name, &call.arguments)),
        }
    }
}

/// The definition of a tool.
pub(crate) fn definition(name: &str) -> Option<&'static ToolDefinition> {
    DEFS.iter().copied().find(|definition| definition.name == name)
}

/// Whether a call changes the school.
pub(crate) fn writes(call: &PlannedCall) -> bool {
    definition(&call.name).is_some_and(|definition| definition.effect == Effect::Write)
}

/// Whether a call only finds ids for others.
pub(crate) fn looks_up(call: &PlannedCall) -> bool {
    call.name.starts_with("find_") || call.name == "list_campuses"
}

/// The facts of a turn on Tuesday 10 March 2026.
pub(crate) fn facts(roster: Vec<Delegate>) -> TurnFacts {
    let now = "2026-03-10T08:05[Africa/Kampala]".parse().expect("a time in the zone's database");
    let terms = (1..=3).map(|number| TermFact {
        id: format!("term-{number}"),
        name: format!("Term {number}"),
        number,
        current: number == 1,
    });
    TurnFacts { now, zone_known: true, campuses: None, terms: terms.collect(), roster }
}

fn names(role: AgentRole) -> Vec<String> {
    let tools = DEFS.iter().filter(|definition| definition.roles.contains(&role));
    tools.map(|definition| definition.name.to_owned()).collect()
}

fn message(role: Role, text: &str) -> PlannerMessage {
    PlannerMessage { role, text: text.to_owned(), tool_calls: Vec::new(), tool_call_id: None }
}

/// What the school answers. A search finds every row that shares a word's beginning.
fn answer(name: &str, arguments: &Value) -> Value {
    let rows = match name {
        "list_campuses" => CAMPUSES,
        "find_departments" => DEPARTMENTS,
        "find_classes" => CLASSES,
        "find_students" => STUDENTS,
        "find_staff" => STAFF,
        _ => return json!({"data": {"id": "row-1", "name": "Row"}, "scopeContext": SCOPE}),
    };
    let wanted = arguments["name"].as_str().unwrap_or_default().to_lowercase();
    let shares = |row: &&(&str, &str)| {
        let row = row.1.to_lowercase();
        let begins = |part: &str| row.split(' ').any(|word| word.starts_with(part));
        wanted.is_empty() || wanted.split(' ').any(begins)
    };
    let found: Vec<Value> =
        rows.iter().filter(shares).map(|(id, name)| json!({"id": id, "name": name})).collect();
    json!({"data": found, "scopeContext": SCOPE})
}

const SCOPE: &str = "Data covers the whole school. Say \"across the school\".";
const CAMPUSES: &[(&str, &str)] =
    &[("campus-main", "Main Campus"), ("campus-lake", "Lakeside Campus")];
const DEPARTMENTS: &[(&str, &str)] =
    &[("dep-math", "Mathematics"), ("dep-sci", "Sciences"), ("dep-lang", "Languages")];
const CLASSES: &[(&str, &str)] = &[
    ("class-s1e", "S1 East"),
    ("class-s1w", "S1 West"),
    ("class-s2e", "S2 East"),
    ("class-s2w", "S2 West"),
    ("class-s3n", "S3 North"),
];
const STUDENTS: &[(&str, &str)] = &[
    ("stu-amina", "Amina Nakato"),
    ("stu-brian", "Brian Ochieng"),
    ("stu-mary", "Mary Achieng"),
    ("stu-john", "John Kato"),
    ("stu-grace", "Grace Kato"),
];
const STAFF: &[(&str, &str)] = &[
    ("staff-peter", "Peter Mukasa"),
    ("staff-ruth", "Ruth Akello"),
    ("staff-daniel", "Daniel Okello"),
    ("staff-sarah", "Sarah Nabirye"),
];
