//! `rover contract`: what server, worker and others agree on, written out and compared.

pub(crate) mod accept;
mod base;
pub(crate) mod check;
pub(crate) mod export;
pub(crate) mod lock;
mod report;
