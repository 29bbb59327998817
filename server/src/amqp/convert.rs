//! Properties of what the server sends.

use std::collections::BTreeMap;

use broker::{short, table};
use lapin::BasicProperties;

/// The properties of a reply, exactly those of a Nest server: a header table, which may be empty, and the
/// correlation id, if the request had one.
pub(super) fn reply_properties(
    headers: &BTreeMap<String, String>,
    correlation_id: Option<&str>,
) -> BasicProperties {
    let properties = BasicProperties::default().with_headers(table(headers));
    match correlation_id.and_then(short) {
        Some(id) => properties.with_correlation_id(id),
        None => properties,
    }
}
