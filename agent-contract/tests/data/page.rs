//! Pages and versions: what is asked, what is answered, and what is no cursor.

use agent_contract::{Behind, ListQuery, Order, Page, PageFault, PageSize, ToolError, Version};
use proptest::prelude::*;
use serde_json::json;

agent_contract::sort_keys! {
    /// What the list of this test can be sorted by.
    pub enum Sort {
        /// By name.
        Name = "name",
        /// By day.
        Day = "day",
    }
}

#[test]
fn what_is_left_out_is_as_usual() {
    let usual: ListQuery<Sort> = ListQuery::new(None, None, None, None).unwrap();
    assert_eq!(usual, ListQuery::default());
    assert_eq!(
        (usual.sort(), usual.order(), u8::from(usual.size())),
        (Sort::Name, Order::Ascending, 50)
    );
    assert_eq!(usual.after(), None);
}

#[test]
fn a_page_has_1_to_100_records() {
    for (size, fits) in [(0, false), (1, true), (100, true), (101, false), (255, false)] {
        assert_eq!(PageSize::new(size).is_ok(), fits, "{size}");
        assert_eq!(serde_json::from_value::<PageSize>(json!(size)).is_ok(), fits, "{size}");
    }
}

#[test]
fn a_page_says_how_many_there_are_and_whether_more_follow() {
    let last = Page::whole(vec!["a", "b"]);
    assert_eq!(
        serde_json::to_value(last).unwrap(),
        json!({ "items": ["a", "b"], "total": 2, "hasMore": false })
    );
    let first = Page::new(vec!["a"], 7, Some("c1".to_owned())).map(str::to_uppercase);
    assert_eq!(
        serde_json::to_value(first).unwrap(),
        json!({ "items": ["A"], "total": 7, "hasMore": true, "nextCursor": "c1" })
    );
}

#[test]
fn a_version_counts_from_1() {
    for (number, fits) in
        [(-1, false), (0, false), (1, true), (Version::LAST, true), (Version::LAST + 1, false)]
    {
        assert_eq!(Version::new(number).is_ok(), fits, "{number}");
        assert_eq!(serde_json::from_value::<Version>(json!(number)).is_ok(), fits, "{number}");
    }
}

#[test]
fn a_cursor_that_no_page_gave_is_an_argument_that_does_not_fit() {
    let query: ListQuery<Sort> = ListQuery::default();
    let nul = query.cursor(&Behind { key: "a\0".to_owned(), id: "1".to_owned() });
    for cursor in ["", "x", "????", "e30", "bnVsbA", nul.as_str()] {
        let fault = ListQuery::<Sort>::new(None, None, None, Some(cursor)).unwrap_err();
        assert_eq!(fault, PageFault::Cursor, "{cursor}");
        let told = ToolError::from(fault).to_string();
        assert!(told.contains("args.cursor: expected the `nextCursor` of a page"), "{told}");
    }
}

proptest! {
    #[test]
    fn a_cursor_leads_back_to_its_place(key in "[^\\p{Cc}]{0,40}", id in "[^\\p{Cc}]{0,40}") {
        let behind = Behind { key, id };
        for sort in [Sort::Name, Sort::Day] {
            for order in [Order::Ascending, Order::Descending] {
                let first = ListQuery::new(Some(sort), Some(order), None, None).unwrap();
                let cursor = first.cursor(&behind);
                let next = ListQuery::new(Some(sort), Some(order), None, Some(&cursor)).unwrap();
                prop_assert_eq!(next.after(), Some(&behind));
            }
        }
    }

    #[test]
    fn any_text_is_a_cursor_or_is_refused(text in ".{0,80}") {
        let _ = ListQuery::<Sort>::new(None, None, None, Some(&text));
    }
}
