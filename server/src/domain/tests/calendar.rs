//! The calendar: three terms a campus, the current one by the school's own clock, no overlaps.

use agent_contract::{Date, ToolError};
use tools::terms::{EditTerms as _, Terms as _};

use super::{LAKESIDE, MAIN, Rights, campus, reading, writing};
use crate::{
    db::{
        Database,
        testing::{behind_our_back, on_both},
    },
    demo,
};

fn date(text: &str) -> Date {
    text.parse().expect(text)
}

on_both! {
    async fn the_second_of_three_terms_is_running(database: Database) {
        demo::plant(&database).await.expect("planted");
        let school = reading(&database, Some(MAIN), Rights::all()).await;
        let terms = school.list(&campus(MAIN)).await.expect("listed");
        let shown: Vec<_> = terms.iter().map(|term| (term.name.as_str(), term.term_number, term.is_current)).collect();
        assert_eq!(shown, [("Term 1", 1, false), ("Term 2", 2, true), ("Term 3", 3, false)]);
        assert_eq!(school.current(&campus(MAIN)).await.expect("running").name, "Term 2");
        let years = school.years().await.expect("years");
        assert!(matches!(years.as_slice(), [year] if year.is_current), "{years:?}");

        let year = school.current_year().await.expect("asked").expect("a year");
        assert_eq!(year.id, years[0].id);
        assert_eq!(school.terms_of(MAIN).await.expect("terms").len(), 3);
        assert!(school.campus_year_id(MAIN).await.expect("asked").is_some());
        assert_eq!(school.campus_year_id("riverbend-campus-river").await.expect("asked"), None);
        assert_eq!(school.school().await.expect("the school").time_zone.as_deref(), Some("Africa/Kampala"));
    }

    async fn between_terms_the_next_one_is_named(database: Database) {
        demo::plant(&database).await.expect("planted");
        behind_our_back(&database, "UPDATE term SET starts_on = '2999-01-05', ends_on = '2999-04-01' WHERE id = 'naalya-campus-main-term-2'").await;
        behind_our_back(&database, "UPDATE term SET starts_on = '2999-05-05', ends_on = '2999-08-01' WHERE id = 'naalya-campus-main-term-3'").await;
        let school = reading(&database, Some(MAIN), Rights::all()).await;
        let none = school.current(&campus(MAIN)).await.expect_err("none is running");
        assert_eq!(none, ToolError::refused("No term is running today; Term 2 begins on 2999-01-05 on Main Campus."));
    }

    async fn term_dates_are_set_in_order_and_apart(database: Database) {
        demo::plant(&database).await.expect("planted");
        let school = writing(&database, Rights::campus(LAKESIDE)).await;
        let set = school.set_dates(&campus(LAKESIDE), 3, date("2999-02-01"), date("2999-04-30"), None).await.expect("set");
        assert_eq!((set.starts_on, set.ends_on), (date("2999-02-01"), date("2999-04-30")));
        let second = school.list(&campus(LAKESIDE)).await.expect("listed")[1].clone();
        for (number, first, last, sentence) in [
            (3, date("2999-04-30"), date("2999-02-01"), "A term must end after it begins.".to_owned()),
            (3, date("2999-02-01"), date("2999-02-01"), "A term must end after it begins.".to_owned()),
            (4, date("2999-02-01"), date("2999-04-01"), "There is no term 4 in the current academic year.".to_owned()),
            (3, second.ends_on, date("2999-04-01"),
             format!("These dates overlap Term 2, which runs from {} to {}.", second.starts_on, second.ends_on)),
        ] {
            let refused = school.set_dates(&campus(LAKESIDE), number, first, last, None).await;
            assert_eq!(refused.expect_err(&sentence).to_string(), sentence);
        }
        let hidden = school.set_dates(&campus(MAIN), 1, date("2999-02-01"), date("2999-04-01"), None).await;
        assert_eq!(hidden.expect_err("hidden"), ToolError::NotFound { what: "campus", id: Some(MAIN.to_owned()) });
    }
}
