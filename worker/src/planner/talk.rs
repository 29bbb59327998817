//! What is said when no tool is called: greetings, thanks, help, what is withheld, open questions.

use agent_contract::ToolScope;

use super::catalog::KnownTool;
use super::suggest;
use super::words::Word;

/// Small talk that the planner knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SmallTalk {
    /// A greeting.
    Greeting,
    /// Thanks.
    Thanks,
    /// A question about what can be done.
    Help,
}

const GREETINGS: &[&str] = &[
    "hello",
    "hi",
    "hey",
    "good",
    "morning",
    "afternoon",
    "evening",
    "greetings",
    "rover",
    "there",
];
const THANKS: &[&str] = &[
    "thanks", "thank", "you", "very", "much", "a", "lot", "great", "perfect", "rover", "ok",
    "okay", "cheers", "so", "that", "'s", "all",
];
const HELP: &[&[&str]] = &[
    &["help"],
    &["help", "me"],
    &["what", "can", "you", "do"],
    &["what", "do", "you", "do"],
    &["how", "can", "you", "help"],
    &["how", "can", "you", "help", "me"],
    &["who", "are", "you"],
];

const DECLINING: &[&str] = &[
    "no",
    "no thanks",
    "no thank you",
    "cancel",
    "cancel it",
    "cancel that",
    "stop",
    "stop it",
    "stop that",
    "never mind",
    "nevermind",
    "forget it",
    "leave it",
    "do nothing",
];

/// Reads a whole sentence as small talk.
pub(super) fn small_talk(words: &[Word]) -> Option<SmallTalk> {
    let folds: Vec<&str> = words.iter().map(|word| word.fold.as_str()).collect();
    let all_of = |known: &[&str]| folds.iter().all(|fold| known.contains(fold));
    let some_of = |known: &[&str]| folds.iter().any(|fold| known.contains(fold));
    if folds.is_empty() || HELP.contains(&folds.as_slice()) {
        Some(SmallTalk::Help)
    } else if all_of(GREETINGS) {
        Some(SmallTalk::Greeting)
    } else if all_of(THANKS) && some_of(&["thanks", "thank", "great", "perfect", "cheers"]) {
        Some(SmallTalk::Thanks)
    } else {
        None
    }
}

impl SmallTalk {
    /// The answer, with examples of what `tools` can do.
    pub(super) fn answer(self, tools: &[&KnownTool]) -> String {
        match self {
            Self::Greeting => format!("Hello! {}", suggest::examples(tools)),
            Self::Thanks => "You are welcome.".to_owned(),
            Self::Help => suggest::examples(tools),
        }
    }
}

/// Why a tool that the sentence asks for is not there.
pub(super) fn withheld(tool: &KnownTool) -> String {
    match tool.scope() {
        ToolScope::Campus => "That is about one campus, and we are working across the whole \
                              school. Choose a campus and ask again."
            .to_owned(),
        ToolScope::School => "That is about the whole school, and we are working on one campus. \
                              Switch to the whole school and ask again."
            .to_owned(),
        ToolScope::General => {
            format!("That (“{}”) is not among the things I can do for you here.", tool.purpose())
        }
    }
}

/// A question as text, where nobody can be asked in the middle of a turn.
pub(super) fn question(question: &str, options: &[String]) -> String {
    let lines = options.iter().map(|option| format!("- {option}"));
    std::iter::once(question.to_owned()).chain(lines).collect::<Vec<_>>().join("\n")
}

/// Whether an answer takes the request back.
pub(super) fn declines(answer: &str) -> bool {
    let words = super::words::words(answer);
    let folds: Vec<&str> = words.iter().map(|word| word.fold.as_str()).collect();
    DECLINING.contains(&folds.join(" ").as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::planner::words::words;

    #[test]
    fn small_talk_is_the_whole_sentence() {
        let cases = [
            ("Hello Rover!", Some(SmallTalk::Greeting)),
            ("Good morning", Some(SmallTalk::Greeting)),
            ("thanks a lot", Some(SmallTalk::Thanks)),
            ("Great, thank you very much.", Some(SmallTalk::Thanks)),
            ("", Some(SmallTalk::Help)),
            ("What can you do?", Some(SmallTalk::Help)),
            ("hello department", None),
            ("that's all", None),
            ("help me delete it", None),
        ];
        for (sentence, expected) in cases {
            assert_eq!(small_talk(&words(sentence)), expected, "{sentence}");
        }
    }

    #[test]
    fn a_request_can_be_taken_back() {
        for answer in ["No.", "never mind", "Cancel that!", "no thanks"] {
            assert!(declines(answer), "{answer}");
        }
        for answer in ["", "Nobody", "No, the other one", "S1 East"] {
            assert!(!declines(answer), "{answer}");
        }
    }
}
