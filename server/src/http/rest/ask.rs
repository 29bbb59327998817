//! A request as the arguments of a tool: from the address, the query or the body, and `If-Match`.
//!
//! What a model's arguments are forgiven, a program's are not: they fit the schema as they are.

use agent_contract::{
    ArgField, ArgShape, ArgumentFault, Prepared, RepairKind, ToolError, holds_control,
};
use axum::RequestExt as _;
use axum::extract::{Query, RawPathParams, Request};
use axum::http::{Method, StatusCode, header};
use serde_json::{Map, Value};

use super::endpoint::Endpoint;
use super::version::IfMatch;
use crate::http::body::Body;
use crate::http::{App, Problem};

/// The arguments of a request.
pub(super) async fn arguments(
    endpoint: &Endpoint,
    app: &App,
    mut request: Request,
) -> Result<Value, Problem> {
    let mut args = Map::new();
    let params = request.extract_parts_with_state::<RawPathParams, _>(app).await;
    for (name, text) in params.map_err(|_| told("the address is not valid UTF-8"))?.iter() {
        if holds_control(text) {
            return Err(told("the address holds a control character"));
        }
        let field = endpoint.def().fields.iter().find(|field| field.wire == name);
        args.insert(name.to_owned(), field.map_or_else(|| text.into(), |field| read(field, text)));
    }
    if endpoint.is_guarded()
        && let Some(version) = IfMatch::of(request.headers())?.version()
    {
        args.insert("version".to_owned(), version.into());
    }
    if endpoint.method == Method::GET {
        from_query(endpoint, &request, &mut args)?;
    } else {
        from_body(endpoint, app, request, &mut args).await?;
    }
    Ok(Value::Object(args))
}

/// Refuses arguments that had to be repaired first.
pub(super) fn as_they_are<S>(prepared: Prepared<S>) -> Result<Prepared<S>, ToolError> {
    // A number such as 1.0 is a whole number in JSON Schema.
    let fault = prepared.repairs.iter().find(|repair| repair.kind != RepairKind::WholeFloat);
    match fault {
        None => Ok(prepared),
        Some(repair) => Err(ToolError::Invalid(vec![ArgumentFault::new(
            "args",
            "values of the kinds that are described",
            repair.to_string(),
        )])),
    }
}

fn from_query(
    endpoint: &Endpoint,
    request: &Request,
    args: &mut Map<String, Value>,
) -> Result<(), Problem> {
    let pairs = Query::<Vec<(String, String)>>::try_from_uri(request.uri())
        .map_err(|_| told("the query is not of the form name=value"))?;
    for (name, text) in pairs.0 {
        let Some(field) = endpoint.brought().find(|field| field.wire == name) else {
            return Err(told(unknown(endpoint)));
        };
        if holds_control(&text) {
            return Err(told(format!("`{name}` holds a control character")));
        }
        let value = read(field, &text);
        if let (ArgShape::List(_), Some(Value::Array(items))) = (field.shape, args.get_mut(&name)) {
            items.push(value);
        } else if matches!(field.shape, ArgShape::List(_)) {
            args.insert(name, Value::Array(vec![value]));
        } else if args.insert(name.clone(), value).is_some() {
            return Err(told(format!("`{name}` is given twice")));
        }
    }
    Ok(())
}

async fn from_body(
    endpoint: &Endpoint,
    app: &App,
    request: Request,
    args: &mut Map<String, Value>,
) -> Result<(), Problem> {
    if request.uri().query().is_some_and(|query| !query.is_empty()) {
        return Err(told("this address takes no query"));
    }
    let nothing_sent = request.headers().get(header::CONTENT_TYPE).is_none()
        && axum::body::HttpBody::is_end_stream(request.body());
    if nothing_sent && endpoint.brought().all(|field| !field.required) {
        return Ok(());
    }
    let Body(body) = request.extract_with_state::<Body<Value>, App, _>(app).await?;
    let Value::Object(body) = body else { return Ok(()) };
    for (name, value) in body {
        if !endpoint.brought().any(|field| field.wire == name) {
            let detail = format!("the body holds `{name}`, which this address does not take");
            return Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, detail));
        }
        args.insert(name, value);
    }
    Ok(())
}

/// Text as the argument wants it. What is no such value stays text, and the schema says what is wrong with it.
fn read(field: &ArgField, text: &str) -> Value {
    let shape = match field.shape {
        ArgShape::List(inner) => inner,
        shape => shape,
    };
    let parsed = match shape {
        ArgShape::Whole => text.parse::<i64>().ok().map(Value::from),
        ArgShape::Number => text.parse::<f64>().ok().map(Value::from),
        ArgShape::Bool => text.parse::<bool>().ok().map(Value::from),
        _ => None,
    };
    parsed.unwrap_or_else(|| text.into())
}

fn unknown(endpoint: &Endpoint) -> String {
    let names: Vec<String> = endpoint.brought().map(|field| format!("`{}`", field.wire)).collect();
    if names.is_empty() {
        "this address takes no query".to_owned()
    } else {
        format!("this address takes {} and nothing else", names.join(", "))
    }
}

fn told(detail: impl Into<String>) -> Problem {
    Problem::new(StatusCode::BAD_REQUEST, detail)
}
