//! How much Rover does for one person and for one school: turns a minute, and tokens of the models a day.
//!
//! It is counted in the rows of the turns, so a limit holds over all servers and across a restart. A post that is over
//! a limit begins nothing and is told when to come again. A turn that waits for an answer goes on whatever it costs:
//! half of a piece of work is worth nothing.

use std::num::{NonZeroU32, NonZeroU64};
use std::time::Duration;

use agent_contract::Timestamp;
use sqlx::FromRow;

use super::Owner;
use crate::db::{DbError, SystemFrame, statements::limits, values};

/// The window of [`Allowance::turns_per_minute`].
const MINUTE: Duration = Duration::from_mins(1);
/// The window of [`Allowance::tokens_per_day`].
const DAY: Duration = Duration::from_hours(24);

/// What is allowed to each person, and to all of a school together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TurnLimits {
    /// Each person.
    pub person: Allowance,
    /// Each school.
    pub school: Allowance,
}

/// So much and no more; without a number there is no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Allowance {
    /// Turns that begin within a minute.
    pub turns_per_minute: Option<NonZeroU32>,
    /// Tokens that models read and wrote within a day. The turn that crosses the limit still comes to its end.
    pub tokens_per_day: Option<NonZeroU64>,
}

/// Whose limit it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Party {
    /// The person's own.
    Person,
    /// The school's.
    School,
}

/// A post that is over a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OverLimit {
    /// Too many turns.
    #[error("{} sent Rover many messages within a minute; try again in {}", whose(*.0), told(*.1))]
    Turns(Party, Duration),
    /// Too many tokens.
    #[error("{} used up what Rover may do within a day; try again in {}", whose(*.0), told(*.1))]
    Tokens(Party, Duration),
}

impl OverLimit {
    /// How long it lasts.
    pub fn wait(self) -> Duration {
        match self {
            Self::Turns(_, wait) | Self::Tokens(_, wait) => wait,
        }
    }

    /// The word that is counted.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Turns(Party::Person, _) => "person_turns",
            Self::Turns(Party::School, _) => "school_turns",
            Self::Tokens(Party::Person, _) => "person_tokens",
            Self::Tokens(Party::School, _) => "school_tokens",
        }
    }
}

#[derive(FromRow)]
struct Began {
    opened_at_us: i64,
}

#[derive(FromRow)]
struct Sum {
    n: i64,
}

#[derive(FromRow)]
struct Cost {
    opened_at_us: i64,
    tokens: i64,
}

/// Whether a turn of this person may begin at `now`. The person's account is held until the frame ends, so that many
/// posts at once pass one after the other.
pub(super) async fn admit(
    frame: &mut SystemFrame,
    owner: &Owner,
    limits: &TurnLimits,
    now: Timestamp,
) -> Result<Option<OverLimit>, DbError> {
    if *limits == TurnLimits::default() {
        return Ok(None);
    }
    frame.execute(limits::HOLD_ACCOUNT, values![owner.account.as_str()]).await?;
    for (party, allowance) in [(Party::Person, limits.person), (Party::School, limits.school)] {
        let of = Of { school: owner.school.as_str(), account: person(party, owner) };
        if let Some(most) = allowance.turns_per_minute
            && let Some(wait) = turns(frame, &of, most, now).await?
        {
            return Ok(Some(OverLimit::Turns(party, wait)));
        }
        if let Some(most) = allowance.tokens_per_day
            && let Some(wait) = tokens(frame, &of, most, now).await?
        {
            return Ok(Some(OverLimit::Tokens(party, wait)));
        }
    }
    Ok(None)
}

/// Whose turns are counted: one account's, or all of the school.
struct Of<'a> {
    school: &'a str,
    account: Option<&'a str>,
}

fn person(party: Party, owner: &Owner) -> Option<&str> {
    match party {
        Party::Person => Some(owner.account.as_str()),
        Party::School => None,
    }
}

/// How long until the oldest of the last `most` turns is a minute ago; nothing if it is.
async fn turns(
    frame: &mut SystemFrame,
    of: &Of<'_>,
    most: NonZeroU32,
    now: Timestamp,
) -> Result<Option<Duration>, DbError> {
    let since = before(now, MINUTE);
    let values = values![of.school, of.account, since, i64::from(most.get() - 1)];
    let began: Option<Began> = frame.optional(limits::NTH_TURN_SINCE, values).await?;
    Ok(began.map(|began| left(began.opened_at_us, since)))
}

/// How long until so many turns are a day ago that the rest is below `most`; nothing if it is.
async fn tokens(
    frame: &mut SystemFrame,
    of: &Of<'_>,
    most: NonZeroU64,
    now: Timestamp,
) -> Result<Option<Duration>, DbError> {
    let (since, most) = (before(now, DAY), i64::try_from(most.get()).unwrap_or(i64::MAX));
    let values = || values![of.school, of.account, since];
    let sum: Option<Sum> = frame.optional(limits::TOKENS_SINCE, values()).await?;
    let mut sum = sum.map_or(0, |sum| sum.n);
    if sum < most {
        return Ok(None);
    }
    let costs: Vec<Cost> = frame.all(limits::COSTS_SINCE, values()).await?;
    for cost in costs {
        sum -= cost.tokens;
        if sum < most {
            return Ok(Some(left(cost.opened_at_us, since)));
        }
    }
    Ok(Some(DAY))
}

fn before(now: Timestamp, window: Duration) -> i64 {
    let window = i64::try_from(window.as_micros()).unwrap_or(i64::MAX);
    now.instant().as_microsecond().saturating_sub(window)
}

/// How long a moment stays within a window that begins at `since`.
fn left(at: i64, since: i64) -> Duration {
    Duration::from_micros(u64::try_from(at.saturating_sub(since)).unwrap_or_default())
}

fn whose(party: Party) -> &'static str {
    match party {
        Party::Person => "you have",
        Party::School => "your school has",
    }
}

/// Rounded up, so that whoever waits that long waits long enough.
fn told(wait: Duration) -> String {
    let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
    let (count, unit) = match seconds {
        0..=90 => (seconds.max(1), "second"),
        91..=5400 => (seconds.div_ceil(60), "minute"),
        _ => (seconds.div_ceil(3600), "hour"),
    };
    format!("{count} {unit}{}", if count == 1 { "" } else { "s" })
}
