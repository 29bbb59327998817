//! The router and what is said of it, which grow together: an address without a description cannot be served.

use axum::Router;
use axum::handler::Handler;
use axum::http::Method;
use axum::routing::{MethodFilter, on};

use super::App;
use super::openapi::Words;
use super::records;

/// Addresses with their descriptions.
#[derive(Debug, Default)]
pub(super) struct Api {
    router: Router<App>,
    described: Vec<Described>,
}

/// What is said of an address that is no tool.
#[derive(Clone, Debug)]
pub(super) struct Described {
    pub(super) method: Method,
    pub(super) path: &'static str,
    pub(super) words: Words,
}

impl Api {
    /// Serves a handler at an address.
    pub(super) fn serve<T: 'static>(
        mut self,
        method: Method,
        path: &'static str,
        words: Words,
        handler: impl Handler<T, App>,
    ) -> Self {
        // The methods of this server are those that axum knows.
        if let Ok(filter) = MethodFilter::try_from(method.clone()) {
            self.router = self.router.route(path, on(filter, handler));
            self.described.push(Described { method, path, words });
        }
        self
    }

    /// Serves the school: the table says it all.
    pub(super) fn serve_school(mut self) -> Self {
        self.router = self.router.merge(records::routes());
        self
    }

    /// The router, and what is said of it.
    pub(super) fn into_parts(self) -> (Router<App>, Vec<Described>) {
        (self.router, self.described)
    }
}
