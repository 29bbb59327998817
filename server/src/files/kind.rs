//! The kinds of file that are taken, and how each is told by its bytes.
//!
//! What a client says of a file and what the file is must agree: a page that calls itself a picture is refused. Whatever a
//! browser would run (HTML, SVG, scripts) is no kind at all.

use super::FileFault;

/// A kind of file that is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    media_type: &'static str,
    /// What it is called in a sentence.
    name: &'static str,
    told: Told,
}

/// How a kind is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Told {
    /// By its first bytes.
    Signature,
    /// It has none: it is text, and nothing but text.
    Text,
}

const KINDS: &[Kind] = &[
    signed("image/png", "PNG picture"),
    signed("image/jpeg", "JPEG picture"),
    signed("image/gif", "GIF picture"),
    signed("image/webp", "WebP picture"),
    signed("application/pdf", "PDF"),
    signed("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "Excel workbook"),
    signed(
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "Word document",
    ),
    Kind { media_type: "text/plain", name: "plain text", told: Told::Text },
    Kind { media_type: "text/csv", name: "CSV table", told: Told::Text },
    Kind { media_type: "text/markdown", name: "Markdown text", told: Told::Text },
];

const fn signed(media_type: &'static str, name: &'static str) -> Kind {
    Kind { media_type, name, told: Told::Signature }
}

impl Kind {
    /// The kind that a client declares, if the bytes are of it.
    pub(super) fn of(declared: &str, bytes: &[u8]) -> Result<Self, FileFault> {
        let essence = declared.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        let kind = KINDS.iter().find(|kind| kind.media_type == essence);
        let kind =
            *kind.ok_or_else(|| FileFault::Kind { declared: shown(&essence), taken: taken() })?;
        let found = infer::get(bytes).map(|found| found.mime_type());
        let agrees = match kind.told {
            Told::Signature => found == Some(kind.media_type),
            Told::Text => found.is_none() && is_text(bytes),
        };
        if agrees { Ok(kind) } else { Err(FileFault::Mismatch { declared: kind.name }) }
    }

    /// Its media type.
    pub fn media_type(self) -> &'static str {
        self.media_type
    }
}

/// Whether the bytes are text as people write it.
fn is_text(bytes: &[u8]) -> bool {
    let typed =
        |letter: char| !letter.is_control() || matches!(letter, '\n' | '\r' | '\t' | '\u{c}');
    std::str::from_utf8(bytes).is_ok_and(|text| text.chars().all(typed))
}

fn taken() -> String {
    KINDS.iter().map(|kind| kind.name).collect::<Vec<_>>().join(", ")
}

fn shown(declared: &str) -> String {
    declared.chars().filter(|letter| !letter.is_control()).take(80).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR";

    #[test]
    fn a_file_is_what_it_says_or_is_refused() {
        for (declared, bytes, ok) in [
            ("image/png", PNG, true),
            ("IMAGE/PNG", PNG, true),
            ("image/png; name=x", PNG, true),
            ("image/jpeg", PNG, false),
            ("image/png", b"<html><script>alert(1)</script>", false),
            ("application/pdf", b"%PDF-1.7\n%", true),
            ("text/csv", b"name,mark\nRuth,81\n", true),
            ("text/csv", "name\nNam\u{fa}\n".as_bytes(), true),
            ("text/csv", b"name\xff\n", false),
            ("text/plain", b"a\0b", false),
            ("text/plain", PNG, false),
            // Text that a browser would run is taken as text only where it does not look like a page.
            ("text/plain", b"<!DOCTYPE html><title>x</title>", false),
        ] {
            let found = Kind::of(declared, bytes);
            assert_eq!(found.is_ok(), ok, "{declared}: {found:?}");
            if !ok {
                assert!(matches!(found, Err(FileFault::Mismatch { .. })), "{declared}: {found:?}");
            }
        }
        for declared in ["text/html", "image/svg+xml", "application/javascript", "", "x\u{7}/y"] {
            let found = Kind::of(declared, b"x");
            assert!(matches!(found, Err(FileFault::Kind { .. })), "{declared}: {found:?}");
        }
    }
}
