//! Pages of other origins that may call the API. There are none unless the operator names them.
//!
//! A bearer token is a header that a page sets itself, so no cookie and no other credential of the browser is let
//! through. `*` is no origin: a person's browser reaches servers that the whole internet does not.

use std::time::Duration;

use axum::http::uri::{Authority, Scheme};
use axum::http::{HeaderName, HeaderValue, Method, Uri, header};
use tower_http::cors::{AllowOrigin, CorsLayer};

/// How long a browser remembers what it may send.
const REMEMBERED: Duration = Duration::from_mins(10);

/// An origin of pages: scheme, host and port, as a browser writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin(HeaderValue);

/// Why a text is no origin.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no origin; write scheme and host, such as `https://hub.school.example`")]
pub struct NoOrigin(String);

impl std::str::FromStr for Origin {
    type Err = NoOrigin;

    fn from_str(text: &str) -> Result<Self, NoOrigin> {
        let wrong = || NoOrigin(text.to_owned());
        let uri: Uri = text.parse().map_err(|_| wrong())?;
        let scheme = uri.scheme().filter(|scheme| [&Scheme::HTTP, &Scheme::HTTPS].contains(scheme));
        let host = uri.authority().filter(|host| !host.as_str().contains('@'));
        let (Some(scheme), Some(host)) = (scheme, host) else { return Err(wrong()) };
        let rest = text.len() - text.trim_end_matches('/').len();
        let usual = written(scheme, host);
        if rest > 1 || text.trim_end_matches('/').len() != format!("{scheme}://{host}").len() {
            return Err(wrong());
        }
        HeaderValue::from_str(&usual).map(Self).map_err(|_| wrong())
    }
}

/// As browsers write it: in small letters, without the port that goes without saying.
fn written(scheme: &Scheme, host: &Authority) -> String {
    let usual = if *scheme == Scheme::HTTPS { 443 } else { 80 };
    let name = host.host().to_ascii_lowercase();
    match host.port_u16().filter(|port| *port != usual) {
        Some(port) => format!("{scheme}://{name}:{port}"),
        None => format!("{scheme}://{name}"),
    }
}

/// What answers a browser that asks first, and tells it what it may read.
pub(super) fn layer(origins: &[Origin]) -> CorsLayer {
    let named = |name| HeaderName::from_static(name);
    CorsLayer::new()
        .allow_origin(AllowOrigin::list(origins.iter().map(|origin| origin.0.clone())))
        .allow_methods([Method::GET, Method::POST, Method::PUT, Method::PATCH, Method::DELETE])
        .allow_headers([
            header::AUTHORIZATION,
            header::CONTENT_TYPE,
            header::IF_MATCH,
            header::IF_NONE_MATCH,
            named("idempotency-key"),
        ])
        .expose_headers([
            header::ETAG,
            header::LINK,
            header::LOCATION,
            header::RETRY_AFTER,
            named("x-rover-turn"),
            named("x-vercel-ai-ui-message-stream"),
        ])
        .max_age(REMEMBERED)
}

#[cfg(test)]
mod tests {
    use super::Origin;

    #[test]
    fn an_origin_is_read_as_browsers_write_it() {
        for (text, written) in [
            ("https://hub.school.example", "https://hub.school.example"),
            ("https://Hub.School.example/", "https://hub.school.example"),
            ("https://hub.school.example:443", "https://hub.school.example"),
            ("http://127.0.0.1:5173", "http://127.0.0.1:5173"),
            ("http://[::1]:5173", "http://[::1]:5173"),
        ] {
            assert_eq!(text.parse::<Origin>().unwrap().0, written, "{text}");
        }
    }

    #[test]
    fn what_is_no_origin_is_told_how_to_write_one() {
        for text in [
            "*",
            "null",
            "",
            "hub.school.example",
            "https://",
            "ftp://hub.school.example",
            "https://hub.school.example/page",
            "https://hub.school.example//",
            "https://me@hub.example",
            "https://hub.example?x",
            "https://*.school.example/x",
        ] {
            let fault = text.parse::<Origin>().unwrap_err().to_string();
            assert!(fault.contains("such as `https://hub.school.example`"), "{text}: {fault}");
        }
    }
}
