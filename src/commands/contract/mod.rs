//! `rover contract`: what server, worker and others agree on, written out and compared.

pub(crate) mod export;
pub(crate) mod lock;
