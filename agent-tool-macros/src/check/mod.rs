//! Every rule that the macros enforce themselves, and every message they give. A message says what is wrong and
//! then what to write instead. Rules about types are not here: traits in `agent-contract` hold those.

pub(crate) mod args;
pub(crate) mod attribute;
pub(crate) mod example;
pub(crate) mod foreign;
pub(crate) mod name;
pub(crate) mod say;
pub(crate) mod signature;
