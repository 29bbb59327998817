//! Who may do what: the policy, the caller it is asked about, and the two ways to ask.
//!
//! oso decides single records from facts and five rules. [`Ability`] answers from the same facts where oso cannot
//! be asked: the SQL condition of a list, the advisory snapshot, the gate before any record is known. A property
//! test holds the two together. Nothing here reads the snapshot or the run mode to allow anything.

mod ability;
pub(crate) mod authority;
mod caller;
mod policy;
mod rights;
mod rules;
mod snapshot;

#[cfg(test)]
mod tests;

pub use ability::Ability;
pub use authority::{Authority, Clause, Condition, Field, RecordRef, Verdict};
pub use caller::Caller;
pub use policy::{Policy, PolicyError};
pub use rights::Rights;
pub use rules::{Check, Rule, RuleFault, Rules, Test};
