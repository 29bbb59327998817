//! Conversations: what is asked, what the answers lead to, and what is said at the end.

use serde_json::{Value, json};
use worker::planner::PlannedCall;

use crate::school::{PLANNER, Talk, Turn, writes};

fn talk(sentence: &str, answers: &[&str]) -> Talk {
    Turn::of_rover(answers).say(sentence)
}

fn written(talk: &Talk) -> Vec<(&str, &Value)> {
    let written = talk.calls.iter().filter(|call| writes(call));
    written.map(|call| (call.name.as_str(), &call.arguments)).collect()
}

fn question(talk: &Talk) -> &PlannedCall {
    talk.calls.iter().find(|call| call.name == "ask_staffer").expect("a question was asked")
}

#[test]
fn what_is_missing_is_asked_and_the_answer_goes_on() {
    let talk = talk("create a department", &["Mathematics."]);
    assert!(
        question(&talk).arguments["question"]
            .as_str()
            .unwrap()
            .contains("the name of the department")
    );
    assert_eq!(written(&talk), [("create_department", &json!({"name": "Mathematics"}))]);
    assert!(talk.text.unwrap().contains("Across the school"));
}

#[test]
fn several_records_of_a_name_are_a_choice() {
    for answer in ["Grace Kato", "grace", "2", "the second"] {
        let talk = talk("move Kato to S1 West", &[answer]);
        assert_eq!(question(&talk).arguments["options"], json!(["John Kato", "Grace Kato"]));
        let expected = json!({"studentId": "stu-grace", "classId": "class-s1w"});
        assert_eq!(written(&talk), [("move_student", &expected)], "{answer}");
    }
}

#[test]
fn a_name_with_and_in_it_is_one_or_several_as_the_person_says() {
    let sentence = "create a department called History and Geography";
    let one = talk(sentence, &["yes"]);
    assert_eq!(written(&one), [("create_department", &json!({"name": "History and Geography"}))]);
    let each = talk(sentence, &["2"]);
    let names = [json!({"name": "History"}), json!({"name": "Geography"})];
    assert_eq!(written(&each), names.each_ref().map(|name| ("create_department", name)));
    for answer in ["no", "3", "never mind"] {
        let none = talk(sentence, &[answer]);
        assert_eq!(written(&none), [], "{answer}");
    }
}

#[test]
fn this_term_is_known_from_the_calendar() {
    let talk = talk("move this term to the 2nd of February until 1 May", &[]);
    let expected = json!({"termNumber": 1, "startsOn": "2026-02-02", "endsOn": "2026-05-01"});
    assert_eq!(written(&talk), [("set_term_dates", &expected)]);
}

#[test]
fn another_request_for_an_answer_is_done_instead() {
    let talk = talk("create a department", &["list the departments"]);
    assert_eq!(written(&talk), []);
    assert_eq!(talk.calls.last().unwrap().name, "list_departments");
    let talk = self::talk("create a department", &["create a department called Music"]);
    assert_eq!(written(&talk), [("create_department", &json!({"name": "Music"}))]);
}

#[test]
fn a_request_taken_back_changes_nothing() {
    let talk = talk("create a department", &["never mind"]);
    assert_eq!(written(&talk), []);
    assert_eq!(talk.text.unwrap(), "All right, I leave it there.");
}

#[test]
fn an_answer_that_makes_no_sense_is_asked_again_and_not_for_ever() {
    let talk = talk("move Kato to S1 West", &["perhaps", "green", "who knows", "4", "5"]);
    assert_eq!(written(&talk), []);
    assert_eq!(talk.calls.iter().filter(|call| call.name == "ask_staffer").count(), 3);
    assert!(talk.text.unwrap().contains("leave it there"));
}

#[test]
fn a_missing_campus_is_asked_by_the_names_that_the_server_allows() {
    let mut turn = Turn::of_rover(&["Lakeside"]);
    let error = json!({"error": "name a campus: Main Campus, Lakeside Campus"});
    turn.results = vec![("create_department", error)];
    let talk = turn.say("create a department called Music");
    let options = json!(["Main Campus", "Lakeside Campus"]);
    assert_eq!(question(&talk).arguments["options"], options);
    let sent: Vec<_> = written(&talk).into_iter().map(|(_, arguments)| arguments.clone()).collect();
    assert_eq!(
        sent,
        [json!({"name": "Music"}), json!({"name": "Music", "campusId": "campus-lake"})]
    );
}

#[test]
fn an_unknown_record_is_said_and_nothing_is_written() {
    let talk = talk("archive the Astrology department", &[]);
    assert_eq!(written(&talk), []);
    assert!(talk.text.unwrap().contains("no department called “Astrology”"));
}

#[test]
fn a_subagents_tool_is_reached_through_task() {
    let talk = talk("record attendance for S1 East", &[]);
    assert_eq!(
        talk.calls[0].arguments,
        json!({"description": "record attendance for S1 East", "subagent_type": "class_teacher"})
    );
    let expected = json!({"classId": "class-s1e", "absentStudentIds": [], "lateStudentIds": []});
    assert_eq!(written(&talk), [("record_attendance", &expected)]);
}

#[test]
fn what_nobody_has_is_withheld_with_a_reason() {
    let mut turn = Turn::of_rover(&[]);
    turn.roster.clear();
    turn.tools.retain(|name| name != "compare_campuses");
    let school_only = turn.say("compare the campuses");
    assert!(school_only.calls.is_empty());
    assert!(school_only.text.unwrap().contains("whole school"));
    let no_class_teacher = turn.say("record attendance for S1 East");
    assert!(no_class_teacher.calls.is_empty());
    assert!(no_class_teacher.text.unwrap().contains("not among the things"));
}

#[test]
fn a_denied_call_is_explained_and_no_success_is_claimed() {
    let mut turn = Turn::of_rover(&[]);
    let denied = "Permission denied: you may not create departments.";
    turn.results = vec![("create_department", json!({"error": denied}))];
    let talk = turn.say("create a department called Music");
    assert_eq!(talk.text.unwrap(), format!("I could not do that. {denied}"));
}

#[test]
fn out_of_scope_gets_the_three_nearest_things() {
    let talk = talk("tidy up the departments of the moon", &[]);
    assert!(talk.calls.is_empty());
    let text = talk.text.unwrap();
    assert_eq!(text.matches("\n- ").count(), 3, "{text}");
    assert!(text.contains("department"), "{text}");
}

#[test]
fn a_record_is_told_line_by_line_under_its_scope() {
    let mut turn = Turn::of_rover(&[]);
    let scope =
        "Data is limited to this person's own records. Say \"your\", not \"across the school\".";
    let profile =
        json!({"name": "Ruth Akello", "email": "ruth@naalya.example", "roles": ["Class teacher"]});
    turn.results = vec![("get_my_profile", json!({"data": profile, "scopeContext": scope}))];
    let talk = turn.say("Who am I?");
    assert_eq!(
        talk.text.unwrap(),
        "In your own records: here is your profile.\n\n\
         - Name: Ruth Akello\n- Email: ruth@naalya.example\n- Roles: Class teacher"
    );
}

#[test]
fn suggestions_are_the_authors_sentences() {
    let talk = talk("departments new create please would be nice", &[]);
    let text = talk.text.unwrap();
    assert!(text.contains("“create a department called …”"), "{text}");
}

#[test]
fn small_talk_calls_nothing() {
    for (sentence, part) in
        [("Hello!", "Hello!"), ("thank you", "welcome"), ("help", "for example")]
    {
        let talk = talk(sentence, &[]);
        assert!(talk.calls.is_empty(), "{sentence}");
        assert!(talk.text.unwrap().contains(part), "{sentence}");
    }
}

#[test]
fn every_tool_that_answers_a_person_is_reachable() {
    let unreachable: Vec<_> = PLANNER.unreachable().collect();
    // The bands of a grading scale are more than a sentence holds, and so are the roles of a person; who works here, and
    // whether they still do, is nothing that this planner should read out of one.
    let expected =
        ["add_staff", "set_staff_roles", "set_staff_active", "set_grading_scale", "ask_staffer"];
    assert_eq!(unreachable, expected);
}

#[test]
fn a_register_without_a_class_asks_which_class() {
    let expected = json!("class-s1e");
    for sentence in ["everyone is present", "take the register for my class", "take the register"] {
        let talk = talk(sentence, &["S1 East"]);
        let asked = question(&talk).arguments["question"].as_str().unwrap().to_owned();
        assert!(asked.contains("the class"), "{sentence}: {asked}");
        let written = written(&talk);
        let [(tool, arguments)] = written[..] else { panic!("{sentence}: {written:?}") };
        assert_eq!((tool, &arguments["classId"]), ("record_attendance", &expected));
    }
}
