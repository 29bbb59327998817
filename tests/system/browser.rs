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
fn browser_attaches_files_and_gets_them_back() {
    let rover = Rover::dev(&["--file-mib", "1", "--message-files", "2"]);
    let steps = person(
        &rover,
        &[
            HEAD_TEACHER,
            "attach=page.html|text/html|<script>alert(1)</script>",
            "attach=large.txt|text/plain|0123456789abcdef|65537",
            "attach=picture.png|image/png|this is no picture",
            "attach=../..\\marks of \u{201c}S1\u{201d}.csv|application/vnd.ms-excel|name,mark\nRuth,81\n",
            "attach=unwanted.txt|text/plain|nothing",
            "shot=attached",
            "accessible",
            "leave-out=unwanted.txt",
            "say=who am I",
            "answer",
            "files",
            "reload",
            "files",
            "shot=files",
            "accessible",
            "download=marks of \u{201c}S1\u{201d}.csv",
            "size=360x740",
            "theme=dark",
            "shot=files-phone",
            "accessible",
        ],
    );

    let told: Vec<_> = steps.iter().filter(|step| step["step"] == "attach").collect();
    for (step, words) in told.iter().zip([
        "page.html: Files of type `text/html` are not taken; these are: PNG picture",
        "large.txt: The file is too large: at most 1 MiB are taken",
        "picture.png: The file is no PNG picture, although it says so",
    ]) {
        assert_eq!(step["attached"], json!([]));
        let fault = step["fault"].as_str().expect("it is refused");
        assert!(fault.starts_with(words), "{fault}");
    }
    assert_eq!(told[4]["fault"], Value::Null);
    assert_eq!(told[4]["attached"].as_array().map(Vec::len), Some(2));
    // Whatever folders it was in, it has a plain name now.
    let name = "marks of \u{201c}S1\u{201d}.csv";
    for files in steps.iter().filter(|step| step["step"] == "files") {
        assert_eq!(files["names"], json!([name]), "live and when it is read again");
    }
    let saved = seen(&steps, "download");
    assert_eq!((&saved["name"], &saved["text"]), (&json!(name), &json!("name,mark\nRuth,81\n")));
    let text = seen(&steps, "answer")["text"].as_str().expect("text");
    assert!(text.contains("Grace Namutebi"), "{text}");
}

#[test]
fn browser_lets_the_model_read_an_attached_text() {
    let (model, base) = held_model();
    let rover = Rover::dev(&["--model", "openai/held", "--openai-base-url", &base]);
    let go = format!("post={}", base.replace("/v1", "/go"));
    let steps = person(
        &rover,
        &[
            HEAD_TEACHER,
            "attach=marks.csv|text/csv|name,mark\nRuth,81\n",
            "attach=scan.pdf|application/pdf|%PDF-1.7\n%",
            "say=what is in it",
            "text=looking into it",
            &go,
            "answer",
            // The next turn of the conversation reads it as well.
            "say=and the highest mark",
            "text=looking into it",
            &go,
            "answer",
        ],
    );
    assert_eq!(seen(&steps, "answer")["fault"], Value::Null);
    let asked = |words: &str| {
        let asked = model.lines_until("asked").last().expect("a line")["said"].clone();
        let said = asked.as_array().expect("a list");
        assert!(said.last().expect("one").to_string().contains(words), "{asked}");
        let said = asked.to_string();
        assert!(said.contains("name,mark\\nRuth,81"), "{said}");
        assert!(said.contains("scan.pdf") && !said.contains("%PDF"), "{said}");
    };
    asked("what is in it");
    asked("and the highest mark");
}

#[test]
fn browser_deletes_a_conversation_that_the_person_means_to_delete() {
    let rover = Rover::dev(&[]);
    let steps = person(
        &rover,
        &[
            HEAD_TEACHER,
            "say=who am I",
            "answer",
            "new",
            "say=list the departments",
            "answer",
            "keep=who am I",
            "threads=who am I",
            "forget=list the departments",
            "shot=deleted",
            "accessible",
            "threads=who am I",
            "reload",
            "threads=who am I",
        ],
    );

    let lists: Vec<_> = steps.iter().filter(|step| step["step"] == "threads").collect();
    assert_eq!(lists[0]["titles"], json!(["list the departments", "who am I"]));
    assert_eq!(lists[1]["titles"], json!(["who am I"]));
    assert_eq!(lists[2]["titles"], json!(["who am I"]), "it is gone from the server, too");
    let forgot = seen(&steps, "forget");
    let asked = forgot["asked"].as_str().expect("it asks first");
    assert!(asked.starts_with("Delete \u{201c}list the departments\u{201d}"), "{asked}");
    assert_eq!(
        forgot["announced"],
        "The conversation \u{201c}list the departments\u{201d} is deleted."
    );
    assert_eq!(forgot["address"], "#/", "the open conversation makes room for a new one");
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
