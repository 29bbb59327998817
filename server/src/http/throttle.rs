//! How often a password may be tried for one address. It knows addresses that exist from those that do not as
//! little as an attacker does.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// So many wrong passwords for one address…
const TRIES: u32 = 5;
/// …within this time are all.
const WINDOW: Duration = Duration::from_mins(5);
/// So many addresses are remembered. Beyond that the one that was tried the longest time ago is forgotten.
const ROOM: usize = 10_000;

/// Counts wrong passwords by address.
#[derive(Debug, Default)]
pub(super) struct Throttle {
    failures: Mutex<HashMap<String, Failures>>,
}

#[derive(Clone, Copy, Debug)]
struct Failures {
    count: u32,
    since: Instant,
}

impl Throttle {
    /// How long this address has to wait; nothing if it may try.
    pub(super) fn wait(&self, address: &str, now: Instant) -> Option<Duration> {
        let failures = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
        let failures = failures.get(address).filter(|failures| failures.count >= TRIES)?;
        WINDOW
            .checked_sub(now.saturating_duration_since(failures.since))
            .filter(|left| !left.is_zero())
    }

    /// Notes a wrong password.
    pub(super) fn failed(&self, address: &str, now: Instant) {
        let mut all = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|_, failures| now.saturating_duration_since(failures.since) < WINDOW);
        if all.len() >= ROOM && !all.contains_key(address) {
            let oldest = all.iter().min_by_key(|(_, failures)| failures.since);
            if let Some(oldest) = oldest.map(|(address, _)| address.clone()) {
                all.remove(&oldest);
            }
        }
        all.entry(address.to_owned()).or_insert(Failures { count: 0, since: now }).count += 1;
    }

    /// Forgets an address whose password was right.
    pub(super) fn succeeded(&self, address: &str) {
        self.failures.lock().unwrap_or_else(PoisonError::into_inner).remove(address);
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::{ROOM, Throttle};

    #[test]
    fn five_wrong_passwords_close_an_address_for_a_while_and_no_other() {
        let (throttle, start) = (Throttle::default(), Instant::now());
        for _ in 0..5 {
            assert_eq!(throttle.wait("a@x", start), None);
            throttle.failed("a@x", start);
        }
        assert_eq!(throttle.wait("a@x", start), Some(Duration::from_mins(5)));
        assert_eq!(throttle.wait("b@x", start), None);
        assert_eq!(throttle.wait("a@x", start + Duration::from_mins(5)), None);
    }

    #[test]
    fn a_right_password_is_a_fresh_start() {
        let (throttle, start) = (Throttle::default(), Instant::now());
        for _ in 0..4 {
            throttle.failed("a@x", start);
        }
        throttle.succeeded("a@x");
        throttle.failed("a@x", start);
        assert_eq!(throttle.wait("a@x", start), None);
    }

    #[test]
    fn a_flood_of_addresses_takes_no_more_room_than_there_is() {
        let (throttle, start) = (Throttle::default(), Instant::now());
        for _ in 0..5 {
            throttle.failed("a@x", start + Duration::from_secs(1));
        }
        for n in 0..ROOM {
            throttle.failed(&format!("{n}@x"), start);
        }
        assert_eq!(throttle.failures.lock().unwrap().len(), ROOM);
        assert!(throttle.wait("a@x", start + Duration::from_secs(1)).is_some());
    }
}
