//! Whether the changes between two locks may be deployed: what breaks in the asked order, and who answered for it.

use serde::Serialize;

use super::compare::compare;
use super::finding::{Finding, Order, Subject, Verdict};
use super::fingerprint::Fingerprint;
use super::rule::Rule;
use super::types::{Lock, SignOff};
use crate::date::Date;

/// The changes between two locks, judged.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Judgement {
    /// The order of deployment that was asked about.
    pub order: Order,
    /// How it ends.
    pub outcome: Outcome,
    /// The changes, the worst first.
    pub changes: Vec<Judged>,
}

/// One change, judged.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Judged {
    /// The change.
    #[serde(flatten)]
    pub finding: Finding,
    /// What it means in the asked order.
    pub verdict: Verdict,
    /// Who answered for it, if somebody must and did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signed_off: Option<SignOff>,
}

/// How a check ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Nothing stands against the deployment.
    Fine,
    /// Something could not be decided, and nothing is known to break.
    Undecided,
    /// Something breaks, or nobody answered for it.
    Breaking,
}

/// Why a sign-off was not taken.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SignOffError {
    /// There is no such change.
    #[error("there is no {rule} of `{subject}` to sign off; {}", open(*.rule, .subject, .others))]
    NoSuchChange {
        /// The rule that was named.
        rule: Rule,
        /// The tool that was named.
        subject: Subject,
        /// What could be signed off.
        others: Vec<(Rule, Subject)>,
    },
    /// The change needs nobody.
    #[error("{rule} of `{subject}` breaks nothing, so there is nothing to sign off")]
    Harmless {
        /// The rule that was named.
        rule: Rule,
        /// The tool that was named.
        subject: Subject,
    },
    /// No reason was given.
    #[error("a sign-off needs a reason: say why the change is right, and who was told")]
    NoReason,
}

/// Judges every change from `old` to `new` for a deployment in this order.
pub fn judge(old: &Lock, new: &Lock, order: Order) -> Judgement {
    let mut changes: Vec<Judged> = compare(old, new)
        .into_iter()
        .map(|finding| {
            let verdict = finding.verdict(order);
            let signed_off = new.sign_off_of(&finding).filter(|_| needs_sign_off(verdict)).cloned();
            Judged { finding, verdict, signed_off }
        })
        .collect();
    changes.sort_by(|one, other| {
        let key = |judged: &Judged| (judged.signed_off.is_none(), judged.verdict);
        key(other).cmp(&key(one))
    });
    let open = changes.iter().filter(|judged| judged.signed_off.is_none());
    let worst = open.map(|judged| judged.verdict).max().unwrap_or(Verdict::Safe);
    let outcome = match worst {
        Verdict::Safe | Verdict::Warning => Outcome::Fine,
        Verdict::Undecided => Outcome::Undecided,
        Verdict::SignOff | Verdict::Breaking => Outcome::Breaking,
    };
    Judgement { order, outcome, changes }
}

impl Judged {
    /// Whether it stands against the deployment.
    pub fn stands_against(&self) -> bool {
        needs_sign_off(self.verdict) && self.signed_off.is_none()
    }
}

fn needs_sign_off(verdict: Verdict) -> bool {
    verdict >= Verdict::Undecided
}

impl Lock {
    /// Records that a person answers for every change of this rule and subject since `old`.
    pub fn sign_off(
        &mut self,
        old: &Self,
        rule: Rule,
        subject: &Subject,
        reason: &str,
        on: Date,
    ) -> Result<(), SignOffError> {
        if reason.trim().is_empty() {
            return Err(SignOffError::NoReason);
        }
        let findings = compare(old, self);
        let named = |finding: &&Finding| finding.rule == rule && finding.subject == *subject;
        let is_open = |finding: &&Finding| needs_sign_off(finding.verdict(Order::Any));
        let changes: Vec<Fingerprint> =
            findings.iter().filter(named).filter(is_open).map(Finding::fingerprint).collect();
        if changes.is_empty() {
            let (rule, subject) = (rule, subject.clone());
            if findings.iter().any(|finding| named(&finding)) {
                return Err(SignOffError::Harmless { rule, subject });
            }
            let mut others: Vec<_> = findings
                .iter()
                .filter(is_open)
                .map(|finding| (finding.rule, finding.subject.clone()))
                .collect();
            others.sort();
            others.dedup();
            return Err(SignOffError::NoSuchChange { rule, subject, others });
        }
        let sign_off = SignOff { rule, changes, reason: reason.trim().to_owned(), on };
        let list = match subject {
            Subject::Tool(name) if self.tools.contains_key(name) => {
                self.tools.get_mut(name).map(|tool| &mut tool.signed_off)
            }
            _ => None,
        };
        list.unwrap_or(&mut self.signed_off).push(sign_off);
        Ok(())
    }

    fn sign_off_of(&self, finding: &Finding) -> Option<&SignOff> {
        let own = match &finding.subject {
            Subject::Tool(name) => self.tool(name).map(|tool| tool.signed_off.as_slice()),
            Subject::Envelope => None,
        };
        let change = finding.fingerprint();
        own.into_iter()
            .flatten()
            .chain(&self.signed_off)
            .find(|signed| signed.changes.contains(&change))
    }
}

/// What could be signed, the nearest first.
fn open(rule: Rule, subject: &Subject, others: &[(Rule, Subject)]) -> String {
    let meant = format!("{rule}:{subject}");
    let mut named: Vec<String> =
        others.iter().map(|(rule, subject)| format!("{rule}:{subject}")).collect();
    named.sort_by_key(|other| strsim::damerau_levenshtein(other, &meant));
    match &named[..] {
        [] => "nothing needs a sign-off".to_owned(),
        [only] => format!("did you mean `{only}`?"),
        [nearest, rest @ ..] => {
            format!("did you mean `{nearest}`? open are also: {}", rest.join(", "))
        }
    }
}
