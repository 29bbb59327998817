//! A model in this process, under rig's `OpenAI` wire.
//!
//! It takes the request that would have gone to `/chat/completions` and gives back the chunks that
//! would have come, so the same loop, calls and events run as with a real provider.

use std::future::{Future, ready};
use std::sync::Arc;

use bytes::Bytes;
use futures_util::{StreamExt, stream};
use rig::http_client::{
    BoxedStream, Error, HttpClientExt, LazyBody, MultipartForm, Request, Response, Result,
    StreamingResponse,
};
use serde_json::Value;

/// Answers chat-completion requests without a network.
pub trait ChatCompletions: Send + Sync {
    /// The chunks of a streamed answer to `request`, in order, without framing.
    fn answer(&self, request: &Value) -> Vec<Value>;
}

/// The transport that rig sends through.
#[derive(Clone)]
pub(super) struct InProcess(pub(super) Arc<dyn ChatCompletions>);

/// The loop streams every reply, so the other two ways of sending are never taken.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("the model in this process only streams")]
struct OnlyStreams;

impl HttpClientExt for InProcess {
    fn send<T, U>(
        &self,
        _request: Request<T>,
    ) -> impl Future<Output = Result<Response<LazyBody<U>>>> + Send + 'static
    where
        T: Into<Bytes> + Send,
        U: From<Bytes> + Send + 'static,
    {
        ready(Err(Error::instance(OnlyStreams)))
    }

    fn send_multipart<U>(
        &self,
        _request: Request<MultipartForm>,
    ) -> impl Future<Output = Result<Response<LazyBody<U>>>> + Send + 'static
    where
        U: From<Bytes> + Send + 'static,
    {
        ready(Err(Error::instance(OnlyStreams)))
    }

    fn send_streaming<T>(
        &self,
        request: Request<T>,
    ) -> impl Future<Output = Result<StreamingResponse>> + Send
    where
        T: Into<Bytes> + Send,
    {
        let body: Bytes = request.into_body().into();
        let model = Arc::clone(&self.0);
        async move {
            let request: Value = serde_json::from_slice(&body).map_err(Error::instance)?;
            let chunks = model.answer(&request);
            let mut frames: Vec<_> = chunks.iter().map(|chunk| frame(&chunk.to_string())).collect();
            frames.push(frame("[DONE]"));
            // Each chunk yields once, so that a stop can come between two of them, as it can with
            // a provider that is far away.
            let frames: BoxedStream = Box::pin(stream::iter(frames).then(|frame| async move {
                tokio::task::yield_now().await;
                Ok(frame)
            }));
            let response = Response::builder().header("content-type", "text/event-stream");
            Ok(response.body(frames)?)
        }
    }
}

/// One server-sent event.
fn frame(data: &str) -> Bytes {
    Bytes::from(format!("data: {data}\n\n"))
}
