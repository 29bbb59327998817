//! Versions over HTTP: an `ETag` shows one, `If-Match` brings it back (RFC 9110, 8.8.3 and 13.1.1).
//!
//! A tag is the record's version, and after a dot a digest of the answer: names of other records stand in it too, and a
//! cache must see that they changed. A change compares the version alone, for it is the record that must not be lost.

use agent_contract::{Version, sha256_hex};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use serde_json::Value;

use crate::http::Problem;

/// Letters of the digest.
const DIGEST: usize = 16;

/// What a change asks of the version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum IfMatch {
    /// `*`: whatever it is.
    Any,
    /// This one.
    Version(Version),
}

impl IfMatch {
    /// The header of a change, which has to bring it (RFC 6585, 3).
    pub(super) fn of(headers: &HeaderMap) -> Result<Self, Problem> {
        let Some(value) = headers.get(header::IF_MATCH) else {
            return Err(Problem::new(
                StatusCode::PRECONDITION_REQUIRED,
                "say which version you saw: send its `ETag` as `If-Match`, or `*` to change it whatever it is",
            ));
        };
        let text = value.to_str().unwrap_or_default().trim();
        if text == "*" {
            return Ok(Self::Any);
        }
        parse(text).map(Self::Version).ok_or_else(|| {
            Problem::new(
                StatusCode::BAD_REQUEST,
                "`If-Match` must be `*` or one `ETag` of this record, in its quotation marks",
            )
        })
    }

    /// The version that is meant, if one is.
    pub(super) fn version(self) -> Option<i64> {
        match self {
            Self::Any => None,
            Self::Version(version) => Some(version.number()),
        }
    }
}

/// The tag of an answer that is a record with a version.
pub(super) fn tag(json: &str) -> Option<HeaderValue> {
    let answer: Value = serde_json::from_str(json).ok()?;
    let version = answer.get("version")?.as_i64()?;
    let digest = sha256_hex(json.as_bytes());
    HeaderValue::from_str(&format!("\"{version}.{}\"", digest.get(..DIGEST)?)).ok()
}

/// Whether the client has this answer already.
pub(super) fn is_known(headers: &HeaderMap, tag: &HeaderValue) -> bool {
    let Some(known) = headers.get(header::IF_NONE_MATCH).and_then(|value| value.to_str().ok())
    else {
        return false;
    };
    let same = |one: &str| Some(one.trim().trim_start_matches("W/")) == tag.to_str().ok();
    known.trim() == "*" || known.split(',').any(same)
}

fn parse(text: &str) -> Option<Version> {
    let inner = text.strip_prefix('"')?.strip_suffix('"')?;
    let version = inner.split_once('.').map_or(inner, |(version, _)| version);
    Version::new(version.parse().ok()?).ok()
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderMap, HeaderValue, header};

    use super::{IfMatch, is_known, tag};

    fn sent(name: header::HeaderName, value: &str) -> HeaderMap {
        HeaderMap::from_iter([(name, HeaderValue::from_str(value).unwrap())])
    }

    #[test]
    fn if_match_is_one_tag_or_a_star() {
        for (value, version) in [
            ("\"3\"", Some(Some(3))),
            ("\"3.0a1b2c3d4e5f6071\"", Some(Some(3))),
            (" * ", Some(None)),
            ("3", None),
            ("W/\"3\"", None),
            ("\"0\"", None),
            ("\"x\"", None),
            ("\"3\", \"4\"", None),
            ("\"\"", None),
            ("\"", None),
        ] {
            let read = IfMatch::of(&sent(header::IF_MATCH, value)).ok();
            assert_eq!(read.map(IfMatch::version), version, "{value}");
        }
        assert_eq!(IfMatch::of(&HeaderMap::new()).unwrap_err().status(), 428);
    }

    #[test]
    fn a_tag_is_known_weak_or_strong_alone_or_among_others() {
        let own = tag(r#"{"id":"a","version":4}"#).unwrap();
        let text = own.to_str().unwrap();
        assert!(text.starts_with("\"4.") && text.len() == 2 + 2 + 16, "{text}");
        for (value, known) in [
            (text.to_owned(), true),
            (format!("W/{text}"), true),
            (format!("\"9\", {text}"), true),
            ("*".to_owned(), true),
            ("\"4\"".to_owned(), false),
        ] {
            assert_eq!(is_known(&sent(header::IF_NONE_MATCH, &value), &own), known, "{value}");
        }
        assert_eq!(tag(r#"{"items":[]}"#), None);
        assert_eq!(tag("[]"), None);
    }
}
