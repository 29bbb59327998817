//! How often a password may be tried: by one peer for one address, by one peer for all of them, and by all peers for one
//! address. It knows addresses that exist from those that do not as little as an attacker does.
//!
//! The peer is the other end of the connection. Whoever guesses closes an address to themselves, and not to the person
//! whose it is, unless they come from twenty places at once. Behind a proxy all are one peer.

use std::collections::HashMap;
use std::hash::Hash;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// So many wrong passwords of one peer for one address…
const TRIES: u32 = 5;
/// …or so many of one peer for any address…
const TRIES_OF_A_PEER: u32 = 50;
/// …or so many of all peers for one address, which is many hands at one door…
const TRIES_AT_AN_ADDRESS: u32 = 100;
/// …within this time are all.
const WINDOW: Duration = Duration::from_mins(5);
/// So many of each are remembered. Beyond that the one that was tried the longest time ago is forgotten.
const ROOM: usize = 10_000;

/// Counts wrong passwords.
#[derive(Debug)]
pub(super) struct Throttle {
    tries: Mutex<Tries>,
}

#[derive(Debug)]
struct Tries {
    at_address: Failures<(IpAddr, String)>,
    of_peer: Failures<IpAddr>,
    of_all: Failures<String>,
}

#[derive(Debug)]
struct Failures<K> {
    limit: u32,
    counts: HashMap<K, Count>,
}

#[derive(Clone, Copy, Debug)]
struct Count {
    failed: u32,
    since: Instant,
}

impl Default for Throttle {
    fn default() -> Self {
        let tries = Tries {
            at_address: Failures::new(TRIES),
            of_peer: Failures::new(TRIES_OF_A_PEER),
            of_all: Failures::new(TRIES_AT_AN_ADDRESS),
        };
        Self { tries: Mutex::new(tries) }
    }
}

impl Throttle {
    /// How long this peer has to wait before it tries this address; nothing if it may try.
    pub(super) fn wait(&self, peer: IpAddr, address: &str, now: Instant) -> Option<Duration> {
        let tries = self.tries.lock().unwrap_or_else(PoisonError::into_inner);
        let at_address = tries.at_address.wait(&(peer, address.to_owned()), now);
        let of_all = tries.of_all.wait(&address.to_owned(), now);
        at_address.max(tries.of_peer.wait(&peer, now)).max(of_all)
    }

    /// Notes a wrong password.
    pub(super) fn failed(&self, peer: IpAddr, address: &str, now: Instant) {
        let mut tries = self.tries.lock().unwrap_or_else(PoisonError::into_inner);
        tries.at_address.add((peer, address.to_owned()), now);
        tries.of_peer.add(peer, now);
        tries.of_all.add(address.to_owned(), now);
    }

    /// Forgets what a peer tried for an address, now that the password was right. What it tried for others stays:
    /// one account of one's own is no leave to guess at the rest.
    pub(super) fn succeeded(&self, peer: IpAddr, address: &str) {
        let mut tries = self.tries.lock().unwrap_or_else(PoisonError::into_inner);
        tries.at_address.counts.remove(&(peer, address.to_owned()));
    }
}

impl<K: Clone + Eq + Hash> Failures<K> {
    fn new(limit: u32) -> Self {
        Self { limit, counts: HashMap::new() }
    }

    fn wait(&self, key: &K, now: Instant) -> Option<Duration> {
        let count = self.counts.get(key).filter(|count| count.failed >= self.limit)?;
        WINDOW
            .checked_sub(now.saturating_duration_since(count.since))
            .filter(|left| !left.is_zero())
    }

    fn add(&mut self, key: K, now: Instant) {
        self.counts.retain(|_, count| now.saturating_duration_since(count.since) < WINDOW);
        if self.counts.len() >= ROOM && !self.counts.contains_key(&key) {
            let oldest = self.counts.iter().min_by_key(|(_, count)| count.since);
            if let Some(oldest) = oldest.map(|(key, _)| key.clone()) {
                self.counts.remove(&oldest);
            }
        }
        self.counts.entry(key).or_insert(Count { failed: 0, since: now }).failed += 1;
    }
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};
    use std::time::{Duration, Instant};

    use super::{ROOM, Throttle};

    const HERE: IpAddr = IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1));
    const THERE: IpAddr = IpAddr::V4(Ipv4Addr::new(192, 0, 2, 2));

    #[test]
    fn five_wrong_passwords_close_an_address_to_who_tried_and_to_no_other() {
        let (throttle, start) = (Throttle::default(), Instant::now());
        for _ in 0..5 {
            assert_eq!(throttle.wait(HERE, "a@x", start), None);
            throttle.failed(HERE, "a@x", start);
        }
        assert_eq!(throttle.wait(HERE, "a@x", start), Some(Duration::from_mins(5)));
        assert_eq!(throttle.wait(HERE, "b@x", start), None);
        assert_eq!(throttle.wait(THERE, "a@x", start), None);
        assert_eq!(throttle.wait(HERE, "a@x", start + Duration::from_mins(5)), None);
    }

    #[test]
    fn fifty_wrong_passwords_close_every_address_to_who_tried() {
        let (throttle, start) = (Throttle::default(), Instant::now());
        for n in 0..50 {
            assert_eq!(throttle.wait(HERE, "fresh@x", start), None, "{n}");
            throttle.failed(HERE, &format!("{n}@x"), start);
        }
        throttle.succeeded(HERE, "own@x");
        assert_eq!(throttle.wait(HERE, "fresh@x", start), Some(Duration::from_mins(5)));
        assert_eq!(throttle.wait(THERE, "fresh@x", start), None);
    }

    #[test]
    fn a_hundred_wrong_passwords_from_anywhere_close_an_address_to_all() {
        let (throttle, start) = (Throttle::default(), Instant::now());
        for n in 0..100 {
            assert_eq!(throttle.wait(HERE, "a@x", start), None, "{n}");
            throttle.failed(IpAddr::V4(Ipv4Addr::new(198, 51, 100, n)), "a@x", start);
        }
        assert_eq!(throttle.wait(HERE, "a@x", start), Some(Duration::from_mins(5)));
        assert_eq!(throttle.wait(HERE, "b@x", start), None);
        assert_eq!(throttle.wait(HERE, "a@x", start + Duration::from_mins(5)), None);
    }

    #[test]
    fn a_right_password_is_a_fresh_start() {
        let (throttle, start) = (Throttle::default(), Instant::now());
        for _ in 0..4 {
            throttle.failed(HERE, "a@x", start);
        }
        throttle.succeeded(HERE, "a@x");
        throttle.failed(HERE, "a@x", start);
        assert_eq!(throttle.wait(HERE, "a@x", start), None);
    }

    #[test]
    fn a_flood_of_addresses_takes_no_more_room_than_there_is() {
        let (throttle, start) = (Throttle::default(), Instant::now());
        for _ in 0..5 {
            throttle.failed(HERE, "a@x", start + Duration::from_secs(1));
        }
        for n in 0..ROOM {
            throttle.failed(THERE, &format!("{n}@x"), start);
        }
        assert_eq!(throttle.tries.lock().unwrap().at_address.counts.len(), ROOM);
        assert!(throttle.wait(HERE, "a@x", start + Duration::from_secs(1)).is_some());
    }
}
