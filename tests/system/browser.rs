//! A staff member at the Hub, in headless Chromium, against the whole program in one process.
//!
//! `tests/peers/browser.mjs` plays the person and prints what it saw; expectations are the issue's own
//! sentences. It fails by itself on a page error, a breach of the content security policy or a request
//! to another host.

use serde_json::{Value, json};
use tools::agent_tools::DEFS;

use crate::support::{Peer, Rover, held_model, seen};

const HEAD_TEACHER: &str = "sign-in=grace.namutebi@naalya.example";
const SUBJECT_TEACHER: &str = "sign-in=peter.mukasa@naalya.example";

#[test]
fn browser_shows_the_activity_and_an_answer_that_names_the_campus() {
    let rover = Rover::dev(&[]);
    let steps = person(
        &rover,
        &[
            HEAD_TEACHER,
            "shot=empty",
            "campus=Main Campus",
            "say=create a department called Astronomy",
            "activity=Creating a department",
            "answer",
            "shot=answer",
            "accessible",
            "trace",
            "shot=trace",
            "accessible",
        ],
    );

    let answer = seen(&steps, "answer");
    assert_eq!(answer["activity"], json!([{ "label": "Creating a department", "state": "done" }]));
    let text = answer["text"].as_str().expect("text");
    assert!(text.contains("Astronomy") && text.contains("Main Campus"), "{text}");

    let call = &seen(&steps, "trace")["calls"][0];
    assert_eq!(call["name"], "create_department");
    let gates = call["gates"].as_object().expect("an object");
    let names: Vec<_> = gates.keys().map(String::as_str).collect();
    let in_order = [
        "transport",
        "token",
        "identity",
        "admission",
        "arguments",
        "tenant",
        "frame",
        "claim",
        "posture",
        "handler",
        "commit",
    ];
    assert_eq!(names, in_order);
    assert!(gates.values().all(|state| state == "passed"), "{gates:?}");
}

#[test]
fn browser_hides_a_refused_call_and_lets_the_answer_carry_the_news() {
    let rover = Rover::dev(&[]);
    let steps = person(
        &rover,
        &[
            SUBJECT_TEACHER,
            "campus=Main Campus",
            "say=create a department called Botany",
            "answer",
            "shot=denied",
            "trace",
        ],
    );

    let answer = seen(&steps, "answer");
    assert_eq!(answer["activity"], json!([]));
    let text = answer["text"].as_str().expect("text").to_lowercase();
    assert!(text.contains("permission") || text.contains("not allowed"), "{text}");
    let call = &seen(&steps, "trace")["calls"][0];
    assert_eq!(call["failed"], true);
    assert_eq!(call["gates"]["posture"], "failed");
    assert_eq!(call["gates"]["handler"], "unreached");
}

#[test]
fn browser_answers_a_question_within_the_same_turn() {
    let rover = Rover::dev(&[]);
    let steps = person(
        &rover,
        &[
            "size=360x740",
            HEAD_TEACHER,
            "campus=Whole school",
            "say=create a department called Zoology",
            "question",
            "shot=question",
            "accessible",
            "reload",
            "question",
            "choose=Lakeside Campus",
            "answer",
            "shot=answered",
            "trace",
        ],
    );

    assert_eq!(seen(&steps, "question")["options"], json!(["Lakeside Campus", "Main Campus"]));
    let text = seen(&steps, "answer")["text"].as_str().expect("text");
    assert!(text.contains("Zoology") && text.contains("Lakeside Campus"), "{text}");
    assert_eq!(seen(&steps, "trace")["title"], "create a department called Zoology");
}

#[test]
fn browser_picks_a_running_turn_up_after_a_reload() {
    let (model, base) = held_model();
    let rover = Rover::dev(&["--model", "openai/held", "--openai-base-url", &base]);
    let go = format!("post={}", base.replace("/v1", "/go"));
    let steps = person(
        &rover,
        &[
            HEAD_TEACHER,
            "say=tell me something",
            "text=looking into it",
            "reload",
            "text=looking into it",
            &go,
            "answer",
        ],
    );

    let answer = seen(&steps, "answer");
    assert_eq!(answer["text"], "I am looking into it, and this is the end.");
    assert_eq!(answer["ending"], Value::Null);
    drop(model);
}

#[test]
fn browser_stops_a_running_turn() {
    let (model, base) = held_model();
    let rover = Rover::dev(&["--model", "openai/held", "--openai-base-url", &base]);
    let steps = person(
        &rover,
        &[
            HEAD_TEACHER,
            "theme=dark",
            "say=tell me something",
            "text=looking into it",
            "stop",
            "answer",
            "shot=stopped",
            "accessible",
        ],
    );

    let answer = seen(&steps, "answer");
    assert_eq!(answer["ending"], "Stopped");
    assert!(answer["text"].as_str().expect("text").starts_with("I am looking into it,"));
    // The worker let go of the model, too.
    assert!(model.lines_until("left").last().expect("a line")["left"].is_string());
}

#[test]
fn browser_lists_the_tools_and_finds_one() {
    let rover = Rover::dev(&[]);
    let steps = person(
        &rover,
        &[
            "size=360x740",
            "theme=dark",
            SUBJECT_TEACHER,
            "to-tools",
            "tools",
            "accessible",
            "search=attendance REGISTER",
            "tools",
            "tool=record_attendance",
            "shot=tool",
            "accessible",
            "size=1280x800",
            "theme=light",
            "open=#/tools/create_department",
            "reload",
            "tools",
            "tool=create_department",
            "shot=tools",
            "accessible",
        ],
    );

    let lists: Vec<_> = steps.iter().filter(|step| step["step"] == "tools").collect();
    assert_eq!(lists[0]["count"], format!("{} tools", DEFS.len()));
    let names: Vec<_> = DEFS.iter().map(|def| def.name).collect();
    assert_eq!((&lists[0]["names"], &lists[0]["wide"]), (&json!(names), &json!(false)));
    let found = lists[1]["names"].as_array().expect("a list");
    assert!(found.contains(&json!("record_attendance")) && found.len() < 6, "{found:?}");
    let focused = lists[2]["focused"].as_str().expect("text");
    assert!(focused.starts_with("create_department"), "the address opens the tool: {focused}");

    let tool = seen(&steps, "tool");
    assert_eq!(tool["facts"]["Offered in"], "Every mode");
    assert_eq!(tool["arguments"], json!(["name", "campusId"]));
    let shown = tool["shown"].as_array().expect("a list");
    assert!(
        shown[0].as_str().is_some_and(|line| line.starts_with("rover call create_department "))
    );
    assert!(shown[1].as_str().is_some_and(|result| result.contains("\"name\": \"Mathematics\"")));
}

#[test]
fn browser_says_what_is_wrong_with_a_sign_in() {
    let rover = Rover::dev(&[]);
    let steps =
        person(&rover, &["password=grace.namutebi@naalya.example:wrong", "alert", "shot=refused"]);

    let text = seen(&steps, "alert")["text"].as_str().expect("text");
    assert!(text.contains("password"), "{text}");
}

/// Plays the person; screenshots go beside the test's other output.
fn person(rover: &Rover, steps: &[&str]) -> Vec<Value> {
    let name = std::thread::current().name().unwrap_or("browser").replace("::", "-");
    let shots = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("shots").join(name);
    let mut args = vec![rover.address(), shots.to_str().expect("a plain path")];
    args.extend(steps);
    Peer::run("browser.mjs", &args)
}
