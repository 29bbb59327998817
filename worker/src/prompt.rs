//! The system prompt, put together anew for each agent of each turn.
//!
//! Inventory, roster and skills are printed from the vectors that the graph is made of, never kept
//! by hand. "This turn" is the runtime context in words; what it says of permissions is advice.

use std::fmt::Write as _;

use agent_contract::{
    AgentRole, AgentRunMode, AgentRuntimeContext, PermissionRule, TeachingDuty, UserType,
};
use serde_json::Value;

use crate::local::local_time;
use crate::proxy::Proxy;
use crate::skills::Skill;

/// What Rover is told of itself.
const SUPERVISOR: &str = "\
You are Rover, the assistant of a school's staff. You look things up and change records through \
tools, and say plainly what you found and what you did.

- State nothing about the school that no tool returned in this conversation.
- Do what was asked and no more. If a request is ambiguous or lacks something, ask with \
ask_staffer; never guess a value that is written.
- When a specialist below has the tools for a task, hand the task over.
- Answer in one to three sentences, or a short list. No ids, unless asked for.";

/// What a specialist is told of itself.
const SPECIALIST: &str = "\
You work for Rover, the assistant of a school's staff, on one task that it gives you. Do it with \
your tools and answer with the outcome in a few sentences: that is all Rover sees.

- State nothing about the school that no tool returned to you.
- If something is missing that only the person knows, ask with ask_staffer; never guess a value \
that is written.";

/// How results are read, the same for every agent.
const RESULTS: &str = "\
Every tool answers {\"data\": …, \"scopeContext\": \"…\"} or {\"error\": \"…\"}.

- scopeContext says how the data was filtered. Qualify what you say from it: data of one campus is \
\"across Main Campus\", never \"across the school\".
- An error is to be explained in your own words, with what would help. \"Permission denied\" means \
that this person may not do it; do not try another way around.
- An error that says it may or may not have been done must be checked before anything is repeated.";

/// The prompt of one agent.
pub fn system_prompt(
    role: AgentRole,
    tools: &[Proxy],
    roster: &[AgentRole],
    skills: &[Skill],
    context: &AgentRuntimeContext,
) -> String {
    let copy = match role {
        AgentRole::Rover => SUPERVISOR.to_owned(),
        specialist => {
            format!(
                "You are the {}. {}\n\n{SPECIALIST}",
                specialist.title(),
                specialist.description()
            )
        }
    };
    let mut sections = vec![
        copy,
        section("Reading results", RESULTS),
        section(
            "Your tools",
            &list(tools.iter().map(|tool| (tool.name.as_str(), &*tool.description))),
        ),
    ];
    if !roster.is_empty() {
        let agents = list(roster.iter().map(|role| (role.wire_id(), role.description())));
        sections.push(section("Specialists, for the task tool", &agents));
    }
    if !skills.is_empty() {
        let skills = list(skills.iter().map(|skill| (&*skill.name, &*skill.description)));
        sections.push(section("Skills, for the load_skill tool", &skills));
    }
    sections.push(section("This turn", &this_turn(context)));
    sections.join("\n\n")
}

fn section(title: &str, body: &str) -> String {
    format!("## {title}\n{body}")
}

fn list<'a>(entries: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    entries.map(|(name, words)| format!("- {name}: {words}")).collect::<Vec<_>>().join("\n")
}

/// The runtime context in words.
fn this_turn(context: &AgentRuntimeContext) -> String {
    let person = &context.user_details;
    let mut lines = vec![format!(
        "Person: {} ({}, {}){}",
        tidy(&person.name),
        kind(person.user_type),
        tidy(&person.email),
        person.school_name.as_deref().map(|name| format!(", {}", tidy(name))).unwrap_or_default()
    )];
    lines.push(match &context.run_mode {
        AgentRunMode::School => {
            "Working on: the whole school. Where a tool needs a campus, one must be named."
                .to_owned()
        }
        AgentRunMode::Campus { campus } => format!(
            "Working on: the campus \"{}\" (id {}). It is used whatever campus a call names.",
            tidy(&campus.name),
            tidy(&campus.id)
        ),
    });
    let now = local_time(context.current_time, context.time_zone.as_ref());
    let zone = context
        .time_zone
        .as_ref()
        .map_or("UTC; the school's zone is not known", |zone| zone.name());
    lines.push(format!("Now: {} ({zone})", now.strftime("%A %-d %B %Y, %H:%M")));
    if let Some(year) = &context.current_academic_year {
        lines.push(format!("Academic year: {} ({})", tidy(&year.name), year.year));
    }
    for term in &context.terms {
        let current = if term.is_current { ", the current term" } else { "" };
        lines.push(format!(
            "Term {}: {} (id {}), {} to {}{current}",
            term.term_number,
            tidy(&term.name),
            tidy(&term.id),
            term.starts_on,
            term.ends_on
        ));
    }
    if let Some(map) = &context.teaching_map {
        for at in map.assignments() {
            let class = format!("{} (id {})", tidy(&at.class_name), tidy(&at.class_id));
            lines.push(match &at.duty {
                TeachingDuty::ClassTeacher => format!("Class teacher of: {class}"),
                TeachingDuty::SubjectTeacher { subject_name, .. } => {
                    format!("Teaches: {} in {class}", tidy(subject_name))
                }
            });
        }
    }
    if !context.user_permissions.is_empty() {
        let rules: Vec<_> = context.user_permissions.iter().map(permission).collect();
        lines.push(format!(
            "Permissions when the turn began, as advice (each call is decided anew): {}",
            rules.join("; ")
        ));
    }
    for file in &context.attachments {
        lines.push(format!(
            "Attached: \"{}\" ({}, {} bytes, id {})",
            tidy(&file.filename),
            tidy(&file.media_type),
            file.size,
            file.id
        ));
    }
    lines.iter().fold(String::new(), |mut text, line| {
        let _ = write!(text, "{}- {line}", if text.is_empty() { "" } else { "\n" });
        text
    })
}

fn kind(user: UserType) -> &'static str {
    match user {
        UserType::Staff => "staff",
        UserType::Guardian => "guardian",
        UserType::Student => "student",
        UserType::Platform => "platform",
    }
}

fn permission(rule: &PermissionRule) -> String {
    let mut text = format!("{} {}", tidy(&rule.action), tidy(&rule.resource));
    if let Some(condition) = &rule.condition {
        let json = Value::Object(condition.clone()).to_string();
        let _ = write!(text, " where {}", tidy(&json));
    }
    text
}

/// Text from rows and from people, kept to one line: nobody's name may open a section of its own.
fn tidy(text: &str) -> String {
    text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
}
