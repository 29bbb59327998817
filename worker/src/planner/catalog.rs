//! What the planner knows of each tool: its sentences as shapes, its arguments as typed slots.

use agent_contract::{ArgField, Effect, FieldKind, ToolDefinition, ToolScope};
use serde_json::Value;

use super::template::Shape;

/// A tool of the registry, prepared for matching.
#[derive(Debug)]
pub(super) struct KnownTool {
    /// The declaration.
    pub(super) definition: &'static ToolDefinition,
    /// Every way to ask for it.
    pub(super) shapes: Vec<Shape>,
    /// Its arguments, in source order.
    pub(super) slots: Vec<Slot>,
}

/// An argument as a person may say it.
#[derive(Debug)]
pub(super) struct Slot {
    /// The declaration.
    pub(super) field: &'static ArgField,
    /// How its words are read.
    pub(super) kind: SlotKind,
}

/// How the words of a slot become a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum SlotKind {
    /// Taken as they are.
    Text,
    /// A number, whole or not.
    Number {
        /// Whether a fraction is refused.
        whole: bool,
    },
    /// Yes or no.
    Bool,
    /// One of these wire values.
    Choice(Vec<String>),
    /// A day.
    Day,
    /// A record, found by name with this tool.
    Record {
        /// Name of the tool that finds it, where the declaration names one.
        lookup: Option<&'static str>,
    },
    /// A campus, by name.
    Campus,
    /// Several records or texts.
    List {
        /// Name of the tool that finds each, where the declaration names one.
        lookup: Option<&'static str>,
    },
    /// Nothing that can be said in a sentence.
    Unspeakable,
}

impl KnownTool {
    /// Prepares a definition.
    pub(super) fn new(definition: &'static ToolDefinition) -> Self {
        let variants = definition.say.iter().flat_map(|sentence| sentence.variants);
        let schema = (definition.args_schema)();
        let slots =
            definition.fields.iter().map(|field| Slot { field, kind: kind(field, &schema) });
        Self {
            definition,
            shapes: variants.map(|variant| Shape::read(variant.text)).collect(),
            slots: slots.collect(),
        }
    }

    /// Name that the model calls.
    pub(super) fn name(&self) -> &'static str {
        self.definition.name
    }

    /// Whether it changes the school's records.
    pub(super) fn writes(&self) -> bool {
        self.definition.effect == Effect::Write
    }

    /// Run modes that are offered it.
    pub(super) fn scope(&self) -> ToolScope {
        self.definition.scope
    }

    /// Position of the argument with this Rust name.
    pub(super) fn slot(&self, name: &str) -> Option<usize> {
        self.slots.iter().position(|slot| slot.field.name == name)
    }

    /// What it does, as the first sentence of its description says it, without the period. The
    /// description speaks to the model about the person; here it is said to them.
    pub(super) fn purpose(&self) -> String {
        let description = self.definition.description;
        let end = description.find(". ").unwrap_or(description.len());
        let purpose = description[..end].trim().trim_end_matches('.');
        purpose
            .replace("the person chatting teaches", "you teach")
            .replace("the person chatting", "you")
            .replace("the caller", "you")
    }

    /// Its purpose within a sentence.
    pub(super) fn deed(&self) -> String {
        lowered(&self.purpose())
    }

    /// What it acts on, from its name: `create_department` is about a "department".
    pub(super) fn subject(&self) -> String {
        let words = self.name().split_once('_').map_or("", |(_, subject)| subject);
        let words = words.replace('_', " ");
        words.strip_prefix("my ").map_or(words.clone(), |own| format!("your {own}"))
    }
}

impl Slot {
    /// What the argument is called in a question: `department_id` is "department".
    pub(super) fn spoken(&self) -> String {
        let name = self.field.name;
        let name = name.strip_suffix("_ids").or_else(|| name.strip_suffix("_id")).unwrap_or(name);
        name.replace('_', " ")
    }

    /// What to ask the person for, as its description says it: people give names where the model
    /// gives ids.
    pub(super) fn wanted(&self) -> String {
        let wanted = self.field.description.trim().trim_end_matches('.');
        let wanted = match (wanted.strip_prefix("Ids of "), wanted.strip_prefix("Id of ")) {
            (Some(those), _) => format!("names of {those}"),
            (_, Some(this)) => format!("name of {this}"),
            _ => lowered(wanted),
        };
        if wanted.starts_with("the ") { wanted } else { format!("the {wanted}") }
    }
}

/// With a small first letter.
fn lowered(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

fn kind(field: &ArgField, schema: &Value) -> SlotKind {
    let property = &schema["properties"][field.wire];
    let lookup = field.lookup;
    match field.kind {
        FieldKind::Text if lookup.is_none() => SlotKind::Text,
        FieldKind::Text | FieldKind::Id => SlotKind::Record { lookup },
        FieldKind::Number => SlotKind::Number { whole: property["type"] == "integer" },
        FieldKind::Bool => SlotKind::Bool,
        FieldKind::Enum => {
            let values = property["enum"].as_array().map(Vec::as_slice).unwrap_or_default();
            let values = values.iter().filter_map(Value::as_str).map(str::to_owned);
            SlotKind::Choice(values.collect())
        }
        // An instant asks for more than a day says.
        FieldKind::Date if property["format"] == "date" => SlotKind::Day,
        FieldKind::Campus => SlotKind::Campus,
        FieldKind::List if property["items"]["type"] == "string" => SlotKind::List { lookup },
        FieldKind::Date | FieldKind::List | FieldKind::Object => SlotKind::Unspeakable,
    }
}
