//! Files that people attach: brought before the message that names them, and read again by whoever brought them.

use std::io;

use axum::Json;
use axum::body::{Body, Bytes};
use axum::extract::rejection::BytesRejection;
use axum::extract::{Query, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::{Deserialize, Serialize};

use super::{App, Problem, body::not_taken, path::PathId};
use crate::chat::Person;
use crate::files::{FileFault, NewFile};

/// What RFC 8187 lets stand in a header as it is.
const PLAIN: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// What a client says of a file beside its bytes.
#[derive(Deserialize)]
pub(super) struct Named {
    filename: String,
}

/// A file that is kept, as a part of a message names it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Kept {
    id: String,
    filename: String,
    media_type: String,
    size: u64,
    url: String,
}

/// `POST /api/naalya-ai/attachments?filename=NAME`: the bytes are the body, and their type is its `content-type`.
pub(super) async fn upload(
    State(app): State<App>,
    person: Person,
    Query(named): Query<Named>,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Result<(StatusCode, Json<Kept>), Problem> {
    let limits = app.chat.files().limits();
    let body = body.map_err(|fault| match fault.status() {
        StatusCode::PAYLOAD_TOO_LARGE => {
            let most = limits.file >> 20;
            Problem::new(
                fault.status(),
                format!("the file is too large: at most {most} MiB are taken"),
            )
        }
        _ => not_taken(&fault, 0),
    })?;
    let declared = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let file = NewFile::new(&named.filename, declared.unwrap_or_default(), body.to_vec(), limits)?;
    let owner = person.owner().clone();
    // A write waits for nobody who reads.
    drop(person);
    let kept = app.chat.files().upload(&owner, file).await?;
    let url = crate::chat::file_url(&kept.id);
    let id = kept.id.to_string();
    let kept =
        Kept { id, filename: kept.filename, media_type: kept.media_type, size: kept.size, url };
    Ok((StatusCode::CREATED, Json(kept)))
}

/// `GET /api/naalya-ai/attachments/{id}`: always as a download, never as a page of this host.
pub(super) async fn download(
    State(app): State<App>,
    person: Person,
    PathId(id): PathId,
) -> Result<Response, Problem> {
    let owner = person.owner().clone();
    drop(person);
    let file = app.chat.files().find(&owner, &id).await?;
    let (files, size) = (app.chat.files().clone(), file.size);
    let pieces = stream::try_unfold(0_u64, move |from| {
        let (files, owner, id) = (files.clone(), owner.clone(), id.clone());
        async move {
            if from >= size {
                return Ok(None);
            }
            let piece = files.read(&owner, &id, from).await.map_err(io::Error::other)?;
            let next = if piece.is_empty() { size } else { from + piece.len() as u64 };
            Ok::<_, io::Error>(Some((piece, next)))
        }
    });
    let mut response = Body::from_stream(pieces).into_response();
    let headers = response.headers_mut();
    let text = |text: String| {
        HeaderValue::from_str(&text).unwrap_or_else(|_| HeaderValue::from_static("attachment"))
    };
    headers.insert(header::CONTENT_TYPE, text(file.media_type));
    headers.insert(header::CONTENT_LENGTH, HeaderValue::from(file.size));
    headers.insert(header::CONTENT_DISPOSITION, text(disposition(&file.filename)));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
    Ok(response)
}

/// RFC 6266: a name of plain letters for old readers, and the whole one for all others.
fn disposition(name: &str) -> String {
    let plain = |letter: char| match letter {
        '"' | '\\' | '%' => '_',
        letter if letter.is_ascii_graphic() || letter == ' ' => letter,
        _ => '_',
    };
    let (old, whole): (String, _) =
        (name.chars().map(plain).collect(), utf8_percent_encode(name, PLAIN));
    format!("attachment; filename=\"{old}\"; filename*=UTF-8''{whole}")
}

impl From<FileFault> for Problem {
    fn from(fault: FileFault) -> Self {
        let status = match &fault {
            FileFault::TooLarge { .. } => StatusCode::PAYLOAD_TOO_LARGE,
            FileFault::Kind { .. } | FileFault::Mismatch { .. } => {
                StatusCode::UNSUPPORTED_MEDIA_TYPE
            }
            FileFault::Full => StatusCode::INSUFFICIENT_STORAGE,
            FileFault::NotFound => StatusCode::NOT_FOUND,
            FileFault::Empty | FileFault::Name | FileFault::Piece | FileFault::TooMany(_) => {
                StatusCode::UNPROCESSABLE_ENTITY
            }
            FileFault::Database(_) => {
                return Self::new(
                    StatusCode::INTERNAL_SERVER_ERROR,
                    agent_contract::ToolError::Internal.to_string(),
                );
            }
        };
        Self::new(status, fault.to_string())
    }
}
