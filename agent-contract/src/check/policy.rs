//! Roles, actions and resources by name. A tool's definition uses the lookups that cannot fail; beside it stands one
//! constant for each name that fails with the message.

use super::message::Message;
use super::position;
use crate::definition::Posture;
use crate::policy::{Action, GRANTS, Resource};
use crate::role::AgentRole;

/// The role of this name; the first role if there is none, which [`role`] reports.
pub const fn role_or_first(name: &str) -> AgentRole {
    match position(AgentRole::NAMES, name) {
        Some(i) => AgentRole::ALL[i],
        None => AgentRole::ALL[0],
    }
}

/// The permission of these names; the first words of the policy if there are none, which the checks report.
pub const fn casl(action: &str, resource: &str) -> Posture {
    let action = match position(Action::NAMES, action) {
        Some(i) => Action::ALL[i],
        None => Action::ALL[0],
    };
    let resource = match position(Resource::NAMES, resource) {
        Some(i) => Resource::ALL[i],
        None => Resource::ALL[0],
    };
    Posture::Casl { action, resource }
}

/// Fails for a role that no agent has, and names those of the rest of the list that are none either.
#[track_caller]
pub const fn role(name: &str, rest: &[&str]) {
    if position(AgentRole::NAMES, name).is_none() {
        let mut message = Message::new().text("unknown agent role `").text(name).text("`");
        let mut i = 0;
        while i < rest.len() {
            if position(AgentRole::NAMES, rest[i]).is_none() {
                message = message.text(" and `").text(rest[i]).text("`");
            }
            i += 1;
        }
        panic!("{}", message.text("; expected one of: ").list(AgentRole::NAMES).get());
    }
}

/// Fails for an action that the policy does not know, and says it if it does not know the resource either.
#[track_caller]
pub const fn action(name: &str, of: &str) {
    if position(Action::NAMES, name).is_none() {
        let message = Message::new().text("the policy knows no action `").text(name);
        let mut message = message.text("`; it knows: ").list(Action::NAMES);
        if position(Resource::NAMES, of).is_none() {
            message = message.text("; and no resource `").text(of);
            message = message.text("`; it knows: ").list(Resource::NAMES);
        }
        panic!("{}", message.get());
    }
}

/// Fails for a resource that the policy does not know.
#[track_caller]
pub const fn resource(name: &str) {
    if position(Resource::NAMES, name).is_none() {
        let message = Message::new().text("the policy knows no resource `").text(name);
        panic!("{}", message.text("`; it knows: ").list(Resource::NAMES).get());
    }
}

/// Fails for a permission that nobody has. An unknown name has been reported already.
#[track_caller]
pub const fn granted(action: &str, resource: &str) {
    let (Some(known_action), Some(known_resource)) =
        (position(Action::NAMES, action), position(Resource::NAMES, resource))
    else {
        return;
    };
    let mut i = 0;
    while i < GRANTS.len() {
        // Both lists are in the order of the variants, so places can be compared instead of names.
        if GRANTS[i].action as usize == known_action
            && GRANTS[i].resource as usize == known_resource
        {
            return;
        }
        i += 1;
    }
    let message = Message::new().text("no role is granted `").text(action).text("` on `");
    let message = message
        .text(resource)
        .text("`, so this tool could never run; add a `grant(...)` fact to policy/grants.polar");
    panic!("{}", message.get());
}
