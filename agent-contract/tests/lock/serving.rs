//! A worker of one version and a server of another.

use agent_contract::lock::{Lock, LockedTool, Misfit, Serving, Shape, Standing, serves};
use serde_json::{Value, json};

use crate::sample::{self, NAME, lock_of, shape};

fn edited(edit: impl FnOnce(&mut Shape)) -> Shape {
    let mut shape = shape();
    edit(&mut shape);
    shape
}

#[test]
fn an_older_worker_is_served_if_every_call_and_every_answer_is_understood() {
    let server = shape();
    assert_eq!(serves(&server, &shape()), Serving::Same);

    let fewer = edited(|shape| {
        shape.args["properties"].as_object_mut().unwrap().remove("seats");
        shape.result["properties"].as_object_mut().unwrap().remove("note");
        shape.result["required"] = json!(["id", "kind"]);
    });
    assert_eq!(serves(&server, &fewer), Serving::Compatible, "an argument and a field were added");

    let Serving::Incompatible(Misfit::Args(value)) = serves(&fewer, &server) else {
        panic!("the newer worker sends what the older server does not know");
    };
    assert!(value["seats"].is_i64() && value["name"].is_string(), "{value}");

    let narrow = edited(|shape| shape.result["properties"]["kind"]["enum"] = json!(["lab"]));
    let Serving::Incompatible(Misfit::Reply(value)) = serves(&server, &narrow) else {
        panic!("the server answers with a word that this worker does not know");
    };
    assert_eq!(value["kind"], "hall");

    let renamed = edited(|shape| shape.event = Some("add.room".into()));
    let told = match serves(&server, &renamed) {
        Serving::Incompatible(misfit) => misfit.to_string(),
        other => panic!("{other:?}"),
    };
    assert_eq!(told, "the worker's event is add.room, the server's create.room");
}

#[test]
fn what_is_not_shown_is_not_relied_on() {
    // No value is found that tells these apart, and nothing proves that there is none.
    let patterned = |pattern: &str| {
        edited(|shape| shape.args["properties"]["name"]["pattern"] = json!(pattern))
    };
    let (server, worker) = (patterned("^(ab)*c{7}$"), patterned("^(ab)*c{6}c$"));
    let Serving::Undecided(difference) = serves(&server, &worker) else {
        panic!("{:?}", serves(&server, &worker));
    };
    assert_eq!(difference.pointer, "/args/properties/name/pattern");
}

#[test]
fn a_lock_accepts_what_was_proven_and_only_remembers_the_rest() {
    let served = edited(|shape| shape.args["properties"]["seats"]["maximum"] = json!(400));
    let unserved = edited(|shape| shape.args["properties"]["seats"]["maximum"] = json!(600));
    let version =
        |shape: &Shape| LockedTool::new(NAME, sample::access(), shape.clone(), sample::docs());
    let mut tool = version(&shape());
    for older in [&unserved, &served] {
        tool = tool.after(&version(older));
        let standing = tool.standing(older.fingerprint().as_str());
        if older == &served {
            assert_eq!(standing, Standing::Accepted);
        } else {
            assert!(matches!(standing, Standing::Superseded(version) if version.shape == *older));
        }
    }
    // It is read back only with the proof's memory beside it.
    let lock = lock_of(NAME, tool);
    assert_eq!(Lock::parse(&lock.text().unwrap()).unwrap(), lock);
    let mut forgetful: Value = serde_json::from_str(&lock.text().unwrap()).unwrap();
    forgetful["tools"][NAME]["history"] = json!([]);
    assert!(Lock::parse(&forgetful.to_string()).unwrap_err().to_string().contains("`accepts`"));
}
