//! When a call that got no answer is sent again.
//!
//! Always under the same call id, and never past its deadline. What went nowhere is sent again as soon as somebody may be
//! there to take it: a server that restarts is waited for. What may have run is sent again only to servers that know call
//! ids, or if it changes nothing; they answer what they answered the first time. And once a call may have run, nothing
//! that is learnt later makes it one that did not.

use std::time::Duration;

use agent_contract::{AgentToolResult, Effect, Outcome, Timestamp, TransportError};

const SHORTEST: Duration = Duration::from_millis(50);
const LONGEST: Duration = Duration::from_secs(1);
/// How long a server that was there may be away.
const RETURNING: Duration = Duration::from_secs(20);

/// The fate of one call, over all times that it is sent.
#[derive(Debug)]
pub(crate) struct Resend {
    effect: Effect,
    deadline: Timestamp,
    pause: Duration,
    away_since: Option<Timestamp>,
    may_have_run: bool,
}

/// What is known of those who may take it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Takers {
    /// Nobody has ever answered.
    Unseen,
    /// Some do not know call ids: they would run it twice.
    Strangers,
    /// All of them know call ids.
    Ours,
}

impl Resend {
    pub(crate) fn new(effect: Effect, deadline: Timestamp) -> Self {
        Self { effect, deadline, pause: SHORTEST, away_since: None, may_have_run: false }
    }

    /// After how long it is sent again; or what its caller is told, for it is not.
    pub(crate) fn after(
        &mut self,
        error: TransportError,
        takers: Takers,
    ) -> Result<Duration, TransportError> {
        self.may_have_run |= error.may_have_run();
        let harmless = self.effect == Effect::Read || takers == Takers::Ours;
        let again = match error {
            TransportError::NoServer | TransportError::Closed => {
                takers != Takers::Unseen && self.is_away_for_short()
            }
            TransportError::Lost => {
                self.away_since = None;
                self.pause = SHORTEST;
                harmless
            }
            // It must be told at once that there is no room, and there is no time after the deadline.
            TransportError::Busy | TransportError::Unanswered | TransportError::Deadline => false,
        };
        let pause = self.pause;
        if !again || (self.may_have_run && !harmless) || self.deadline.remaining() <= pause {
            return Err(self.told(error));
        }
        self.pause = (pause * 2).min(LONGEST);
        Ok(pause)
    }

    /// What its caller is told of an error: of a call that may have run, nothing that says it did not.
    pub(crate) fn told(&self, error: TransportError) -> TransportError {
        if self.may_have_run && !error.may_have_run() { TransportError::Lost } else { error }
    }

    /// An error of one sending says nothing of an earlier one that may still be under way; a refusal holds for both.
    pub(crate) fn qualified(&self, result: AgentToolResult, outcome: Outcome) -> AgentToolResult {
        let of_this_one = matches!(outcome, Outcome::Error | Outcome::Deadline | Outcome::Busy);
        match result.error() {
            Some(error) if self.may_have_run && of_this_one => AgentToolResult::err(format!(
                "{error}; it had been sent before and may have been done then, so check before repeating"
            )),
            _ => result,
        }
    }

    fn is_away_for_short(&mut self) -> bool {
        let now = Timestamp::now();
        let since = *self.away_since.get_or_insert(now);
        now < since.after(RETURNING)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ERRORS: [TransportError; 6] = [
        TransportError::NoServer,
        TransportError::Busy,
        TransportError::Closed,
        TransportError::Unanswered,
        TransportError::Deadline,
        TransportError::Lost,
    ];

    fn soon() -> Timestamp {
        Timestamp::now().after(Duration::from_secs(30))
    }

    #[test]
    fn who_may_take_it_decides_whether_it_is_sent_again() {
        use TransportError::{Busy, Closed, Deadline, Lost, NoServer, Unanswered};
        let again = |effect, takers| {
            let sent = |error: &TransportError| Resend::new(effect, soon()).after(*error, takers);
            ERRORS.into_iter().filter(|error| sent(error).is_ok()).collect::<Vec<_>>()
        };
        assert_eq!(again(Effect::Write, Takers::Ours), [NoServer, Closed, Lost]);
        assert_eq!(again(Effect::Write, Takers::Strangers), [NoServer, Closed]);
        assert_eq!(again(Effect::Write, Takers::Unseen), []);
        assert_eq!(again(Effect::Read, Takers::Ours), [NoServer, Closed, Lost]);
        assert_eq!(again(Effect::Read, Takers::Unseen), [Lost]);
        for never in [Busy, Unanswered, Deadline] {
            assert_eq!(Resend::new(Effect::Read, soon()).after(never, Takers::Ours), Err(never));
        }
    }

    #[test]
    fn what_may_have_run_is_never_told_as_undone() {
        for later in ERRORS {
            let mut resend = Resend::new(Effect::Write, soon());
            assert!(resend.after(TransportError::Lost, Takers::Ours).is_ok());
            assert!(resend.told(later).may_have_run(), "{later:?}");
        }
        for (outcome, unsure) in [(Outcome::Error, true), (Outcome::Denied, false)] {
            let mut resend = Resend::new(Effect::Write, soon());
            assert_eq!(resend.qualified(AgentToolResult::err("no"), outcome).error(), Some("no"));
            let _ = resend.after(TransportError::Lost, Takers::Ours);
            let told = resend.qualified(AgentToolResult::err("no"), outcome);
            assert_eq!(told.error().is_some_and(|said| said.contains("check")), unsure);
        }
        // One that went nowhere did not run, however often it was tried.
        let mut resend = Resend::new(Effect::Write, soon());
        assert!(resend.after(TransportError::NoServer, Takers::Ours).is_ok());
        assert_eq!(resend.after(TransportError::Busy, Takers::Ours), Err(TransportError::Busy));
    }

    #[test]
    fn nothing_is_sent_after_its_deadline() {
        let mut resend = Resend::new(Effect::Write, Timestamp::now());
        let told = resend.after(TransportError::NoServer, Takers::Ours);
        assert_eq!(told, Err(TransportError::NoServer));
    }
}
