//! The Hub's files, which are part of the binary.

use axum::Router;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use super::App;

const HTML: &str = "text/html; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";
const IMAGE: &str = "image/svg+xml";

/// One line a file: its address below `/hub/`, and what it is.
macro_rules! files {
    ($($name:literal $kind:ident,)*) => {
        &[$(($name, $kind, include_str!(concat!("../../hub/", $name)))),*]
    };
}

const FILES: &[(&str, &str, &str)] = files! {
    "api.js" SCRIPT,
    "app.js" SCRIPT,
    "composer.js" SCRIPT,
    "conversation.js" SCRIPT,
    "dom.js" SCRIPT,
    "icon.svg" IMAGE,
    "labels.js" SCRIPT,
    "markdown.js" SCRIPT,
    "message-view.js" SCRIPT,
    "message.js" SCRIPT,
    "sign-in.js" SCRIPT,
    "sse.js" SCRIPT,
    "style.css" STYLE,
    "theme.js" SCRIPT,
    "threads.js" SCRIPT,
    "tools.css" STYLE,
    "tools.js" SCRIPT,
    "trace.css" STYLE,
    "trace.js" SCRIPT,
    "turn-log.js" SCRIPT,
};

/// The page at `/`, and what it loads.
pub(super) fn routes() -> Router<App> {
    let page = || async { file(HTML, include_str!("../../hub/index.html")) };
    FILES.iter().fold(Router::new().route("/", get(page)), |router, &(name, kind, text)| {
        router.route(&format!("/hub/{name}"), get(move || async move { file(kind, text) }))
    })
}

/// The browser asks each time: the files change with the binary, and their addresses do not.
fn file(kind: &'static str, text: &'static str) -> Response {
    let fixed = HeaderValue::from_static;
    let headers = [(header::CONTENT_TYPE, fixed(kind)), (header::CACHE_CONTROL, fixed("no-cache"))];
    (headers, text).into_response()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::FILES;

    #[test]
    fn every_file_of_the_folder_is_served() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/hub");
        let there: BTreeSet<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        let mut served: BTreeSet<String> = FILES.iter().map(|(name, ..)| (*name).into()).collect();
        served.insert("index.html".into());
        assert_eq!(served, there);
    }
}
