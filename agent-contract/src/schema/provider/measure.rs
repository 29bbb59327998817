//! A tool measured against the rows of the limits table.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::limits::{Applies, LARGE_ENUM, LIMITS, Limit, Provider, What};
use super::{FormFault, ToolText};

/// What a request's strict tools have together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Load {
    tools: usize,
    optionals: usize,
    unions: usize,
}

impl Load {
    /// The load of one strict tool with this schema.
    pub(super) fn of(schema: &Value) -> Self {
        let size = Size::of(schema);
        Self { tools: 1, optionals: size.optionals, unions: size.unions }
    }

    /// Both together.
    pub(super) fn and(self, other: Self) -> Self {
        Self {
            tools: self.tools + other.tools,
            optionals: self.optionals + other.optionals,
            unions: self.unions + other.unions,
        }
    }

    /// The first limit of this provider that the load is over.
    pub(super) fn over(self, provider: Provider) -> Option<(&'static Limit, usize)> {
        LIMITS.iter().filter(|limit| limit.provider == provider).find_map(|limit| {
            let count = match limit.what {
                What::StrictTools => self.tools,
                What::StrictOptionals => self.optionals,
                What::StrictUnions => self.unions,
                _ => return None,
            };
            (!limit.bound.holds(count)).then_some((limit, count))
        })
    }
}

/// The first limit of one tool that it is over, among those that apply.
pub(super) fn over(
    provider: Provider,
    applies: Applies,
    tool: ToolText<'_>,
    schema: &Value,
) -> Option<FormFault> {
    let size = Size::of(schema);
    let rows = LIMITS.iter().filter(|limit| limit.provider == provider && limit.applies == applies);
    rows.filter_map(|limit| Some((limit, size.broken(limit, tool)?)))
        .map(|(limit, found)| FormFault::Over { tool: tool.name.to_owned(), found, limit })
        .next()
}

/// What the limits of one tool look at.
#[derive(Debug, Default)]
struct Size<'a> {
    depth: usize,
    properties: Vec<&'a str>,
    enum_values: usize,
    enum_text: usize,
    large_enum_text: usize,
    optionals: usize,
    unions: usize,
}

impl<'a> Size<'a> {
    fn of(schema: &'a Value) -> Self {
        let mut size = Self::default();
        size.visit(schema, 0);
        size
    }

    /// What of the tool breaks the limit, in words.
    fn broken(&self, limit: &Limit, tool: ToolText<'_>) -> Option<String> {
        let too_many = |count: usize| (!limit.bound.holds(count)).then(|| count.to_string());
        let too_long = |text: &str| too_many(text.chars().count());
        let named = |name: &str, found: String| format!("`{name}` has {found}");
        match limit.what {
            What::ToolName => too_long(tool.name),
            What::Description => too_long(tool.description),
            What::ToolNameLetters => {
                (!limit.bound.spells(tool.name)).then(|| "other characters".to_owned())
            }
            What::PropertyName => {
                self.properties.iter().find_map(|name| Some(named(name, too_long(name)?)))
            }
            What::PropertyNameLetters => {
                let odd = self.properties.iter().find(|name| !limit.bound.spells(name));
                odd.map(|name| named(name, "other characters".to_owned()))
            }
            What::Depth => too_many(self.depth),
            What::Properties => too_many(self.properties.len()),
            What::EnumValues => too_many(self.enum_values),
            What::LargeEnumText => too_many(self.large_enum_text),
            What::NameText => {
                let text: usize = self.properties.iter().map(|name| name.chars().count()).sum();
                too_many(text + self.enum_text)
            }
            // Counted over the request.
            What::Tools | What::StrictTools | What::StrictOptionals | What::StrictUnions => None,
        }
    }

    fn visit(&mut self, node: &'a Value, depth: usize) {
        let Some(node) = node.as_object() else { return };
        self.depth = self.depth.max(depth);
        if let Some(words) = node.get("enum").and_then(Value::as_array) {
            let text =
                words.iter().filter_map(Value::as_str).map(|word| word.chars().count()).sum();
            self.enum_values += words.len();
            self.enum_text += text;
            if words.len() > LARGE_ENUM {
                self.large_enum_text = self.large_enum_text.max(text);
            }
        }
        if let Some(branches) = node.get("anyOf").and_then(Value::as_array) {
            self.unions += 1;
            for branch in branches {
                self.visit(branch, depth + 1);
            }
        }
        if let Some(items) = node.get("items") {
            self.visit(items, depth + 1);
        }
        let required = required(node);
        for (name, property) in
            node.get("properties").and_then(Value::as_object).into_iter().flatten()
        {
            self.properties.push(name);
            self.optionals += usize::from(!required.contains(name.as_str()));
            self.visit(property, depth + 1);
        }
    }
}

/// The properties that an object's schema demands.
pub(super) fn required(object: &Map<String, Value>) -> HashSet<&str> {
    let names = object.get("required").and_then(Value::as_array).into_iter().flatten();
    names.filter_map(Value::as_str).collect()
}
