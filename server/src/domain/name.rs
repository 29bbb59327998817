//! Names as they are kept: in one line, with nothing in them that nobody sees or that turns the line round.

use agent_contract::{ToolError, ToolResult};

/// A name as people type it, without the blanks around, the doubled ones inside, and what does not show.
pub(super) fn tidy(name: &str) -> String {
    let shown: String = name
        .chars()
        .filter(|letter| letter.is_whitespace() || !(letter.is_control() || is_unseen(*letter)))
        .collect();
    shown.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The name of a new record, which has to show. `whose` begins the sentence that refuses: "A class".
pub(super) fn named(whose: &str, name: &str) -> ToolResult<String> {
    let name = tidy(name);
    if name.chars().any(shows) {
        Ok(name)
    } else {
        Err(ToolError::refused(format!("{whose} needs a name.")))
    }
}

fn shows(letter: char) -> bool {
    !(letter.is_whitespace() || joins(letter) || is_blank(letter))
}

/// Letters that Unicode gives no picture (`Default_Ignorable_Code_Point`), among them all that set the direction of
/// the text around them, but for those that join or vary their neighbours.
fn is_unseen(letter: char) -> bool {
    matches!(
        letter,
        '\u{ad}'
            | '\u{61c}'
            | '\u{200b}'
            | '\u{200e}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}'
            | '\u{fff0}'..='\u{fffb}'
            | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e00ff}'
            | '\u{e01f0}'..='\u{e0fff}'
    )
}

/// What joins or varies its neighbours, as in emoji and in the scripts of India, and is nothing alone.
fn joins(letter: char) -> bool {
    matches!(
        letter,
        '\u{34f}'
            | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200c}'..='\u{200d}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{e0100}'..='\u{e01ef}'
    )
}

/// Letters whose picture is a blank.
fn is_blank(letter: char) -> bool {
    matches!(letter, '\u{115f}' | '\u{1160}' | '\u{2800}' | '\u{3164}' | '\u{ffa0}')
}

#[cfg(test)]
mod tests {
    use super::named;

    #[test]
    fn a_name_is_kept_as_it_shows() {
        for (typed, kept) in [
            (" Fine \t Arts\n", "Fine Arts"),
            ("\u{202e}evil", "evil"),
            ("Sci\u{200b}ences\u{feff}", "Sciences"),
            ("\u{2067}Music\u{2069}", "Music"),
            ("\u{7}bell", "bell"),
            ("👩\u{200d}🔬 Lab", "👩\u{200d}🔬 Lab"),
            ("❤\u{fe0f}", "❤\u{fe0f}"),
            ("क\u{94d}\u{200d}ष", "क\u{94d}\u{200d}ष"),
            ("Ñandú 7", "Ñandú 7"),
        ] {
            assert_eq!(named("A class", typed).unwrap(), kept, "{typed:?}");
        }
    }

    #[test]
    fn a_name_that_nobody_sees_is_none() {
        for typed in ["", "  ", "\u{200b}", "\u{202e}", "\u{200d}\u{fe0f}", "\u{3164}", "\0\u{7}"] {
            let refused = named("A class", typed).unwrap_err();
            assert_eq!(refused.to_string(), "A class needs a name.", "{typed:?}");
        }
    }
}
