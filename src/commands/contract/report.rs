//! A judgement as text for people, and as the commands that GitHub draws beside the lines of a pull request.

use std::fmt::Write as _;

use agent_contract::lock::{
    Consequence, Finding, Judged, Judgement, Order, Side, Subject, Verdict, Witness,
};

use super::lock::LOCK_FILE;

/// The longest value that is printed whole.
const SHOWN: usize = 300;

/// The judgement for people.
pub(super) fn text(judgement: &Judgement, base: &str) -> String {
    let Judgement { order, changes, .. } = judgement;
    let mut text = String::new();
    for Judged { finding, verdict, signed_off } in changes {
        let Finding { rule, subject, .. } = finding;
        let head = if signed_off.is_some() { "signed".to_owned() } else { verdict.to_string() };
        let _ = writeln!(text, "{head:<10} {rule:<18} {subject}");
        for line in lines(finding) {
            let _ = writeln!(text, "           {line}");
        }
        if let Some(signed) = signed_off {
            let _ = writeln!(text, "           signed off on {}: {}", signed.on, signed.reason);
        }
    }
    let count = |is: &dyn Fn(&Judged) -> bool| changes.iter().filter(|change| is(change)).count();
    let order = match order {
        Order::ServerFirst => "servers first",
        Order::WorkerFirst => "workers first",
        Order::Any => "in any order",
    };
    let _ = write!(
        text,
        "{} since {base}, deployed {order}: {} against it, {} signed off",
        plural(changes.len()),
        count(&Judged::stands_against),
        count(&|change| change.signed_off.is_some()),
    );
    text
}

/// The judgement as workflow commands, each at the tool's line of the lock.
pub(super) fn github(judgement: &Judgement, lock: &str) -> Vec<String> {
    let commands = judgement.changes.iter().map(|judged| {
        let Finding { rule, subject, .. } = &judged.finding;
        let command = match judged.verdict {
            _ if judged.stands_against() => "error",
            Verdict::Warning => "warning",
            _ => "notice",
        };
        let mut message = lines(&judged.finding).join("\n");
        if let Some(signed) = &judged.signed_off {
            let _ = write!(message, "\nsigned off on {}: {}", signed.on, signed.reason);
        }
        format!(
            "::{command} file={},line={},title={}::{}",
            property(LOCK_FILE),
            line_of(subject, lock),
            property(&format!("{rule} {subject}")),
            data(&message),
        )
    });
    commands.collect()
}

/// What a change is and what it means, a line each.
fn lines(finding: &Finding) -> Vec<String> {
    let mut lines = vec![cut(finding.rule.means()), cut(&finding.difference().to_string())];
    let orders = [
        ("servers first", &finding.server_first, ["old", "new"]),
        ("workers first", &finding.worker_first, ["new", "old"]),
    ];
    for (order, Consequence { verdict, witness }, ages) in orders {
        let shown = witness.as_ref().map(|witness| shown(witness, ages)).unwrap_or_default();
        lines.push(format!("{order}: {verdict}{shown}"));
    }
    lines
}

fn shown(Witness { sender, value }: &Witness, [worker, server]: [&str; 2]) -> String {
    let value = cut(&value.to_string());
    match sender {
        Side::Worker => {
            format!("; the {worker} worker may send {value}, which the {server} server refuses")
        }
        Side::Server => {
            format!("; the {server} server may send {value}, which the {worker} worker refuses")
        }
    }
}

fn plural(changes: usize) -> String {
    if changes == 1 { "1 change".to_owned() } else { format!("{changes} changes") }
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}

/// Where a tool's block begins, counted from 1; for a tool that is gone, where the tools begin.
fn line_of(subject: &Subject, lock: &str) -> usize {
    let begins = match subject {
        Subject::Envelope => "  \"envelope\": {".to_owned(),
        Subject::Tool(name) => format!("    \"{name}\": {{"),
    };
    let at = |begins: &str| lock.lines().position(|line| line == begins);
    at(&begins).or_else(|| at("  \"tools\": {")).map_or(1, |line| line + 1)
}

/// The message of a workflow command.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A property of a workflow command.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As `escapeData` and `escapeProperty` of GitHub's own toolkit, `actions/toolkit`, `packages/core/src/command.ts`.
    #[test]
    fn commands_are_escaped_as_github_reads_them() {
        assert_eq!(data("100%: a,\r\nb"), "100%25: a,%0D%0Ab");
        assert_eq!(property("100%: a,\r\nb"), "100%25%3A a%2C%0D%0Ab");
    }

    #[test]
    fn a_tool_is_found_at_its_own_line_and_not_where_it_is_mentioned() {
        let lock = "{\n  \"envelope\": {\n  },\n  \"tools\": {\n    \"a_b\": {\n      \"c_d\": {\n    \"c_d\": {\n";
        let line = |name: &str| line_of(&Subject::from(name.to_owned()), lock);
        assert_eq!([line("envelope"), line("a_b"), line("c_d"), line("gone")], [2, 5, 7, 4]);
    }
}
