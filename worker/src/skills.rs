//! What an agent can read up on: skills, named in the prompt and read on demand.
//!
//! Sources are read in order and the later wins by name, so an agent's own skill replaces a general
//! one. A skill never widens what an agent may call.

use agent_contract::{AgentRole, ArgumentFault, ToolError};
use serde_json::{Value, json};

pub use tools::skills::skill_sources_for_wire_id;

use crate::engine::Order;
use crate::proxy::{Proxy, Run};

/// Name of the tool that reads a skill.
pub const LOAD_SKILL: &str = "load_skill";

/// A skill that an agent can read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skill {
    /// Its name, which is that of its folder.
    pub name: String,
    /// When to read it.
    pub description: String,
    /// What it says.
    pub body: String,
}

/// A skill that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the skill in {folder}: {fault}")]
pub struct SkillFault {
    folder: String,
    fault: String,
}

/// The skills of an agent, by name. A folder that holds no readable skill is reported and left
/// out; a test keeps ours readable.
pub fn skills_of(role: AgentRole) -> Vec<Skill> {
    let mut skills: Vec<Skill> = Vec::new();
    for source in skill_sources_for_wire_id(role.wire_id()) {
        for folder in source.dirs() {
            let name = folder.path().file_name().unwrap_or_default().to_string_lossy();
            let file = folder.get_file(folder.path().join("SKILL.md"));
            match file.and_then(|file| file.contents_utf8()).map(|text| parse(&name, text)) {
                Some(Ok(skill)) => {
                    skills.retain(|other| other.name != skill.name);
                    skills.push(skill);
                }
                Some(Err(fault)) => tracing::error!(%fault, "a skill cannot be read"),
                None => tracing::error!(folder = %name, "a folder of skills without a SKILL.md"),
            }
        }
    }
    skills.sort_by(|a, b| a.name.cmp(&b.name));
    skills
}

/// Reads a `SKILL.md` that lies in `folder`.
pub fn parse(folder: &str, text: &str) -> Result<Skill, SkillFault> {
    let fault = |fault: String| SkillFault { folder: folder.to_owned(), fault };
    let (front, body) = skref::parse_frontmatter(text).map_err(|error| fault(error.to_string()))?;
    let faults = skref::validate_metadata(&front, None, false);
    if !faults.is_empty() {
        return Err(fault(faults.join("; ")));
    }
    let field = |name| front.get(name).map(skref::yaml::FmValue::to_flat_string);
    let name = field("name").unwrap_or_default();
    if name != folder {
        return Err(fault(format!("its name is {name}, not that of its folder")));
    }
    Ok(Skill { name, description: field("description").unwrap_or_default(), body })
}

/// The tool that reads one of these skills; there is none without skills.
pub fn skill_tool(skills: &[Skill]) -> Option<Proxy> {
    let names: Vec<_> = skills.iter().map(|skill| skill.name.as_str()).collect();
    (!names.is_empty()).then(|| Proxy {
        name: LOAD_SKILL.to_owned(),
        description: "Read a skill: how a kind of work is done here. Read it before the work."
            .to_owned(),
        schema: json!({
            "type": "object",
            "properties": {
                "name": { "type": "string", "enum": names, "description": "Name of the skill." }
            },
            "required": ["name"],
            "additionalProperties": false
        }),
        label: "Reading up".to_owned(),
        order: Order::Together,
        run: Run::LoadSkill,
    })
}

/// Reads the skill that the arguments of `load_skill` name.
pub fn read_skill<'a>(args: &Value, skills: &'a [Skill]) -> Result<&'a Skill, ToolError> {
    let wanted = args.get("name").and_then(Value::as_str).unwrap_or_default();
    skills.iter().find(|skill| skill.name == wanted).ok_or_else(|| {
        let names: Vec<_> = skills.iter().map(|skill| skill.name.as_str()).collect();
        let got = args.get("name").map_or_else(|| "nothing".to_owned(), Value::to_string);
        let expected = format!("one of {}", names.join(", "));
        ToolError::Invalid(vec![ArgumentFault::new("args.name", expected, got)])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_carried_skill_is_readable() {
        for source in tools::skills::SKILLS.dirs() {
            for folder in source.dirs() {
                let name = folder.path().file_name().expect("a folder has a name");
                let file = folder.get_file(folder.path().join("SKILL.md"));
                let text = file.and_then(|file| file.contents_utf8()).expect("a SKILL.md");
                let skill = parse(&name.to_string_lossy(), text).expect("readable");
                assert!(!skill.body.is_empty());
            }
        }
    }

    #[test]
    fn an_agent_reads_the_general_skills_and_its_own() {
        let names = |role| skills_of(role).into_iter().map(|skill| skill.name).collect::<Vec<_>>();
        assert_eq!(names(AgentRole::Rover), ["open-a-department", "reading-scope"]);
        assert_eq!(names(AgentRole::ClassTeacher), ["daily-attendance", "reading-scope"]);
        assert_eq!(names(AgentRole::SubjectTeacher), ["reading-scope", "recording-marks"]);
        assert_eq!(names(AgentRole::DirectorOfStudies), ["reading-scope", "term-end-marks"]);
    }

    #[test]
    fn a_skill_says_what_is_wrong_with_it() {
        for (text, says) in [
            ("no front matter", "must start with YAML frontmatter"),
            ("---\nname: a-skill\n---\nbody", "description"),
            ("---\nname: other\ndescription: d\n---\nbody", "not that of its folder"),
        ] {
            let fault = parse("a-skill", text).expect_err("refused").to_string();
            assert!(fault.contains(says) && fault.contains("a-skill"), "{fault}");
        }
    }

    #[test]
    fn an_unknown_skill_is_refused_by_name() {
        let skills = skills_of(AgentRole::Rover);
        assert_eq!(
            read_skill(&json!({"name": "reading-scope"}), &skills).unwrap().name,
            "reading-scope"
        );
        let error = read_skill(&json!({"name": "x"}), &skills).expect_err("refused").to_string();
        assert!(error.contains("one of open-a-department, reading-scope, got \"x\""), "{error}");
    }
}
