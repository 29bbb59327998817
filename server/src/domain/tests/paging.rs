//! Lists in pages: all pages together are the list, whatever it is sorted by and however large a page is.

use agent_contract::{ListQuery, Order, Page, PageFault, PageSize, SortKey as _};
use tools::students::{
    EditStudents as _, Student, StudentFilter, StudentSort, StudentStatus, Students,
};

use super::{LAKESIDE, MAIN, Rights, S1_EAST, campus, reading, writing};
use crate::{
    db::{Database, Frame, testing::on_both},
    demo,
    domain::School,
};

fn asked(
    sort: StudentSort,
    order: Order,
    size: u8,
    cursor: Option<&str>,
) -> ListQuery<StudentSort> {
    ListQuery::new(Some(sort), Some(order), PageSize::new(size).ok(), cursor).expect("a query")
}

async fn page<F: Frame>(school: &School<F>, query: ListQuery<StudentSort>) -> Page<Student> {
    Students::list(school, StudentFilter::default(), query).await.expect("a page")
}

/// Every page of a list, one after the other.
async fn leafed<F: Frame>(
    school: &School<F>,
    sort: StudentSort,
    order: Order,
    size: u8,
) -> Vec<Student> {
    let mut read = Vec::new();
    let mut cursor = None;
    loop {
        let page = page(school, asked(sort, order, size, cursor.as_deref())).await;
        assert_eq!(page.total(), 60, "{sort:?}");
        assert!(page.items().len() <= usize::from(size), "{sort:?}");
        read.extend(page.items().iter().cloned());
        match page.next_cursor() {
            Some(next) => cursor = Some(next.to_owned()),
            None => return read,
        }
    }
}

/// What a person would sort by.
fn key(student: &Student, sort: StudentSort) -> (String, String) {
    let name = student.name.to_lowercase();
    let key = match sort {
        StudentSort::Name => name,
        StudentSort::Class => {
            format!("{} {name}", student.class_name.clone().unwrap_or_default().to_lowercase())
        }
        StudentSort::AdmissionNumber => student.admission_number.clone(),
    };
    (key, student.id.clone())
}

on_both! {
    async fn all_pages_together_are_the_list_in_its_order(database: Database) {
        demo::plant(&database).await.expect("planted");
        let school = reading(&database, None, Rights::all()).await;
        for sort in StudentSort::ALL {
            for order in [Order::Ascending, Order::Descending] {
                for size in [7, 20, 60, 100] {
                    let read = leafed(&school, *sort, order, size).await;
                    let keys: Vec<_> = read.iter().map(|student| key(student, *sort)).collect();
                    let mut expected = keys.clone();
                    expected.sort();
                    expected.dedup();
                    if order == Order::Descending {
                        expected.reverse();
                    }
                    assert_eq!(keys.len(), 60, "{sort:?} {order:?} {size}");
                    assert_eq!(keys, expected, "{sort:?} {order:?} {size}");
                }
            }
        }
    }

    async fn a_record_that_comes_between_two_pages_moves_no_other(database: Database) {
        demo::plant(&database).await.expect("planted");
        let school = writing(&database, Rights::all()).await;
        let first = page(&school, asked(StudentSort::Name, Order::Ascending, 30, None)).await;
        // One that belongs on the page that was read, and one behind it.
        for name in ["Aaron Abbo", "Zziwa Zawedde"] {
            school.enrol(name.to_owned(), S1_EAST.to_owned()).await.expect("enrolled");
        }
        let rest = page(&school, asked(StudentSort::Name, Order::Ascending, 100, first.next_cursor())).await;
        assert_eq!((rest.total(), rest.items().len(), rest.next_cursor()), (62, 31, None));
        assert!(rest.items().iter().all(|student| !first.items().contains(student)));
        assert_eq!(rest.items().last().map(|student| student.name.as_str()), Some("Zziwa Zawedde"));
    }

    async fn a_page_counts_what_the_filter_and_the_rights_let_through(database: Database) {
        demo::plant(&database).await.expect("planted");
        let on = |id: &str| StudentFilter { campus: Some(campus(id)), ..StudentFilter::default() };
        let small = || asked(StudentSort::Name, Order::Ascending, 5, None);
        let school = reading(&database, None, Rights::all()).await;
        for (filter, total) in [(on(MAIN), 31), (on(LAKESIDE), 29)] {
            let listed = Students::list(&school, filter, small()).await.expect("a page");
            assert_eq!((listed.total(), listed.items().len()), (total, 5));
        }
        let gone = StudentFilter { status: StudentStatus::Withdrawn, ..StudentFilter::default() };
        let none = Students::list(&school, gone.clone(), small()).await.expect("a page");
        assert_eq!((none.total(), none.items().len(), none.next_cursor()), (0, 0, None));
        drop(school);
        let school = writing(&database, Rights::all()).await;
        school.withdraw("naalya-student-001".to_owned()).await.expect("withdrawn");
        let one = Students::list(&school, gone, small()).await.expect("a page");
        assert_eq!(one.items().iter().map(|student| student.status).collect::<Vec<_>>(), [StudentStatus::Withdrawn]);
        drop(school);
        let lakeside = reading(&database, None, Rights::campus(LAKESIDE)).await;
        assert_eq!(page(&lakeside, small()).await.total(), 29);
    }

    async fn a_cursor_fits_the_order_that_it_was_made_in(database: Database) {
        demo::plant(&database).await.expect("planted");
        let school = reading(&database, None, Rights::all()).await;
        let first = page(&school, asked(StudentSort::Name, Order::Ascending, 10, None)).await;
        let cursor = first.next_cursor();
        for (sort, order) in [
            (StudentSort::Class, Order::Ascending),
            (StudentSort::Name, Order::Descending),
        ] {
            let other = ListQuery::new(Some(sort), Some(order), None, cursor);
            assert_eq!(other.expect_err("another order"), PageFault::OtherOrder);
        }
    }
}
