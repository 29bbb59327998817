//! The verb table. A tool's verb decides its effect, the CASL actions that may gate it, whether staff are asked
//! first, and how the Hub words it when no label is known. There is no second list: the contract re-exports this one.

use proc_macro2::TokenStream;
use quote::quote;

/// What a tool does to the school's records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// Changes nothing.
    Read,
    /// Changes something.
    Write,
}

/// Where a verb may be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// In the name of any tool.
    Tools,
    /// In the name of a local tool only.
    Local,
    /// In a `legacy_event` only: known, so that its effect is known, but not for new tools.
    Legacy,
}

/// One row of the table.
pub(crate) struct Verb {
    /// The word, as it begins a tool's name.
    pub(crate) word: &'static str,
    /// The word for work in progress, as it begins an activity line.
    pub(crate) ing: &'static str,
    /// What the verb does.
    pub(crate) effect: Effect,
    /// The CASL actions that may gate it; the first is the usual one.
    pub(crate) actions: &'static [&'static str],
    /// Whether staff are asked before it runs.
    pub(crate) asks_first: bool,
    /// Where it may be used.
    pub(crate) place: Place,
}

const fn row(
    word: &'static str,
    ing: &'static str,
    effect: Effect,
    actions: &'static [&'static str],
    asks_first: bool,
    place: Place,
) -> Verb {
    Verb { word, ing, effect, actions, asks_first, place }
}

const READ: &[&str] = &["Read"];
const CREATE: &[&str] = &["Create"];
const UPDATE: &[&str] = &["Update"];
const DELETE: &[&str] = &["Delete"];
/// Makes the record when it is missing and changes it when it is there.
const UPDATE_OR_CREATE: &[&str] = &["Update", "Create"];
/// Makes a link, which a policy may hold to be a record of its own or a change of either end.
const CREATE_OR_UPDATE: &[&str] = &["Create", "Update"];
/// Undoes a link, with the same doubt.
const UPDATE_OR_DELETE: &[&str] = &["Update", "Delete"];
const NONE: &[&str] = &[];

/// The table.
pub(crate) const VERBS: &[Verb] = &[
    row("get", "Getting", Effect::Read, READ, false, Place::Tools),
    row("list", "Listing", Effect::Read, READ, false, Place::Tools),
    row("search", "Searching", Effect::Read, READ, false, Place::Tools),
    row("find", "Finding", Effect::Read, READ, false, Place::Tools),
    row("count", "Counting", Effect::Read, READ, false, Place::Tools),
    row("compare", "Comparing", Effect::Read, READ, false, Place::Tools),
    row("export", "Exporting", Effect::Read, READ, false, Place::Tools),
    row("create", "Creating", Effect::Write, CREATE, false, Place::Tools),
    row("add", "Adding", Effect::Write, CREATE_OR_UPDATE, false, Place::Tools),
    row("open", "Opening", Effect::Write, CREATE, false, Place::Tools),
    row("publish", "Publishing", Effect::Write, CREATE, true, Place::Tools),
    row("send", "Sending", Effect::Write, CREATE, true, Place::Tools),
    row("import", "Importing", Effect::Write, CREATE, true, Place::Tools),
    row("record", "Recording", Effect::Write, UPDATE_OR_CREATE, false, Place::Tools),
    row("mark", "Marking", Effect::Write, UPDATE_OR_CREATE, false, Place::Tools),
    row("assign", "Assigning", Effect::Write, CREATE_OR_UPDATE, false, Place::Tools),
    row("enrol", "Enrolling", Effect::Write, CREATE_OR_UPDATE, false, Place::Tools),
    row("upsert", "Saving", Effect::Write, UPDATE_OR_CREATE, false, Place::Tools),
    row("update", "Updating", Effect::Write, UPDATE, false, Place::Tools),
    row("set", "Setting", Effect::Write, UPDATE, false, Place::Tools),
    row("rename", "Renaming", Effect::Write, UPDATE, false, Place::Tools),
    row("move", "Moving", Effect::Write, UPDATE, false, Place::Tools),
    row("recompute", "Recomputing", Effect::Write, UPDATE, false, Place::Tools),
    row("close", "Closing", Effect::Write, UPDATE, false, Place::Tools),
    row("restore", "Restoring", Effect::Write, UPDATE, false, Place::Tools),
    row("approve", "Approving", Effect::Write, UPDATE, false, Place::Tools),
    row("reject", "Rejecting", Effect::Write, UPDATE, false, Place::Tools),
    row("unassign", "Unassigning", Effect::Write, UPDATE_OR_DELETE, true, Place::Tools),
    row("withdraw", "Withdrawing", Effect::Write, UPDATE_OR_DELETE, true, Place::Tools),
    row("archive", "Archiving", Effect::Write, DELETE, true, Place::Tools),
    row("delete", "Deleting", Effect::Write, DELETE, true, Place::Tools),
    row("remove", "Removing", Effect::Write, DELETE, true, Place::Tools),
    row("cancel", "Cancelling", Effect::Write, DELETE, true, Place::Tools),
    row("ask", "Asking", Effect::Read, NONE, false, Place::Local),
    row("load", "Loading", Effect::Read, NONE, false, Place::Local),
    row("save", "Saving", Effect::Write, NONE, false, Place::Local),
    row("fetch", "Fetching", Effect::Read, NONE, false, Place::Legacy),
    row("show", "Showing", Effect::Read, NONE, false, Place::Legacy),
    row("view", "Viewing", Effect::Read, NONE, false, Place::Legacy),
    row("edit", "Editing", Effect::Write, NONE, false, Place::Legacy),
    row("make", "Making", Effect::Write, NONE, false, Place::Legacy),
    row("store", "Storing", Effect::Write, NONE, false, Place::Legacy),
];

/// Names that belong to tools which the graph builds itself, once per turn.
pub(crate) const RESERVED: &[&str] = &[
    "task",
    "write_todos",
    "load_skill",
    "ls",
    "read_file",
    "write_file",
    "edit_file",
    "glob",
    "grep",
    "execute",
];

/// The row of a verb.
pub(crate) fn lookup(word: &str) -> Option<&'static Verb> {
    VERBS.iter().find(|verb| verb.word == word)
}

/// The verb that the author most likely meant.
pub(crate) fn nearest(word: &str, place: Place) -> Option<&'static str> {
    VERBS
        .iter()
        .filter(|verb| verb.place == Place::Tools || verb.place == place)
        .map(|verb| (strsim::levenshtein(word, verb.word), verb.word))
        .filter(|(distance, _)| *distance <= 2)
        .min()
        .map(|(_, word)| word)
}

/// The table as tokens, for `verb_table!`.
pub(crate) fn table() -> TokenStream {
    let rows = VERBS.iter().map(|Verb { word, ing, effect, actions, asks_first, place }| {
        let effect = match effect {
            Effect::Read => quote!(Read),
            Effect::Write => quote!(Write),
        };
        let place = match place {
            Place::Tools => quote!(Tools),
            Place::Local => quote!(Local),
            Place::Legacy => quote!(Legacy),
        };
        quote! {
            ::agent_contract::Verb {
                word: #word,
                ing: #ing,
                effect: ::agent_contract::Effect::#effect,
                actions: &[#(#actions),*],
                asks_first: #asks_first,
                place: ::agent_contract::VerbPlace::#place,
            }
        }
    });
    let reserved = RESERVED;
    quote! {
        /// Every verb that a tool or an event may begin with.
        pub const VERBS: &[::agent_contract::Verb] = &[#(#rows),*];

        /// Names that belong to tools which the graph builds itself, once per turn.
        pub const RESERVED_NAMES: &[&str] = &[#(#reserved),*];
    }
}
