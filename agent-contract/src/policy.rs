//! The policy's vocabulary and its facts, from `policy/grants.polar`. The compiler checks tools against them and the
//! server's policy engine loads the same text, so that neither can know a word that the other does not.

agent_tool_macros::policy_vocabulary!("policy/grants.polar");

/// Whether any role is granted the action on the resource, however far.
pub fn is_granted(action: Action, resource: Resource) -> bool {
    GRANTS.iter().any(|grant| grant.action == action && grant.resource == resource)
}

/// How far each grant of this role reaches for the action on the resource.
pub fn reaches(role: StaffRole, action: Action, resource: Resource) -> impl Iterator<Item = Reach> {
    GRANTS
        .iter()
        .filter(move |grant| {
            grant.role == role && grant.action == action && grant.resource == resource
        })
        .map(|grant| grant.reach)
}
