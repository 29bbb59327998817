//! A call happens once and leaves one row; a chain that was touched says where.

use agent_contract::{AgentCallScope, CallId, SchoolId, Subject};
use futures_util::future::join_all;
use serde_json::json;

use super::{
    AuditBody, Call, Chain, ClaimError, Claimed, Fault, StoredOutcome, verify, verify_all,
};
use crate::{
    db::{
        Database, DbError, Frame as _, TenantScope, WriteFrame,
        statements::Raw,
        testing::{behind_our_back, on_both},
        values,
    },
    demo,
};

/// What a delivery of a call came to.
#[derive(Debug, PartialEq, Eq)]
enum Came {
    Done(String),
    Replayed(String),
    Refused(String),
}

async fn frame(database: &Database) -> WriteFrame {
    let school = SchoolId::new("naalya").expect("an id");
    database.write(&TenantScope::new(school, None)).await.expect("a frame")
}

fn call(id: &str, actor: &str, event: &str, args: &str) -> Call {
    Call {
        id: CallId::new(id).expect("an id"),
        actor: actor.to_owned(),
        event: event.to_owned(),
        args_hash: args.to_owned(),
    }
}

fn body() -> AuditBody {
    AuditBody {
        subjects: vec![Subject::new("department", "d1")],
        args: json!({ "name": "Art" }),
        scope: AgentCallScope::School,
        via: "test".to_owned(),
        turn_id: None,
    }
}

/// One delivery: claims, renames every department by one letter, commits.
async fn deliver(database: &Database, call: Call) -> Came {
    let frame = frame(database).await;
    let outcome = StoredOutcome::of(&json!({ "data": call.id.as_str() })).expect("JSON");
    match frame.claim(call).await {
        Ok(Claimed::New(ticket)) => {
            let change =
                Raw("UPDATE main.department SET name = name || '!' WHERE school_id = 'naalya'"
                    .to_owned());
            frame.session().lock().await.execute(change, values![]).await.expect("changed");
            let entry = ticket.entry(&body()).expect("an entry");
            frame.commit(entry, outcome.clone()).await.expect("committed");
            Came::Done(outcome.as_json().to_owned())
        }
        Ok(Claimed::Replay(stored)) => Came::Replayed(stored.as_json().to_owned()),
        Err(error) => Came::Refused(error.to_string()),
    }
}

async fn chain(database: &Database) -> Chain {
    verify(database, &SchoolId::new("naalya").expect("an id")).await.expect("walked")
}

/// How often the departments were renamed.
async fn changes(database: &Database) -> usize {
    let frame = frame(database).await;
    let row: Option<(String,)> = frame
        .session()
        .lock()
        .await
        .optional(Raw("SELECT name FROM department ORDER BY id LIMIT 1".to_owned()), values![])
        .await
        .expect("a name");
    row.expect("a department").0.matches('!').count()
}

on_both! {
    async fn a_call_that_comes_again_is_told_what_came_of_it(database: Database) {
        demo::plant(&database).await.expect("planted");
        let original = || call("c1", "ruth", "create.department", "h1");
        let answer = r#"{"data":"c1"}"#.to_owned();
        assert_eq!(deliver(&database, original()).await, Came::Done(answer.clone()));
        assert_eq!(deliver(&database, original()).await, Came::Replayed(answer.clone()));
        let taken = Came::Refused("call id c1 was used for another call; nothing was done".to_owned());
        for other in [
            call("c1", "peter", "create.department", "h1"),
            call("c1", "ruth", "rename.department", "h1"),
            call("c1", "ruth", "create.department", "h2"),
        ] {
            assert_eq!(deliver(&database, other).await, taken);
        }
        assert_eq!(changes(&database).await, 1);
        assert!(matches!(chain(&database).await, Chain::Whole { rows: 2, .. }));
    }

    async fn a_delivery_that_was_cut_off_left_nothing_and_runs_again(database: Database) {
        demo::plant(&database).await.expect("planted");
        let cut_off = frame(&database).await;
        let claimed = cut_off.claim(call("c1", "ruth", "e", "h")).await.expect("claimed");
        assert!(matches!(claimed, Claimed::New(_)));
        drop(cut_off);
        assert!(matches!(deliver(&database, call("c1", "ruth", "e", "h")).await, Came::Done(_)));
        assert_eq!(changes(&database).await, 1);
    }

    async fn eight_deliveries_at_once_run_once(database: Database) {
        demo::plant(&database).await.expect("planted");
        let twins = (0..8).map(|_| deliver(&database, call("c1", "ruth", "e", "h")));
        let came = join_all(twins).await;
        let done = came.iter().filter(|came| matches!(came, Came::Done(_))).count();
        let replayed = came.iter().filter(|came| matches!(came, Came::Replayed(_))).count();
        assert_eq!((done, replayed, changes(&database).await), (1, 7, 1), "{came:?}");
    }

    async fn sixteen_calls_at_once_make_one_chain(database: Database) {
        demo::plant(&database).await.expect("planted");
        let ids: Vec<String> = (0..16).map(|n| format!("c{n}")).collect();
        let calls = ids.iter().map(|id| deliver(&database, call(id, "ruth", "e", "h")));
        let came = join_all(calls).await;
        assert!(came.iter().all(|came| matches!(came, Came::Done(_))), "{came:?}");
        assert!(matches!(chain(&database).await, Chain::Whole { rows: 17, .. }));
        assert_eq!(changes(&database).await, 16);
    }

    async fn a_ticket_is_worth_nothing_in_another_frame(database: Database) {
        demo::plant(&database).await.expect("planted");
        let first = frame(&database).await;
        let Ok(Claimed::New(ticket)) = first.claim(call("c1", "ruth", "e", "h")).await else {
            panic!("the call is new");
        };
        drop(first);
        let entry = ticket.entry(&body()).expect("an entry");
        let outcome = StoredOutcome::of(&json!({})).expect("JSON");
        let refused = frame(&database).await.commit(entry, outcome).await;
        assert!(matches!(refused, Err(DbError::Stored(_))), "{refused:?}");
        assert!(matches!(chain(&database).await, Chain::Whole { rows: 1, .. }));
    }

    async fn an_outcome_that_is_no_longer_kept_does_not_run_the_call_again(database: Database) {
        demo::plant(&database).await.expect("planted");
        deliver(&database, call("c1", "ruth", "e", "h")).await;
        behind_our_back(&database, "UPDATE main.tool_call SET outcome = NULL WHERE call_id = 'c1'").await;
        let refused = frame(&database).await.claim(call("c1", "ruth", "e", "h")).await;
        assert!(matches!(refused, Err(ClaimError::Forgotten)), "{refused:?}");
        behind_our_back(&database, "DELETE FROM main.tool_call WHERE call_id = 'c1'").await;
        let again = frame(&database).await;
        let Ok(Claimed::New(ticket)) = again.claim(call("c1", "ruth", "e", "h")).await else {
            panic!("nothing is known of the call");
        };
        let entry = ticket.entry(&body()).expect("an entry");
        let refused = again.commit(entry, StoredOutcome::of(&json!({})).expect("JSON")).await;
        assert!(matches!(refused, Err(DbError::Duplicate(_))), "{refused:?}");
    }

    async fn the_log_only_grows(database: Database) {
        demo::plant(&database).await.expect("planted");
        for attempt in ["UPDATE main.audit_log SET body = 'x'", "DELETE FROM main.audit_log"] {
            let frame = frame(&database).await;
            let done = frame.session().lock().await.execute(Raw(attempt.to_owned()), values![]).await;
            assert!(done.is_err(), "{attempt}");
        }
    }

    async fn verify_names_the_first_row_that_does_not_hold(database: Database) {
        demo::plant(&database).await.expect("planted");
        for n in 2..=4 {
            deliver(&database, call(&format!("c{n}"), "ruth", "e", "h")).await;
        }
        assert!(matches!(chain(&database).await, Chain::Whole { rows: 4, .. }));
        behind_our_back(
            &database,
            "CREATE TABLE kept_log AS SELECT * FROM audit_log; CREATE TABLE kept_head AS SELECT * FROM audit_head",
        )
        .await;
        let mine = "WHERE school_id = 'naalya'";
        for (tampering, seq, fault) in [
            (format!("UPDATE audit_log SET actor = 'peter' {mine} AND seq = 2"), 2, Fault::Altered),
            (format!("UPDATE audit_log SET body = body || ' ' {mine} AND seq = 3"), 3, Fault::Altered),
            (format!("UPDATE audit_log SET at_us = at_us + 1 {mine} AND seq = 4"), 4, Fault::Altered),
            (format!("UPDATE audit_log SET event = 'x' {mine} AND seq IN (2, 3)"), 2, Fault::Altered),
            (format!("UPDATE audit_log SET hash = 'x' {mine} AND seq = 1"), 1, Fault::Altered),
            (format!("UPDATE audit_log SET prev_hash = 'x' {mine} AND seq = 3"), 3, Fault::Unlinked),
            (format!("DELETE FROM audit_log {mine} AND seq = 1"), 1, Fault::Missing),
            (format!("DELETE FROM audit_log {mine} AND seq = 3"), 3, Fault::Missing),
            (format!("DELETE FROM audit_log {mine} AND seq = 4"), 4, Fault::Missing),
            (format!("UPDATE audit_head SET seq = 3 {mine}"), 4, Fault::PastEnd),
            (format!("UPDATE audit_head SET hash = 'x' {mine}"), 4, Fault::PastEnd),
        ] {
            behind_our_back(&database, &tampering).await;
            assert_eq!(chain(&database).await, Chain::Broken { seq, fault }, "{tampering}");
            let all = verify_all(&database).await.expect("walked");
            assert!(matches!(all[1].1, Chain::Whole { rows: 1, .. }), "the other school's chain holds");
            behind_our_back(
                &database,
                "DELETE FROM audit_log; INSERT INTO audit_log SELECT * FROM kept_log; \
                 DELETE FROM audit_head; INSERT INTO audit_head SELECT * FROM kept_head",
            )
            .await;
        }
        assert!(matches!(chain(&database).await, Chain::Whole { rows: 4, .. }));
        // The database is lent: whoever gets it next finds the tables of the migrations and no others.
        behind_our_back(&database, "DROP TABLE kept_log; DROP TABLE kept_head").await;
    }
}
