//! What stands against a deployment, and what a person can answer for.

use agent_contract::Date;
use agent_contract::lock::{
    Judgement, Lock, LockedPosture, LockedTool, Order, Outcome, Rule, Subject, Verdict, judge,
};
use serde_json::json;

use Order::{Any, ServerFirst, WorkerFirst};
use Outcome::{Breaking, Fine, Undecided};

use crate::sample::{NAME, lock_of, lock_of_none, tool};

fn edited(edit: impl FnOnce(&mut LockedTool)) -> Lock {
    let mut edited = tool();
    edit(&mut edited);
    lock_of(NAME, LockedTool::new(NAME, edited.access, edited.shape, edited.docs))
}

fn today() -> Date {
    Date::new(2026, 2, 1).unwrap()
}

fn subject() -> Subject {
    Subject::Tool(NAME.into())
}

#[test]
fn the_order_of_deployment_decides() {
    let old = edited(|_| {});
    let wider = edited(|tool| tool.shape.args["properties"]["seats"]["maximum"] = json!(600));
    let narrower = edited(|tool| tool.shape.args["properties"]["seats"]["maximum"] = json!(400));
    let undecided = |pattern: &str| {
        edited(|tool| tool.shape.args["properties"]["name"]["pattern"] = json!(pattern))
    };
    let patterns = (undecided("^(ab)*c{7}$"), undecided("^(ab)*c{6}c$"));
    let table = [
        (&old, &old, [Fine, Fine, Fine]),
        (&old, &wider, [Fine, Breaking, Breaking]),
        (&old, &narrower, [Breaking, Fine, Breaking]),
        (&patterns.0, &patterns.1, [Undecided, Undecided, Undecided]),
    ];
    for (old, new, expected) in table {
        let found = [ServerFirst, WorkerFirst, Any].map(|order| judge(old, new, order).outcome);
        assert_eq!(found, expected);
    }
}

#[test]
fn a_signature_is_for_one_change_and_no_other() {
    let old = edited(|_| {});
    let owned = |tool: &mut LockedTool| tool.access.posture = Some(LockedPosture::Relationship);
    let mut new = edited(owned);
    let outcome = |new: &Lock| judge(&old, new, Order::ServerFirst).outcome;
    assert_eq!(outcome(&new), Outcome::Breaking, "rights never change by themselves");

    new.sign_off(&old, Rule::Auth, &subject(), " owners edit ", today()).unwrap();
    assert_eq!(outcome(&new), Outcome::Fine);
    let Judgement { changes, .. } = judge(&old, &new, Order::ServerFirst);
    let signed = changes[0].signed_off.as_ref().unwrap();
    assert_eq!((signed.reason.as_str(), signed.on), ("owners edit", today()));

    // It is written with the tool, survives the next lock, and does not cover the next change.
    assert_eq!(Lock::parse(&new.text().unwrap()).unwrap(), new);
    let open = edited(|tool| tool.access.posture = None);
    let mut next = open.tools[NAME].clone();
    next.signed_off.clone_from(&new.tools[NAME].signed_off);
    assert_eq!(outcome(&lock_of(NAME, next)), Outcome::Breaking);
}

#[test]
fn a_change_that_begins_like_a_signed_one_is_another() {
    let old = edited(|_| {});
    let offered = |roles: &[&str]| {
        edited(|tool| tool.access.roles = roles.iter().map(|role| (*role).to_owned()).collect())
    };
    let mut signed = offered(&["class_teacher", "rover"]);
    signed.sign_off(&old, Rule::Auth, &subject(), "teachers asked", today()).unwrap();
    assert_eq!(judge(&old, &signed, Order::Any).outcome, Outcome::Fine);
    for roles in [&["class_teacher", "director_of_studies", "rover"][..], &["class_teacher"]] {
        let mut other = offered(roles).tools.remove(NAME).unwrap();
        other.signed_off.clone_from(&signed.tools[NAME].signed_off);
        assert_eq!(judge(&old, &lock_of(NAME, other), Order::Any).outcome, Outcome::Breaking);
    }
    // Nor may the right be changed under the same signature.
    let mut other = signed.tools[NAME].clone();
    other.access.posture = None;
    let signatures = std::mem::take(&mut other.signed_off);
    let mut other = LockedTool::new(NAME, other.access, other.shape, other.docs);
    other.signed_off = signatures;
    assert_eq!(judge(&old, &lock_of(NAME, other), Order::Any).outcome, Outcome::Breaking);
}

#[test]
fn a_signature_must_fit_a_change_and_say_why() {
    let old = edited(|_| {});
    let mut new = edited(|tool| {
        tool.shape.args["properties"]["seats"]["maximum"] = json!(400);
        tool.docs.label = "Making a room".into();
    });
    let before = new.clone();
    let mut sign = |rule, subject: &Subject, reason| {
        let refused = new.sign_off(&old, rule, subject, reason, today()).unwrap_err().to_string();
        assert_eq!(new, before, "nothing was recorded");
        refused
    };
    assert_eq!(
        sign(Rule::Auth, &subject(), "why not"),
        "there is no AUTH of `create_room` to sign off; did you mean `ARG_NARROWED:create_room`?"
    );
    assert_eq!(
        sign(Rule::ArgNarrowed, &Subject::Tool("create_rom".into()), "why not"),
        "there is no ARG_NARROWED of `create_rom` to sign off; did you mean `ARG_NARROWED:create_room`?"
    );
    assert_eq!(
        sign(Rule::Prompt, &subject(), "why not"),
        "PROMPT of `create_room` breaks nothing, so there is nothing to sign off"
    );
    assert_eq!(
        sign(Rule::ArgNarrowed, &subject(), " \n"),
        "a sign-off needs a reason: say why the change is right, and who was told"
    );
}

#[test]
fn tools_that_are_gone_and_the_envelope_are_signed_in_the_lock_itself() {
    let (old, mut new) = (edited(|_| {}), lock_of_none());
    new.envelope.version = 2;
    let judged = |new: &Lock| judge(&old, new, Order::Any);
    assert_eq!(judged(&new).outcome, Outcome::Breaking);
    new.sign_off(&old, Rule::ToolRemoved, &subject(), "nobody books rooms", today()).unwrap();
    new.sign_off(&old, Rule::Envelope, &Subject::Envelope, "big release", today()).unwrap();
    assert_eq!((judged(&new).outcome, new.signed_off.len()), (Outcome::Fine, 2));
    let nothing = lock_of_none();
    let refused = nothing.clone().sign_off(&nothing, Rule::Auth, &subject(), "x", today());
    assert!(refused.unwrap_err().to_string().ends_with("nothing needs a sign-off"));
}

#[test]
fn the_worst_that_nobody_signed_comes_first() {
    let old = edited(|_| {});
    let mut new = edited(|tool| {
        tool.docs.label = "Making a room".into();
        tool.access.roles = vec!["class_teacher".into()];
        tool.shape.args["properties"]["seats"]["maximum"] = json!(400);
    });
    new.sign_off(&old, Rule::ArgNarrowed, &subject(), "no room has more", today()).unwrap();
    let Judgement { changes, .. } = judge(&old, &new, Order::Any);
    let told: Vec<_> = changes.iter().map(|one| (one.finding.rule, one.verdict)).collect();
    assert_eq!(
        told,
        [
            (Rule::Auth, Verdict::SignOff),
            (Rule::Prompt, Verdict::Safe),
            (Rule::ArgNarrowed, Verdict::Breaking),
        ]
    );
}
