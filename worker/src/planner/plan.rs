//! From the conversation to the next step: understand, fill, call, tell.
//!
//! The plan is written as if every call returned at once. It runs from the top at each request;
//! where a result is still missing it stops, and that call is the answer.

use serde_json::{Value, json};

use super::catalog::KnownTool;
use super::matcher::{self, Reading};
use super::replay::{self, Replay};
use super::understand::{self, Meaning};
use super::words::{Word, text, words};
use super::{
    PlannedCall, PlannerAnswer, PlannerRequest, fill, lookup, polite, reply, suggest, talk, terms,
};

/// Name of the tool that asks the person.
const ASK: &str = "ask_staffer";
/// Name of the tool that hands work to a subagent.
const TASK: &str = "task";
/// How often one thing is asked before the planner gives up on it.
const PATIENCE: usize = 3;

/// Why a plan stops.
#[derive(Debug)]
pub(super) enum Pause {
    /// Results are missing.
    Calls(Vec<PlannedCall>),
    /// There is nothing left but to say this.
    Say(String),
    /// The person answered a question with another request.
    Instead(String),
}

/// A step of a plan, or why the plan stops there.
pub(super) type Step<T> = Result<T, Pause>;

/// A plan in the making.
#[derive(Debug)]
pub(super) struct Plan<'a> {
    /// The registry.
    pub(super) tools: &'a [KnownTool],
    /// What was asked.
    pub(super) request: &'a PlannerRequest,
    replay: Replay,
}

/// The answer to one request.
pub(super) fn answer(tools: &[KnownTool], request: &PlannerRequest) -> PlannerAnswer {
    let replay = Replay::of(&request.messages);
    let mut plan = Plan { tools, request, replay };
    let mut sentence = replay::request(&request.messages).unwrap_or_default().to_owned();
    loop {
        match plan.run(&sentence) {
            Ok(text) | Err(Pause::Say(text)) => return PlannerAnswer::Text(text),
            Err(Pause::Calls(calls)) => return PlannerAnswer::Calls(calls),
            Err(Pause::Instead(another)) => sentence = another,
        }
    }
}

impl<'a> Plan<'a> {
    fn run(&mut self, sentence: &str) -> Step<String> {
        let all = words(sentence);
        let words = &all[polite::request(&all)];
        let numbered = terms::numbered(words, &self.request.facts.terms);
        let as_said = understand::readings(self.tools, self.request, words);
        let by_number = understand::readings(self.tools, self.request, &numbered);
        let (words, readings) = if matcher::beats(&by_number, &as_said) {
            (numbered.as_slice(), by_number)
        } else {
            (words, as_said)
        };
        match understand::meaning(readings, self.request) {
            Meaning::Do(reading) => self.carry_out(&reading, sentence, words),
            Meaning::Unclear(readings) => {
                let reading = self.choose(readings, sentence, words)?;
                self.carry_out(&reading, sentence, words)
            }
            Meaning::HandTo(subagent_type) => {
                let arguments = json!({"description": sentence, "subagent_type": subagent_type});
                Ok(reply::report(&self.call(TASK, arguments)?))
            }
            Meaning::Withheld(tool) => Ok(talk::withheld(tool)),
            Meaning::Unknown => Ok(match talk::small_talk(&all) {
                Some(talk) => talk.answer(&self.offered()),
                None => suggest::answer(sentence, &self.reachable()),
            }),
        }
    }

    /// Fills the slots, makes the calls and tells what came of them.
    fn carry_out(&mut self, reading: &Reading<'_>, sentence: &str, words: &[Word]) -> Step<String> {
        let mut argument_sets = fill::arguments(self, reading, sentence, words)?;
        let mut results = self.call_all(reading.tool.name(), &argument_sets)?;
        if let Some((campus, options)) =
            reply::campus_wanted(reading.tool, &argument_sets, &results)
        {
            let chosen = fill::ask_campus(self, reading.tool, &options)?;
            for arguments in &mut argument_sets {
                arguments[campus] = Value::String(chosen.clone());
            }
            results = self.call_all(reading.tool.name(), &argument_sets)?;
        }
        let mut told = reply::tell(reading.tool, &results);
        if !self.request.facts.zone_known && fill::says_a_day(reading) {
            told.push_str("\n\nThe school's time zone is not known, so I reckoned the day in UTC.");
        }
        Ok(told)
    }

    /// Lets the person choose between readings.
    fn choose(
        &mut self,
        mut readings: Vec<Reading<'a>>,
        sentence: &str,
        words: &[Word],
    ) -> Step<Reading<'a>> {
        let mut options: Vec<String> = Vec::new();
        readings.retain(|reading| {
            let option = describe(reading, sentence, words);
            let new = !options.contains(&option);
            if new {
                options.push(option);
            }
            new
        });
        let at = self.pick("I can read that in more than one way. Which do you mean?", &options)?;
        Ok(readings.swap_remove(at))
    }

    /// Asks the person to pick one of `options`; its position.
    pub(super) fn pick(&mut self, question: &str, options: &[String]) -> Step<usize> {
        for attempt in 0..PATIENCE {
            let answer = self.ask(&again(question, attempt), options)?;
            if let Some(at) = option(&answer, options) {
                return Ok(at);
            }
        }
        Err(Pause::Say("I did not understand which one you mean, so I leave it there.".to_owned()))
    }

    /// Asks the person until `read` makes something of the answer.
    pub(super) fn ask_until<T>(
        &mut self,
        question: &str,
        options: &[String],
        mut read: impl FnMut(&mut Self, &str) -> Step<Option<T>>,
    ) -> Step<T> {
        for attempt in 0..PATIENCE {
            let answer = self.ask(&again(question, attempt), options)?;
            if let Some(value) = read(self, &answer)? {
                return Ok(value);
            }
        }
        Err(Pause::Say("I could not make sense of that answer, so I leave it there.".to_owned()))
    }

    /// Puts a question to the person; the answer in their words.
    fn ask(&mut self, question: &str, options: &[String]) -> Step<String> {
        if !self.is_offered(ASK) {
            return Err(Pause::Say(talk::question(question, options)));
        }
        let mut arguments = json!({ "question": question });
        if !options.is_empty() {
            arguments["options"] = json!(options);
        }
        let answer = match reply::Outcome::of(&self.call(ASK, arguments)?) {
            reply::Outcome::Error(error) => return Err(Pause::Say(reply::failure(&error))),
            reply::Outcome::Data { data, .. } => match &data["answer"] {
                Value::String(answer) => answer.clone(),
                _ => data.as_str().unwrap_or_default().to_owned(),
            },
        };
        if option(&answer, options).is_some() {
            return Ok(answer);
        }
        if talk::declines(&answer) {
            return Err(Pause::Say("All right, I leave it there.".to_owned()));
        }
        self.same_request(answer)
    }

    /// The answer, unless it is a request of its own: that is no value, and what was asked before
    /// is given up for it.
    fn same_request(&self, answer: String) -> Step<String> {
        let all = words(&answer);
        let readings = understand::readings(self.tools, self.request, &all[polite::request(&all)]);
        match understand::meaning(readings, self.request) {
            Meaning::Unknown => Ok(answer),
            Meaning::Withheld(_) => Err(Pause::Say(
                "All right, I leave that. Please send your new request as a message of its own."
                    .to_owned(),
            )),
            Meaning::Do(_) | Meaning::Unclear(_) | Meaning::HandTo(_) => {
                Err(Pause::Instead(answer))
            }
        }
    }

    /// The rows that a lookup tool finds for a name.
    pub(super) fn look_up(&mut self, lookup: &str, name: &str) -> Step<Vec<lookup::Row>> {
        let known = self.tools.iter().find(|tool| tool.name() == lookup);
        let Some(tool) = known.filter(|_| self.is_offered(lookup)) else {
            return Err(Pause::Say(format!("I have no way here to look up “{name}”.")));
        };
        let mut arguments = json!({});
        if let Some(slot) = tool.slots.iter().find(|slot| slot.field.required) {
            arguments[slot.field.wire] = json!(name);
        }
        match reply::Outcome::of(&self.call(lookup, arguments)?) {
            reply::Outcome::Error(error) => Err(Pause::Say(reply::failure(&error))),
            reply::Outcome::Data { data, .. } => Ok(lookup::rows(&data)),
        }
    }

    fn call(&mut self, name: &str, arguments: Value) -> Step<Value> {
        let mut results = self.call_all(name, &[arguments])?;
        results.pop().ok_or_else(|| Pause::Say(suggest::NOTHING.to_owned()))
    }

    fn call_all(&mut self, name: &str, argument_sets: &[Value]) -> Step<Vec<Value>> {
        let planned =
            |arguments: &Value| PlannedCall { name: name.to_owned(), arguments: arguments.clone() };
        let calls: Vec<_> = argument_sets.iter().map(planned).collect();
        let results = self.replay.take(&calls);
        let missing: Vec<_> = calls
            .into_iter()
            .zip(&results)
            .filter(|(_, result)| result.is_none())
            .map(|(call, _)| call)
            .collect();
        if missing.is_empty() {
            Ok(results.into_iter().flatten().collect())
        } else {
            Err(Pause::Calls(missing))
        }
    }

    /// Whether this request offers the tool.
    pub(super) fn is_offered(&self, name: &str) -> bool {
        self.request.tools.iter().any(|offered| offered == name)
    }

    fn offered(&self) -> Vec<&'a KnownTool> {
        self.tools.iter().filter(|tool| self.is_offered(tool.name())).collect()
    }

    /// The tools of this agent and of those it can hand work to.
    fn reachable(&self) -> Vec<&'a KnownTool> {
        let handed = |name: &str| {
            let delegates = self.request.facts.roster.iter().filter(|_| self.is_offered(TASK));
            delegates.flat_map(|delegate| &delegate.tools).any(|tool| tool == name)
        };
        let tools = self.tools.iter();
        tools.filter(|tool| self.is_offered(tool.name()) || handed(tool.name())).collect()
    }
}

/// A question, asked for the first time or once more.
fn again(question: &str, attempt: usize) -> String {
    match attempt {
        0 => question.to_owned(),
        _ => format!("I did not understand that answer. {question}"),
    }
}

/// The option that an answer names: by its words, or by its number.
fn option(answer: &str, options: &[String]) -> Option<usize> {
    let folds = |text: &str| words(text).into_iter().map(|word| word.fold).collect::<Vec<_>>();
    let said = folds(answer);
    let same = options.iter().position(|option| folds(option) == said);
    same.or_else(|| {
        let begun = |option: &String| !said.is_empty() && folds(option).starts_with(&said);
        let mut begun = options.iter().enumerate().filter(|(_, option)| begun(option));
        let only = begun.next()?.0;
        begun.next().is_none().then_some(only)
    })
    .or_else(|| {
        let number = match said.as_slice() {
            [word] | [_, word] => {
                super::numbers::whole(word).or_else(|| super::numbers::ordinal(word))?
            }
            _ => return None,
        };
        usize::try_from(number).ok()?.checked_sub(1).filter(|at| *at < options.len())
    })
}

/// What a reading would do, in a line.
fn describe(reading: &Reading<'_>, sentence: &str, words: &[Word]) -> String {
    let values = reading.values.iter().map(|(slot, range)| {
        let name = reading.tool.slots[*slot].spoken();
        format!("{name}: {}", text(sentence, &words[range.clone()]))
    });
    let values: Vec<_> = values.collect();
    let purpose = reading.tool.purpose();
    if values.is_empty() { purpose } else { format!("{purpose} ({})", values.join("; ")) }
}
