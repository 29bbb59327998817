//! Lists in pages: a listing, the closed set of keys that it can be sorted by, and the texts that come of both.
//!
//! A key is an expression over the columns of the listing, never null and always text, so that both databases compare
//! it alike: letter by letter, by their code points (the collation `C`, which SQLite is taught). What is not text
//! becomes text of one length. The id comes second, so that no two records share a place.

use std::fmt::Write as _;

use agent_contract::{ListQuery, Order, SortKey};

use super::{Filled, Listing};

/// A listing in pages. Its text has no `ORDER BY`.
#[derive(Clone, Copy)]
pub(crate) struct Paged<S> {
    pub(crate) listing: Listing,
    /// What a record is sorted by, over the listing as `q`.
    pub(crate) key: fn(S) -> &'static str,
}

impl<S> std::fmt::Debug for Paged<S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Paged").field("listing", &self.listing).finish_non_exhaustive()
    }
}

impl<S: SortKey> Paged<S> {
    /// The records of a page and the one behind it, with `page_key` and `page_id`. Parameters count on from `first`: the
    /// key and the id that the page begins behind, if it does, and the number of records.
    pub(in crate::db) fn page(self, condition: &str, query: &ListQuery<S>, first: usize) -> Filled {
        let key = (self.key)(query.sort());
        let (direction, beyond) = match query.order() {
            Order::Ascending => ("ASC", ">"),
            Order::Descending => ("DESC", "<"),
        };
        let mut sql = format!(
            "SELECT q.*, {key} AS page_key, q.id AS page_id FROM ({}) q",
            self.listing.sql.replace("{visible}", condition)
        );
        let mut limit = first;
        if query.after().is_some() {
            let id = first + 1;
            let _ = write!(
                sql,
                " WHERE ({key}) COLLATE \"C\" {beyond} ${first} \
                 OR (({key}) COLLATE \"C\" = ${first} AND q.id COLLATE \"C\" {beyond} ${id})"
            );
            limit += 2;
        }
        let _ = write!(
            sql,
            " ORDER BY ({key}) COLLATE \"C\" {direction}, q.id COLLATE \"C\" {direction} LIMIT ${limit}"
        );
        Filled(sql.into())
    }

    /// How many records there are in all, as `total`.
    pub(in crate::db) fn total(self, condition: &str) -> Filled {
        let listing = self.listing.sql.replace("{visible}", condition);
        Filled(format!("SELECT count(*) AS total FROM ({listing}) q").into())
    }

    /// Every text that can come of it, for the test that prepares the catalogue.
    #[cfg(test)]
    pub(super) fn texts(self) -> Vec<Filled> {
        let first = self.listing.parameters() + 1;
        let mut texts = vec![self.total("TRUE")];
        for sort in S::ALL {
            for order in [Order::Ascending, Order::Descending] {
                let query = |cursor: Option<&str>| {
                    ListQuery::new(Some(*sort), Some(order), None, cursor).expect("a query")
                };
                let begin = query(None);
                let behind = agent_contract::Behind { key: "k".to_owned(), id: "i".to_owned() };
                let on = query(Some(&begin.cursor(&behind)));
                texts.push(self.page("TRUE", &begin, first));
                texts.push(self.page("TRUE", &on, first));
            }
        }
        texts
    }
}
