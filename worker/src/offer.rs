//! An agent's tools in the form of the provider whose model it asks.
//!
//! What the provider would refuse is taken out here, with the limit that it is over, before prompt, offer and request
//! are made from what is left: a request that the provider answers with an error is never sent.

use agent_contract::{Declaration, Form, FormFault, ToolText};

use crate::proxy::Proxy;

/// The tools of one agent, as they are offered.
#[derive(Debug)]
pub(crate) struct Offer {
    /// The tools that the provider takes.
    pub(crate) tools: Vec<Proxy>,
    /// Their declarations in its form, in the same order; or why there cannot be a request.
    pub(crate) declared: Result<Vec<Declaration>, FormFault>,
    /// The tools that it does not take, each by its fault.
    pub(crate) refused: Vec<FormFault>,
}

impl Offer {
    /// Declares these tools in this form.
    pub(crate) fn of(form: Form, mut tools: Vec<Proxy>) -> Self {
        let texts: Vec<ToolText<'_>> = tools.iter().map(text).collect();
        match form.declare(&texts) {
            Err(fault) => Self { tools, declared: Err(fault), refused: Vec::new() },
            Ok(declared) => {
                tools.retain(|tool| declared.tools.iter().any(|kept| kept.name == tool.name));
                Self { tools, declared: Ok(declared.tools), refused: declared.refused }
            }
        }
    }
}

fn text(tool: &Proxy) -> ToolText<'_> {
    ToolText { name: &tool.name, description: &tool.description, schema: &tool.schema }
}
