//! RFC 3339 at the edges: what its grammar has, what only `jiff` would read, and round trips.

use agent_contract::{Date, Timestamp};
use proptest::prelude::*;
use serde_json::json;

#[test]
fn a_date_is_a_full_date_of_the_calendar() {
    for text in ["2026-02-01", "0000-01-01", "9999-12-31", "2024-02-29"] {
        assert_eq!(text.parse::<Date>().unwrap().to_string(), text);
    }
    for text in [
        "",
        "2026",
        "2026-2-1",
        "20260201",
        "2026-02-29",
        "2026-13-01",
        "-000001-01-01",
        "2026-02-01T00:00:00Z",
        " 2026-02-01",
        "2026-02-0\u{661}",
        "01/02/2026",
    ] {
        assert!(text.parse::<Date>().is_err(), "{text} was taken for a date");
    }
}

#[test]
fn a_timestamp_is_a_date_time_with_a_zone() {
    let same = [
        "2026-02-01T08:30:00Z",
        "2026-02-01t08:30:00z",
        "2026-02-01T11:30:00+03:00",
        "2026-02-01T08:30:00.000Z",
        "2026-02-01T03:30:00-05:00",
    ];
    for text in same {
        assert_eq!(text.parse::<Timestamp>().unwrap().to_string(), "2026-02-01T08:30:00Z");
    }
    for text in [
        "",
        "2026-02-01",
        "2026-02-01T08:30:00",
        "2026-02-01 08:30:00Z",
        "2026-02-01T08:30Z",
        "2026-02-01T08:30:00.Z",
        "2026-02-01T08:30:00+03",
        "2026-02-01T08:30:00+03:00[Africa/Kampala]",
        "2026-02-30T08:30:00Z",
        "2026-02-01T25:30:00Z",
        "0000-01-01T00:00:00+10:00",
        "now",
    ] {
        assert!(text.parse::<Timestamp>().is_err(), "{text} was taken for an instant");
    }
}

#[test]
fn a_fraction_finer_than_clocks_is_cut() {
    for text in ["2026-02-01T08:30:00.1234567899999Z", "2026-02-01T11:30:00.1234567890+03:00"] {
        let at = text.parse::<Timestamp>().unwrap();
        assert_eq!(at.to_string(), "2026-02-01T08:30:00.123456789Z");
    }
}

#[test]
fn the_error_says_what_was_expected_and_what_came() {
    let error = "tomorrow".parse::<Date>().unwrap_err();
    assert_eq!(error.to_string(), "expected a date such as 2026-02-01, got \"tomorrow\"");
}

#[test]
fn schemas_name_the_format() {
    let schema = |schema: schemars::Schema| {
        let mut json = schema.to_value();
        let keys = json.as_object_mut().unwrap();
        keys.remove("$schema");
        keys.remove("title");
        json
    };
    assert_eq!(schema(schemars::schema_for!(Date)), json!({ "type": "string", "format": "date" }));
    assert_eq!(
        schema(schemars::schema_for!(Timestamp)),
        json!({ "type": "string", "format": "date-time" })
    );
}

#[test]
fn milliseconds_count_as_javascript_counts() {
    let at = Timestamp::from_millisecond(1_769_934_600_123).unwrap();
    assert_eq!(at.to_string(), "2026-02-01T08:30:00.123Z");
    assert_eq!(at.as_millisecond(), 1_769_934_600_123);
    assert!(Timestamp::from_millisecond(i64::MAX).is_err());
    assert!(Timestamp::from_millisecond(-62_167_219_200_001).is_err());
}

proptest! {
    #[test]
    fn a_date_survives_the_wire(year in 0_i16..=9999, month in 1_i8..=12, day in 1_i8..=28) {
        let date = Date::new(year, month, day).unwrap();
        let json = serde_json::to_string(&date).unwrap();
        prop_assert_eq!(serde_json::from_str::<Date>(&json).unwrap(), date);
    }

    #[test]
    fn an_instant_survives_the_wire(count in -62_167_219_200_000_i64..=253_402_207_199_999) {
        let at = Timestamp::from_millisecond(count).unwrap();
        let json = serde_json::to_string(&at).unwrap();
        prop_assert_eq!(serde_json::from_str::<Timestamp>(&json).unwrap(), at);
    }

    #[test]
    fn no_text_breaks_the_parser(text in "\\PC{0,30}") {
        let _ = text.parse::<Date>();
        let _ = text.parse::<Timestamp>();
    }
}
