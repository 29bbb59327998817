//! The calls that wait for a reply, by correlation id.
//!
//! lapin 4.12 may hand a returned message to the confirm of another call, so nothing here trusts
//! which confirm a return came with: replies, returns and refusals all find their call by id.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use agent_contract::wire::decode_reply;
use agent_contract::{ReplyPacket, TransportError, WireReply};
use tokio::sync::oneshot;

type Answer = Result<WireReply, TransportError>;

/// The calls that are out on one connection.
#[derive(Clone, Default)]
pub(super) struct Pending(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    waiting: HashMap<String, Waiter>,
    closed: bool,
}

struct Waiter {
    answer: oneshot::Sender<Answer>,
    /// A Nest server may send several values before it ends; the last one counts.
    last: Option<WireReply>,
}

/// A call that waits. Dropping it forgets the call.
pub(super) struct Ticket {
    id: String,
    answer: oneshot::Receiver<Answer>,
    pending: Pending,
}

impl Pending {
    /// Enters a call; refused once the connection is gone.
    pub(super) fn enter(&self, id: &str) -> Result<Ticket, TransportError> {
        let mut state = self.lock();
        if state.closed {
            return Err(TransportError::Closed);
        }
        let (sender, answer) = oneshot::channel();
        state.waiting.insert(id.to_owned(), Waiter { answer: sender, last: None });
        Ok(Ticket { id: id.to_owned(), answer, pending: self.clone() })
    }

    /// A reply came. One for a call that nobody waits for any more is dropped.
    pub(super) fn reply(&self, id: &str, reply: WireReply) {
        let mut state = self.lock();
        let packet = decode_reply(&reply.body);
        if matches!(packet, ReplyPacket::Value(_)) {
            if let Some(waiter) = state.waiting.get_mut(id) {
                waiter.last = Some(reply);
            }
            return;
        }
        if let Some(Waiter { answer, last }) = state.waiting.remove(id) {
            let bare_end = matches!(packet, ReplyPacket::Complete(None));
            let reply = if bare_end { last.unwrap_or(reply) } else { reply };
            // A receiver that is gone has given up.
            let _ = answer.send(Ok(reply));
        }
    }

    /// A call went wrong.
    pub(super) fn fail(&self, id: &str, error: TransportError) {
        if let Some(waiter) = self.lock().waiting.remove(id) {
            let _ = waiter.answer.send(Err(error));
        }
    }

    /// The connection is gone, and with it every answer that was still to come.
    pub(super) fn close(&self) {
        let mut state = self.lock();
        state.closed = true;
        for (_, waiter) in state.waiting.drain() {
            let _ = waiter.answer.send(Err(TransportError::Lost));
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Ticket {
    /// Waits for what becomes of the call.
    pub(super) async fn answer(mut self) -> Answer {
        (&mut self.answer).await.unwrap_or(Err(TransportError::Lost))
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.pending.lock().waiting.remove(&self.id);
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    fn reply(body: &str) -> WireReply {
        WireReply::new(body.as_bytes().to_vec())
    }

    #[tokio::test]
    async fn each_call_gets_what_carries_its_id() {
        let pending = Pending::default();
        let (first, second) = (pending.enter("a").unwrap(), pending.enter("b").unwrap());
        pending.fail("b", TransportError::NoServer);
        pending.reply("a", reply(r#"{"response":1,"isDisposed":true}"#));
        assert_eq!(second.answer().await, Err(TransportError::NoServer));
        assert_eq!(first.answer().await, Ok(reply(r#"{"response":1,"isDisposed":true}"#)));
    }

    #[tokio::test]
    async fn of_several_values_the_last_counts() {
        let pending = Pending::default();
        let ticket = pending.enter("a").unwrap();
        pending.reply("a", reply(r#"{"response":1}"#));
        pending.reply("a", reply(r#"{"response":2}"#));
        pending.reply("a", reply(r#"{"isDisposed":true}"#));
        assert_eq!(ticket.answer().await, Ok(reply(r#"{"response":2}"#)));
    }

    #[tokio::test]
    async fn a_broken_connection_fails_all_at_once_and_takes_no_more() {
        let pending = Pending::default();
        let tickets = [pending.enter("a").unwrap(), pending.enter("b").unwrap()];
        pending.close();
        for ticket in tickets {
            assert_eq!(ticket.answer().now_or_never(), Some(Err(TransportError::Lost)));
        }
        assert_eq!(pending.enter("c").err(), Some(TransportError::Closed));
    }

    #[tokio::test]
    async fn a_caller_that_gives_up_leaves_nothing_behind() {
        let pending = Pending::default();
        drop(pending.enter("a").unwrap());
        pending.reply("a", reply(r#"{"response":1,"isDisposed":true}"#));
        assert!(pending.lock().waiting.is_empty());
    }
}
