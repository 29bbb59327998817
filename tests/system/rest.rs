//! REST before judges that we did not write: is `/openapi.json` a description, and does the server answer as it says?

use serde_json::{Value, json};

use crate::support::{Rover, python};

const GRACE: &str = "grace.namutebi@naalya.example";

#[test]
fn the_description_is_openapi_and_the_server_answers_as_described() {
    let rover = Rover::dev(&[]);
    let document = rover.get("/openapi.json", GRACE);
    let verdict = python("openapi.py", &["describes"], &document.to_string());
    assert_eq!(verdict, [json!({ "no": null })]);

    let token = rover.ask(&["token", GRACE]);
    let arguments = ["serves", rover.address(), token.trim()];
    let lines = python("openapi.py", &arguments, &document.to_string());
    let faults: Vec<&Value> = lines.iter().filter(|line| !line["no"].is_null()).collect();
    assert!(faults.is_empty(), "{faults:#?}");
    // Much of what is sent is made up; enough succeeds for good answers to be judged too.
    let succeeded = |line: &&Value| {
        let statuses = line["statuses"].as_object().expect("counts");
        statuses.keys().any(|status| status.starts_with('2'))
    };
    let (all, good) = (lines.len(), lines.iter().filter(succeeded).count());
    assert!(all > 80 && good > all / 3, "{good} of {all} succeeded: {lines:#?}");
}

#[test]
fn the_judge_refuses_what_is_no_description() {
    let bad = [
        json!({ "openapi": "3.1.0", "paths": {} }),
        json!({ "openapi": "3.1.0", "info": { "title": "x", "version": "1" },
                "paths": { "/a/{id}": { "get": { "responses": { "200": { "description": "Done." } } } } } }),
    ];
    for document in bad {
        let verdict = python("openapi.py", &["describes"], &document.to_string());
        assert!(verdict[0]["no"].is_array(), "{document}: {verdict:?}");
    }
}
