//! Gate 5: the caller belongs to a school. Without one there is nothing to read or to change.

use agent_contract::{Gate, Prepared, ToolError};

use super::{Call, arguments::Argued};
use crate::db::TenantScope;
use crate::rpc::{refusal::Refusal, trail::Trail};

const GATE: Gate = Gate::Tenant;

/// A call with the scope of its frame.
#[derive(Debug)]
pub(in crate::rpc) struct Tenanted<S> {
    pub(super) call: Call,
    pub(super) prepared: Prepared<S>,
    pub(super) tenant: TenantScope,
}

pub(in crate::rpc) fn pass<S>(
    argued: Argued<S>,
    trail: &mut Trail<'_>,
) -> Result<Tenanted<S>, Refusal> {
    let Argued { call, prepared } = argued;
    let campus = prepared.scope.campus_id().cloned();
    let tenant =
        call.vouched.tenant(campus).ok_or_else(|| Refusal::new(GATE, &ToolError::NoTenant))?;
    trail.passed(GATE, Some(format!("school {}", tenant.school())));
    Ok(Tenanted { call, prepared, tenant })
}
