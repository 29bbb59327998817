//! Rules of a sentence template, as far as they can be judged without knowing the arguments.

use syn::LitStr;

use crate::fault::Faults;
use crate::say::Grammar;

/// The most variants that one template may stand for.
pub(crate) const VARIANT_LIMIT: usize = 64;

/// A template that does not parse.
pub(crate) fn grammar(literal: &LitStr, fault: Grammar, faults: &mut Faults) {
    let message = match fault {
        Grammar::Unclosed(open) => format!("`{open}` is never closed in this sentence; close it, e.g. `[the]`, `(add|open)`, `{{name}}`"),
        Grammar::Unopened(close) => format!("`{close}` closes nothing in this sentence; take it out or open it"),
        Grammar::Slot(slot) => format!("`{{{slot}}}` is no slot; a slot is an argument's Rust name, e.g. `{{name}}`"),
        Grammar::Touching => "two slots stand side by side, so nobody could tell where one ends; put a space or a word between them".to_owned(),
        Grammar::TooMany => format!("this sentence stands for more than {VARIANT_LIMIT} variants; write it as several sentences"),
        Grammar::Empty => "this sentence can be empty; write at least one word that is always there".to_owned(),
    };
    faults.at(literal.span(), message);
}
