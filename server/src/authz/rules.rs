//! Allow rules, read as CASL reads them: what an ability decides by, and what the snapshot tells a peer.
//!
//! A part of CASL and on purpose no more: rules that allow, whose conditions are equality, `$in` and `$ne`. Whatever
//! else a rule may say (a denial, a list of fields, another operator) is refused when it is read, because a rule that
//! is half understood lets too much through. Checks follow `@casl/ability` 7, which the tests hold them against.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::{Map, Value};

/// The action that stands for every action.
const MANAGE: &str = "manage";
/// The subject that stands for every subject.
const ALL: &str = "all";

/// A list of allow rules. Of several that match, the last one decides; without one the answer is no.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rules(Vec<Rule>);

/// Some actions on some kinds of subject, where all tests hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    actions: Vec<Cow<'static, str>>,
    subjects: Vec<Cow<'static, str>>,
    tests: Vec<Test>,
}

/// What one place of a subject must be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Test {
    path: Cow<'static, str>,
    check: Check,
}

/// How the value at a place is compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Check {
    /// It is this value, or a list that holds it. Nothing at all is as good as `null`.
    Equal(Value),
    /// It is one of these, or a list that holds one of them.
    In(Vec<Value>),
    /// The opposite of [`Self::Equal`].
    NotEqual(Value),
}

/// Why a rule is not read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RuleFault {
    /// It denies.
    #[error("it denies; write what is allowed instead")]
    Denies,
    /// It speaks of single fields.
    #[error("it is for single fields; only whole records are decided on")]
    Fields,
    /// An operator that nobody here knows.
    #[error("`{0}` is not understood; conditions are equality, `$in` and `$ne`")]
    Operator(String),
    /// `$in` without a list.
    #[error("`$in` wants a list")]
    NoList,
    /// No rule at all.
    #[error("it is no rule: {0}")]
    Malformed(String),
}

/// A rule as `createMongoAbility` takes it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    action: Words,
    subject: Option<Words>,
    conditions: Option<Map<String, Value>>,
    #[serde(default)]
    inverted: bool,
    fields: Option<Value>,
    /// Told to people by whoever wrote it; it decides nothing.
    #[serde(rename = "reason")]
    _reason: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Words {
    One(String),
    Several(Vec<String>),
}

impl Rules {
    /// Reads rules as CASL writes them, or says what is wrong with the first that cannot be read.
    pub fn read(raw: &[Value]) -> Result<Self, RuleFault> {
        raw.iter().map(Rule::read).collect::<Result<_, _>>().map(Self)
    }

    /// Adds a rule, unless the same is there already.
    pub(super) fn add(&mut self, rule: Rule) {
        if !self.0.contains(&rule) {
            self.0.push(rule);
        }
    }

    /// Which rule lets this be done. Of a kind of subject alone (no `object`), any rule may: it is an offer, not a permit.
    pub fn deciding(
        &self,
        action: &str,
        subject: Option<&str>,
        object: Option<&Value>,
    ) -> Option<usize> {
        self.0.iter().rposition(|rule| {
            rule.is_about(action, subject.unwrap_or(ALL))
                && object.is_none_or(|object| rule.tests.iter().all(|test| test.holds(object)))
        })
    }

    /// The rules about this action on this kind of subject, in order.
    pub fn about<'r>(
        &'r self,
        action: &'r str,
        subject: &'r str,
    ) -> impl Iterator<Item = &'r Rule> {
        self.0.iter().filter(move |rule| rule.is_about(action, subject))
    }
}

impl Rule {
    /// One action on one kind of subject, where all tests hold.
    pub(super) fn allow(action: &'static str, subject: &'static str, tests: Vec<Test>) -> Self {
        Self { actions: vec![action.into()], subjects: vec![subject.into()], tests }
    }

    /// What must hold; nothing where the rule is without condition.
    pub fn tests(&self) -> &[Test] {
        &self.tests
    }

    fn read(raw: &Value) -> Result<Self, RuleFault> {
        let malformed = |fault: serde_json::Error| RuleFault::Malformed(fault.to_string());
        let raw = Raw::deserialize(raw).map_err(malformed)?;
        if raw.inverted {
            return Err(RuleFault::Denies);
        }
        if raw.fields.is_some() {
            return Err(RuleFault::Fields);
        }
        let mut tests = Vec::new();
        for (path, wanted) in raw.conditions.into_iter().flatten() {
            for check in Check::read(&path, wanted)? {
                tests.push(Test { path: path.clone().into(), check });
            }
        }
        Ok(Self {
            actions: raw.action.all(),
            subjects: raw.subject.map_or_else(|| vec![ALL.into()], Words::all),
            tests,
        })
    }

    fn is_about(&self, action: &str, subject: &str) -> bool {
        let names = |words: &[Cow<'static, str>], any: &str, word: &str| {
            words.iter().any(|own| own == any || own == word)
        };
        names(&self.actions, MANAGE, action) && names(&self.subjects, ALL, subject)
    }
}

impl Words {
    fn all(self) -> Vec<Cow<'static, str>> {
        match self {
            Self::One(word) => vec![word.into()],
            Self::Several(words) => words.into_iter().map(Cow::Owned).collect(),
        }
    }
}

impl Test {
    /// The place holds one of these words.
    pub(super) fn one_of(path: &'static str, words: &[String]) -> Self {
        let words = words.iter().cloned().map(Value::String).collect();
        Self { path: path.into(), check: Check::In(words) }
    }

    /// The place, e.g. `campusId`; a dot leads further in.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// How the value there is compared.
    pub fn check(&self) -> &Check {
        &self.check
    }

    fn holds(&self, object: &Value) -> bool {
        let found = look(object, &self.path);
        match &self.check {
            Check::Equal(wanted) => found.is(wanted),
            Check::NotEqual(wanted) => !found.is(wanted),
            Check::In(wanted) => found.is_among(wanted),
        }
    }
}

impl Check {
    /// A plain value is equality; an object names operators, all of which must hold.
    fn read(path: &str, wanted: Value) -> Result<Vec<Self>, RuleFault> {
        if path.starts_with('$') {
            return Err(RuleFault::Operator(path.to_owned()));
        }
        let operators = match wanted {
            Value::Object(operators) if operators.keys().any(|key| key.starts_with('$')) => {
                operators
            }
            plain => return Ok(vec![Self::Equal(plain)]),
        };
        let read = |(operator, value): (String, Value)| match (operator.as_str(), value) {
            ("$eq", value) => Ok(Self::Equal(value)),
            ("$ne", value) => Ok(Self::NotEqual(value)),
            ("$in", Value::Array(values)) => Ok(Self::In(values)),
            ("$in", _) => Err(RuleFault::NoList),
            _ => Err(RuleFault::Operator(operator)),
        };
        operators.into_iter().map(read).collect()
    }
}

/// What a path leads to.
enum Found<'v> {
    Nothing,
    One(&'v Value),
    /// Through a list: what each of its items has there.
    Each(Vec<&'v Value>),
}

fn look<'v>(object: &'v Value, path: &str) -> Found<'v> {
    let mut found = Found::One(object);
    for step in path.split('.') {
        found = match found {
            Found::Nothing => return Found::Nothing,
            Found::One(value) => enter(value, step),
            Found::Each(values) => Found::Each(
                values.into_iter().flat_map(|value| enter(value, step).list()).collect(),
            ),
        };
    }
    found
}

fn enter<'v>(value: &'v Value, step: &str) -> Found<'v> {
    match value {
        Value::Array(items) => match step.parse::<usize>() {
            Ok(index) => items.get(index).map_or(Found::Nothing, Found::One),
            Err(_) => Found::Each(items.iter().filter_map(|item| item.get(step)).collect()),
        },
        other => other.get(step).map_or(Found::Nothing, Found::One),
    }
}

impl<'v> Found<'v> {
    fn list(self) -> Vec<&'v Value> {
        match self {
            Self::Nothing => Vec::new(),
            Self::One(value) => vec![value],
            Self::Each(values) => values,
        }
    }

    fn is(&self, wanted: &Value) -> bool {
        match self {
            Self::Nothing => wanted.is_null(),
            Self::One(Value::Array(items)) => items.iter().any(|item| same(item, wanted)),
            Self::One(value) => same(value, wanted),
            Self::Each(values) => values.iter().any(|value| same(value, wanted)),
        }
    }

    fn is_among(&self, wanted: &[Value]) -> bool {
        let among = |value: &Value| wanted.iter().any(|one| same(value, one));
        match self {
            Self::Nothing => false,
            Self::One(Value::Array(items)) => items.iter().any(among),
            Self::One(value) => among(value),
            Self::Each(values) => values.iter().any(|value| among(value)),
        }
    }
}

/// Numbers by their value, as JavaScript has them; lists and objects are never the same as another.
fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Array(_) | Value::Object(_), _) | (_, Value::Array(_) | Value::Object(_)) => false,
        (Value::Number(one), Value::Number(other)) => one.as_f64() == other.as_f64(),
        (one, other) => one == other,
    }
}
