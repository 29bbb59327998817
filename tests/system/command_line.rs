//! The command line as an operator uses it: what it prints, and what it says to a wrong wish.

use crate::support::{Folder, Rover, wrong_brokers};

const HEAD_TEACHER: &str = "grace.namutebi@naalya.example";
const CLASS_TEACHER: &str = "ruth.akello@naalya.example";

#[test]
fn why_names_the_first_gate_that_stops_a_tool() {
    let rover = Rover::dev(&[]);
    let cases: [(&[&str], &str); 6] = [
        (
            &["why", "create_department", "--as", CLASS_TEACHER, "--mode", "school"],
            "STOPPED  posture   Permission denied",
        ),
        (
            &["why", "compare_campuses", "--as", HEAD_TEACHER, "--mode", "campus:Main Campus"],
            "STOPPED  offered   withheld from rover: it is for the other run mode",
        ),
        (
            &["why", "record_attendance", "--as", HEAD_TEACHER],
            "withheld from class_teacher: that agent does not exist for this person",
        ),
        (
            &["why", "create_department", "--as", HEAD_TEACHER, "what is the weather"],
            "STOPPED  chosen",
        ),
        (
            &["why", "create_department", "--as", HEAD_TEACHER],
            "nothing stops it before the handler",
        ),
        (&["why", "list_my_classes", "--as", CLASS_TEACHER], "by proof"),
    ];
    for (arguments, expected) in cases {
        let printed = rover.ask(arguments);
        assert!(printed.contains(expected), "{arguments:?}\n{printed}");
    }
}

#[test]
fn a_call_passes_the_gates_and_leaves_a_trace_and_an_audit_row() {
    let rover = Rover::dev(&[]);
    let call = |args: &str| {
        let mut all = vec!["call", "create_department", "--as", HEAD_TEACHER];
        all.extend(["--mode", "campus:Main Campus", "--args", args]);
        rover.try_ask(&all)
    };
    let (status, printed) = call(r#"{"name":"Astronomy"}"#);
    assert!(status.success() && printed.contains("scopeContext"), "{printed}");
    let (status, printed) = call(r#"{"name":5}"#);
    assert!(!status.success() && printed.contains("args.name"), "{printed}");
    let trace = rover.ask(&["turn", "show", "last"]);
    assert!(trace.contains("arguments  STOPPED"), "{trace}");
    let why = rover.ask(&["why", "create_department", "--turn", "last"]);
    assert!(why.contains("stopped at gate 4 arguments"), "{why}");
    assert!(rover.ask(&["audit", "verify"]).contains("2 rows, whole"), "one demo row, one write");
}

#[test]
fn a_wrong_wish_is_told_what_to_write() {
    let rover = Rover::dev(&[]);
    let cases: [(&[&str], &str); 10] = [
        (&["tools", "show", "creat_department"], "did you mean `create_department`?"),
        (
            &["call", "ask_staffer", "--as", HEAD_TEACHER, "--args", r#"{"question":"Why?"}"#],
            r#"nobody is here to answer \"Why?\"; give the answer with the call"#,
        ),
        (&["call", "list_staff", "--as", "nobody@naalya.example"], "no account signs in with"),
        (
            &["why", "list_staff", "--as", HEAD_TEACHER, "--mode", "campus:Nowhere"],
            "this person's campuses: ",
        ),
        (&["turn", "show", "nothing"], "there is no turn nothing"),
        (&["worker"], "`amqp`: not given"),
        (&["--database", "mysql://x", "audit", "verify"], "`database` (--database): "),
        (&["--model", "gpt", "dev"], "`model` (--model): "),
        (&["dev"], "`data_dir`: another Rover uses "),
        (
            &["--database", "postgres://u:secret@127.0.0.1:1/x", "dev"],
            "`database`: postgres://127.0.0.1:1/x cannot be used",
        ),
    ];
    for (arguments, expected) in cases {
        let (status, printed) = rover.try_ask(arguments);
        assert!(!status.success() && printed.contains(expected), "{arguments:?}\n{printed}");
    }
}

#[test]
fn a_wrong_value_names_who_gave_it() {
    let folder = Folder::empty();
    for (variable, value, expected) in [
        ("ROVER_LISTEN", "banana", "for 'ROVER_LISTEN'"),
        ("ROVER_LISTEN", "", "for 'ROVER_LISTEN'"),
        ("ROVER_IDENTITY", "banana", "for 'ROVER_IDENTITY'"),
        ("ROVER_MODEL", "banana", "`model` (ROVER_MODEL): "),
        ("ROVER_AMQP", "amqp://", "`amqp` (ROVER_AMQP): "),
    ] {
        let (status, printed) = folder.try_ask_with((variable, value), &["audit", "verify"]);
        assert!(!status.success() && printed.contains(expected), "{variable}={value}\n{printed}");
    }
    let flag = ["audit", "verify", "--listen", "apple"];
    let (_, printed) = folder.try_ask_with(("ROVER_LISTEN", "banana"), &flag);
    assert!(printed.contains("'apple' for '--listen"), "{printed}");
}

#[test]
fn a_server_that_knows_no_worker_says_what_to_do() {
    let folder = Folder::empty();
    let server = ["server", "--listen", "127.0.0.1:0", "--amqp", "amqp://127.0.0.1:1"];
    let keys = "ROVER_WORKER_PUBLIC_KEYS";
    let (status, printed) = folder.try_ask_with((keys, ""), &server);
    assert!(!status.success() && printed.contains("`rover worker key worker.key`"), "{printed}");
    assert!(
        printed.contains("ROVER_WORKER_PUBLIC_KEYS") && printed.contains("\"token\""),
        "{printed}"
    );

    let (status, printed) = folder.try_ask(&["worker", "key", "worker.key"]);
    assert!(status.success() && printed.contains("rover-worker-public:"), "{printed}");
    let secret = std::fs::read_to_string(folder.path().join("worker.key")).expect("it is there");
    let (status, again) = folder.try_ask(&["worker", "key", "worker.key"]);
    assert!(status.success() && again == printed, "the key that is there is shown, not replaced");
    // The wrong half is refused and not printed.
    let (status, printed) = folder.try_ask_with((keys, secret.trim()), &server);
    assert!(
        !status.success() && printed.contains("`worker_public_keys` (ROVER_WORKER_PUBLIC_KEYS)")
    );
    assert!(printed.contains("secret half") && !printed.contains(secret.trim()), "{printed}");
}

#[cfg(unix)]
#[test]
fn a_workers_key_is_for_its_owner_only() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = Folder::empty();
    let mode = |file: &std::path::Path| {
        std::fs::metadata(file).expect("it is there").permissions().mode() & 0o777
    };
    folder.left_by("dev", &[]);
    assert_eq!(mode(&folder.path().join("data/keys/worker.key")), 0o600, "dev makes its own");
    folder.try_ask(&["worker", "key", "worker.key"]);
    let file = folder.path().join("worker.key");
    assert_eq!(mode(&file), 0o600);
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o640)).expect("it is ours");
    let worker = ["worker", "--worker-key", "worker.key", "--amqp", "amqp://127.0.0.1:1"];
    let (status, printed) = folder.try_ask(&worker);
    assert!(
        !status.success() && printed.contains("can be read by others; `chmod 600` it"),
        "{printed}"
    );
}

#[test]
fn a_broker_that_refuses_stops_the_start_and_names_the_key() {
    let folder = Folder::empty();
    let demo = Rover::dev(&[]);
    for (address, words) in wrong_brokers() {
        for command in ["server", "worker", "dev"] {
            let arguments = ["--listen", "127.0.0.1:0", "--amqp", &address, command];
            let (status, printed) = folder.try_ask(&arguments);
            assert_eq!(status.code(), Some(1), "{command}: {printed}");
            let named =
                "rover: `amqp` (--amqp): the broker cannot be used: the broker refuses it: ";
            assert!(printed.contains(named) && printed.contains(words), "{command}: {printed}");
        }
        let (status, printed) = folder.try_ask_with(("ROVER_AMQP", &address), &["worker"]);
        assert!(!status.success() && printed.contains("`amqp` (ROVER_AMQP): "), "{printed}");
        let call = ["call", "list_staff", "--as", HEAD_TEACHER, "--amqp", &address];
        let (status, printed) = demo.try_ask(&call);
        assert!(!status.success() && printed.contains("`amqp` (--amqp): "), "{printed}");
        std::fs::write(folder.path().join("rover.toml"), format!("amqp = \"{address}\""))
            .expect("written");
        let (status, printed) = folder.try_ask(&["worker"]);
        assert!(!status.success() && printed.contains("`amqp` (rover.toml): "), "{printed}");
        std::fs::remove_file(folder.path().join("rover.toml")).expect("removed");
    }
}

#[test]
fn the_tools_are_listed_with_mode_effect_event_and_agents() {
    let rover = Rover::dev(&[]);
    let printed = rover.ask(&["tools", "list"]);
    let line = printed.lines().find(|line| line.starts_with("create_department")).unwrap();
    let words: Vec<_> = line.split_whitespace().collect();
    assert_eq!(words[..4], ["create_department", "every", "write", "create.department"]);
}

#[test]
fn a_command_that_reads_makes_no_data() {
    let nowhere = Folder::empty();
    let cases: [&[&str]; 6] = [
        &["audit", "verify"],
        &["turn", "show", "last"],
        &["why", "list_staff", "--turn", "last"],
        &["why", "list_staff", "--as", HEAD_TEACHER],
        &["call", "list_staff", "--as", HEAD_TEACHER],
        &["token", HEAD_TEACHER],
    ];
    for arguments in cases {
        let (status, printed) = nowhere.try_ask(arguments);
        assert!(!status.success() && printed.contains("`data_dir`: "), "{arguments:?}\n{printed}");
        let file = ["--database", "sqlite://typo.db"];
        let (status, printed) = nowhere.try_ask(&[arguments, &file].concat());
        assert!(!status.success(), "{arguments:?}\n{printed}");
    }
    assert_eq!(nowhere.names(), Vec::<String>::new(), "nothing was made");
}

#[test]
fn only_the_demo_school_gives_tokens_and_only_when_it_was_asked_for() {
    let rover = Folder::empty();
    rover.left_by("server", &["--amqp", "amqp://127.0.0.1:1"]);
    let (status, printed) = rover.try_ask(&["token", HEAD_TEACHER]);
    assert!(!status.success() && printed.contains("the demo school is not in"), "{printed}");
    let (status, printed) = rover.try_ask(&["audit", "verify"]);
    assert!(!status.success() && printed.contains("no schools"), "{printed}");
    let (status, printed) = rover.try_ask(&["turn", "show", "last"]);
    assert!(!status.success() && printed.contains("there is no turn yet"), "{printed}");
}

#[test]
fn a_server_with_the_demo_names_its_accounts_and_outlives_its_reader() {
    let rover = Folder::empty();
    let printed = rover.left_by("server", &["--demo", "--amqp", "amqp://127.0.0.1:1"]);
    assert!(printed.contains(HEAD_TEACHER) && printed.contains("rover-demo"), "{printed}");
    assert!(rover.ask_unread(&["tools", "list"]).success());
}

#[test]
fn a_start_that_cannot_be_names_the_key_and_the_place() {
    let folder = Folder::empty();
    std::fs::write(folder.path().join("data"), "no folder").expect("written");
    std::fs::write(
        folder.path().join("other.db"),
        "no database, but long enough to be read as one",
    )
    .expect("written");
    let other = folder.path().join("other");
    let other = other.to_str().expect("text");
    let cases: [(&[&str], &str); 4] = [
        (&["dev"], "`data_dir`: "),
        (
            &["--data-dir", other, "--database", "sqlite://other.db", "dev"],
            "`database`: sqlite:other.db cannot be used",
        ),
        (
            &["--data-dir", other, "--database", "sqlite:///nope/x.db", "dev"],
            "`database`: sqlite:/nope/x.db cannot be used",
        ),
        (
            &["--data-dir", other, "--database", "postgres://127.0.0.1:1/x", "dev"],
            "nothing answers there within 5 s",
        ),
    ];
    for (arguments, expected) in cases {
        let (status, printed) = folder.try_ask(arguments);
        assert!(!status.success() && printed.contains(expected), "{arguments:?}\n{printed}");
    }
    let (status, printed) =
        folder.try_ask_with(("ROVER_LOG", "rover=banana=x"), &["tools", "list"]);
    assert!(!status.success() && printed.contains("`ROVER_LOG`: "), "{printed}");
}

#[test]
fn the_registry_is_exported_in_the_form_of_each_provider() {
    let folder = Folder::empty();
    let all = tools::agent_tools::DEFS.len();
    for provider in ["openai", "openai-strict", "anthropic", "gemini"] {
        let export = ["contract", "export", "--provider", provider];
        let (declarations, complaints) = folder.ask_apart(&export);
        let declarations: Vec<serde_json::Value> =
            serde_json::from_str(&declarations).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(declarations.len(), all, "{provider}");
        // The registry has more tools than Anthropic takes strict ones, and each that is not says so.
        let plain = if provider == "anthropic" { all - 20 } else { 0 };
        assert_eq!(complaints.matches("not strict: ").count(), plain, "{provider}: {complaints}");
    }
    let (status, printed) = folder.try_ask(&["contract", "export", "--provider", "mistral"]);
    assert!(!status.success() && printed.contains("openai-strict"), "{printed}");
}
