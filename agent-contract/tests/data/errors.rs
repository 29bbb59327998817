//! What a model and a staff member read when a call fails.

use agent_contract::{ArgumentFault, NO_TENANT_SCOPE_ERROR, Outcome, ToolError, TransportError};

#[test]
fn each_error_is_a_sentence_with_an_outcome() {
    let faults = vec![
        ArgumentFault::new("args.name", "string", "number 5"),
        ArgumentFault::new("args.seats", "integer", "nothing"),
    ];
    let mismatch = ToolError::Mismatch {
        tool: "create_department".into(),
        worker: "1a2b".into(),
        server: "3c4d".into(),
        differs: Some("the first difference: /event was \"a\" and is \"b\"".into()),
    };
    let rows = [
        (
            ToolError::denied("you may not create departments here"),
            Outcome::Denied,
            "Permission denied: you may not create departments here",
        ),
        (ToolError::not_found("department"), Outcome::Error, "there is no such department"),
        (
            ToolError::NotFound { what: "class", id: Some("cls_9".into()) },
            Outcome::Error,
            "there is no such class: cls_9",
        ),
        (
            ToolError::Invalid(faults),
            Outcome::Invalid,
            "the arguments do not fit this tool:\n\
          args.name: expected string, got number 5\n\
          args.seats: expected integer, got nothing",
        ),
        (
            ToolError::CampusRequired {
                allowed: vec!["Main Campus".into(), "Lakeside Campus".into()],
            },
            Outcome::Invalid,
            "name a campus: Main Campus, Lakeside Campus",
        ),
        (ToolError::CampusRequired { allowed: Vec::new() }, Outcome::Invalid, "name a campus"),
        (
            ToolError::refused("A term ends after it begins."),
            Outcome::Error,
            "A term ends after it begins.",
        ),
        (
            ToolError::conflict("The campus has a department of this name."),
            Outcome::Error,
            "The campus has a department of this name.",
        ),
        (ToolError::NoTenant, Outcome::Denied, NO_TENANT_SCOPE_ERROR),
        (
            ToolError::Busy,
            Outcome::Busy,
            "the server is busy and has not begun this; try again in a moment",
        ),
        (
            ToolError::Deadline,
            Outcome::Deadline,
            "the time for this call ran out; nothing was changed",
        ),
        (
            mismatch,
            Outcome::Mismatch,
            "the tool create_department is at version 1a2b in the worker and at 3c4d in the server; it was not run; \
             the first difference: /event was \"a\" and is \"b\"",
        ),
        (
            ToolError::Internal,
            Outcome::Error,
            "something went wrong on the server; nothing was changed",
        ),
    ];
    for (error, outcome, sentence) in rows {
        assert_eq!(error.to_string(), sentence);
        assert_eq!(error.outcome(), outcome, "{sentence}");
    }
}

#[test]
fn a_transport_error_says_whether_the_call_may_have_run() {
    for error in [
        TransportError::NoServer,
        TransportError::Busy,
        TransportError::Closed,
        TransportError::Unanswered,
        TransportError::Deadline,
        TransportError::Lost,
    ] {
        let sentence = error.to_string();
        assert_eq!(sentence.contains("may or may not have been done"), error.may_have_run());
        assert_eq!(sentence.contains("nothing was changed"), !error.may_have_run());
    }
}
