//! The offline planner, driven as a model is driven: through whole conversations with a small
//! school behind its tools.

mod conversations;
mod held_out;
mod properties;
mod school;
