//! What callers were told, and whether the rows agree.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::time::Duration;

use agent_contract::{AgentToolResult, CallId};

use super::school::School;

/// What a caller was told of its call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Told {
    /// It is done; the id of the student.
    Done(String),
    /// It is not done.
    Not(String),
    /// Nobody knows: check before repeating.
    Unknown(String),
}

/// One call of a student's enrolment. Names are used once, so a name is a call.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) call: CallId,
    pub(crate) name: String,
    pub(crate) took: Duration,
    pub(crate) told: Told,
}

/// What a run came to.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Figures {
    pub(crate) faults: usize,
    pub(crate) calls: usize,
    pub(crate) done: usize,
    pub(crate) refused: usize,
    pub(crate) unknown: usize,
    /// Enrolled more than once.
    pub(crate) twice: usize,
    /// Nobody could say within the deadline what became of it, and it was never carried out.
    pub(crate) lost: usize,
    /// Told that it is done when it is not, or not when it is, or as another student.
    pub(crate) told_wrong: usize,
    pub(crate) write_without_audit: usize,
    pub(crate) audit_without_write: usize,
    pub(crate) worst: Duration,
    /// What was told to those who were told wrong.
    pub(crate) lies: Vec<String>,
    /// What was told to those who were refused, and how often.
    pub(crate) refusals: BTreeMap<String, usize>,
}

impl Told {
    /// What an envelope tells. A sentence that asks to check says that it does not know.
    pub(crate) fn of(result: &AgentToolResult) -> Self {
        let value = serde_json::to_value(result).expect("it is JSON");
        match (value["data"]["id"].as_str(), value["error"].as_str()) {
            (Some(id), _) => Self::Done(id.to_owned()),
            (None, Some(error)) if error.contains("check") => Self::Unknown(error.to_owned()),
            (None, error) => Self::Not(error.unwrap_or_default().to_owned()),
        }
    }
}

impl Figures {
    /// Compares what was told with the rows of the school.
    pub(crate) fn of(faults: usize, entries: &[Entry], school: &School) -> Self {
        let mut students: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for row in
            school.rows("SELECT full_name, id FROM main.student WHERE full_name LIKE 'Fault %'")
        {
            let (name, id) = row.split_once('|').expect("two columns");
            students.entry(name.to_owned()).or_default().push(id.to_owned());
        }
        let set = |question| school.rows(question).into_iter().collect::<BTreeSet<_>>();
        let audited = set("SELECT call_id FROM main.audit_log WHERE event = 'enrol.student'");
        let kept = set(
            "SELECT call_id FROM main.tool_call WHERE event = 'enrol.student' AND outcome IS NOT NULL",
        );
        let was_done = |entry: &&Entry| matches!(entry.told, Told::Done(_));
        let done: BTreeSet<_> =
            entries.iter().filter(was_done).map(|entry| entry.name.as_str()).collect();
        let mut figures = Self { faults, calls: entries.len(), ..Self::default() };
        for Entry { call, name, took, told } in entries {
            let ids = students.get(name).map_or(&[][..], Vec::as_slice);
            figures.twice += usize::from(ids.len() > 1);
            let wrong = match told {
                Told::Done(id) => {
                    figures.done += 1;
                    !ids.contains(id)
                }
                Told::Not(said) => {
                    figures.refused += 1;
                    *figures.refusals.entry(said.clone()).or_default() += 1;
                    // Of three that were sent at once under one id one may go nowhere and another be done.
                    !ids.is_empty() && !done.contains(name.as_str())
                }
                Told::Unknown(said) => {
                    figures.unknown += 1;
                    // One that was set aside lies where it can be found.
                    figures.lost += usize::from(ids.is_empty() && !said.contains("given up"));
                    false
                }
            };
            if !matches!(told, Told::Unknown(_)) {
                figures.worst = figures.worst.max(*took);
            }
            if wrong {
                figures.told_wrong += 1;
                figures.lies.push(format!("{name}: {told:?}, and there is {ids:?}"));
            }
            let recorded = audited.contains(call.as_str()) && kept.contains(call.as_str());
            figures.write_without_audit += usize::from(!ids.is_empty() && !recorded);
        }
        let written: BTreeSet<_> = entries
            .iter()
            .filter(|entry| students.contains_key(&entry.name))
            .map(|entry| entry.call.as_str())
            .collect();
        figures.audit_without_write =
            audited.iter().filter(|call| !written.contains(call.as_str())).count();
        figures
    }

    /// Whether every promise was kept.
    pub(crate) fn are_clean(&self) -> bool {
        [self.twice, self.lost, self.told_wrong, self.write_without_audit, self.audit_without_write]
            == [0; 5]
    }
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "faults                        {}", self.faults)?;
        writeln!(
            f,
            "calls                         {} ({} done, {} refused, {} told to check)",
            self.calls, self.done, self.refused, self.unknown
        )?;
        writeln!(f, "executed twice                {}", self.twice)?;
        writeln!(f, "lost                          {}", self.lost)?;
        writeln!(f, "told wrong                    {}", self.told_wrong)?;
        writeln!(f, "write without audit row       {}", self.write_without_audit)?;
        writeln!(f, "audit row without write       {}", self.audit_without_write)?;
        write!(f, "worst time to a definite answer {:.1} s", self.worst.as_secs_f64())
    }
}
