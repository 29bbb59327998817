//! What the compiler checks after the macros: functions that run at compile time and panic with the message. They
//! are called from constants that stand beside a tool's definition, each spanned on the author's own words.

mod example;
mod field;
mod message;
mod policy;
mod registry;
mod stand_in;

pub use example::{
    Members, example_bool, example_complete, example_given, example_list, example_member,
    example_number, example_object, example_root, example_text, example_whole,
};
pub use field::{campus, covers, kind, slot};
pub use policy::{action, casl, granted, resource, role, role_or_first};
pub use registry::{
    Claim, Claims, all_unique, concat, count, count_sentences, events, lookups, names, sentences,
    unique_event, unique_name, unique_sentence,
};
pub use stand_in::Unusable;

/// FNV-1a: two numbers are compared before two strings, which is most of what these checks cost.
pub const fn fnv(text: &str) -> u64 {
    let bytes = text.as_bytes();
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut i = 0;
    while i < bytes.len() {
        hash = (hash ^ bytes[i] as u64).wrapping_mul(0x0000_0100_0000_01b3);
        i += 1;
    }
    hash
}

const fn same(left: &str, right: &str) -> bool {
    let (left, right) = (left.as_bytes(), right.as_bytes());
    if left.len() != right.len() {
        return false;
    }
    let mut i = 0;
    while i < left.len() {
        if left[i] != right[i] {
            return false;
        }
        i += 1;
    }
    true
}

/// Where a text stands in a list.
const fn position(list: &[&str], text: &str) -> Option<usize> {
    let mut i = 0;
    while i < list.len() {
        if same(list[i], text) {
            return Some(i);
        }
        i += 1;
    }
    None
}
