//! What a tool returned, as a response: the data alone, its version as a tag, and where the next page is.

use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse as _, Response};
use serde_json::Value;

use super::version::{is_known, tag};

const JSON: HeaderValue = HeaderValue::from_static("application/json");

/// The answer to a read.
pub(in crate::http) fn of_read(data: &Value, asked: &HeaderMap, address: &Uri) -> Response {
    let json = data.to_string();
    let tag = tag(&json);
    if let Some(tag) = tag.as_ref().filter(|tag| is_known(asked, tag)) {
        return (StatusCode::NOT_MODIFIED, [(header::ETAG, tag.clone())]).into_response();
    }
    let mut response = (StatusCode::OK, [(header::CONTENT_TYPE, JSON)], json).into_response();
    let headers = response.headers_mut();
    if let Some(tag) = tag {
        // Kept, but asked about each time.
        headers.insert(header::ETAG, tag);
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
    }
    if let Some(link) = data["nextCursor"].as_str().and_then(|cursor| next(address, cursor)) {
        headers.insert(header::LINK, link);
    }
    response
}

/// The answer to a change, which is also what a repetition of it gets.
pub(super) fn of_change(status: StatusCode, json: &str) -> Response {
    let mut response = (status, [(header::CONTENT_TYPE, JSON)], json.to_owned()).into_response();
    if let Some(tag) = tag(json) {
        response.headers_mut().insert(header::ETAG, tag);
    }
    response
}

/// The same address with another cursor (RFC 8288). A cursor is made of letters that a query may hold as they are.
fn next(address: &Uri, cursor: &str) -> Option<HeaderValue> {
    let query = address.query().unwrap_or_default();
    let mut kept: Vec<&str> =
        query.split('&').filter(|pair| !pair.is_empty() && !pair.starts_with("cursor=")).collect();
    let cursor = format!("cursor={cursor}");
    kept.push(&cursor);
    HeaderValue::from_str(&format!("<{}?{}>; rel=\"next\"", address.path(), kept.join("&"))).ok()
}
