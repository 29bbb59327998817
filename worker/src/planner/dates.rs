//! Days as people say them, reckoned from the day it is for the person who speaks.
//!
//! `next friday` is the Friday of next week and `last friday` the latest one that is over; a bare
//! weekday could be either, so it is given as both and the planner asks. Day comes before month in
//! `5/3/2026`. What is no day of the calendar is nothing, never the nearest day.

use jiff::civil::{Date, Weekday};
use jiff::{Span, ToSpan};

use super::numbers::{ordinal, whole};

/// What some words say about a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DayReading {
    /// One day.
    Day(Date),
    /// A weekday that is not today: the one that was, or the one to come.
    Either {
        /// The latest one before today.
        past: Date,
        /// The first one after today.
        coming: Date,
    },
}

/// Words that may stand before a day without changing it.
const LEAD: &[&str] = &["on", "for", "from", "by", "of", "since", "until", "dated"];

/// Reads folded words as a day.
pub(super) fn read(words: &[&str], today: Date) -> Option<DayReading> {
    let words = match words {
        [lead, rest @ ..] if LEAD.contains(lead) && !rest.is_empty() => rest,
        all => all,
    };
    named(words, today).or_else(|| distance(words, today)).or_else(|| {
        let (day, rest) = match words {
            [name, rest @ ..] if !rest.is_empty() => (weekday(name), rest),
            all => (None, all),
        };
        let date = calendar(if day.is_some() { rest } else { words }, today)?;
        // "Friday 6 March" must be a Friday.
        day.is_none_or(|day| day == date.weekday()).then_some(DayReading::Day(date))
    })
}

/// Days by their name: today, a weekday, the same in another week.
fn named(words: &[&str], today: Date) -> Option<DayReading> {
    let days = |count: i64| today.checked_add(count.days()).ok().map(DayReading::Day);
    let of_week = |name: &str, weeks: i64| {
        let offset = i64::from(weekday(name)?.to_monday_zero_offset())
            - i64::from(today.weekday().to_monday_zero_offset());
        days(offset + 7 * weeks)
    };
    match words {
        ["today" | "tonight"] | ["this", "morning" | "afternoon" | "evening"] => days(0),
        ["yesterday"] => days(-1),
        ["tomorrow"] => days(1),
        ["day", "before", "yesterday"] | ["the", "day", "before", "yesterday"] => days(-2),
        ["day", "after", "tomorrow"] | ["the", "day", "after", "tomorrow"] => days(2),
        [name] => {
            let day = weekday(name)?;
            if day == today.weekday() {
                return days(0);
            }
            let past = today.nth_weekday(-1, day).ok()?;
            Some(DayReading::Either { past, coming: today.nth_weekday(1, day).ok()? })
        }
        ["last" | "past", name] => today.nth_weekday(-1, weekday(name)?).ok().map(DayReading::Day),
        ["this", name] | [name, "this", "week"] => of_week(name, 0),
        ["next", name] | [name, "next", "week"] => of_week(name, 1),
        [name, "last", "week"] => of_week(name, -1),
        ["coming", name] | ["this", "coming", name] => {
            today.nth_weekday(1, weekday(name)?).ok().map(DayReading::Day)
        }
        _ => None,
    }
}

/// So many days, weeks or months from today.
fn distance(words: &[&str], today: Date) -> Option<DayReading> {
    let (count, unit, ahead) = match words {
        ["in", count, unit] | [count, unit, "from", "now" | "today"] => (count, unit, true),
        [count, unit, "ago"] => (count, unit, false),
        _ => return None,
    };
    let count = match *count {
        "a" | "an" => 1,
        word => whole(word).filter(|count| (0..10_000).contains(count))?,
    };
    let span: Span = match unit.trim_end_matches('s') {
        "day" => count.days(),
        "week" => count.weeks(),
        "month" => count.months(),
        "year" => count.years(),
        _ => return None,
    };
    let date = if ahead { today.checked_add(span) } else { today.checked_sub(span) };
    date.ok().map(DayReading::Day)
}

/// Days by number: `5 May`, `May the 5th 2026`, `the 5th`, `2026-05-05`, `5/5/2026`.
fn calendar(words: &[&str], today: Date) -> Option<Date> {
    let plain: Vec<&str> =
        words.iter().copied().filter(|word| !matches!(*word, "the" | "of")).collect();
    let (year, month, day) = match plain[..] {
        [only] => {
            if let Some(date) = written(only, today) {
                return Some(date);
            }
            (i64::from(today.year()), today.month(), ordinal(only)?)
        }
        [first, second] => {
            let (month, day) = day_and_month(first, second)?;
            (i64::from(today.year()), month, day)
        }
        [first, second, year] => {
            let (month, day) = day_and_month(first, second)?;
            let year = whole(year).filter(|year| (1900..2200).contains(year))?;
            (year, month, day)
        }
        _ => return None,
    };
    Date::new(i16::try_from(year).ok()?, month, i8::try_from(day).ok()?).ok()
}

fn day_and_month(first: &str, second: &str) -> Option<(i8, i64)> {
    let day = |word: &str| ordinal(word).or_else(|| whole(word));
    match (month(first), month(second)) {
        (Some(month), None) => Some((month, day(second)?)),
        (None, Some(month)) => Some((month, day(first)?)),
        _ => None,
    }
}

/// A date in digits. Year first, or day first; two-digit years are of this century.
fn written(word: &str, today: Date) -> Option<Date> {
    let separator = word.chars().find(|letter| matches!(letter, '-' | '/' | '.'))?;
    let parts: Vec<&str> = word.split(separator).collect();
    if !parts
        .iter()
        .all(|part| (1..=4).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_digit()))
    {
        return None;
    }
    let number = |part: &str| part.parse::<i16>().ok();
    let (year, month, day) = match parts[..] {
        [year, month, day] if year.len() == 4 => (number(year)?, month, day),
        [day, month, year] if year.len() == 4 => (number(year)?, month, day),
        [day, month, year] if year.len() == 2 => (2000 + number(year)?, month, day),
        [day, month] if separator == '/' => (today.year(), month, day),
        _ => return None,
    };
    Date::new(year, month.parse().ok()?, day.parse().ok()?).ok()
}

fn weekday(word: &str) -> Option<Weekday> {
    Some(match word {
        "monday" | "mon" => Weekday::Monday,
        "tuesday" | "tue" | "tues" => Weekday::Tuesday,
        "wednesday" | "wed" => Weekday::Wednesday,
        "thursday" | "thu" | "thur" | "thurs" => Weekday::Thursday,
        "friday" | "fri" => Weekday::Friday,
        "saturday" | "sat" => Weekday::Saturday,
        "sunday" | "sun" => Weekday::Sunday,
        _ => return None,
    })
}

fn month(word: &str) -> Option<i8> {
    const MONTHS: [&str; 12] = [
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
    ];
    let word = if word == "sept" { "sep" } else { word };
    let place = MONTHS
        .iter()
        .position(|name| *name == word || (word.len() == 3 && name.starts_with(word)))?;
    i8::try_from(place + 1).ok()
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;
    use crate::planner::words::words;

    fn read_text(text: &str, today: Date) -> Option<DayReading> {
        let words = words(text);
        let folds: Vec<_> = words.iter().map(|word| word.fold.as_str()).collect();
        read(&folds, today)
    }

    /// Expected days come from a paper calendar; 10 March 2026 is a Tuesday.
    #[test]
    fn days_as_people_say_them() {
        let today = date(2026, 3, 10);
        let cases = [
            ("today", (2026, 3, 10)),
            ("this morning", (2026, 3, 10)),
            ("Yesterday", (2026, 3, 9)),
            ("for tomorrow", (2026, 3, 11)),
            ("the day before yesterday", (2026, 3, 8)),
            ("the day after tomorrow", (2026, 3, 12)),
            ("Tuesday", (2026, 3, 10)),
            ("this Friday", (2026, 3, 13)),
            ("next Friday", (2026, 3, 20)),
            ("next Tuesday", (2026, 3, 17)),
            ("last Friday", (2026, 3, 6)),
            ("last Tuesday", (2026, 3, 3)),
            ("last monday", (2026, 3, 9)),
            ("monday next week", (2026, 3, 16)),
            ("friday last week", (2026, 3, 6)),
            ("this coming Sunday", (2026, 3, 15)),
            ("5 May", (2026, 5, 5)),
            ("on 5th May", (2026, 5, 5)),
            ("May 5", (2026, 5, 5)),
            ("May the 5th", (2026, 5, 5)),
            ("the 5th of May", (2026, 5, 5)),
            ("5th of May, 2027", (2027, 5, 5)),
            ("May 5, 2027", (2027, 5, 5)),
            ("twenty-first of August", (2026, 8, 21)),
            ("14 Sept", (2026, 9, 14)),
            ("the 5th", (2026, 3, 5)),
            ("2026-05-25", (2026, 5, 25)),
            ("25/05/2026", (2026, 5, 25)),
            ("5/3/26", (2026, 3, 5)),
            ("5/3", (2026, 3, 5)),
            ("5.3.2026", (2026, 3, 5)),
            ("05-03-2026", (2026, 3, 5)),
            ("in 3 days", (2026, 3, 13)),
            ("in two weeks", (2026, 3, 24)),
            ("2 weeks ago", (2026, 2, 24)),
            ("a week ago", (2026, 3, 3)),
            ("three days from now", (2026, 3, 13)),
            ("in a month", (2026, 4, 10)),
            ("Friday 6 March", (2026, 3, 6)),
            ("Friday, the 6th of March 2026", (2026, 3, 6)),
        ];
        for (text, (year, month, day)) in cases {
            let expected = Some(DayReading::Day(date(year, month, day)));
            assert_eq!(read_text(text, today), expected, "{text}");
        }
    }

    #[test]
    fn a_bare_weekday_could_be_either() {
        let reading = read_text("on Friday", date(2026, 3, 10));
        let expected = DayReading::Either { past: date(2026, 3, 6), coming: date(2026, 3, 13) };
        assert_eq!(reading, Some(expected));
    }

    #[test]
    fn what_is_no_day_is_nothing() {
        let cases = [
            "",
            "on",
            "the",
            "31 February",
            "the 31st of April",
            "29/02/2026",
            "2026-13-01",
            "13/13/2026",
            "Monday 6 March",
            "next term",
            "in many days",
            "in 99999999999 days",
            "5",
            "may",
            "last",
            "1.5",
            "2026",
            "5 May 26000",
            "3 moons ago",
            "soon",
            "in 9999 years",
        ];
        for text in cases {
            assert_eq!(read_text(text, date(2026, 3, 10)), None, "{text}");
        }
    }
}
