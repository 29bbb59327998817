//! The chat endpoint, read by the AI SDK's own chat and transport (`ai` 7).

use serde_json::Value;

use crate::support::{Peer, Rover};

const HEAD_TEACHER: &str = "grace.namutebi@naalya.example";
const CLASS_TEACHER: &str = "ruth.akello@naalya.example";

#[test]
fn a_sentence_becomes_a_department_and_an_answer_that_names_the_campus() {
    let rover = Rover::dev(&[]);
    let message = last_message(&say(
        &rover,
        HEAD_TEACHER,
        &["create a department called Astronomy at Main Campus"],
    ));

    let call = call(&message, "create_department");
    assert_eq!(call["state"], "output-available");
    assert_eq!(call["providerExecuted"], true);
    assert_eq!(call["output"]["data"]["name"], "Astronomy");
    let text = text(&message);
    assert!(text.contains("Astronomy") && text.contains("Main Campus"), "{text}");
    assert!(rover.ask(&["audit", "verify"]).contains("whole"));
}

#[test]
fn a_denied_call_is_an_error_part_and_the_answer_says_why() {
    let rover = Rover::dev(&[]);
    let message = last_message(&say(
        &rover,
        CLASS_TEACHER,
        &["create a department called Botany at Main Campus"],
    ));

    let call = call(&message, "create_department");
    assert_eq!(call["state"], "output-error");
    assert!(call["errorText"].as_str().expect("text").starts_with("Permission denied"), "{call}");
    assert!(text(&message).to_lowercase().contains("permission"), "{}", text(&message));
}

#[test]
fn a_question_is_a_client_tool_and_its_answer_goes_on_in_the_same_message() {
    let rover = Rover::dev(&[]);
    let lines = say(
        &rover,
        HEAD_TEACHER,
        &["create a department called Zoology", "--answer", "Lakeside Campus"],
    );
    let end = lines.last().expect("a line");
    let messages = end["messages"].as_array().expect("a list");
    assert_eq!(messages.len(), 2, "one of the person's, one of Rover's: {end}");
    let text = text(&messages[1]);
    assert!(text.contains("Zoology") && text.contains("Lakeside Campus"), "{text}");
    assert_eq!(end["status"], "ready");
}

#[test]
fn the_everyday_questions_are_answered() {
    let rover = Rover::dev(&[]);
    for (sentence, tool, word) in [
        ("list the departments", "list_departments", "Main Campus"),
        ("who am I", "get_my_profile", "Ruth Akello"),
        ("what is today's date", "get_current_date", "Kampala"),
        ("which classes do I teach", "list_my_classes", "S1 East"),
    ] {
        let message = last_message(&say(&rover, CLASS_TEACHER, &[sentence]));
        assert_eq!(call(&message, tool)["state"], "output-available");
        assert!(text(&message).contains(word), "{sentence}: {}", text(&message));
    }
}

#[test]
fn the_class_teacher_specialist_takes_the_register() {
    let rover = Rover::dev(&[]);
    let own = last_message(&say(&rover, CLASS_TEACHER, &["who am I"]));
    let class = call(&own, "get_my_profile")["output"]["data"]["classTeacherOf"].clone();
    let class = class.as_str().expect("Ruth has a class");
    let sentence = format!("everyone is present in {class}");
    let message = last_message(&say(&rover, CLASS_TEACHER, &[&sentence]));
    assert_eq!(call(&message, "task")["state"], "output-available");
    assert_eq!(call(&message, "record_attendance")["state"], "output-available");
}

fn say(rover: &Rover, email: &str, arguments: &[&str]) -> Vec<Value> {
    let token = rover.ask(&["token", email]);
    let address = format!("{}/api/naalya-ai/chat", rover.address());
    let mut all = vec![address.as_str()];
    all.extend(arguments);
    let (read, lines) = Peer::try_run("chat-client.mjs", &all, &[("TOKEN", token.trim())]);
    assert!(read, "the SDK refused the stream: {lines:?}");
    lines
}

fn last_message(lines: &[Value]) -> Value {
    lines.last().expect("a line")["messages"]
        .as_array()
        .expect("a list")
        .last()
        .expect("a line")
        .clone()
}

/// The last call of this tool.
fn call<'a>(message: &'a Value, tool: &str) -> &'a Value {
    let mut parts = message["parts"].as_array().expect("a list").iter().rev();
    parts
        .find(|part| part["type"] == "dynamic-tool" && part["toolName"] == tool)
        .unwrap_or_else(|| panic!("no {tool}: {message}"))
}

fn text(message: &Value) -> String {
    let parts = message["parts"].as_array().expect("a list").iter();
    parts.filter(|part| part["type"] == "text").filter_map(|part| part["text"].as_str()).collect()
}
