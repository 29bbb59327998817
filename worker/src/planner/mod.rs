//! The offline model: it turns a person's sentence into tool calls by the registry's own sentences.

mod dates;
mod numbers;
mod template;
mod words;
