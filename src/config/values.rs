//! One value each, from what an operator wrote to what the program needs, or to what is wrong with it. What may be a
//! secret is not repeated.

use std::collections::BTreeMap;

use agent_contract::{KeyFault, WorkerPublicKey};
use server::amqp::Argument;
use server::db::OwnerUrl;
use worker::ModelChoice;

/// How long the name of a queue may be, in bytes.
const LONGEST_QUEUE: usize = 200;
/// The same for the prefix: Rover's names come after it, the longest with an id at its end.
pub(super) const LONGEST_PREFIX: usize = 150;

pub(super) fn database_url(url: String) -> Result<String, String> {
    if ["sqlite://", "postgres://", "postgresql://"].iter().any(|scheme| url.starts_with(scheme)) {
        return Ok(url);
    }
    // The value may hold a password, so it is not repeated.
    Err("is no database; write `sqlite://FILE` or `postgres://…`".to_owned())
}

pub(super) fn owner_url(url: &str) -> Result<OwnerUrl, String> {
    // The value may hold a password, so it is not repeated.
    url.parse().map_err(|_| "is no PostgreSQL database; write `postgres://…`".to_owned())
}

/// An address with a host: without one the library would take this machine, which nobody wrote.
pub(super) fn amqp_url(url: String) -> Result<String, String> {
    let known = url.parse::<url::Url>().is_ok_and(|url| {
        matches!(url.scheme(), "amqp" | "amqps")
            && url.host_str().is_some_and(|host| !host.is_empty())
    });
    // The value may hold a password, so it is not repeated.
    if known { Ok(url) } else { Err("expected `amqp://user:password@host:port/vhost`".to_owned()) }
}

/// Keys, and files of keys, one a line with what follows `#` left out. Of what is no key no part is repeated: it may be
/// a secret.
pub(super) fn worker_keys(given: &[String]) -> Result<Vec<WorkerPublicKey>, String> {
    let mut keys = Vec::new();
    for one in given.iter().map(|one| one.trim()).filter(|one| !one.is_empty()) {
        if one.starts_with("rover-worker-") {
            keys.push(one.parse().map_err(|fault: KeyFault| format!("this is {fault}"))?);
            continue;
        }
        let text = std::fs::read_to_string(one).map_err(|cause| format!("{one}: {cause}"))?;
        for (number, line) in (1..).zip(text.lines()) {
            let key = line.split('#').next().unwrap_or_default().trim();
            if !key.is_empty() {
                let wrong = |fault: KeyFault| format!("{one}, line {number}: this is {fault}");
                keys.push(key.parse().map_err(wrong)?);
            }
        }
    }
    Ok(keys)
}

pub(super) fn tool_queue(name: String) -> Result<String, String> {
    if name.trim().is_empty() {
        Err("must not be empty".to_owned())
    } else {
        queue(name, LONGEST_QUEUE)
    }
}

/// A name that the broker takes: it has room for 255 bytes, and keeps `amq.` to itself.
pub(super) fn queue(name: String, longest: usize) -> Result<String, String> {
    if name.len() > longest {
        return Err(format!("is {} bytes long; write at most {longest}", name.len()));
    }
    if name.starts_with("amq.") {
        return Err("must not begin with `amq.`, which the broker keeps to itself".to_owned());
    }
    Ok(name)
}

/// `x-max-length=1000`, one beside the other.
pub(super) fn arguments(pairs: &[String]) -> Result<BTreeMap<String, Argument>, String> {
    let pair = |text: &String| match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.into())),
        _ => Err(format!("expected `NAME=VALUE`, such as `x-max-length=1000`, and not `{text}`")),
    };
    pairs.iter().map(pair).collect()
}

pub(super) fn http_url(url: String) -> Result<String, String> {
    let known = url
        .parse::<url::Url>()
        .is_ok_and(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
    if known {
        Ok(url)
    } else {
        Err("is no address; write one such as `http://127.0.0.1:8080/v1`".to_owned())
    }
}

pub(super) fn model(value: Option<String>) -> Result<ModelChoice, String> {
    let Some(text) = value else { return Ok(ModelChoice::Offline) };
    text.parse().map_err(|unknown: worker::UnknownModel| unknown.to_string())
}
