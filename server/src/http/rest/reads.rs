//! A read: in the frame in which the person was found.

use agent_contract::{AgentCallScope, Posture, Prepare, ToolCx, ToolError};
use axum::RequestExt as _;
use axum::extract::Request;
use axum::response::Response;

use super::endpoint::Endpoint;
use super::{answer, ask, smell};
use crate::chat::Person;
use crate::db::ReadFrame;
use crate::domain::School;
use crate::http::{App, Problem};

pub(super) async fn serve(
    app: &App,
    endpoint: &Endpoint,
    prepare: Prepare<School<ReadFrame>>,
    mut request: Request,
) -> Result<Response, Problem> {
    let person: Person = request.extract_parts_with_state(app).await?;
    let (asked, address) = (request.headers().clone(), request.uri().clone());
    let args = ask::arguments(endpoint, app, request).await?;
    if let Some(Posture::Casl { action, resource }) = endpoint.def().posture {
        person.rights().demand(action, resource)?;
    }
    let prepared = ask::as_they_are(prepare(args, &AgentCallScope::School)?)?;
    let identity = person.identity().clone();
    let cx = ToolCx::new(person.into_school(), identity, prepared.scope.clone());
    match prepared.call(&cx).await {
        Ok(reply) => Ok(answer::of_read(&reply.data, &asked, &address)),
        Err(error) => {
            if let ToolError::NotFound { what: "campus", id } = &error {
                smell(app, &cx.identity().sub, endpoint.event(), id.as_deref()).await;
            }
            Err(error.into())
        }
    }
}
